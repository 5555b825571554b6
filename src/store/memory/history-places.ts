// Where what happened in a world after a position is, over its journals: so that streams read it part by part.
import type { JournalName, Journals } from '../../model.ts';
import type { HistoryPlaces } from '../history.ts';
import { closedAt, type Kept } from './entry-places.ts';
import type { EntryRing } from './entry-ring.ts';

/** Takes the place of an entry, and what it takes. */
export type FoundPlace = (position: number, where: number | string, bytes: number) => void;

type Open<Name extends JournalName> = ReadonlyMap<string, Kept<Journals[Name]>>;

/** Puts the places in order that are found in journals. */
export function collectPlaces(
  journals: readonly JournalName[],
  find: (name: JournalName, found: FoundPlace) => void,
): HistoryPlaces {
  const positions: number[] = [];
  const journalOf: number[] = [];
  const kept: (number | string)[] = [];
  const bytes: number[] = [];
  for (const [number, name] of journals.entries()) {
    find(name, (position, where, size) => {
      positions.push(position);
      journalOf.push(number);
      kept.push(where);
      bytes.push(size);
    });
  }
  const count = positions.length;
  const places = {
    journals,
    positions: new Float64Array(count),
    journalOf: new Uint8Array(count),
    kept: new Array<number | string>(count),
    bytes: new Float64Array(count),
  };
  for (const [n, from] of inOrder(positions).entries()) {
    places.positions[n] = positions[from] ?? 0;
    places.journalOf[n] = journalOf[from] ?? 0;
    places.kept[n] = kept[from] ?? '';
    places.bytes[n] = bytes[from] ?? 0;
  }
  return places;
}

/** The indexes of these numbers by their size. Those of each journal are in order but for a few, so that it takes little. */
function inOrder(numbers: readonly number[]): number[] {
  const order: number[] = [];
  let isSorted = true;
  for (let n = 0; n < numbers.length; n++) {
    order.push(n);
    isSorted &&= n === 0 || (numbers[n] ?? 0) > (numbers[n - 1] ?? 0);
  }
  return isSorted ? order : order.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
}

export function findAfter<Name extends JournalName>(
  position: number,
  found: FoundPlace,
  open: Open<Name>,
  closed: EntryRing<Name>,
): void {
  for (const slot of closed.slots()) {
    const at = closed.positionAt(slot);
    if (at > position) found(at, slot, closed.bytesAt(slot));
  }
  for (const [id, { outline }] of open) if (outline.position > position) found(outline.position, id, outline.bytes);
}

/** What is where it was, or has only moved, as all entries do when their ring grows. */
export function unamendedAt<Name extends JournalName>(
  places: ReadonlyMap<number, number | string>,
  open: Open<Name>,
  closed: EntryRing<Name>,
): Kept<Journals[Name]>[] {
  const missing = new Set<number>();
  const found: Kept<Journals[Name]>[] = [];
  for (const [position, where] of places) {
    const kept = whereItWas(where, position, open, closed);
    if (kept) found.push(kept);
    else missing.add(position);
  }
  for (const slot of missing.size > 0 ? closed.slots() : []) {
    if (missing.has(closed.positionAt(slot))) found.push(closedAt(closed, slot));
  }
  return found;
}

function whereItWas<Name extends JournalName>(
  where: number | string,
  position: number,
  open: Open<Name>,
  closed: EntryRing<Name>,
): Kept<Journals[Name]> | undefined {
  if (typeof where === 'number') return closed.hasAt(where, position) ? closedAt(closed, where) : undefined;
  const kept = open.get(where);
  return kept?.outline.position === position ? kept : undefined;
}
