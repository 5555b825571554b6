// The fields of a world in Redis as a copy takes them over: the reverse of `fields.ts`.
import type { JournalName, TableName } from '../../model.ts';
import { journalNames } from '../memory/journals.ts';
import type { MemoryWorld } from '../memory/world.ts';
import type { NewWorld, WorldFacts, WorldState } from '../store.ts';
import { definitionOf, tables } from '../tables.ts';
import { isApart, recordApart } from './apart.ts';
import { partsOf, type RecordName } from './field-parts.ts';
import { DELETED, NUMBERS, type Numbers, STATE } from './fields.ts';
import { objectOf, parsed } from './replies.ts';

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
  if (isApart(value)) {
    rows.put(recordApart(value), []);
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
