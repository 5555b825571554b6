// Who does the work of worlds that no request does: their timed tasks, deliveries and ticks. Where several processes share a
// store, each world has one runner at a time; in memory, this process runs all of them.
import type { Awaitable, Commit, Tx } from './store.ts';

export interface Work {
  /** What is committed in the worlds that this process runs, whoever commits; and what is left to do in one that it takes over. */
  onCommit(listener: (commit: Commit) => void): void;
  /** Whether this process runs a world. Within a transaction of that world, nobody can take it over before the commit. */
  runs(world: string): boolean;
  /** Has an advance of a world for itself; returns what ends that, or undefined if another process has one. */
  lockClock(world: string): Awaitable<(() => Promise<void>) | undefined>;
  /** Deliveries and ticks that are pending or in flight, where processes other than this one may send them; else null. */
  readonly shared: SharedWork | null;
}

export interface SharedWork {
  /** Resolves when no delivery of that epoch of the world is pending or in flight, whoever sends it. */
  whenIdle(world: string, epoch: number): Promise<void>;
  /** How many there are in a world now. */
  countOpen(tx: Tx): number;
  /** Ends the work of this process; others go on with it. */
  handOver(): Promise<void>;
}

/** Of a store that one process has for itself. */
export const ownWork = (store: { onCommit(listener: (commit: Commit) => void): unknown }): Work => ({
  onCommit: (listener) => void store.onCommit(listener),
  runs: () => true,
  lockClock: () => async () => {},
  shared: null,
});
