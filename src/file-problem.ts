// Problems in files that people write, each with its file, line and field.

export interface Fault {
  readonly file: string;
  /** Counts from 1; 0 if the file could not be read. */
  readonly line: number;
  /** Counts from 1; 0 if the fault is about the line, or the file, as a whole. */
  readonly column: number;
  /** The path within the file's data, dotted; empty for the file as a whole. */
  readonly field: string;
  readonly reason: string;
}

/** More faults than these are counted, not listed. */
const MAX_LISTED = 20;

/** The faults of one or more files. The message is one line, as commands print it and logs keep it. */
export class FileProblem extends Error {
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(faults: readonly [Fault, ...Fault[]]) {
    const listed = faults.slice(0, MAX_LISTED).map(describeFault);
    const more = faults.length > MAX_LISTED ? [`and ${faults.length - MAX_LISTED} more`] : [];
    super([...listed, ...more].join('; '));
    this.faults = faults;
  }

  /** A problem with one fault, at a line (0 if the file could not be read) and a field (empty for the whole file). */
  static at(file: string, line: number, field: string, reason: string): FileProblem {
    return new FileProblem([{ file, line, column: 0, field, reason }]);
  }

  /** The problems of several files as one; undefined if there is none. */
  static all(problems: readonly FileProblem[]): FileProblem | undefined {
    const [first, ...rest] = problems.flatMap(({ faults }) => faults);
    return first && new FileProblem([first, ...rest]);
  }

  /** The file of the first fault. */
  get file(): string {
    return this.faults[0].file;
  }
}

function describeFault({ file, line, column, field, reason }: Fault): string {
  const place = [file, line, column].filter((part) => part !== 0).join(':');
  return `${place}: ${field ? `${field}: ` : ''}${reason}`;
}
