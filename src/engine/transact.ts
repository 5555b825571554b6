// A transaction at the world's now: everything that is due by then has happened before the body runs.
import { timeOf, wall } from '../clock/clock.ts';
import type { Awaitable, Tx } from '../store/store.ts';
import type { House } from './house.ts';

/** Runs a body at the world's present instant; `cause` is the journal entry that what it does is put down to. */
export function transact<T>(
  { store, perform }: Pick<House, 'store' | 'perform'>,
  world: string,
  cause: string | null,
  body: (tx: Tx) => Awaitable<T>,
): Promise<T> {
  return store.transaction(world, (tx) => {
    const now = timeOf(tx.cell('clock'), wall());
    for (let row = tx.takeRow(now); row; row = tx.takeRow(now)) perform(tx, row);
    tx.at = now;
    tx.cause = cause;
    return body(tx);
  });
}
