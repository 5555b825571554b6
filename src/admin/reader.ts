// Which records a reader may see: with the API key of a sub-entity, only that child's. `interface.md` section 2.
import type { Row, TableName } from '../model.ts';
import type { Tx } from '../store/store.ts';

export interface Reader {
  /** The organization of an API key; undefined for a reader who controls the whole world. */
  readonly organization?: string | undefined;
}

/** Whether records of that organization are shown; null for one that is no longer known. */
export function sees(tx: Tx, { organization }: Reader, owner: string | null): boolean {
  return organization === undefined || organization === tx.world.organization_id || organization === owner;
}

/** The record with that id, if the reader is shown it. */
export function findVisible<Table extends TableName>(
  tx: Tx,
  table: Table,
  id: string,
  reader: Reader,
): Row<Table> | undefined {
  const record = tx.get(table, id);
  return record && sees(tx, reader, ownerOf(table, record, id)) ? record : undefined;
}

/** A sub-entity is its own owner here, although its record belongs to its parent. */
const ownerOf = (table: TableName, record: Row<TableName>, id: string): string =>
  table === 'organizations' ? id : record.private.organization_id;

/** Those of the records that the reader is shown. */
export const visibleRows = <Shown extends Row<TableName>>(tx: Tx, rows: readonly Shown[], reader: Reader): Shown[] =>
  rows.filter((row) => sees(tx, reader, row.private.organization_id));
