// Reads YAML (or JSON) files that people write: every problem is reported with file and line, and limits on nesting and
// aliases keep the time and memory for reading a file in proportion to its length.
import type { Composer, CST, Document, LineCounter, Pair, YAMLMap, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { validate } from './errors/schema-errors.ts';
import { type Parts, validParts } from './errors/valid-parts.ts';
import { FileProblem } from './file-problem.ts';
import { yaml } from './lazy-modules.ts';
import { ownText } from './own-text.ts';
import { precompiledYaml } from './precompiled-yaml.ts';
import { messageOf } from './system-errors.ts';
import { MAX_DEPTH, type ProblemAt, TreeCheck, tooDeep } from './yaml-tree-check.ts';

export type Path = readonly PropertyKey[];

const MAX_DIRECTIVES = 1000;
/** How many words, spaces, line ends and marks are a piece of work. */
const PIECE = 50;
/** Of the lexer. */
const SCALAR = '\u001f';
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
  /** How many words, spaces, line ends and marks its text is made of; 0 if it was parsed at build time. */
  readonly size: number;
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
 * `maxSize` bounds the words, spaces, line ends and marks of which it is made, each of which takes about 2 µs.
 */
export function readYamlFile<Data extends object>(
  file: string,
  source: string,
  schema: z.ZodType<Data>,
  maxSize = Number.POSITIVE_INFINITY,
): LocatedFile<Data> {
  return finished(readYamlInPieces(file, source, schema, maxSize));
}

/** The same in pieces of work, of which putting the data together is the longest: 1 µs for each word, space and mark. */
export function* readYamlInPieces<Data extends object>(
  file: string,
  source: string,
  schema: z.ZodType<Data>,
  maxSize = Number.POSITIVE_INFINITY,
): Generator<void, LocatedFile<Data>> {
  const prepared = precompiledYaml(source);
  const parsed =
    prepared === undefined
      ? yield* parse(file, source, maxSize)
      : { value: prepared, size: 0, problem: problemsOf(file, source) };
  const { data, errors } = validate(schema, parsed.value);
  const { size, problem } = parsed;
  if (data !== undefined) {
    // As long as nothing else needs its memory: what is found wrong at once is located without parsing it again.
    const tree = new WeakRef(parsed);
    const problemAgain: typeof problem = (faults) => (tree.deref()?.problem ?? problemsOf(file, source))(faults);
    return { ...fittingFile(file, source, data), size, problem: problemAgain };
  }
  yield;
  // Of data that is nothing that fits, there are no parts.
  const parts = (validParts(schema, parsed.value) ?? {}) as Parts<Data>;
  return { data, parts, faults: errors, size, problem };
}

/** A file whose data is known to fit its schema. */
export const fittingFile = <Data extends object>(file: string, source: string, data: Data): LocatedFile<Data> => ({
  data,
  // Data that fits is its own parts.
  parts: data as Parts<Data>,
  faults: [],
  size: 0,
  problem: problemsOf(file, source),
});

const problemsOf =
  (file: string, source: string): LocatedFile<unknown>['problem'] =>
  (faults) =>
    finished(parse(file, source)).problem(faults);

function finished<Result>(pieces: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

interface ParsedText {
  readonly value: unknown;
  readonly size: number;
  problem(faults: readonly [DataFault, ...DataFault[]]): FileProblem;
}

/** Parses a text without validating it, in pieces of work. */
function* parse(file: string, source: string, maxSize = Number.POSITIVE_INFINITY): Generator<void, ParsedText> {
  const { LineCounter } = yaml();
  const lines = new LineCounter();
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: line || 1, column: col || 1 };
  };
  const problemAt = (offset: number, reason: string): FileProblem =>
    new FileProblem([{ file, ...placeOf(offset), field: '', reason }]);
  const { document, size } = yield* compose(source, lines, maxSize, problemAt);
  yield;
  new TreeCheck(problemAt).check(document.contents);
  yield;
  keepNoSource(document);
  yield;
  const value = dataOf(document, problemAt);
  yield;
  return {
    value,
    size,
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
}

function dataOf(document: Document.Parsed, problemAt: ProblemAt): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    // Some tags and directives of older YAML versions fail only here.
    throw problemAt(0, messageOf(error));
  }
}

/** Records of calls have texts of a scenario, and outlive its file. */
function keepNoSource(document: Document.Parsed): void {
  yaml().visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string') node.value = ownText(node.value);
    },
  });
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

/**
 * Composes the one document of a text, in pieces of work. Nesting is limited while parsing, because composing recurses; unique keys are
 * checked later, because the composer compares each key with all earlier ones.
 */
function* compose(
  source: string,
  lines: LineCounter,
  maxSize: number,
  problemAt: ProblemAt,
): Generator<void, { readonly document: Document.Parsed; readonly size: number }> {
  const { Composer, Lexer, Parser } = yaml();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ uniqueKeys: false });
  refuseFirstError(composer, problemAt);
  let document: Document.Parsed | undefined;
  const add = (composed: Iterable<Document.Parsed>): void => {
    for (const each of composed) {
      if (document) throw problemAt(each.range[0], 'starts a second document; a file must be a single document');
      document = each;
      const [syntaxError] = each.errors;
      if (syntaxError) throw syntaxProblem(syntaxError, problemAt);
    }
  };
  /** False if no more can be read. */
  const addAll = (tokens: Iterable<CST.Token>): boolean => {
    for (const token of tokens) {
      add(composer.next(token));
      if (token.type === 'error') return false;
    }
    return true;
  };
  let percents = 0;
  let size = 0;
  let canGoOn = true;
  for (const lexeme of new Lexer().lex(source)) {
    // It marks where each scalar begins.
    if (lexeme !== SCALAR && ++size > maxSize)
      throw problemAt(parser.offset, `is made of more than ${maxSize} words, spaces, line ends and marks`);
    canGoOn = addAll(parser.next(lexeme));
    if (!canGoOn) break;
    // Two entries of the stack do not count as nesting: the document and the value at the tip.
    if (parser.stack.length > MAX_DEPTH + 2) throw problemAt(parser.offset, tooDeep);
    // The composer joins all of them anew for each.
    if (lexeme.startsWith('%') && ++percents > MAX_DIRECTIVES)
      throw problemAt(parser.offset, `has more than ${MAX_DIRECTIVES} lines or values that begin with %`);
    if (size % PIECE === 0) yield;
  }
  if (canGoOn) addAll(parser.end());
  add(composer.end(true, source.length));
  if (!document) throw problemAt(0, 'is not a YAML document');
  return { document, size };
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
