// What a commit tells: to the listeners of the store, and to whoever decides that a world needs a runner; and which of its
// errors do not matter.
import { systemTimeOf } from '../../clock/clock.ts';
import type { Appended } from '../history.ts';
import type { MemoryWorld } from '../memory/world.ts';
import type { Commit } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type { Copy, Ended } from './copy.ts';

export function commitOf({ world }: Copy, appended: Commit['appended'], scheduleChanged: boolean): Commit {
  const { facts, schedule, state } = world;
  const next = scheduleChanged ? { nextAt: schedule.peek()?.at ?? null, clock: state.clock } : null;
  return { world: facts.name, epoch: state.epoch, appended, schedule: next };
}

/** Whether anything falls due in a world by itself. */
export function fallsDue({ schedule, state }: MemoryWorld): boolean {
  const next = schedule.peek();
  return next !== undefined && systemTimeOf(state.clock, next.at) < Number.POSITIVE_INFINITY;
}

/** Whether transactions that have changed anything leave something that falls due by itself, or is to be sent. */
export function leavesWork({ world }: Copy, ended: readonly Ended[]): boolean {
  if (ended.every(({ tx }) => tx.undo.length === 0)) return false;
  return fallsDue(world) || ended.some(({ tx }) => tx.appended.some(isToSend));
}

const isToSend = ({ journal, entry }: Appended): boolean =>
  (journal === 'deliveries' && entry.status === 'pending' && entry.held_by === undefined) ||
  (journal === 'ticks' && entry.status === 'pending');

export function ignoreAway(error: unknown): void {
  if (!(error instanceof StoreAway)) throw error;
}
