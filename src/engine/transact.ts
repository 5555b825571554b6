// A transaction at the world's present instant: every task that is due by then runs before the body.
import type { Tx } from '../store/store.ts';
import type { SandboxContext } from './sandbox-context.ts';

/** More tasks are due than may run while all other worlds wait for it. */
const MORE = Symbol('more tasks are due');
/** The tasks that a request runs whoever's turn it is: one that waits for a turn waits for all worlds that work. */
const OWN_TASKS = 8;

/**
 * Runs a body at the world's present instant, within the bounds of the world; `cause` is the journal entry that its
 * effects are attributed to.
 */
export async function transact<T>(
  { store, runTask, turns }: Pick<SandboxContext, 'store' | 'runTask' | 'turns'>,
  world: string,
  cause: string | null,
  body: (tx: Tx) => T,
): Promise<T> {
  /** When this began: on a fast clock more falls due all the time, and a world may never be up to date. */
  let began: number | undefined;
  let tasks = 0;
  const bounded = (tx: Tx): T => tx.withinBounds(() => body(tx));
  const attempt = (tx: Tx): T | typeof MORE => {
    began ??= tx.at;
    for (;;) {
      const next = tx.nextTask();
      if (!next || next.at > tx.at) return bounded(tx);
      if (tasks >= OWN_TASKS && turns.isOver) return next.at > began ? tx.asOf(next.at - 1, () => bounded(tx)) : MORE;
      tx.takeTask(next.at);
      tasks += 1;
      turns.work(() => runTask(tx, next));
    }
  };
  for (;;) {
    const result = await store.transaction(world, attempt, cause);
    if (result !== MORE) return result;
    await turns.next(world);
  }
}
