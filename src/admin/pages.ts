// Paging, the same for every list of the control API.
import { invalidField } from '../errors/api-error.ts';

export interface PageRequest {
  /** The id of the last entry of the previous page. */
  readonly cursor?: string | undefined;
  readonly page_size: number;
}

export interface PageMeta {
  readonly cursor: string | null;
  readonly total_results: number;
  readonly page_size: number;
}

/** Part of a list, as the control API returns it. */
export interface Page<Item> {
  readonly data: Item[];
  readonly meta: PageMeta;
}

/** The requested page of a list; `validation_error` if the cursor is not the id of an entry. */
export function pageOf<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  { cursor, page_size }: PageRequest,
): Page<Entry> {
  const start = cursor === undefined ? 0 : entries.findIndex(({ id }) => id === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    throw invalidField('cursor', 'is not a cursor of this list, or its entry has been dropped');
  }
  const data = entries.slice(start, start + page_size);
  const hasMore = start + page_size < entries.length;
  const last = data.at(-1);
  return { data, meta: { cursor: hasMore && last ? last.id : null, total_results: entries.length, page_size } };
}
