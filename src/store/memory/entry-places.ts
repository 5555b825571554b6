// Where the entries of a journal are: open ones by their ids, closed ones by their slots.
import type { JournalName, Journals } from '../../model.ts';
import type { EntryPlaces } from '../history.ts';
import type { EntryRing } from './entry-ring.ts';
import type { Outline } from './outline.ts';

/** An entry that is kept. */
export interface Kept<Entry> {
  readonly outline: Outline;
  /** Null if its contents are elsewhere, and have not been asked for. */
  entry: Entry | null;
}

type Open<Name extends JournalName> = ReadonlyMap<string, Kept<Journals[Name]>>;

export const byOrder = (a: Kept<unknown>, b: Kept<unknown>): number => a.outline.order - b.outline.order;

/** `known`: the entry, where it was read before, which takes most of the time. */
export function closedAt<Name extends JournalName>(
  closed: EntryRing<Name>,
  slot: number,
  known?: Journals[Name],
): Kept<Journals[Name]> {
  const entry = known ?? closed.entryAt(slot);
  return { outline: closed.outlineAt(slot, entry?.id), entry };
}

/** In the order of the journal. */
export function placesIn<Name extends JournalName>(open: Open<Name>, closed: EntryRing<Name>): EntryPlaces {
  const orders = new Float64Array(open.size + closed.size);
  const kept = new Array<number | string>(orders.length);
  let count = 0;
  for (const slot of closed.slots()) {
    orders[count] = closed.orderAt(slot);
    kept[count++] = slot;
  }
  for (const [id, { outline }] of open) {
    orders[count] = outline.order;
    kept[count++] = id;
  }
  return sorted({ orders, kept });
}

/** As they are but for those that were open for a while. */
function sorted({ orders, kept }: EntryPlaces): EntryPlaces {
  if (orders.every((order, n) => n === 0 || order > (orders[n - 1] ?? 0))) return { orders, kept };
  const places = [...orders.keys()].sort((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0));
  return { orders: orders.slice().sort(), kept: places.map((n) => kept[n] ?? '') };
}

/** What is still there from one of these places up to another. */
export function keptAt<Name extends JournalName>(
  places: EntryPlaces,
  from: number,
  to: number,
  open: Open<Name>,
  closed: EntryRing<Name>,
): Kept<Journals[Name]>[] {
  const missing = new Set<number>();
  const found = places.kept.slice(from, to).flatMap((where, n) => {
    const order = places.orders[from + n] ?? 0;
    const kept = whereItWas(where, order, open, closed);
    if (!kept) missing.add(order);
    return kept ?? [];
  });
  // Entries move when they are closed, and all of them when the ring grows.
  for (const slot of missing.size > 0 ? closed.slots() : []) {
    if (missing.has(closed.orderAt(slot))) found.push(closedAt(closed, slot));
  }
  return missing.size > 0 ? found.sort(byOrder) : found;
}

function whereItWas<Name extends JournalName>(
  where: number | string,
  order: number,
  open: Open<Name>,
  closed: EntryRing<Name>,
): Kept<Journals[Name]> | undefined {
  if (typeof where === 'number') return closed.holds(where, order) ? closedAt(closed, where) : undefined;
  const kept = open.get(where);
  return kept?.outline.order === order ? kept : undefined;
}
