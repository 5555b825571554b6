// `--state`: bundled and posted worlds as one JSON file, written shortly after they change and when the server stops.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { type ClockState, resume, systemNow, waitedAt, worldTime } from './clock/clock.ts';
import type { Log } from './log.ts';
import { checkState, FORMAT, type StateFile } from './state-file.ts';
import { restore } from './store/restore.ts';
import type { Store } from './store/store.ts';
import { FileProblem } from './yaml-with-locations.ts';

/** Changes within this time share one write. */
const WRITE_AFTER_MS = 500;

export interface StateKeeper {
  /** Writes what has changed, and stops watching. */
  close(): Promise<void>;
}

/** Reads the file into the store, then keeps it up to date. Throws FileProblem if it cannot be read. */
export async function keepState(file: string, store: Store, log: Log): Promise<StateKeeper> {
  const state = await readState(file);
  await restoreWorlds(file, state.data, store);
  const writer = new StateWriter(state, store);
  let timer: NodeJS.Timeout | undefined;
  const stop = store.onCommit(({ world }) => {
    writer.changed.add(world);
    timer ??= setTimeout(() => {
      timer = undefined;
      writer.write().catch((error) => log.error({ err: error, file }, 'the state could not be written'));
    }, WRITE_AFTER_MS);
  });
  return {
    async close() {
      stop();
      clearTimeout(timer);
      for (const { name } of await store.worlds()) writer.changed.add(name);
      for (const name of Object.keys(state.data.worlds)) writer.changed.add(name);
      await writer.write();
    },
  };
}

class StateWriter {
  /** The worlds that have changed since they were last written. */
  readonly changed = new Set<string>();
  readonly #state: Low<StateFile>;
  readonly #store: Store;
  #writing = Promise.resolve();

  constructor(state: Low<StateFile>, store: Store) {
    this.#state = state;
    this.#store = store;
  }

  /** Writes what has changed, after a write that is in progress. */
  write(): Promise<void> {
    // The next write is tried even if this one fails.
    this.#writing = this.#writing.catch(() => {}).then(() => this.#writeChanged());
    return this.#writing;
  }

  async #writeChanged(): Promise<void> {
    const { worlds } = this.#state.data;
    const names = [...this.changed];
    this.changed.clear();
    try {
      for (const name of names) {
        const facts = await this.#store.world(name);
        if (facts && facts.origin !== 'auto') worlds[name] = await this.#store.dump(name, systemNow());
        else delete worlds[name];
      }
      await this.#state.write();
    } catch (error) {
      for (const name of names) this.changed.add(name);
      throw error;
    }
  }
}

async function readState(file: string): Promise<Low<StateFile>> {
  const state = new Low<StateFile>(new JSONFile(file), { format: FORMAT, worlds: {} });
  if (!existsSync(dirname(file))) throw new FileProblem(file, 0, '', 'its folder does not exist (--state)');
  if (!existsSync(file)) return state;
  try {
    await state.read();
  } catch (error) {
    throw new FileProblem(file, 1, '', `is not a state file: ${messageOf(error)}`);
  }
  checkState(file, state.data);
  return state;
}

async function restoreWorlds(file: string, { worlds }: StateFile, store: Store): Promise<void> {
  for (const [name, dump] of Object.entries(worlds)) {
    const { facts, state } = dump;
    const clock = resumed(state.clock, dump.systemTime, systemNow());
    try {
      await store.addWorld({ ...facts, clock: state.clock, assumptions: state.assumptions, epoch: state.epoch }, (tx) =>
        restore(tx, { ...dump, state: { ...state, clock } }),
      );
    } catch (error) {
      // The form of the file is valid, but its content is not.
      throw new FileProblem(file, 1, `worlds.${name}`, `cannot be restored: ${messageOf(error)}`);
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Stopped and scaled clocks continue from where they were; a real clock returns to the system time. */
function resumed(clock: ClockState, dumpedAt: number, now: number): ClockState {
  const last = worldTime(clock, dumpedAt);
  const at = clock.mode === 'real' ? Math.max(last, now) : last;
  // The time between the two has been waited for.
  return {
    ...resume(clock, dumpedAt),
    at,
    systemTime: now,
    waited: waitedAt(clock, dumpedAt) + Math.max(0, now - dumpedAt),
  };
}
