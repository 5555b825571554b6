// Creates a record: it is stored, the timeline of its scenario is scheduled, and the events of its creation are emitted.
import { type AllocatedId, token, uuid } from '../identity/seeded.ts';
import type { Lifecycle } from '../lifecycles/lifecycle.ts';
import type { LifecycleTable } from '../lifecycles/triggers.ts';
import type { Row, SelectionRecord, TableName } from '../model.ts';
import { type ScenarioSelection, selectionRecord } from '../scenarios/select.ts';
import { timelineTasks } from '../scenarios/timeline.ts';
import { isRequestId } from '../store/next-id.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf } from '../store/tables.ts';
import { emitAll } from './effects.ts';
import { appendStep } from './journal-step.ts';

/** Creates a record, which plays the selected scenario, if any. Returns the id of the journal step, the cause of further work. */
export function create<Table extends LifecycleTable>(
  tx: Tx,
  lifecycle: Lifecycle<Table>,
  record: Row<Table>,
  selection?: ScenarioSelection,
): string {
  const { table } = lifecycle;
  const subject = { table, id: definitionOf(table).id(record) };
  tx.put(table, record);
  const step = appendStep(tx, subject, 'create', null, lifecycle.status(record), chosenAlone(tx, selection));
  if (selection) scheduleTimeline(tx, lifecycle, subject.id, selection);
  const { created } = lifecycle;
  if (created) {
    const events = typeof created === 'function' ? created(record) : created;
    tx.causedBy(step, () => emitAll(tx, subject, record, events));
  }
  return step;
}

/** A selection that no request made, which the journal would not have otherwise. */
function chosenAlone(tx: Tx, selection: ScenarioSelection | undefined): SelectionRecord | undefined {
  if (!selection || (tx.cause !== null && isRequestId(tx.cause))) return undefined;
  return selectionRecord(selection);
}

/** Allocates the id and the rank of a new record of that table. */
export function allocateId(tx: Tx, table: TableName): AllocatedId {
  const { seed, name } = tx.world;
  return {
    id: uuid(seed, name, table, tx.ordinal(table)),
    rank: tx.ordinal('records'),
    token: (kind, ...words) => token(24, seed, kind, ...words),
  };
}

/** Schedules a scenario's timeline for a record, from now. */
export function scheduleTimeline<Table extends LifecycleTable>(
  tx: Tx,
  { table, kind }: Lifecycle<Table>,
  id: string,
  { scenario, parameters }: ScenarioSelection,
): void {
  const ordinal = tx.ordinal(`timelines of ${kind}`);
  const drawKey = [tx.world.seed, tx.world.name, kind, ordinal].join('\0');
  for (const { task, at } of timelineTasks(scenario, parameters, { table, id }, tx.at, drawKey)) {
    tx.schedule(task, at);
  }
}
