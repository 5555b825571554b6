// `--state`: bundled and posted worlds as one JSON file, written a moment after they change and when the server stops.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { z } from 'zod';
import { LATEST_INSTANT, systemNow, worldTime } from './clock/clock.ts';
import type { Log } from './engine/sandbox-context.ts';
import { parseWith } from './errors/schema-errors.ts';
import type { JournalName } from './model.ts';
import { restore } from './store/restore.ts';
import type { ClockState, Store, WorldDump } from './store/store.ts';
import { tables } from './store/tables.ts';
import { FileProblem } from './yaml-with-locations.ts';

const FORMAT = 2;
/** A burst of changes is one write. */
const SETTLE_MS = 500;

interface StateFile {
  readonly format: number;
  worlds: Record<string, WorldDump>;
}

const instant = z.number().min(0).max(LATEST_INSTANT);
const tableName = z.enum(Object.keys(tables) as [keyof typeof tables, ...(keyof typeof tables)[]]);
const journal = z.object({ entries: z.array(z.object({ id: z.string() })) }).optional();
const row = z.object({ private: z.object({ organization_id: z.string(), rank: z.number() }) });

/** As much of the form as putting it back goes by; what is in it was written by this program. */
const stateShape = z.object({
  format: z.literal(FORMAT),
  worlds: z.record(
    z.string(),
    z.object({
      systemTime: instant,
      facts: z.object({ name: z.string(), fixture: z.string(), organization_id: z.string(), seed: z.number() }),
      state: z.object({ clock: z.object({ at: instant }), epoch: z.number(), starts_at: instant }),
      rows: z.partialRecord(tableName, z.array(row)),
      deleted: z.partialRecord(tableName, z.array(z.string())),
      counters: z.record(z.string(), z.number()),
      schedule: z.array(z.object({ at: instant, subject: z.object({ table: tableName, id: z.string() }) })),
      journals: z.strictObject({ requests: journal, steps: journal, events: journal, deliveries: journal } satisfies {
        [Name in JournalName]: z.ZodType;
      }),
    }),
  ),
});

export interface StateKeeper {
  /** Writes what has changed, and stops watching. */
  close(): Promise<void>;
}

/** Reads the file into the store, then keeps it up to date. Throws FileProblem where it cannot be read. */
export async function keepState(file: string, store: Store, log: Log): Promise<StateKeeper> {
  const state = await readState(file);
  for (const [name, dump] of Object.entries(state.data.worlds)) {
    const { facts, state } = dump;
    const now = systemNow();
    try {
      await store.addWorld({ ...facts, clock: state.clock, assumptions: state.assumptions, epoch: state.epoch }, (tx) =>
        restore(tx, { ...dump, state: { ...state, clock: resumed(state.clock, dump.systemTime, now) } }),
      );
    } catch (error) {
      // What the file says of a world is at fault, be it in what no form tells.
      throw new FileProblem(file, 1, `worlds.${name}`, `cannot be put back: ${(error as Error).message}`);
    }
  }
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = (): Promise<void> => {
    // One that failed is no reason not to try again.
    writing = writing.catch(() => {}).then(writeChanged);
    return writing;
  };
  async function writeChanged(): Promise<void> {
    const names = [...changed];
    changed.clear();
    try {
      for (const name of names) {
        const facts = await store.world(name);
        if (facts && facts.origin !== 'auto') state.data.worlds[name] = await store.dump(name, systemNow());
        else delete state.data.worlds[name];
      }
      await state.write();
    } catch (error) {
      for (const name of names) changed.add(name);
      throw error;
    }
  }
  const stop = store.onCommit(({ world }) => {
    changed.add(world);
    timer ??= setTimeout(() => {
      timer = undefined;
      write().catch((error) => log.error({ err: error, file }, 'the state could not be written'));
    }, SETTLE_MS);
  });
  return {
    async close() {
      stop();
      clearTimeout(timer);
      for (const { name } of await store.worlds()) changed.add(name);
      for (const name of Object.keys(state.data.worlds)) changed.add(name);
      await write();
    },
  };
}

async function readState(file: string): Promise<Low<StateFile>> {
  const state = new Low<StateFile>(new JSONFile(file), { format: FORMAT, worlds: {} });
  if (!existsSync(dirname(file))) throw new FileProblem(file, 0, '', 'its folder is not there (--state)');
  if (!existsSync(file)) return state;
  try {
    await state.read();
  } catch (error) {
    throw new FileProblem(file, 1, '', `is no state file: ${(error as Error).message}`);
  }
  parseWith(stateShape, state.data, ([{ path, reason }]) => {
    const why = `is no state file of this version (format ${FORMAT}): ${reason}`;
    return new FileProblem(file, 1, path.map(String).join('.'), why);
  });
  return state;
}

/** Standing clocks and fast ones go on where they stood; one on real time is with the machine again. */
function resumed(clock: ClockState, dumpedAt: number, now: number): ClockState {
  const last = worldTime(clock, dumpedAt);
  return { ...clock, at: clock.mode === 'real' ? Math.max(last, now) : last, systemTime: now, frozen: false };
}
