// Saves the worlds of a store while the sandbox runs: changes to the change log, and from time to time all worlds to
// the file. A failing disk never stops the sandbox: the failure is logged, and the save is tried again.
import { statSync } from 'node:fs';
import { clearTimeout, setTimeout } from 'node:timers';
import { systemNow } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { SavableStore } from '../store/savable-store.ts';
import { messageOf } from '../system-errors.ts';
import { ChangeLog, removeLogs } from './change-log.ts';
import type { StateDatabase } from './database.ts';
import { FILE_FORMAT, type LoggedChanges, type StateFile } from './form.ts';
import { StateNotSaved } from './not-saved.ts';

/** Changes within this time share a line of the log. With the time to write it, it is less than the 250 ms promised. */
const SAVE_AFTER_MS = 100;
/** The file is written at most so often that writing takes this part of the time, unless the log has grown long. */
const WRITING_SHARE = 1 / 20;
const LONG_LOG_BYTES = 64 * 1024 * 1024;
/** The wait after a write that failed; it doubles up to the longest one. */
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

export interface SavingOptions extends Pick<StateFile, 'crashes' | 'secret'> {
  readonly file: string;
  readonly database: StateDatabase;
  readonly log: Log;
  readonly store: SavableStore;
  /** The number of the first change log. */
  readonly firstLog: number;
  /** The names of worlds that a restart loses, with their epochs. */
  readonly gone: () => Iterable<readonly [string, number]>;
}

export class Saving {
  readonly #options: SavingOptions;
  readonly #run = `${systemNow()} ${process.hrtime.bigint()}`;
  #log: ChangeLog | undefined;
  #nextLog: number;
  /** Worlds that a restart loses, since they were last saved. */
  readonly #gone = new Map<string, number>();
  /** Whether the log misses changes, so that only the file can save them. */
  #broken = false;
  /** Changes since the file began to be written, while the log is broken. */
  #held: LoggedChanges[] | null = null;
  /** Whether the log has changes that the file does not have. */
  #unwritten = false;
  /** The wait after the write that has just failed; 0 after one that has not. */
  #retryMs = 0;
  #isWriting = false;
  #lastWrite: Promise<void> = Promise.resolve();
  #nextWriteAt = 0;
  #saveTimer: NodeJS.Timeout | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  #closing = false;
  #stopListening = (): void => {};

  constructor(options: SavingOptions) {
    this.#options = options;
    this.#nextLog = options.firstLog;
  }

  /** Writes the file, and saves what changes from now on. Throws the system's error if it cannot. */
  async begin(): Promise<void> {
    await this.#writeFile(false);
    this.#stopListening = this.#options.store.onCommit(() => this.#saveSoon());
  }

  /** Saves what has happened so far: a process that is killed from now on does not lose it. */
  save(): void {
    const { store } = this.#options;
    if (this.#broken && !this.#held) return;
    try {
      const worlds = store.takeChanges(store.systemTime());
      if (worlds.size === 0 && this.#gone.size === 0) return;
      const changes = { worlds: Object.fromEntries(worlds), gone: Object.fromEntries(this.#gone) };
      this.#gone.clear();
      this.#unwritten = true;
      if (this.#held) {
        this.#held.push(changes);
        return;
      }
      this.#log?.append(changes);
    } catch (error) {
      this.#broken = true;
      // Until the file is written, a crash loses what happens, so that does not wait for its turn.
      this.#nextWriteAt = Math.min(this.#nextWriteAt, performance.now() + RETRY_MS);
      clearTimeout(this.#writeTimer);
      this.#writeTimer = undefined;
      this.#reportFailure(error);
    }
    this.#planWrite();
  }

  /** Remembers the name of a world that a restart loses. */
  remember(name: string, epoch: number): void {
    this.#gone.set(name, epoch);
    this.save();
  }

  /** Writes the file a last time, unless that takes too long. Throws StateNotSaved if changes are lost. */
  async close(withinMs: number): Promise<void> {
    this.#closing = true;
    this.#stopListening();
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#writeTimer);
    // The log has everything from here on, whatever becomes of the file.
    this.save();
    this.#markClean();
    const { log, file } = this.#options;
    const isInTime = await endsWithin(withinMs, this.#closeFile());
    if (!isInTime) log.error({ file }, 'the state file could not be written in time; the next start reads its log');
  }

  /** Says in the log that nothing is missing from it, in case the file cannot be written. */
  #markClean(): void {
    if (this.#broken) return;
    try {
      this.#log?.append({ worlds: {}, gone: {}, clean: true });
      this.#log?.sync();
    } catch {
      // The file, which is written next, says so too, or tells why it cannot be written.
    }
  }

  async #closeFile(): Promise<void> {
    await this.#lastWrite;
    const log = this.#log;
    try {
      await this.#writeFile(true);
    } catch (error) {
      this.#reportFailure(error);
      if (this.#broken || !this.#isReadable(log)) throw new StateNotSaved(this.#options.file, messageOf(error));
    } finally {
      this.#log?.close();
    }
  }

  /** Whether the next start finds the file that was written last, and the log that follows it. */
  #isReadable(log: ChangeLog | undefined): boolean {
    const isFile = statSync(this.#options.file, { throwIfNoEntry: false })?.isFile() === true;
    return isFile && log?.isThere() === true;
  }

  #saveSoon(): void {
    this.#saveTimer ??= setTimeout(() => {
      this.#saveTimer = undefined;
      this.save();
      this.#log?.sync();
      this.#planWrite();
    }, SAVE_AFTER_MS).unref();
  }

  #planWrite(): void {
    if (this.#closing || this.#isWriting || !(this.#unwritten || this.#broken)) return;
    const isTooLong = (this.#log?.length ?? 0) > LONG_LOG_BYTES && this.#retryMs === 0 && this.#nextWriteAt > 0;
    if (this.#writeTimer && !isTooLong) return;
    if (isTooLong) this.#nextWriteAt = 0;
    clearTimeout(this.#writeTimer);
    const wait = Math.max(0, this.#nextWriteAt - performance.now());
    this.#writeTimer = setTimeout(() => {
      this.#writeTimer = undefined;
      this.#lastWrite = this.#write();
    }, wait).unref();
  }

  async #write(): Promise<void> {
    const began = performance.now();
    try {
      await this.#writeFile(false);
      const ended = performance.now();
      this.#options.log.debug({ file: this.#options.file, ms: Math.round(ended - began) }, 'the state was written');
      this.#nextWriteAt = ended + (ended - began) / WRITING_SHARE;
      if (this.#retryMs > 0) this.#options.log.info({ file: this.#options.file }, 'the state is written again');
      this.#retryMs = 0;
    } catch (error) {
      this.#unwritten = true;
      this.#reportFailure(error);
      this.#nextWriteAt = performance.now() + this.#retryMs;
      this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
    }
    this.#planWrite();
  }

  /** Writes all worlds as they are now; what changes meanwhile goes into a new log. */
  async #writeFile(isLast: boolean): Promise<void> {
    this.#isWriting = true;
    try {
      await this.#replaceFile(isLast);
    } finally {
      this.#isWriting = false;
      this.#held = null;
    }
  }

  async #replaceFile(isLast: boolean): Promise<void> {
    const { file, database, store, crashes, secret, gone } = this.#options;
    this.save();
    const next = isLast ? undefined : this.#emptyLog();
    const number = next?.number ?? this.#nextLog;
    if (this.#log !== next) this.#log?.close();
    this.#log = next;
    this.#unwritten = false;
    // From here on until the file is written, nothing waits: what it holds and what the new log holds fit together.
    store.takeChanges(store.systemTime());
    const worlds = Object.fromEntries(store.dumpAll(store.systemTime()).map((dump) => [dump.facts.name, dump]));
    if (this.#broken) this.#held = [];
    const run = this.#run;
    const facts = { format: FILE_FORMAT, run, clean: isLast, crashes, secret, log: number };
    const coverage = store.undumpedCoverage();
    database.data = { ...facts, gone: Object.fromEntries(gone()), coverage, worlds };
    await database.write().finally(() => {
      database.data = null;
    });
    for (const changes of this.#held ?? []) next?.append(changes);
    if (this.#held) this.#broken = false;
    // From here on, changes go into the new log.
    this.#held = null;
    await removeLogs(file, number);
  }

  /** A new log, or the latest one as long as nothing is in it, so that failing writes do not leave more and more. */
  #emptyLog(): ChangeLog {
    if (this.#log?.length === 0 && this.#log.isThere()) return this.#log;
    const log = new ChangeLog(this.#options.file, this.#nextLog, this.#run);
    this.#nextLog += 1;
    return log;
  }

  #reportFailure(error: unknown): void {
    if (this.#retryMs > 0) return;
    this.#retryMs = RETRY_MS;
    const { log, file } = this.#options;
    const hint = 'free space on its disk, or make its folder writable; it is tried again, at last every 30 seconds';
    log.error({ file, reason: messageOf(error), hint }, 'the state could not be written');
  }
}

/** Whether some work ends within a time; it goes on if not. */
async function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const ended = work.then(() => true);
  if (ms === Number.POSITIVE_INFINITY) return ended;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, ms));
  });
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
