// A transaction at the world's now: everything that is due by then has happened before the body runs.

import { systemNow, worldTime } from '../clock/clock.ts';
import { TimeSlice } from '../scheduler/time-slice.ts';
import type { Awaitable, Tx } from '../store/store.ts';
import type { SandboxContext } from './sandbox-context.ts';

/** More is due than one transaction may perform while all other worlds wait for it. */
const MORE = Symbol('more is due');

/** Runs a body at the world's present instant; `cause` is the journal entry that what it does is put down to. */
export async function transact<T>(
  { store, runTask }: Pick<SandboxContext, 'store' | 'runTask'>,
  world: string,
  cause: string | null,
  body: (tx: Tx) => Awaitable<T>,
): Promise<T> {
  for (;;) {
    let breath: TimeSlice | undefined;
    const result = await store.transaction(world, (tx): Awaitable<T | typeof MORE> => {
      const now = worldTime(tx.state('clock'), systemNow());
      for (let row = tx.takeTask(now); row; row = tx.takeTask(now)) {
        breath ??= new TimeSlice();
        runTask(tx, row);
        if (breath.isExpired) return MORE;
      }
      tx.at = now;
      tx.cause = cause;
      return body(tx);
    });
    if (result !== MORE) return result;
    await breath?.yield();
  }
}
