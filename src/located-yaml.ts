// YAML (or JSON) files that people write, read so that whatever is wrong with them can be said with file and line.
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { preparedYaml } from './prepared-yaml.ts';

export type Path = readonly PropertyKey[];

/** What is wrong with a file: where, and why. */
export class FileProblem extends Error {
  readonly file: string;
  readonly line: number;
  /** The place within the file's data, dotted; empty for the file as a whole. */
  readonly field: string;
  readonly reason: string;

  constructor(file: string, line: number, field: string, reason: string) {
    super(`${file}:${line}: ${field ? `${field}: ` : ''}${reason}`);
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

/** Reads a text as that schema has it; throws FileProblem about the first thing that is wrong. */
export function readLocated<Data>(file: string, source: string, schema: z.ZodType<Data>): LocatedFile<Data> {
  const known = preparedYaml(source);
  if (known !== undefined) {
    const parsed = schema.safeParse(known);
    // What is wrong is rare, and is said by the reading below, which knows the lines.
    if (parsed.success)
      return { data: parsed.data, problem: (...what) => readText(file, source, schema).problem(...what) };
  }
  return readText(file, source, schema);
}

function readText<Data>(file: string, source: string, schema: z.ZodType<Data>): LocatedFile<Data> {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true });
  const lineOf = (path: Path): number => {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const problem = (path: Path, reason: string): FileProblem =>
    new FileProblem(file, lineOf(path), path.map(String).join('.'), reason);
  const [syntax] = document.errors;
  if (syntax) {
    throw new FileProblem(file, syntax.linePos?.[0].line ?? 1, '', (syntax.message.split('\n')[0] as string).trim());
  }
  const parsed = schema.safeParse(document.toJS());
  if (parsed.success) return { data: parsed.data, problem };
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    throw problem([...issue.path, key], `"${key}" is not known here`);
  }
  throw problem(issue.path, issue.message);
}
