// A transaction for sending webhooks and ticks: in turn with the background work of all other worlds, and retried if
// the store fails for a moment.
import { persist } from '../store/persist.ts';
import { NoSuchWorld, type Store, type Tx } from '../store/store.ts';
import { StoreAway } from '../store/store-away.ts';
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

/**
 * Whether such a transaction failed by no bug. What was to be sent goes with a world that is dropped, and is sent later if
 * the store is away.
 */
export const isNoBug = (error: unknown): boolean => error instanceof NoSuchWorld || error instanceof StoreAway;
