// What happens at a row of the agenda: a step of its record's lifecycle, or a deed, which needs more than the record:
// the scenarios of the world and the settings of the server.
import type { ScheduledTask, TableName } from '../model.ts';
import { overlaysOf, type ScenarioLibrary, type WorldScenarios } from '../scenarios/library.ts';
import type { Tx } from '../store/store.ts';
import type { PlatformSettings } from './settings.ts';
import { fire } from './transition.ts';

/** What a deed finds around it. */
export interface TaskContext {
  readonly settings: PlatformSettings;
  readonly scenarios: WorldScenarios;
}

export type TaskHandler = (tx: Tx, row: ScheduledTask, around: TaskContext) => void;

/** Deeds by the table of the row's subject, and by its trigger. */
export type TaskHandlers = { readonly [Table in TableName]?: Readonly<Record<string, TaskHandler>> };

/** Performs a row at its own instant. A row whose record is gone, or past it, does nothing. */
export type RunTask = (tx: Tx, row: ScheduledTask) => void;

export function createTaskRunner(library: ScenarioLibrary, settings: PlatformSettings, deeds: TaskHandlers): RunTask {
  return (tx, row) => {
    tx.at = row.at;
    tx.cause = row.cause;
    const deed = deeds[row.subject.table]?.[row.trigger];
    if (!deed) return fire(tx, row);
    deed(tx, row, { settings, scenarios: library.forWorld(overlaysOf(tx)) });
  };
}
