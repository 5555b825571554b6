// Reads YAML (or JSON) files that people write: every problem is reported with file and line, and limits on nesting and
// aliases keep the time and memory for reading a file in proportion to its length.
import type { Composer, Document, LineCounter, Pair, YAMLMap, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { validate } from './errors/schema-errors.ts';
import { type Parts, validParts } from './errors/valid-parts.ts';
import { FileProblem } from './file-problem.ts';
import { yaml } from './lazy-modules.ts';
import { precompiledYaml } from './precompiled-yaml.ts';
import { messageOf } from './system-errors.ts';

export type Path = readonly PropertyKey[];

/** Levels of nested arrays and objects that a file or a request body may have. */
export const MAX_DEPTH = 64;
/** How many anchors and aliases a file may have, and how many values its aliases may expand to. */
const MAX_ALIASES = 1000;
const MAX_ALIASED_VALUES = 10_000;
const MAX_DIRECTIVES = 1000;
/** The parser's messages quote the file, which may be long. */
const MAX_REASON_LENGTH = 200;

/** Something wrong with the data at a path. */
export interface DataFault {
  readonly path: Path;
  readonly reason: string;
}

/** A file, which may have faults. */
export interface LocatedFile<Data> {
  /** Undefined if the file does not fit its schema. */
  readonly data: Data | undefined;
  /** What of it fits. */
  readonly parts: Parts<Data>;
  /** What does not. */
  readonly faults: readonly DataFault[];
  /** Returns a problem about the data at these paths, with their places, in the order of the file. */
  problem(faults: readonly [DataFault, ...DataFault[]]): FileProblem;
}

/** Notes a fault; the check goes on, so that all faults of a file are reported at once. */
export type Report = (path: Path, reason: string) => void;

/**
 * The data of a file that fits its schema and passes a check, which sees the parts that fit. Throws a FileProblem with
 * all faults of both.
 */
export function checkFile<Data>(
  { data, parts, faults, problem }: LocatedFile<Data>,
  check: (parts: Parts<Data>, report: Report) => void,
): Data {
  const found = [...faults];
  check(parts, (path, reason) => {
    if (!faults.some((fault) => isWithin(path, fault.path))) found.push({ path, reason });
  });
  const [first, ...rest] = found;
  if (first) throw problem([first, ...rest]);
  // A file without faults has fitted its schema.
  return data as Data;
}

const isWithin = (path: Path, outer: Path): boolean =>
  outer.length <= path.length && outer.every((segment, index) => segment === path[index]);

/**
 * Parses a file's text and validates it. Throws a FileProblem only if it is not YAML: `checkFile` reports its other
 * faults. A file that fits keeps the text but no parse tree: its problems are rare, so locating one parses it again.
 */
export function readYamlFile<Data extends object>(
  file: string,
  source: string,
  schema: z.ZodType<Data>,
): LocatedFile<Data> {
  const prepared = precompiledYaml(source);
  const parsed = prepared === undefined ? parse(file, source) : { value: prepared, problem: problemsOf(file, source) };
  const { data, errors } = validate(schema, parsed.value);
  if (data !== undefined) return fittingFile(file, source, data);
  // Of data that is nothing that fits, there are no parts.
  const parts = (validParts(schema, parsed.value) ?? {}) as Parts<Data>;
  return { data, parts, faults: errors, problem: parsed.problem };
}

/** A file whose data is known to fit its schema. */
export const fittingFile = <Data extends object>(file: string, source: string, data: Data): LocatedFile<Data> => ({
  data,
  // Data that fits is its own parts.
  parts: data as Parts<Data>,
  faults: [],
  problem: problemsOf(file, source),
});

const problemsOf =
  (file: string, source: string): LocatedFile<unknown>['problem'] =>
  (faults) =>
    parse(file, source).problem(faults);

interface ParsedText {
  readonly value: unknown;
  problem(faults: readonly [DataFault, ...DataFault[]]): FileProblem;
}

/** Parses a text without validating it. */
function parse(file: string, source: string): ParsedText {
  const { LineCounter } = yaml();
  const lines = new LineCounter();
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: line || 1, column: col || 1 };
  };
  const problemAt = (offset: number, reason: string): FileProblem =>
    new FileProblem([{ file, ...placeOf(offset), field: '', reason }]);
  const document = compose(source, lines, problemAt);
  new TreeCheck(problemAt).check(document.contents);
  try {
    return {
      value: document.toJS({ maxAliasCount: -1 }),
      problem(faults) {
        const pairs: Pairs = new Map();
        const located = faults
          .map(({ path, reason }) => ({
            offset: offsetOf(document, path, pairs),
            field: path.map(String).join('.'),
            reason,
          }))
          .sort((a, b) => a.offset - b.offset)
          .map(({ offset, field, reason }) => ({ file, ...placeOf(offset), field, reason }));
        const [first, ...rest] = located;
        if (!first) throw new Error('a problem needs a fault');
        return new FileProblem([first, ...rest]);
      },
    };
  } catch (error) {
    // Some tags and directives of older YAML versions fail only here.
    throw problemAt(0, messageOf(error));
  }
}

/** The pairs of each object of a document by key, for those in which one was looked for. */
type Pairs = Map<YAMLMap, ReadonlyMap<string, Pair>>;

/** The pair with that key; the first, if several have it. Searching the list for each of many faults would take too long. */
function pairOf(pairs: Pairs, map: YAMLMap, key: string): Pair | undefined {
  const { isScalar } = yaml();
  const known = pairs.get(map);
  if (known) return known.get(key);
  const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);
  pairs.set(map, new Map(map.items.map((pair): [string, Pair] => [keyOf(pair), pair]).reverse()));
  return pairOf(pairs, map, key);
}

/** Where the data at a path is written: at its key, or at its value in an array; in the nearest parent if it is absent. */
function offsetOf({ contents }: Document.Parsed, path: Path, pairs: Pairs): number {
  const { isCollection, isMap, isNode } = yaml();
  const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
  let node: unknown = contents;
  for (const [index, segment] of path.entries()) {
    if (!isCollection(node)) return startOf(node);
    const pair = isMap(node) ? pairOf(pairs, node, String(segment)) : undefined;
    const next: unknown = pair ? pair.value : node.get(segment, true);
    if (!isNode(next)) return startOf(pair ? pair.key : node);
    if (index === path.length - 1) return startOf(pair ? pair.key : next);
    node = next;
  }
  return startOf(node);
}

type ProblemAt = (offset: number, reason: string) => FileProblem;

/**
 * Composes the one document of a text. Nesting is limited while parsing, because composing recurses; unique keys are
 * checked later, because the composer compares each key with all earlier ones.
 */
function compose(source: string, lines: LineCounter, problemAt: ProblemAt): Document.Parsed {
  const { Composer, Lexer, Parser } = yaml();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  let percents = 0;
  function* tokens() {
    for (const lexeme of new Lexer().lex(source)) {
      for (const token of parser.next(lexeme)) {
        yield token;
        if (token.type === 'error') return;
      }
      // Two entries of the stack do not count as nesting: the document and the value at the tip.
      if (parser.stack.length > MAX_DEPTH + 2) throw problemAt(parser.offset, tooDeep);
      // The composer joins all of them anew for each.
      if (lexeme.startsWith('%') && ++percents > MAX_DIRECTIVES)
        throw problemAt(parser.offset, `has more than ${MAX_DIRECTIVES} lines or values that begin with %`);
    }
    yield* parser.end();
  }
  const composer = new Composer({ uniqueKeys: false });
  refuseFirstError(composer, problemAt);
  let document: Document.Parsed | undefined;
  for (const composed of composer.compose(tokens(), true, source.length)) {
    if (document) throw problemAt(composed.range[0], 'starts a second document; a file must be a single document');
    document = composed;
    const [syntaxError] = document.errors;
    if (syntaxError) throw syntaxProblem(syntaxError, problemAt);
  }
  if (!document) throw problemAt(0, 'is not a YAML document');
  return document;
}

/** A character of a text that is not YAML can be an error each, and to collect tens of thousands takes a second. */
function refuseFirstError(composer: Composer, problemAt: ProblemAt): void {
  const parts = composer as unknown as { onError(...given: unknown[]): void; errors: YAMLParseError[] };
  const collect = parts.onError;
  parts.onError = (...given) => {
    collect(...given);
    const [first] = parts.errors;
    if (first) throw syntaxProblem(first, problemAt);
  };
}

const syntaxProblem = ({ pos, message }: YAMLParseError, problemAt: ProblemAt): FileProblem =>
  problemAt(pos[0], message.slice(0, MAX_REASON_LENGTH));

const tooDeep = `is nested more than ${MAX_DEPTH} levels deep`;

/** The size of a node with its aliases expanded. */
interface Extent {
  readonly values: number;
  readonly depth: number;
}

const scalarExtent: Extent = { values: 1, depth: 0 };

/** Refuses what cannot become data: duplicate or non-string keys, and aliases that are undefined, circular or too many. */
class TreeCheck {
  readonly #yaml = yaml();
  readonly #problemAt: ProblemAt;
  /** By anchor name; null while the anchored node itself is being checked. */
  readonly #anchors = new Map<string, Extent | null>();
  #aliases = 0;
  #aliasedValues = 0;

  constructor(problemAt: ProblemAt) {
    this.#problemAt = problemAt;
  }

  check(node: unknown): Extent {
    const { isAlias, isCollection, isNode } = this.#yaml;
    if (!isNode(node)) return scalarExtent;
    const offset = node.range?.[0] ?? 0;
    if (isAlias(node)) return this.#checkAlias(node.source, offset);
    const { anchor } = node;
    if (anchor !== undefined) {
      this.#countAlias(offset);
      this.#anchors.set(anchor, null);
    }
    const extent = isCollection(node) ? this.#checkItems(node.items, offset) : scalarExtent;
    if (anchor !== undefined) this.#anchors.set(anchor, extent);
    return extent;
  }

  #checkAlias(name: string, offset: number): Extent {
    this.#countAlias(offset);
    const extent = this.#anchors.get(name);
    if (extent === undefined)
      throw this.#problemAt(offset, `*${name} refers to an anchor that is not defined before it`);
    if (extent === null) throw this.#problemAt(offset, `*${name} is part of the value that it refers to`);
    this.#aliasedValues += extent.values;
    if (this.#aliasedValues > MAX_ALIASED_VALUES)
      throw this.#problemAt(offset, `aliases expand to more than ${MAX_ALIASED_VALUES} values`);
    return extent;
  }

  #countAlias(offset: number): void {
    this.#aliases += 1;
    if (this.#aliases > MAX_ALIASES)
      throw this.#problemAt(offset, `the file has more than ${MAX_ALIASES} anchors and aliases`);
  }

  #checkItems(items: readonly unknown[], offset: number): Extent {
    const { isPair } = this.#yaml;
    const keys = new Set<string>();
    let values = 1;
    let depth = 0;
    for (const item of items) {
      if (isPair(item)) this.#checkKey(item.key, keys, offset);
      const extent = this.check(isPair(item) ? item.value : item);
      values += extent.values;
      depth = Math.max(depth, extent.depth);
    }
    if (depth >= MAX_DEPTH) throw this.#problemAt(offset, tooDeep);
    return { values, depth: depth + 1 };
  }

  #checkKey(key: unknown, keys: Set<string>, offset: number): void {
    const { isAlias, isNode, isScalar } = this.#yaml;
    const at = isNode(key) ? (key.range?.[0] ?? 0) : offset;
    if (this.check(key).depth > 0) throw this.#problemAt(at, 'a key must be a string');
    const name = String(isScalar(key) ? key.value : isAlias(key) ? `*${key.source}` : '');
    // As in request bodies: code that copies or merges an object with this key could pollute a prototype.
    if (name === '__proto__') throw this.#problemAt(at, 'contains a reserved name (__proto__)');
    if (keys.has(name)) throw this.#problemAt(at, `"${name}" appears more than once`);
    keys.add(name);
  }
}
