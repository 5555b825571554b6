// The journal of steps: every creation and every transition of a record, with what caused it.
import { timestamp } from '../clock/clock.ts';
import { reached } from '../coverage/facts.ts';
import type { Task } from '../lifecycles/tasks.ts';
import type { SelectionRecord, StepEntry, Subject } from '../model.ts';
import { nextEntryId } from '../store/next-id.ts';
import type { Tx } from '../store/store.ts';
import { messageOf } from '../system-errors.ts';

/** Appends a step to the journal; returns its id. */
export function appendStep(
  tx: Tx,
  subject: Subject,
  trigger: string,
  from: string | null,
  to: string,
  scenario?: SelectionRecord,
): string {
  const id = nextEntryId(tx, 'steps');
  tx.append('steps', { id, at: timestamp(tx.at), subject, trigger, from, to, cause: tx.cause, scenario });
  tx.cover(reached(subject.table, to));
  return id;
}

/** Appends the step of a scheduled task that failed: the record's status is as it was. */
export function appendFailedTask(tx: Tx, task: Task, error: unknown): StepEntry {
  const { subject } = task;
  const record = tx.get(subject.table, subject.id);
  const status = record && 'status' in record ? record.status : null;
  const step = {
    id: nextEntryId(tx, 'steps'),
    at: timestamp(tx.at),
    subject,
    trigger: task.type === 'fire' ? task.trigger : task.type,
    from: status,
    to: status,
    cause: tx.cause,
    error: messageOf(error),
  };
  tx.append('steps', step);
  return step;
}
