// What a commit tells: to the listeners of the store, and to whoever decides that a world needs a runner; and which of its
// errors do not matter.
import { systemTimeOf } from '../../clock/clock.ts';
import type { Appended } from '../history.ts';
import type { Commit } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type { Copy, Ended } from './copy.ts';

export function commitOf({ world }: Copy, appended: Commit['appended'], scheduleChanged: boolean): Commit {
  const { facts, schedule, state } = world;
  const next = scheduleChanged ? { nextAt: schedule.peek()?.at ?? null, clock: state.clock } : null;
  return { world: facts.name, epoch: state.epoch, appended, schedule: next };
}

/** Whether transactions that have changed anything leave something that falls due by itself, or is to be sent. */
export function leavesWork({ world: { schedule, state } }: Copy, ended: readonly Ended[]): boolean {
  if (ended.every(({ tx }) => tx.undo.length === 0)) return false;
  const next = schedule.peek();
  if (next && systemTimeOf(state.clock, next.at) < Number.POSITIVE_INFINITY) return true;
  return ended.some(({ tx }) => tx.appended.some(isToSend));
}

const isToSend = ({ journal, entry }: Appended): boolean =>
  (journal === 'deliveries' && entry.status === 'pending' && entry.held_by === undefined) ||
  (journal === 'ticks' && entry.status === 'pending');

export function ignoreAway(error: unknown): void {
  if (!(error instanceof StoreAway)) throw error;
}
