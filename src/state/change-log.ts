// The change log beside a state file, `FILE.log.N`: what has happened since the file was written, as one JSON line for
// each save. Appending a line is cheap, however large the state is. A process that is killed loses no line.
import { close, existsSync, fdatasync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { LoggedChanges } from './form.ts';
import { notAStateFile } from './form.ts';

const logPath = (file: string, number: number): string => `${file}.log.${number}`;

export class ChangeLog {
  readonly number: number;
  readonly #descriptor: number;
  length = 0;
  /** Bytes that the disk may not have yet. */
  #unsynced = 0;
  #syncing = false;
  #closed = false;

  constructor(file: string, number: number) {
    this.number = number;
    const path = logPath(file, number);
    rmSync(path, { force: true });
    this.#descriptor = openSync(path, 'wx', 0o600);
  }

  /** Appends a line. If it throws, the log is as it was. */
  append(changes: LoggedChanges): void {
    const line = Buffer.from(`${JSON.stringify(changes)}\n`);
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
  worlds: z.record(
    z.string(),
    z.union([z.object({ dump: z.object({}) }), z.object({ delta: z.object({}) })]).nullable(),
  ),
  gone: z.record(z.string(), z.number()),
});

/** The lines of the logs from that number on; `next` is the number of the first log that does not exist. */
export function readLogs(file: string, first: number): { changes: LoggedChanges[]; next: number } {
  const changes: LoggedChanges[] = [];
  let next = first;
  for (; existsSync(logPath(file, next)); next++) changes.push(...readLog(logPath(file, next)));
  return { changes, next };
}

function readLog(path: string): LoggedChanges[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const changes: LoggedChanges[] = [];
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line);
    if (parsed) changes.push(parsed);
    // A machine that failed leaves the end of the log incomplete.
    else if (lines.slice(index + 1).some((later) => parseLine(later))) {
      throw notAStateFile(path, index + 1, 'this line is not what Ringback wrote');
    } else break;
  }
  return changes;
}

function parseLine(line: string): LoggedChanges | undefined {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return undefined;
  }
  // What is in the worlds is checked when it has been put together.
  return lineForm.safeParse(json).success ? (json as LoggedChanges) : undefined;
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
