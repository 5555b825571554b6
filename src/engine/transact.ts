// A transaction at the world's present instant: every task that is due by then runs before the body.
import type { Tx } from '../store/store.ts';
import type { SandboxContext } from './sandbox-context.ts';

/** More tasks are due than one transaction runs: a request that ran them all would keep all other worlds waiting. */
class More {
  /** When the transaction began. */
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

/** How many tasks one transaction of a request runs out of turn: waiting for a turn is waiting for all worlds. */
const OWN_TASKS = 8;

/** Whether no task is due before what a transaction does at its instant. */
export function isUpToDate(tx: Tx): boolean {
  const next = tx.nextTask();
  return !next || next.at > tx.at;
}

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
  const bounded = (tx: Tx): T => tx.withinBounds(() => body(tx));
  const attempt = (tx: Tx): T | More => {
    for (let tasks = 0; ; tasks += 1) {
      const next = tx.nextTask();
      if (!next || next.at > tx.at) return bounded(tx);
      if (tasks === OWN_TASKS) return new More(tx.at);
      if (began !== undefined && next.at > began) return tx.asOf(next.at - 1, () => bounded(tx));
      tx.takeTask(next.at);
      turns.work(() => runTask(tx, next), world);
    }
  };
  for (;;) {
    const result = await store.transaction(world, attempt, cause);
    if (!(result instanceof More)) return result;
    began ??= result.at;
    // Only between transactions: how long one has taken says nothing about the one that runs again in its place.
    if (turns.isOver) await turns.next(world);
  }
}
