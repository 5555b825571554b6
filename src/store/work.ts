// Which process does the work of worlds that no request does: their timed tasks, deliveries and ticks. Where several
// processes share a store, each world has one runner at a time; in memory, this process runs all of them.
import { resume } from '../clock/clock.ts';
import { ifGone } from './if-gone.ts';
import { persist } from './persist.ts';
import type { Awaitable, Commit, Store, Tx } from './store.ts';

export interface Work {
  /**
   * What is committed in the worlds that this process runs, whoever commits; what is left to do in one that it takes over; and,
   * with `RUN_ELSEWHERE`, that it does not run one any more, or is about to learn anew what is left to do in it.
   */
  onCommit(listener: (commit: Commit) => void): void;
  /** Whether this process runs a world. Within a transaction of that world, nobody can take it over before the commit. */
  runs(world: string): boolean;
  /**
   * What begins whenever this process learns what is left to do in a world, and is another one each time; undefined while it
   * does not run it. What was told in one run must not begin in the next, which is told of it again, in its order.
   */
  runOf(world: string): object | undefined;
  /** Lets this process alone advance the clock of a world; undefined if another one does so. */
  lockClock(world: string): Awaitable<ClockLock | undefined>;
  /** Whether another process lives that shares the store. */
  readonly lives: (process: string) => boolean;
  /** Deliveries and ticks that are pending or in flight, where processes other than this one may send them; else null. */
  readonly shared: SharedWork | null;
}

/** The right to advance the clock of a world. */
export interface ClockLock {
  /** False if another process has taken this one for dead. To be asked in each transaction of the advance. */
  isHeld(): boolean;
  /** Lets the clock run on, if it is held. */
  unlock(): Promise<void>;
}

export interface SharedWork {
  /** How many worlds this process runs. */
  worldsRun(): number;
  /**
   * Resolves when no delivery of that epoch of the world is pending or in flight, whoever sends it, or when the signal ends the
   * wait.
   */
  whenIdle(world: string, epoch: number, signal: AbortSignal): Promise<void>;
  /** How many there are in a world now. */
  countOpen(tx: Tx): number;
  /** Ends the work of this process; others go on with it. */
  handOver(): Promise<void>;
}

/** What other processes have done with the worlds of a store that they share. */
export interface SharedWorlds {
  /** When a world was last used, in system time; undefined if it does not exist. */
  lastUsed(world: string): Promise<number | undefined>;
  /** The latest epoch of a world that was deleted; undefined if none of that name was. */
  goneEpoch(world: string): Promise<number | undefined>;
}

/** It never ends. */
const OWN_RUN = {};

/** Of a store that one process has for itself. */
export const ownWork = (store: Pick<Store, 'onCommit' | 'transaction'>): Work => ({
  onCommit: (listener) => void store.onCommit(listener),
  runs: () => true,
  runOf: () => OWN_RUN,
  lives: () => false,
  lockClock: (world) => ({
    isHeld: () => true,
    // A clock that stays frozen would stop the world.
    unlock: () => persist(async () => store.transaction(world, resumeClock)).catch(ifGone(undefined)),
  }),
  shared: null,
});

/** Ends that a clock stands still for an advance. */
export function resumeClock(tx: Tx): void {
  const clock = tx.state('clock');
  if (clock.frozen) tx.setState('clock', resume(clock, tx.systemTime));
}
