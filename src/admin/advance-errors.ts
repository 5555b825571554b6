// Why a clock cannot be advanced, as errors that say what to do about it.
import { ApiError } from '../errors/api-error.ts';
import type { ScheduledTask } from '../lifecycles/tasks.ts';
import type { StepEntry } from '../model.ts';
import { MAX_STEPS } from '../scheduler/scheduler.ts';

export function advanceInProgress(): ApiError {
  return new ApiError('conflict', {
    message: 'Another advance of this world is in progress.',
    hint: 'Wait for it to finish. A webhook receiver must not advance the clock: the advance waits for the receiver.',
  });
}

/** `until: idle` did not end: a task was scheduled again and again. It is null where the reader may not see its record. */
export function worldNeverIdle(scheduled: ScheduledTask | null): ApiError {
  return new ApiError('conflict', {
    message: `The world is still not idle: ${scheduled ? nameOf(scheduled) : 'a task of another organization'} was scheduled ${MAX_STEPS} times in a row without effect.`,
    hint: 'End the calls that take every line, or cancel the job: a job that waits for a free line looks again and again.',
  });
}

function nameOf({ task }: ScheduledTask): string {
  const { subject } = task;
  return `the task ${task.type === 'fire' ? task.trigger : task.type} of ${subject.table} ${subject.id}`;
}

/** `until: idle` did not end: names the most frequent of the steps that the reader may see. */
export function worldNeverRests(steps: readonly StepEntry[]): ApiError {
  const counts = new Map<string, number>();
  for (const { subject, trigger } of steps) {
    const name = `${trigger} of ${subject.table}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const mostFrequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const frequent =
    mostFrequent.length > 0
      ? `the most frequent: ${mostFrequent.map(([name]) => name).join(', ')}`
      : 'the latest are of another organization';
  return new ApiError('conflict', {
    message: `The world is still not idle after ${MAX_STEPS} steps; ${frequent}.`,
    hint: 'Advance by a duration instead: a receiver that dials again on each event keeps the world busy forever.',
  });
}
