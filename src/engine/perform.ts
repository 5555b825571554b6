// What happens at a row of the agenda: a step of its record's lifecycle, or a deed, which needs more than the record:
// the scenarios of the world and the settings of the server.
import type { AgendaRow, TableName } from '../model.ts';
import { overlaysOf, type ScenarioLibrary, type WorldScenarios } from '../scenarios/library.ts';
import type { Tx } from '../store/store.ts';
import type { PlatformSettings } from './settings.ts';
import { pull } from './step.ts';

/** What a deed finds around it. */
export interface Surroundings {
  readonly settings: PlatformSettings;
  readonly scenarios: WorldScenarios;
}

export type Deed = (tx: Tx, row: AgendaRow, around: Surroundings) => void;

/** Deeds by the table of the row's subject, and by its trigger. */
export type Deeds = { readonly [Table in TableName]?: Readonly<Record<string, Deed>> };

/** Performs a row at its own instant. A row whose record is gone, or past it, does nothing. */
export type Perform = (tx: Tx, row: AgendaRow) => void;

export function createPerform(library: ScenarioLibrary, settings: PlatformSettings, deeds: Deeds): Perform {
  return (tx, row) => {
    tx.at = row.at;
    tx.cause = row.cause;
    const deed = deeds[row.subject.table]?.[row.trigger];
    if (!deed) return pull(tx, row);
    deed(tx, row, { settings, scenarios: library.forWorld(overlaysOf(tx)) });
  };
}
