// Pages of a list and their cursors (the ledger's paging). A cursor is opaque to clients and identifies the last item of
// its page, so that the next page begins right after it, even if items were added meanwhile.
import { assumed } from '../assumptions/catalogue.ts';
import type { Schemas } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';
import type { IndexOf, Row, TableName } from '../model.ts';
import type { Tx } from '../store/store.ts';

/** The number of items of a page unless the request says otherwise. */
export const defaultPageSize = (tx: Tx): number => assumed(tx.state('assumptions'), 'default_page_size');

/** The options of a list for which the specification names no order. */
export function inAssumedOrder(tx: Tx, query: PageOptions): PageOptions {
  return { ...query, newestFirst: assumed(tx.state('assumptions'), 'list_order') === 'newest_first' };
}

/** The query parameters of a list, and its order: by ascending rank unless the newest record comes first. */
export interface PageOptions {
  readonly cursor?: string;
  readonly page_size?: number;
  readonly newestFirst?: boolean;
}

export interface Page<Table extends TableName> {
  readonly rows: Row<Table>[];
  readonly meta: Schemas['PageMeta'];
  readonly counted: Schemas['CountedPageMeta'];
}

/** One page of the records that an index finds; `validation_error` on a cursor that no page of that table returned. */
export function pageOf<Table extends TableName>(
  tx: Tx,
  table: Table,
  index: IndexOf<Table>,
  value: string,
  { cursor: given, page_size = defaultPageSize(tx), newestFirst = false }: PageOptions,
): Page<Table> {
  const after = given === undefined ? undefined : rankIn(given, table);
  const found = tx.page(table, index, value, {
    limit: page_size + 1,
    newestFirst,
    ...(after === undefined ? {} : { after }),
  });
  const rows = found.slice(0, page_size);
  const last = rows.at(-1);
  const cursor = found.length > page_size && last ? writeCursor(positionOf(table, last.private.rank)) : null;
  const total_results = tx.count(table, index, value);
  return { rows, meta: { page_size, cursor }, counted: { cursor, total_results, page_size } };
}

const positionOf = (table: TableName, rank: number | string): string => `${table} ${rank}`;

function rankIn(cursor: string, table: TableName): number {
  const position = readCursor(cursor, (text) => {
    const rank = text.slice(table.length + 1);
    return /^-?\d{1,15}$/.test(rank) && text === positionOf(table, Number(rank));
  });
  return Number(position.slice(table.length + 1));
}

/** Encodes a position in a list, which is ASCII, as a cursor. */
export function writeCursor(position: string): string {
  return Buffer.from(position).toString('base64url');
}

/** Decodes the position in a cursor; `validation_error` if it is not a position of this list. */
export function readCursor(cursor: string, isPosition: (position: string) => boolean): string {
  const position = Buffer.from(cursor, 'base64url').toString('latin1');
  if (isPosition(position) && writeCursor(position) === cursor) return position;
  throw new ApiError('validation_error', {
    fields: { cursor: 'is not a cursor of this list; send `meta.cursor` of the previous page, unchanged' },
    assumption: 'paging',
  });
}
