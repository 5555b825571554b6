// The only place where a status changes: a trigger is looked up in the record's lifecycle table, its fields are set,
// its events emitted; a record that has settled loses its rows of the agenda in the same transaction.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import { lifecycleOf } from '../lifecycles/index.ts';
import { type Cascade, type EventType, type Lifecycle, type Trigger, transitionFrom } from '../lifecycles/lifecycle.ts';
import type { Row, TableName } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf, type IndexOf } from '../store/tables.ts';
import { emitAbout } from '../webhooks/fan-out.ts';
import { appendStep } from './create.ts';

/**
 * Pulls a trigger at the transaction's instant. Answers the record as it then stands, or undefined where its state
 * does not know the trigger; nothing has happened then.
 */
export function transition<Table extends TableName>(
  tx: Tx,
  lifecycle: Lifecycle<Table>,
  record: Row<Table>,
  trigger: string,
  given: Readonly<Record<string, unknown>> = {},
): Row<Table> | undefined {
  const from = lifecycle.status(record);
  const transition = transitionFrom(lifecycle, from, trigger);
  if (!transition) return undefined;
  const moment = { at: tx.at, time: timestamp(tx.at), with: given };
  const next = lifecycle.withStatus({ ...record, ...transition.set?.(record, moment) }, transition.to);
  const subject = { table: lifecycle.table, id: definitionOf(lifecycle.table).id(record) };
  tx.put(lifecycle.table, next);
  if (lifecycle.terminal.includes(transition.to)) tx.unschedule(subject);
  for (const change of transition.cascades?.(next, moment) ?? []) cascade(tx, next, change);
  const before = tx.cause;
  tx.cause = appendStep(tx, subject, trigger, from, transition.to);
  for (const type of orderedEvents(tx, transition.emits ?? [])) {
    emitAbout(tx, type, lifecycle.table, subject.id, next);
  }
  for (const each of transition.fires?.(next) ?? []) fire(tx, each);
  for (const { with: more = {}, ...row } of transition.schedules?.(next, moment) ?? []) {
    tx.schedule({ ...row, with: more, at: tx.at, cause: tx.cause });
  }
  tx.cause = before;
  return next;
}

/** Pulls a trigger of a record by its id; nothing happens where the record is gone, or past it. */
export function fire(tx: Tx, { subject, trigger, with: given }: Trigger): void {
  const lifecycle = lifecycleOf(subject.table);
  const record = tx.get(subject.table, subject.id);
  if (lifecycle && record) transition(tx, lifecycle, record, trigger, given);
}

/** Changes the records that an index finds, those of the same organization alone. */
function cascade(tx: Tx, record: Row<TableName>, { table, index, value, set }: Cascade): void {
  const { organization_id } = record.private;
  for (const other of tx.page(table, index as IndexOf<typeof table>, value)) {
    if (other.private.organization_id === organization_id) tx.put(table, set(other));
  }
}

/** call_completed comes before the disposition, unless the world's ledger says otherwise. */
function orderedEvents(tx: Tx, emits: readonly EventType[]): readonly EventType[] {
  const [first, second, ...rest] = emits;
  if (first !== 'call_completed' || !second || second === 'phone_call.ended') return emits;
  const dispositionFirst = assumed(tx.state('assumptions'), 'event_order') === 'disposition_first';
  return dispositionFirst ? [second, first, ...rest] : emits;
}
