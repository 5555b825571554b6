// The goal, the result and the errors of advancing a world's clock.
import type { ScheduledTask } from '../lifecycles/tasks.ts';
import type { DeliveryEntry, StepEntry } from '../model.ts';
import type { Commit, Store } from '../store/store.ts';

export interface AdvanceGoal {
  /** Where to go, in milliseconds of the world's time; `idle` runs until nothing is left to do. */
  readonly to: number | 'idle';
  /** In real time; after it, the advance stops at the instant that it has reached. */
  readonly timeoutMs: number;
}

export interface AdvanceResult {
  readonly now: number;
  /** False if the timeout, a reset of the world or the end of the server interrupted it. */
  readonly complete: boolean;
  readonly steps: readonly StepEntry[];
  /** As they were when their last attempt had ended. */
  readonly deliveries: readonly DeliveryEntry[];
}

/** Another advance of the same world is under way. */
export class AlreadyAdvancing extends Error {}

/** `until: idle` did not end; `evidence` is its steps, or the task that is scheduled again and again. */
export class NeverIdle extends Error {
  readonly evidence: readonly StepEntry[] | ScheduledTask;

  constructor(evidence: readonly StepEntry[] | ScheduledTask) {
    super('Something keeps refilling the schedule.');
    this.evidence = evidence;
  }
}

/** The steps and finished deliveries of a world from now on, whatever causes them. */
export interface Recording {
  readonly steps: StepEntry[];
  /** In the order in which they were created, not in which their receivers responded. */
  deliveries(): DeliveryEntry[];
  end(): void;
}

export function recordCommits(store: Store, world: string): Recording {
  const steps: StepEntry[] = [];
  const seen = new Map<string, DeliveryEntry>();
  const end = store.onCommit((commit: Commit): void => {
    if (commit.world !== world) return;
    for (const { journal, entry } of commit.appended) {
      if (journal === 'steps') steps.push(entry);
      if (journal === 'deliveries') seen.set(entry.id, entry);
    }
  });
  const deliveries = (): DeliveryEntry[] =>
    [...seen.values()].filter(({ attempts, status }) => attempts.length > 0 && status !== 'in_flight');
  return { steps, deliveries, end };
}
