// `--state`: bundled and posted worlds in a JSON file, with a change log beside it. `interface.md` section 1.
import { FileProblem } from '../file-problem.ts';
import { newSecret } from '../identity/secrets.ts';
import type { Log } from '../log.ts';
import type { Turns } from '../scheduler/turns.ts';
import type { SavableStore } from '../store/savable-store.ts';
import { messageOf } from '../system-errors.ts';
import { removeLogs } from './change-log.ts';
import { openDatabase, type StateDatabase } from './database.ts';
import { type FileLock, lockFile } from './lock.ts';
import { firstOrdinals, type LoadedState, loadState, resolveStateFile } from './read-file.ts';
import { restoreWorlds } from './restore-worlds.ts';
import { Saving, type SavingOptions } from './saving.ts';

export class StateKeeper {
  readonly #file: string;
  readonly #lock: FileLock;
  readonly #log: Log;
  readonly #database: StateDatabase;
  readonly #loaded: LoadedState;
  #secret: string | undefined;
  #saving: Saving | undefined;
  #begun = (): void => {};
  readonly #beginning = new Promise<void>((resolve) => {
    this.#begun = resolve;
  });

  private constructor(file: string, lock: FileLock, log: Log, database: StateDatabase, loaded: LoadedState) {
    this.#file = file;
    this.#lock = lock;
    this.#log = log;
    this.#database = database;
    this.#loaded = loaded;
    this.#secret = loaded.secret;
  }

  /** Locks and reads the file. Throws FileProblem if another process uses it, or if it cannot be read. */
  static async open(given: string, log: Log, turns: Turns): Promise<StateKeeper> {
    const file = resolveStateFile(given);
    const lock = await lockFile(file);
    try {
      const database = openDatabase(file, turns, () => lock.isHeld());
      await database.read();
      // Logs without their file are worth nothing.
      if (!database.data) await removeLogs(file);
      const loaded = loadState(file, database.data);
      database.data = null;
      return new StateKeeper(file, lock, log, database, loaded);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Worlds that earlier processes had and this one does not, with their epochs. */
  get gone(): ReadonlyMap<string, number> {
    return new Map(Object.entries(this.#loaded.gone));
  }

  /** Where the ordinals of new worlds begin. */
  get firstOrdinals(): number {
    return firstOrdinals(this.#loaded);
  }

  /** The server's secret: the one of earlier processes, or a new one. The file keeps it, for as long as it exists. */
  secret(): string {
    this.#secret ??= newSecret();
    return this.#secret;
  }

  async restore(store: SavableStore): Promise<void> {
    const { worlds, coverage = {} } = this.#loaded;
    await restoreWorlds(this.#file, worlds, store);
    for (const [world, counts] of Object.entries(coverage)) store.restoreCoverage(world, counts);
  }

  /** Writes the file, and keeps it up to date from now on. Throws FileProblem if it cannot be written. */
  async begin(store: SavableStore, gone: SavingOptions['gone']): Promise<void> {
    const { crashes, log: firstLog } = this.#loaded;
    const kept = { crashes, secret: this.#secret };
    const options = { file: this.#file, database: this.#database, log: this.#log, store, gone, firstLog, ...kept };
    const saving = new Saving(options);
    try {
      await saving.begin();
    } catch (error) {
      throw FileProblem.at(this.#file, 0, '', `cannot be written (--state): ${messageOf(error)}`);
    }
    this.#saving = saving;
    this.#begun();
  }

  /** Saves what has happened so far; resolves when a process that is killed would not lose it. */
  async save(): Promise<void> {
    if (!this.#saving) await this.#beginning;
    this.#saving?.save();
  }

  /** Remembers the name of a world that a restart loses. */
  remember(name: string, epoch: number): void {
    this.#saving?.remember(name, epoch);
  }

  /**
   * Writes the file a last time, and unlocks it. Throws StateNotSaved if changes are lost. If the file is not written in
   * time, the next start finds the changes in its log.
   */
  async close(withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    try {
      await this.#saving?.close(withinMs);
    } finally {
      this.#lock.release();
    }
  }
}
