// The journals of a world (requests, steps, events, deliveries): filtered and paged in one place, for the whole world or
// for one of its sub-entities (`interface.md` section 2).
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { notFound } from '../errors/api-error.ts';
import type { JournalName, Journals } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { type PageMeta, type PageRequest, pageOf } from './pages.ts';
import { readEntries, type Slicing } from './read-journal.ts';

type Parts = Pick<SandboxContext, 'store'>;

/** A page of a journal; `dropped` counts the entries that are no longer kept. */
export interface JournalPage<Item> {
  readonly data: Item[];
  readonly meta: PageMeta & { readonly dropped: number };
}

/** Whether a value matches a filter; without a filter, every value does. */
export function isRequested<Value>(requested: Value | undefined, value: Value): boolean {
  return requested === undefined || requested === value;
}

/** One page of the entries that match, newest first, as `serialize` returns them. */
export async function listEntries<Name extends JournalName, Item>(
  parts: Slicing,
  world: string,
  journal: Name,
  page: PageRequest,
  matches: (entry: Journals[Name], tx: Tx) => boolean,
  serialize: (entry: Journals[Name]) => Item,
): Promise<JournalPage<Item>> {
  const { entries, dropped } = await readEntries(parts, world, journal, matches);
  const { data, meta } = pageOf<Journals[Name]>(entries.reverse(), page);
  return { data: data.map(serialize), meta: { ...meta, dropped } };
}

/** One entry by id; `not_found` if it does not exist, has been dropped, or may not be seen. */
export function findEntry<Name extends JournalName>(
  { store }: Parts,
  world: string,
  journal: Name,
  noun: string,
  id: string,
  isSeen: (entry: Journals[Name], tx: Tx) => boolean,
): Promise<Journals[Name]> {
  return store.transaction(world, (tx) => {
    const entry = tx.entry(journal, id);
    if (!entry || !isSeen(entry, tx)) throw notFound(noun, id);
    return entry;
  });
}
