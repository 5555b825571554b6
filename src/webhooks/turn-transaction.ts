// A transaction of what sends webhooks and ticks: in turn with the other background work of all worlds, and tried again
// if the store fails for a moment.
import { persist } from '../store/persist.ts';
import type { Store, Tx } from '../store/store.ts';

interface Parts {
  readonly store: Store;
  readonly turns: { work<Result>(piece: () => Result, world?: string): Result };
}

export const transactInTurn = <T>({ store, turns }: Parts, world: string, body: (tx: Tx) => T): Promise<T> =>
  persist(() => turns.work(() => store.transaction(world, body), world));
