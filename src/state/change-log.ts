// The change log beside a state file, `FILE.log.N`: what has happened since the file was written, as one JSON line for
// each save. Appending a line is cheap, however large the state is. A process that is killed loses no line.
import {
  close,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { FileProblem } from '../file-problem.ts';
import { messageOf } from '../system-errors.ts';
import { sealedLine, unsealedLine } from './checksum.ts';
import type { LoggedChanges } from './form.ts';
import { notAStateFile, REMEDY } from './form.ts';

const logPath = (file: string, number: number): string => `${file}.log.${number}`;

export class ChangeLog {
  readonly number: number;
  readonly #run: string;
  readonly #path: string;
  readonly #descriptor: number;
  /** Tells the file from another one in its place. */
  readonly #inode: number;
  length = 0;
  /** Bytes that the disk may not have yet. */
  #unsynced = 0;
  #syncing = false;
  #closed = false;

  /** `run`: that of the file, which tells its logs from those of another file in its place. */
  constructor(file: string, number: number, run: string) {
    this.number = number;
    this.#run = run;
    this.#path = logPath(file, number);
    rmSync(this.#path, { force: true });
    this.#descriptor = openSync(this.#path, 'wx', 0o600);
    this.#inode = fstatSync(this.#descriptor).ino;
  }

  /** Whether a start would find it: what was appended after somebody deleted it is lost. */
  isThere(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Appends a line. If it throws, the log is as it was. */
  append(changes: LoggedChanges): void {
    const line = sealedLine({ run: this.#run, ...changes });
    let written = 0;
    try {
      while (written < line.length) {
        written += writeSync(this.#descriptor, line, written, line.length - written, this.length + written);
      }
    } catch (error) {
      ftruncateSync(this.#descriptor, this.length);
      throw error;
    }
    this.length += line.length;
    this.#unsynced += line.length;
  }

  /** Has the system write the log to its disk, in case the machine fails. */
  sync(): void {
    if (this.#syncing || this.#closed || this.#unsynced === 0) return;
    const bytes = this.#unsynced;
    this.#syncing = true;
    this.#unsynced = 0;
    fdatasync(this.#descriptor, (error) => {
      this.#syncing = false;
      if (error) this.#unsynced += bytes;
      if (this.#closed) this.#release();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#syncing) this.#release();
  }

  #release(): void {
    // A disk that is gone says so when the next log is written. One that frees the space of a log takes its time.
    close(this.#descriptor, () => {});
  }
}

const lineForm = z.object({
  run: z.string(),
  worlds: z.record(
    z.string(),
    z.union([z.object({ dump: z.object({}) }), z.object({ delta: z.object({}) })]).nullable(),
  ),
  gone: z.record(z.string(), z.number()),
  clean: z.literal(true).optional(),
});

/**
 * The lines of the logs that follow a file, from that number on; `next` is the number of the first log that does not exist,
 * and `isClean` says whether a process that stopped in order wrote the last line.
 * Throws FileProblem if some of what has happened since the file was written is missing, or happened to another file.
 */
export function readLogs(
  file: string,
  first: number,
  run: string,
): { readonly changes: LoggedChanges[]; readonly next: number; readonly isClean: boolean } {
  const changes: LoggedChanges[] = [];
  let next = first;
  let isTorn = false;
  for (const number of logNumbers(file)) {
    if (number < first) continue;
    const path = logPath(file, number);
    const read = readLog(path, run);
    if (number !== next || (isTorn && read.changes.length > 0))
      throw doesNotFollow(path, `what comes between it and ${basename(file)} is missing`);
    changes.push(...read.changes);
    isTorn ||= read.isTorn;
    next += 1;
  }
  return { changes, next, isClean: !isTorn && changes.at(-1)?.clean === true };
}

/** Whether a log has a line; a start makes an empty one before it writes the file. */
export const hasChanges = (file: string): boolean => logBytes(file) > 0;

/** How long the logs of a file are together. */
export function logBytes(file: string): number {
  const lengths = logNumbers(file).map((number) => statSync(logPath(file, number)).size);
  return lengths.reduce((sum, length) => sum + length, 0);
}

function logNumbers(file: string): number[] {
  const prefix = `${basename(file)}.log.`;
  return readdirSync(dirname(file))
    .flatMap((name) => (name.startsWith(prefix) ? Number(name.slice(prefix.length)) : []))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

const doesNotFollow = (path: string, reason: string): FileProblem =>
  FileProblem.at(path, 0, '', `does not belong to the state file beside it: ${reason}; ${REMEDY}`);

function readLog(path: string, run: string): { readonly changes: LoggedChanges[]; readonly isTorn: boolean } {
  const lines = textOf(path).split('\n');
  // Each line ends with a line break.
  const last = lines.pop();
  const changes: LoggedChanges[] = [];
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line);
    if (!parsed) {
      // A machine that failed leaves the end of the log incomplete.
      if (!lines.slice(index + 1).some((later) => parseLine(later))) return { changes, isTorn: true };
      throw notAStateFile(path, index + 1, 'this line is not what Ringback wrote');
    }
    if (parsed.run !== run)
      throw doesNotFollow(path, 'another server wrote it, with another state file in the place of this one');
    changes.push(parsed);
  }
  return { changes, isTorn: last !== '' };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw FileProblem.at(path, 0, '', `cannot be read: ${messageOf(error)}`);
  }
}

function parseLine(line: string): (LoggedChanges & { readonly run: string }) | undefined {
  const json = unsealedLine(line);
  // What is in the worlds is checked when it has been put together.
  return lineForm.safeParse(json).success ? (json as LoggedChanges & { run: string }) : undefined;
}

/**
 * Deletes the logs of a file that are older than that number, or all. Not synchronously: a disk takes 100 ms to free the
 * space of a long one.
 */
export async function removeLogs(file: string, before = Number.POSITIVE_INFINITY): Promise<void> {
  const prefix = `${basename(file)}.log.`;
  for (const name of await readdir(dirname(file))) {
    const number = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (number < before) await rm(join(dirname(file), name), { force: true });
  }
}
