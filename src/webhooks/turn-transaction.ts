// A transaction of what sends webhooks and ticks: in turn with the other background work of all worlds, and tried again
// if the store fails for a moment.
import { persist } from '../store/persist.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Work } from '../store/work.ts';

interface Parts {
  readonly store: Store;
  readonly work: Pick<Work, 'runs'>;
  readonly turns: { work<Result>(piece: () => Result, world?: string): Result };
}

/** Resolves to undefined if another process has taken over the work of that world: then nothing has happened. */
export const transactInTurn = <T>(
  { store, work, turns }: Parts,
  world: string,
  body: (tx: Tx) => T,
): Promise<T | undefined> =>
  persist(() => turns.work(() => store.transaction(world, (tx) => (work.runs(world) ? body(tx) : undefined)), world));
