// Where the entries of a journal are: open ones by their ids, closed ones by their slots. Each is found again by a number of
// its own, so that a journal is read part by part though its entries move when they are closed, or when the ring grows.
import type { JournalName, Journals } from '../../model.ts';
import type { EntryPlaces } from '../history.ts';
import type { EntryRing } from './entry-ring.ts';
import type { Outline, PlaceNumber } from './outline.ts';

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

/** The places of the entries with greater numbers than that, by these numbers. A hundred thousand of them take a millisecond. */
export function placesIn<Name extends JournalName>(
  number: PlaceNumber,
  after: number,
  open: Open<Name>,
  closed: EntryRing<Name>,
): EntryPlaces {
  const found = sorted(closed.collect(number, after));
  const others = [...open.values()].filter(({ outline }) => outline[number] > after);
  if (others.length === 0) return found;
  others.sort((a, b) => a.outline[number] - b.outline[number]);
  return merged(found, {
    numbers: Float64Array.from(others, ({ outline }) => outline[number]),
    bytes: Float64Array.from(others, ({ outline }) => outline.bytes),
    kept: Int32Array.from(others.keys(), (n) => -1 - n),
    open: others.map(({ outline }) => outline.id),
  });
}

/** Closed ones are in this order but for those that were open for a while. */
function sorted({ numbers, bytes, kept, open }: EntryPlaces): EntryPlaces {
  if (numbers.every((each, n) => n === 0 || each > (numbers[n - 1] ?? 0))) return { numbers, bytes, kept, open };
  // A list is sorted by the parts of it that are in order; a typed array is not.
  const order = Array.from(numbers.keys()).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
  return {
    numbers: numbers.slice().sort(),
    bytes: bytes.map((_, n) => bytes[order[n] ?? 0] ?? 0),
    kept: kept.map((_, n) => kept[order[n] ?? 0] ?? 0),
    open,
  };
}

function merged(some: EntryPlaces, others: EntryPlaces): EntryPlaces {
  const count = some.numbers.length + others.numbers.length;
  const [numbers, bytes, kept] = [new Float64Array(count), new Float64Array(count), new Int32Array(count)];
  let [ofSome, ofOthers] = [0, 0];
  for (let n = 0; n < count; n++) {
    const isOther =
      (others.numbers[ofOthers] ?? Number.POSITIVE_INFINITY) < (some.numbers[ofSome] ?? Number.POSITIVE_INFINITY);
    const from = isOther ? others : some;
    const at = isOther ? ofOthers++ : ofSome++;
    numbers[n] = from.numbers[at] ?? 0;
    bytes[n] = from.bytes[at] ?? 0;
    kept[n] = from.kept[at] ?? 0;
  }
  return { numbers, bytes, kept, open: others.open };
}

/** What is still there from one of these places up to another, and has the number that it had. */
export function keptAt<Name extends JournalName>(
  number: PlaceNumber,
  { numbers, kept, open: ids }: EntryPlaces,
  range: readonly [from: number, to: number],
  open: Open<Name>,
  closed: EntryRing<Name>,
): Kept<Journals[Name]>[] {
  const missing = new Set<number>();
  const found: Kept<Journals[Name]>[] = [];
  for (let n = range[0]; n < Math.min(range[1], numbers.length); n++) {
    const [place, where] = [numbers[n] ?? 0, kept[n] ?? 0];
    if (where >= 0 && closed.holds(where, number, place)) found.push(closedAt(closed, where));
    else {
      const still = where < 0 ? open.get(ids[-where - 1] ?? '') : undefined;
      if (still?.outline[number] === place) found.push(still);
      else missing.add(place);
    }
  }
  for (const slot of missing.size > 0 ? closed.slots() : []) {
    if (missing.has(closed.numberAt(slot, number))) found.push(closedAt(closed, slot));
  }
  return missing.size > 0 ? found.sort((a, b) => a.outline[number] - b.outline[number]) : found;
}

/** How many of these places have smaller numbers. */
export function placesBefore({ numbers }: EntryPlaces, number: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}
