// What a transition can cause in addition to the change of its own record and the events about it. Effects are data; the engine runs them in the
// order in which a transition lists them (`engine/effects.ts`).
import type { IndexOf, Row, TableName } from '../model.ts';
import type { Fire, Task } from './tasks.ts';

/** Records that an index finds; those of another organization are not affected. */
export interface Related<Table extends TableName> {
  readonly table: Table;
  readonly index: IndexOf<Table>;
  readonly value: string;
}

/** Changes records of another table. */
export type Update<Table extends TableName = TableName> = {
  [T in Table]: Related<T> & { readonly type: 'update'; readonly set: (record: Row<T>) => Row<T> };
}[Table];

/** Cancels the scheduled tasks of records of another table. */
export type CancelTasks<Table extends TableName = TableName> = {
  [T in Table]: Related<T> & { readonly type: 'cancel_tasks' };
}[Table];

export type Effect =
  /** A trigger of another record, fired at once; nothing happens if its status does not allow it. */
  | Fire
  /** A task for the same instant, run after this transaction's own work. */
  | { readonly type: 'schedule'; readonly task: Task }
  | Update
  | CancelTasks;
