// Logs scheduled tasks that failed, once their steps are committed: a transaction that is undone runs its tasks again.
import type { Log } from '../log.ts';
import type { StepEntry } from '../model.ts';
import type { Store } from '../store/store.ts';
import type { OnFailedTask } from './run-task.ts';

export function logFailedTasks(store: Store, log: Log): OnFailedTask {
  const errors = new WeakMap<StepEntry, unknown>();
  store.onCommit(({ world, appended }) => {
    for (const { journal, entry } of appended) {
      if (journal !== 'steps' || entry.error === undefined) continue;
      const { id, subject, trigger } = entry;
      log.error({ err: errors.get(entry), world, step: id, subject, trigger }, 'a scheduled task failed');
    }
  });
  return (step, error) => void errors.set(step, error);
}
