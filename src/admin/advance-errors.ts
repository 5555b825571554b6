// Why a clock cannot be advanced, as errors that say what to do about it.
import { ApiError } from '../errors/api-error.ts';
import type { NeverIdle } from '../scheduler/advance.ts';
import { MAX_STEPS } from '../scheduler/scheduler.ts';

export function advanceInProgress(): ApiError {
  return new ApiError('conflict', {
    message: 'Another advance of this world is in progress.',
    hint: 'Wait for it to finish. A webhook receiver must not advance the clock: the advance waits for the receiver.',
  });
}

/** `until: idle` did not end: names what refills the schedule. */
export function worldNeverIdle({ evidence }: NeverIdle): ApiError {
  if ('task' in evidence) {
    const { task } = evidence;
    const { subject } = task;
    const trigger = task.type === 'fire' ? task.trigger : task.type;
    return new ApiError('conflict', {
      message: `The world is still not idle: the task ${trigger} of ${subject.table} ${subject.id} was scheduled ${MAX_STEPS} times in a row without effect.`,
      hint: 'End the calls that take every line, or cancel the job: a job that waits for a free line looks again and again.',
    });
  }
  const counts = new Map<string, number>();
  for (const { subject, trigger } of evidence.slice(-1000)) {
    const name = `${trigger} of ${subject.table}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const mostFrequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return new ApiError('conflict', {
    message: `The world is still not idle after ${MAX_STEPS} steps; the most frequent: ${mostFrequent.map(([name]) => name).join(', ')}.`,
    hint: 'Advance by a duration instead: a receiver that dials again on each event keeps the world busy forever.',
  });
}
