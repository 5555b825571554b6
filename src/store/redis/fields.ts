// A world as fields of a hash, one per value, and back: what a commit writes, and what a copy that is behind takes over.
import type { JournalName, Journals, Row, TableName } from '../../model.ts';
import { keysOf } from '../../typed-keys.ts';
import { journalNames } from '../memory/journals.ts';
import type { MemoryWorld } from '../memory/world.ts';
import type { NewWorld, WorldChange, WorldDelta, WorldDump, WorldFacts, WorldState } from '../store.ts';
import { definitionOf, tables } from '../tables.ts';
import { fieldOf, writeEntry } from './entries.ts';
import { partsOf } from './field-parts.ts';
import { objectOf, parsed } from './replies.ts';

/** The field of the numbers that grow with what happens. */
const NUMBERS = 'numbers';
type Numbers = readonly [position: number, latestOrder: number, ordinals: Readonly<Record<string, number>>];

/** What begins the field of a single value. */
const STATE = 's:';

/** A record of the fixture that the world deleted. */
const DELETED = '-';

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
}

export const noChanges = (all = false): FieldChanges => ({ all, set: [], gone: [], setEntries: [], goneEntries: [] });

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
export function fieldsOf(world: MemoryWorld, change: WorldChange, told: Told): FieldChanges {
  const isAll = change !== null && 'dump' in change;
  const changes = noChanges(isAll);
  if (change === null) return changes;
  if ('dump' in change) changes.set.push('facts', JSON.stringify(change.dump.facts));
  addValues(changes, world, isAll ? nothingTold() : told);
  if ('dump' in change) addDump(changes, world, change.dump);
  else addDelta(changes, world, change.delta);
  const { journals, schedule } = world;
  const hasOrdinals = 'dump' in change || Object.keys(change.delta.ordinals).length > 0;
  if (hasOrdinals || journals.position !== told.position || schedule.latestOrder !== told.order)
    addNumbers(changes, world);
  return changes;
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

function addDump(changes: FieldChanges, world: MemoryWorld, dump: WorldDump): void {
  addRows(changes, dump);
  addCounters(changes, dump.counters);
  for (const task of dump.schedule) changes.set.push(`t:${task.order}`, JSON.stringify(task));
  for (const name of journalNames) addEntries(changes, world, name, dump.journals[name].entries);
}

function addDelta(changes: FieldChanges, world: MemoryWorld, delta: WorldDelta): void {
  addRows(changes, delta);
  for (const table of keysOf(delta.removed)) {
    for (const id of delta.removed[table] ?? []) changes.gone.push(`r:${table}:${id}`);
  }
  addCounters(changes, delta.counters);
  for (const task of delta.scheduled) changes.set.push(`t:${task.order}`, JSON.stringify(task));
  for (const order of delta.unscheduled) changes.gone.push(`t:${order}`);
  for (const name of keysOf(delta.journals)) {
    addEntries(changes, world, name, delta.journals[name]?.entries ?? []);
    for (const id of delta.journals[name]?.removed ?? []) changes.goneEntries.push(fieldOf(name, id));
  }
}

function addRows({ set }: FieldChanges, { rows, deleted }: Pick<WorldDump, 'rows' | 'deleted'>): void {
  for (const table of keysOf(rows)) addTable(set, table, rows);
  for (const table of keysOf(deleted)) for (const id of deleted[table] ?? []) set.push(`r:${table}:${id}`, DELETED);
}

function addTable<Table extends TableName>(
  set: string[],
  table: Table,
  rows: { readonly [Each in Table]?: readonly Row<Each>[] },
): void {
  const { id } = definitionOf(table);
  for (const row of rows[table] ?? []) set.push(`r:${table}:${id(row)}`, JSON.stringify(row));
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

/** The facts of a world; undefined for what has another form. */
export function factsFrom(value: string): WorldFacts | undefined {
  const facts = objectOf(value);
  // All of them were written together.
  return facts && 'name' in facts && 'fixture' in facts && 'organization_id' in facts
    ? (facts as WorldFacts)
    : undefined;
}

const madeWith = ['clock', 'assumptions', 'epoch', 'ordinals_from'] as const satisfies readonly (keyof WorldState)[];
type MadeWith = Pick<NewWorld, (typeof madeWith)[number]>;

/**
 * What a world is made with. All of it was written when the world was added; undefined if it is not among these fields, since
 * the world was replaced while they came in parts.
 */
export function stateIn(fields: readonly (readonly [string, string])[]): MadeWith | undefined {
  const found = new Map<string, string>();
  // Of a large world, a map of all takes longer than requests may wait.
  for (const [field, value] of fields) if (field.startsWith(STATE)) found.set(field, value);
  if (!madeWith.every((name) => found.has(STATE + name))) return undefined;
  const read = (name: keyof MadeWith) => parsed(found.get(STATE + name) ?? 'null');
  return {
    clock: read('clock'),
    assumptions: read('assumptions'),
    epoch: read('epoch'),
    ordinals_from: read('ordinals_from'),
  };
}

/** Takes a field over into a copy, but for journal entries; a value of null is gone. */
export function applyField(world: MemoryWorld, field: string, value: string | null): void {
  const { kind, name, rest } = partsOf(field);
  switch (kind) {
    case 's':
      if (value !== null && isState(world, name)) world.setState(name, parsed(value));
      return;
    case NUMBERS:
      if (value !== null) applyNumbers(world, parsed(value));
      return;
    case 'r':
      if (isTable(name)) applyRow(world, name, rest, value);
      return;
    case 'c':
      world.counters.write(field.slice(2), Number(value ?? 0), []);
      return;
    case 't':
      if (value === null) world.schedule.lose(Number(name));
      else world.schedule.receive(parsed(value));
      return;
    case 'd':
      if (isJournal(name) && value !== null) applyDropped(world, name, value);
      return;
    default:
  }
}

function applyNumbers(world: MemoryWorld, [position, order, ordinals]: Numbers): void {
  world.journals.position = position;
  world.schedule.latestOrder = order;
  for (const name in ordinals) world.ordinals.set(name, ordinals[name] ?? 0);
}

export interface RecordName {
  readonly table: TableName;
  readonly id: string;
}

/** The record that is in a field; undefined for other fields. */
export function recordOf(field: string): RecordName | undefined {
  const { kind, name, rest } = partsOf(field);
  return kind === 'r' && isTable(name) ? { table: name, id: rest } : undefined;
}

const isState = (world: MemoryWorld, name: string): name is keyof WorldState => Object.hasOwn(world.state, name);
const isTable = (name: string): name is TableName => Object.hasOwn(tables, name);
const isJournal = (name: string): name is JournalName => journalNames.some((each) => each === name);

function applyRow<Table extends TableName>(world: MemoryWorld, table: Table, id: string, value: string | null): void {
  const rows = world.table(table);
  if (value === null || value === DELETED) {
    rows.remove(world.fixture, id, []);
    return;
  }
  const { fromJson } = definitionOf(table);
  const row = parsed(value);
  rows.put(fromJson ? fromJson(row) : row, []);
}

function applyDropped(world: MemoryWorld, name: JournalName, value: string): void {
  const [dropped, upTo, began, position] = parsed(value);
  world.journals.of(name).receiveDropped(dropped, upTo, began, position);
}
