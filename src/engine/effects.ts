// The one place that runs the effects of lifecycles, in the order in which they are listed.
import type { EventOf } from '../events/catalogue.ts';
import type { CancelTasks, Effect, Related, Update } from '../lifecycles/effects.ts';
import type { Fire } from '../lifecycles/tasks.ts';
import type { LifecycleTable } from '../lifecycles/triggers.ts';
import type { Row, Subject, TableName } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf } from '../store/tables.ts';
import { emitAbout } from '../webhooks/fan-out.ts';

/** Emits the events about a record of its transition or creation. */
export function emitAll<Table extends LifecycleTable>(
  tx: Tx,
  { table, id }: Subject<Table>,
  record: Row<Table>,
  events: readonly EventOf<Table>[],
): void {
  for (const event of events) emitAbout(tx, event, table, id, record);
}

/** Runs the effects of a record's transition; `fire` fires triggers of other records. */
export function runEffects(
  tx: Tx,
  record: Owned,
  effects: readonly Effect[],
  fire: (tx: Tx, trigger: Fire) => void,
): void {
  for (const effect of effects) {
    switch (effect.type) {
      case 'fire':
        fire(tx, effect);
        break;
      case 'schedule':
        tx.schedule(effect.task, tx.at);
        break;
      case 'update':
        update(tx, record, effect);
        break;
      case 'cancel_tasks':
        cancelTasks(tx, record, effect);
        break;
      default:
        effect satisfies never;
    }
  }
}

type Owned = Pick<Row<TableName>, 'private'>;

function update<Table extends TableName>(tx: Tx, record: Owned, effect: Update<Table>): void {
  for (const related of relatedTo(tx, record, effect)) tx.put(effect.table, effect.set(related));
}

function cancelTasks<Table extends TableName>(tx: Tx, record: Owned, effect: CancelTasks<Table>): void {
  const { table } = effect;
  for (const related of relatedTo(tx, record, effect)) tx.unschedule({ table, id: definitionOf(table).id(related) });
}

function relatedTo<Table extends TableName>(
  tx: Tx,
  record: Owned,
  { table, index, value }: Related<Table>,
): Row<Table>[] {
  const { organization_id } = record.private;
  return tx.page(table, index, value).filter((related) => related.private.organization_id === organization_id);
}
