// A transaction at the world's now: everything that is due by then has happened before the body runs.

import { TimeSlice } from '../scheduler/time-slice.ts';
import type { Tx } from '../store/store.ts';
import type { SandboxContext } from './sandbox-context.ts';

/** More is due than one transaction may perform while all other worlds wait for it. */
const MORE = Symbol('more is due');

/** Runs a body at the world's present instant; `cause` is the journal entry that what it does is put down to. */
export async function transact<T>(
  { store, runTask }: Pick<SandboxContext, 'store' | 'runTask'>,
  world: string,
  cause: string | null,
  body: (tx: Tx) => T,
): Promise<T> {
  for (;;) {
    let breath: TimeSlice | undefined;
    const result = await store.transaction(
      world,
      (tx): T | typeof MORE => {
        for (let task = tx.takeTask(tx.at); task; task = tx.takeTask(tx.at)) {
          breath ??= new TimeSlice();
          runTask(tx, task);
          if (breath.isExpired) return MORE;
        }
        return body(tx);
      },
      cause,
    );
    if (result !== MORE) return result;
    await breath?.yield();
  }
}
