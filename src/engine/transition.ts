// The only place where a status changes: the record's lifecycle is applied to it, the step is appended to the journal,
// the events are emitted, and the effects run.
import { endedAs, failedBy } from '../coverage/facts.ts';
import { lifecycles } from '../lifecycles/index.ts';
import { applyTransition, isTerminal, type Lifecycle } from '../lifecycles/lifecycle.ts';
import type { Fire } from '../lifecycles/tasks.ts';
import type { InputOf, LifecycleTable, TriggerOf } from '../lifecycles/triggers.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf } from '../store/tables.ts';
import { emitAll, runEffects } from './effects.ts';
import { appendStep } from './journal-step.ts';

/**
 * Fires a trigger at the transaction's instant and returns the changed record. Does nothing and returns undefined if the
 * record's status does not allow the trigger. Throws on a trigger that the lifecycle does not have.
 */
export function transition<Table extends LifecycleTable, Trigger extends TriggerOf<Table>>(
  tx: Tx,
  lifecycle: Lifecycle<Table>,
  record: Row<Table>,
  trigger: Trigger,
  input: InputOf<Table, Trigger>,
): Row<Table> | undefined {
  const applied = applyTransition(lifecycle, record, trigger, input, tx.at, tx.state('assumptions'));
  if (!applied) return undefined;
  const { table } = lifecycle;
  const { from, to, record: next, events, effects } = applied;
  const subject = { table, id: definitionOf(table).id(next) };
  tx.put(table, next);
  if (isTerminal(lifecycle, to)) tx.unschedule(subject);
  const step = appendStep(tx, subject, trigger, from, to);
  if ('call_outcome' in next) coverEnd(tx, next);
  if (events.length > 0 || effects.length > 0) {
    tx.causedBy(step, () => {
      emitAll(tx, subject, next, events);
      runEffects(tx, next, effects, fire);
    });
  }
  return next;
}

function coverEnd(tx: Tx, { call_outcome, failure_code }: Row<'calls'>): void {
  if (call_outcome !== null) tx.cover(endedAs(call_outcome));
  if (failure_code !== null) tx.cover(failedBy(failure_code));
}

/** Fires a trigger of a record by its id; nothing happens if the record does not exist or its status does not allow it. */
export function fire<Table extends LifecycleTable>(tx: Tx, { subject, trigger, input }: Fire<Table>): void {
  const record = tx.get(subject.table, subject.id);
  if (record) transition(tx, lifecycles[subject.table], record, trigger, input);
}
