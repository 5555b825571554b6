// A transaction at the world's now: everything that is due by then has happened before the body runs.
import { Breath } from '../clock/breath.ts';
import { timeOf, wall } from '../clock/clock.ts';
import type { Awaitable, Tx } from '../store/store.ts';
import type { House } from './house.ts';

/** More is due than one transaction may perform while all other worlds wait for it. */
const MORE = Symbol('more is due');

/** Runs a body at the world's present instant; `cause` is the journal entry that what it does is put down to. */
export async function transact<T>(
  { store, perform }: Pick<House, 'store' | 'perform'>,
  world: string,
  cause: string | null,
  body: (tx: Tx) => Awaitable<T>,
): Promise<T> {
  for (;;) {
    let breath: Breath | undefined;
    const result = await store.transaction(world, (tx): Awaitable<T | typeof MORE> => {
      const now = timeOf(tx.cell('clock'), wall());
      for (let row = tx.takeRow(now); row; row = tx.takeRow(now)) {
        breath ??= new Breath();
        perform(tx, row);
        if (breath.isOver) return MORE;
      }
      tx.at = now;
      tx.cause = cause;
      return body(tx);
    });
    if (result !== MORE) return result;
    await breath?.next();
  }
}
