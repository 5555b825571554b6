// YAML (or JSON) files that people write, read so that whatever is wrong with them can be said with file and line, and
// so that none of them takes longer to read than its length warrants.
import type { Document, LineCounter } from 'yaml';
import type { z } from 'zod';
import { parseWith } from './errors/schema-errors.ts';
import { yaml } from './lazy-modules.ts';
import { precompiledYaml } from './precompiled-yaml.ts';

export type Path = readonly PropertyKey[];

/** Levels of lists and objects that what people send or write may have. */
export const DEEPEST = 64;
/** Places that aliases and their anchors may stand in, and values that they may make together. */
const MOST_ALIASES = 1000;
const MOST_BY_ALIAS = 10_000;
/** The parser's complaints quote the text. */
const LONGEST_REASON = 200;

/** What is wrong with a file: where, and why. */
export class FileProblem extends Error {
  readonly file: string;
  /** From 1; 0 where there is nothing to read lines of. */
  readonly line: number;
  /** The place within the file's data, dotted; empty for the file as a whole. */
  readonly field: string;
  readonly reason: string;

  constructor(file: string, line: number, field: string, reason: string) {
    super(`${file}${line > 0 ? `:${line}` : ''}: ${field ? `${field}: ` : ''}${reason}`);
    this.file = file;
    this.line = line;
    this.field = field;
    this.reason = reason;
  }
}

export interface LocatedFile<Data> {
  readonly data: Data;
  /** A problem at that place of the data. */
  problem(path: Path, reason: string): FileProblem;
}

/**
 * Reads a text as that schema has it; throws FileProblem about the first thing that is wrong. What it answers keeps the
 * text and no more: a problem, which is rare, is located by reading the text again.
 */
export function readYamlFile<Data>(file: string, source: string, schema: z.ZodType<Data>): LocatedFile<Data> {
  const known = precompiledYaml(source);
  const parsed = known === undefined ? undefined : schema.safeParse(known);
  return {
    data: parsed?.success ? parsed.data : readText(file, source, schema),
    problem: (path, reason) => parse(file, source).problem(path, reason),
  };
}

function readText<Data>(file: string, source: string, schema: z.ZodType<Data>): Data {
  const { data, problem } = parse(file, source);
  return parseWith(schema, data, ([{ path, reason }]) => problem(path, reason));
}

/** The data of a text, and where everything in it stands. */
function parse(file: string, source: string): LocatedFile<unknown> {
  const { isNode, LineCounter } = yaml();
  const lines = new LineCounter();
  const problemAt = (offset: number, reason: string): FileProblem =>
    new FileProblem(file, lines.linePos(offset).line || 1, '', reason);
  const document = compose(source, lines, problemAt);
  checkTree(document.contents, problemAt);
  const lineOf = (path: Path): number => {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  try {
    return {
      data: document.toJS({ maxAliasCount: -1 }),
      problem: (path, reason) => new FileProblem(file, lineOf(path), path.map(String).join('.'), reason),
    };
  } catch (error) {
    // Tags and directives of older YAML have refusals of their own.
    throw problemAt(0, (error as Error).message);
  }
}

type ProblemAt = (offset: number, reason: string) => FileProblem;

/**
 * The one document of a text. Its nesting is watched while it is parsed, since composing goes as deep as the text does;
 * keys are compared later, since the composer compares each with all before it.
 */
function compose(source: string, lines: LineCounter, problemAt: ProblemAt): Document.Parsed {
  const { Composer, Lexer, Parser } = yaml();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  function* tokens() {
    for (const lexeme of new Lexer().lex(source)) {
      yield* parser.next(lexeme);
      // The document itself is one level of the stack, the value at the tip another.
      if (parser.stack.length > DEEPEST + 2) {
        throw problemAt(parser.offset, `is nested more than ${DEEPEST} levels deep`);
      }
    }
    yield* parser.end();
  }
  const composer = new Composer({ uniqueKeys: false });
  let document: Document.Parsed | undefined;
  for (const each of composer.compose(tokens(), true, source.length)) {
    if (document) throw problemAt(each.range[0], 'begins a second document; a file is one');
    document = each;
    const [syntax] = document.errors;
    if (syntax) throw problemAt(syntax.pos[0], syntax.message.slice(0, LONGEST_REASON));
  }
  // Composing with an end makes a document of nothing, too.
  return document as Document.Parsed;
}

/** What a node comes to with its aliases put in. */
interface Extent {
  readonly values: number;
  readonly depth: number;
}

/** Refuses what makes no data: keys that stand twice or are no texts, and aliases that lead nowhere or multiply. */
function checkTree(root: unknown, problemAt: ProblemAt): void {
  const { isAlias, isCollection, isNode, isPair, isScalar } = yaml();
  /** By anchor; null while what it names is still being walked. */
  const anchored = new Map<string, Extent | null>();
  let aliases = 0;
  let byAlias = 0;
  const count = (offset: number): void => {
    aliases += 1;
    if (aliases > MOST_ALIASES) throw problemAt(offset, `is one of more than ${MOST_ALIASES} anchors and aliases`);
  };
  const walk = (node: unknown): Extent => {
    if (!isNode(node)) return { values: 1, depth: 0 };
    const offset = node.range?.[0] ?? 0;
    if (isAlias(node)) {
      count(offset);
      const extent = anchored.get(node.source);
      if (extent === undefined) throw problemAt(offset, `*${node.source} names no anchor that stands before it`);
      if (extent === null) throw problemAt(offset, `*${node.source} stands within what it names`);
      byAlias += extent.values;
      if (byAlias > MOST_BY_ALIAS) throw problemAt(offset, `aliases make more than ${MOST_BY_ALIAS} values`);
      return extent;
    }
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) {
      count(offset);
      anchored.set(anchor, null);
    }
    const extent = isCollection(node) ? walkItems(node, offset) : { values: 1, depth: 0 };
    if (anchor !== undefined) anchored.set(anchor, extent);
    return extent;
  };
  const walkItems = (collection: { items: unknown[] }, offset: number): Extent => {
    let values = 1;
    let depth = 0;
    const add = (extent: Extent): void => {
      values += extent.values;
      depth = Math.max(depth, extent.depth);
    };
    const keys = new Set<string>();
    for (const item of collection.items) {
      if (!isPair(item)) {
        add(walk(item));
        continue;
      }
      const { key, value } = item;
      const at = isNode(key) ? (key.range?.[0] ?? 0) : offset;
      if (walk(key).depth > 0) throw problemAt(at, 'a key must be a text');
      const name = String(isScalar(key) ? key.value : isAlias(key) ? `*${key.source}` : '');
      // As in request bodies: what inherits from it would be misled, and what copies it drops it without a word.
      if (name === '__proto__') throw problemAt(at, 'carries a reserved name (__proto__)');
      if (keys.has(name)) throw problemAt(at, `"${name}" stands twice`);
      keys.add(name);
      add(walk(value));
    }
    if (depth >= DEEPEST) throw problemAt(offset, `is nested more than ${DEEPEST} levels deep`);
    return { values, depth: depth + 1 };
  };
  walk(root);
}
