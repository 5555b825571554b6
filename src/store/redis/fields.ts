// A world as fields of a hash, one per value: what a commit writes. `apply-fields.ts` has what a copy that is behind takes over.
import type { ScheduledTask } from '../../lifecycles/tasks.ts';
import type { JournalName, Journals, Row, TableName } from '../../model.ts';
import { keysOf } from '../../typed-keys.ts';
import { journalNames } from '../memory/journals.ts';
import type { MemoryWorld } from '../memory/world.ts';
import type { WorldDelta, WorldState } from '../store.ts';
import { definitionOf } from '../tables.ts';
import type { Apart, ApartContents } from './apart.ts';
import { fieldOf, writeEntry } from './entries.ts';

/** The field of the numbers that grow with what happens. */
export const NUMBERS = 'numbers';
export type Numbers = readonly [position: number, latestOrder: number, ordinals: Readonly<Record<string, number>>];

/** What begins the field of a single value. */
export const STATE = 's:';

/** How many entries are written at once. */
const ENTRIES = 50;

/** A record of the fixture that the world deleted. */
export const DELETED = '-';

/** Fields and their values; null for what is gone. */
export type Fields = readonly (readonly [field: string, value: string | null])[];

export interface FieldChanges {
  /** Whether the fields are all that the world has. */
  readonly all: boolean;
  /** Fields and their values in turn. */
  readonly set: string[];
  readonly gone: string[];
  /** The same of journal entries, which have a key of their own. */
  readonly setEntries: string[];
  readonly goneEntries: string[];
  /** Of the fields, those of records that may be large. */
  readonly apart: Apart[];
}

export const noChanges = (all = false): FieldChanges => ({
  all,
  set: [],
  gone: [],
  setEntries: [],
  goneEntries: [],
  apart: [],
});

/** What Redis was last told of the single values of a world, so that it is told only of changes. */
export interface Told {
  state: Partial<WorldState>;
  position: number;
  order: number;
}

export const nothingTold = (): Told => ({ state: {}, position: 0, order: 0 });

export const toldOf = (world: MemoryWorld): Told => ({
  state: { ...world.state },
  position: world.journals.position,
  order: world.schedule.latestOrder,
});

/** The fields of what has changed in a world. */
export function fieldsOf(
  world: MemoryWorld,
  change: { readonly delta: WorldDelta },
  told: Told,
  contents: ApartContents,
): FieldChanges {
  const changes = noChanges();
  const { delta } = change;
  addValues(changes, world, told);
  addDelta(changes, world, delta, contents);
  const { journals, schedule } = world;
  const hasOrdinals = Object.keys(delta.ordinals).length > 0;
  if (hasOrdinals || journals.position !== told.position || schedule.latestOrder !== told.order)
    addNumbers(changes, world);
  return changes;
}

/** All that a world has, in pieces, each of which is added to `changes`; what is there may be taken from it in between. */
export function* allFieldsOf(
  world: MemoryWorld,
  changes: FieldChanges,
  contents: ApartContents | null,
): Generator<void, void> {
  changes.set.push('facts', JSON.stringify(world.facts));
  addValues(changes, world, nothingTold());
  addNumbers(changes, world);
  for (const name of world.tableNames()) yield* addAll(changes, world, name, contents);
  addCounters(changes, Object.fromEntries(world.counters));
  for (const task of world.schedule.tasks()) {
    addTask(changes, task);
    yield;
  }
  for (const name of journalNames) yield* addJournal(changes, world, name);
}

function* addAll<Table extends TableName>(
  changes: FieldChanges,
  world: MemoryWorld,
  name: Table,
  contents: ApartContents | null,
): Generator<void, void> {
  const { rows, deleted } = world.table(name);
  for (const row of rows.values()) {
    addRow(changes, name, row, contents);
    yield;
  }
  for (const id of deleted) addDeleted(changes, name, id);
}

function* addJournal<Name extends JournalName>(
  changes: FieldChanges,
  world: MemoryWorld,
  name: Name,
): Generator<void, void> {
  const journal = world.journals.of(name);
  const places = journal.places('order');
  for (let from = 0; from < places.numbers.length; from += ENTRIES) {
    addEntries(changes, world, name, journal.entriesAt(places, from, from + ENTRIES));
    yield;
  }
  addEntries(changes, world, name, []);
}

function addValues({ set }: FieldChanges, world: MemoryWorld, told: Told): void {
  for (const name of keysOf(world.state)) {
    if (told.state[name] !== world.state[name]) set.push(STATE + name, JSON.stringify(world.state[name]));
  }
}

/** One field for all: nearly every commit changes several of these, and a field costs more than a number. */
function addNumbers({ set }: FieldChanges, { journals, schedule, ordinals }: MemoryWorld): void {
  const numbers: Numbers = [journals.position, schedule.latestOrder, Object.fromEntries(ordinals)];
  set.push(NUMBERS, JSON.stringify(numbers));
}

function addDelta(changes: FieldChanges, world: MemoryWorld, delta: WorldDelta, contents: ApartContents): void {
  for (const table of keysOf(delta.rows)) addTable(changes, table, delta.rows, contents);
  for (const table of keysOf(delta.deleted))
    for (const id of delta.deleted[table] ?? []) addDeleted(changes, table, id);
  for (const table of keysOf(delta.removed)) {
    for (const id of delta.removed[table] ?? []) addRemoved(changes, table, id);
  }
  addCounters(changes, delta.counters);
  for (const task of delta.scheduled) addTask(changes, task);
  for (const order of delta.unscheduled) changes.gone.push(`t:${order}`);
  for (const name of keysOf(delta.journals)) {
    addEntries(changes, world, name, delta.journals[name]?.entries ?? []);
    for (const id of delta.journals[name]?.removed ?? []) changes.goneEntries.push(fieldOf(name, id));
  }
}

function addTask({ set }: FieldChanges, task: ScheduledTask): void {
  set.push(`t:${task.order}`, JSON.stringify(task));
}

function addTable<Table extends TableName>(
  changes: FieldChanges,
  table: Table,
  rows: { readonly [Each in Table]?: readonly Row<Each>[] },
  contents: ApartContents,
): void {
  for (const row of rows[table] ?? []) addRow(changes, table, row, contents);
}

/** Without `contents`, nothing is kept apart. */
function addRow<Table extends TableName>(
  changes: FieldChanges,
  table: Table,
  row: Row<Table>,
  contents: ApartContents | null,
): void {
  const { id, isLarge } = definitionOf(table);
  const field = `r:${table}:${id(row)}`;
  if (!isLarge || !contents) {
    changes.set.push(field, JSON.stringify(row));
    return;
  }
  const { value, apart } = contents.write(table, field, row);
  changes.set.push(field, value);
  changes.apart.push(apart);
}

function addDeleted(changes: FieldChanges, table: TableName, id: string): void {
  const field = `r:${table}:${id}`;
  changes.set.push(field, DELETED);
  if (definitionOf(table).isLarge) changes.apart.push({ field, ref: '', content: null });
}

function addRemoved(changes: FieldChanges, table: TableName, id: string): void {
  const field = `r:${table}:${id}`;
  changes.gone.push(field);
  if (definitionOf(table).isLarge) changes.apart.push({ field, ref: '', content: null });
}

function addCounters({ set, gone }: FieldChanges, counters: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(counters)) {
    if (value === 0) gone.push(`c:${name}`);
    else set.push(`c:${name}`, String(value));
  }
}

function addEntries<Name extends JournalName>(
  { set, setEntries }: FieldChanges,
  world: MemoryWorld,
  name: Name,
  entries: readonly Journals[Name][],
): void {
  const journal = world.journals.of(name);
  for (const entry of entries) {
    const outline = journal.outlineOf(entry.id);
    if (outline) setEntries.push(fieldOf(name, entry.id), writeEntry(outline, entry));
  }
  const { dropped, droppedUpTo, droppedPlaces } = journal;
  if (dropped > 0)
    set.push(`d:${name}`, JSON.stringify([dropped, droppedUpTo, droppedPlaces.began, droppedPlaces.position]));
}
