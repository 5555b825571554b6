// The unique values that the records of a copy carry, such as the hashes of keys.
import type { TableName } from '../../model.ts';
import type { MemoryWorld } from '../memory/world.ts';
import { definitionOf } from '../tables.ts';

export interface UniqueValue {
  readonly table: TableName;
  readonly value: string;
  readonly id: string;
}

/** Whether the records of a table carry one. */
export const hasUnique = (table: TableName): boolean => definitionOf(table).unique !== undefined;

/** Of all records of a table. */
export function uniqueValuesIn<Table extends TableName>(world: MemoryWorld, table: Table): UniqueValue[] {
  if (!hasUnique(table)) return [];
  return [...world.table(table).rows.keys()].flatMap((id) => uniqueValueIn(world, table, id) ?? []);
}

/** Of one record; undefined if it carries none. */
export function uniqueValueIn<Table extends TableName>(
  world: MemoryWorld,
  table: Table,
  id: string,
): UniqueValue | undefined {
  const { unique } = definitionOf(table);
  const row = unique && world.table(table).rows.get(id);
  return row && { table, value: unique(row), id };
}
