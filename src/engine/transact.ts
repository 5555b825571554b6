// A transaction at the world's present instant: every task that is due by then runs before the body.
import { TimeSlice } from '../scheduler/time-slice.ts';
import type { Tx } from '../store/store.ts';
import type { SandboxContext } from './sandbox-context.ts';

/** More tasks are left than one transaction may run while all other worlds wait for it. */
const MORE = Symbol('more tasks are left');

/** Runs a body at the world's present instant; `cause` is the journal entry that its effects are attributed to. */
export async function transact<T>(
  { store, runTask }: Pick<SandboxContext, 'store' | 'runTask'>,
  world: string,
  cause: string | null,
  body: (tx: Tx) => T,
): Promise<T> {
  for (;;) {
    let slice: TimeSlice | undefined;
    const result = await store.transaction(
      world,
      (tx): T | typeof MORE => {
        for (let task = tx.takeTask(tx.at); task; task = tx.takeTask(tx.at)) {
          slice ??= new TimeSlice();
          runTask(tx, task);
          if (slice.isExpired) return MORE;
        }
        return body(tx);
      },
      cause,
    );
    if (result !== MORE) return result;
    await slice?.yield();
  }
}
