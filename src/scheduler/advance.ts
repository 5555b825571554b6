// The goal, the result and the errors of advancing a world's clock.
import { setClock } from '../clock/clock.ts';
import type { ScheduledTask } from '../lifecycles/tasks.ts';
import type { DeliveryEntry, StepEntry } from '../model.ts';
import type { Appended } from '../store/history.ts';
import type { Tx } from '../store/store.ts';

/** Whether the one who advances may see an entry. */
export type MayList = (tx: Tx, appended: Appended) => boolean;

export interface AdvanceGoal {
  /** Where to go, in milliseconds of the world's time; `idle` runs until nothing is left to do. */
  readonly to: number | 'idle';
  /** In real time; after it, the advance stops at the instant that it has reached. */
  readonly timeoutMs: number;
  /** Which steps and deliveries the result has; without it, all. */
  readonly mayList?: MayList | undefined;
}

export interface AdvanceResult {
  readonly now: number;
  /** False if the timeout, a reset of the world or the end of the server interrupted it, or another process that took over. */
  readonly complete: boolean;
  /** The first ones. */
  readonly steps: readonly StepEntry[];
  /** The first ones, as they were when their last attempt had ended. */
  readonly deliveries: readonly DeliveryEntry[];
  /** `ticks` is absent if there were none. */
  readonly totals: { readonly steps: number; readonly deliveries: number; readonly ticks?: number };
}

/** Moves the clock forward only: an overdue task runs now, but at its own instant. */
export function moveTo(tx: Tx, at: number): void {
  const clock = tx.state('clock');
  if (at > clock.at) tx.setState('clock', setClock(clock, at, tx.systemTime));
}

/** Another advance of the same world is under way. */
export class AlreadyAdvancing extends Error {}

/** There would be more ticks than an advance may have. */
export class TooManyTicks extends Error {}

/** `until: idle` did not end; `evidence` is its latest steps, or the task that is scheduled again and again. */
export class NeverIdle extends Error {
  readonly evidence: readonly StepEntry[] | ScheduledTask;

  constructor(evidence: readonly StepEntry[] | ScheduledTask) {
    super('Something keeps refilling the schedule.');
    this.evidence = evidence;
  }
}

/**
 * Waits that can be interrupted. A wait leaves nothing behind: a race with one promise would keep a reaction of every
 * race until that promise is settled, and an advance of years waits hundreds of thousands of times.
 */
export class Interrupt {
  readonly #controller = new AbortController();
  #wake = (): void => {};

  /** Aborted when interrupted. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  interrupt(): void {
    this.#controller.abort();
    this.#wake();
  }

  /** Resolves to true when the promise resolves, or to false when interrupted first. */
  wait(promise: Promise<void>): Promise<boolean> {
    if (this.signal.aborted) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(false);
      promise.then(() => resolve(true), reject);
    });
  }
}
