// Applies deltas to the dump that they follow: how `--state` reads its change log.
import type { ScheduledTask } from '../lifecycles/tasks.ts';
import type { JournalName, Journals, Row, TableName } from '../model.ts';
import { keysOf } from '../typed-keys.ts';
import type { Journal } from './history.ts';
import type { WorldDelta, WorldDump } from './store.ts';
import { definitionOf, tables } from './tables.ts';

export function applyDeltas(dump: WorldDump, deltas: readonly WorldDelta[]): WorldDump {
  const latest = deltas.at(-1);
  if (!latest) return dump;
  return {
    facts: dump.facts,
    systemTime: latest.systemTime,
    state: latest.state,
    ...tablesOf(dump, deltas),
    counters: numbersOf(dump, deltas, 'counters'),
    ordinals: numbersOf(dump, deltas, 'ordinals'),
    coverage: numbersOf(dump, deltas, 'coverage'),
    schedule: scheduleOf(dump, deltas),
    journals: {
      requests: journalOf(dump, deltas, 'requests'),
      steps: journalOf(dump, deltas, 'steps'),
      events: journalOf(dump, deltas, 'events'),
      deliveries: journalOf(dump, deltas, 'deliveries'),
      inbox: journalOf(dump, deltas, 'inbox'),
      ticks: journalOf(dump, deltas, 'ticks'),
    },
  };
}

function tablesOf(dump: WorldDump, deltas: readonly WorldDelta[]): Pick<WorldDump, 'rows' | 'deleted'> {
  const rows: { [Table in TableName]?: readonly Row<Table>[] } = {};
  const deleted: { [Table in TableName]?: readonly string[] } = {};
  const parts = [dump, ...deltas];
  for (const table of keysOf(tables)) {
    if (!parts.some((part) => part.rows[table] ?? part.deleted[table])) continue;
    fillRows(rows, table, dump, deltas);
    deleted[table] = deletedOf(table, dump, deltas);
  }
  return { rows, deleted };
}

function fillRows<Table extends TableName>(
  into: { [Each in Table]?: readonly Row<Each>[] },
  table: Table,
  dump: WorldDump,
  deltas: readonly WorldDelta[],
): void {
  const { id } = definitionOf(table);
  const rows = new Map((dump.rows[table] ?? []).map((row) => [id(row), row]));
  for (const delta of deltas) {
    for (const row of delta.rows[table] ?? []) rows.set(id(row), row);
    for (const gone of [...(delta.deleted[table] ?? []), ...(delta.removed[table] ?? [])]) rows.delete(gone);
  }
  into[table] = [...rows.values()];
}

/** Ids of fixture records that are deleted, unless a later record has the id again. */
function deletedOf<Table extends TableName>(table: Table, dump: WorldDump, deltas: readonly WorldDelta[]): string[] {
  const { id } = definitionOf(table);
  const deleted = new Set(dump.deleted[table]);
  for (const delta of deltas) {
    for (const gone of delta.deleted[table] ?? []) deleted.add(gone);
    for (const row of delta.rows[table] ?? []) deleted.delete(id(row));
    for (const removed of delta.removed[table] ?? []) deleted.delete(removed);
  }
  return [...deleted];
}

function numbersOf(dump: WorldDump, deltas: readonly WorldDelta[], part: 'counters' | 'ordinals' | 'coverage') {
  const numbers = new Map(Object.entries(dump[part] ?? {}));
  for (const delta of deltas) {
    for (const [name, value] of Object.entries(delta[part] ?? {})) {
      if (value === 0) numbers.delete(name);
      else numbers.set(name, value);
    }
  }
  return Object.fromEntries(numbers);
}

function scheduleOf(dump: WorldDump, deltas: readonly WorldDelta[]): WorldDump['schedule'] {
  const schedule = new Map(dump.schedule.map((scheduled) => [scheduled.order, scheduled]));
  for (const { scheduled, unscheduled } of deltas) {
    for (const task of scheduled) schedule.set(task.order, task);
    for (const order of unscheduled) schedule.delete(order);
  }
  return inOrder(schedule.values());
}

function journalOf<Name extends JournalName>(
  dump: WorldDump,
  deltas: readonly WorldDelta[],
  name: Name,
): Journal<Name> {
  // A file of an earlier version has no journal that came later.
  const before: Journal<Name> | undefined = dump.journals[name];
  let { dropped, droppedUpTo } = before ?? { dropped: 0, droppedUpTo: null };
  // An amended entry keeps its place.
  const entries = new Map(before?.entries.map((entry): [string, Journals[Name]] => [entry.id, entry]));
  for (const { journals } of deltas) {
    const delta = journals[name];
    if (!delta) continue;
    ({ dropped, droppedUpTo } = delta);
    for (const entry of delta.entries) entries.set(entry.id, entry);
    for (const id of delta.removed) entries.delete(id);
  }
  return { entries: [...entries.values()], dropped, droppedUpTo };
}

/** In the order in which they run. */
export const inOrder = (schedule: Iterable<ScheduledTask>): ScheduledTask[] => [...schedule].sort(earlier);

export const earlier = (a: ScheduledTask, b: ScheduledTask): number => a.at - b.at || a.order - b.order;
