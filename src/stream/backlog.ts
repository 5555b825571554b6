// What the journals have for a stream that begins in the past, read and made into messages in slices: so many large entries
// would hold up the requests of other worlds. What happens meanwhile waits at the reader.
import { type Slicing, transactSlice } from '../engine/transact-slice.ts';
import type { Appended, EntryPlaces, HistoryPlaces } from '../store/history.ts';
import type { Tx } from '../store/store.ts';
import type { Messages, StreamItem } from './messages.ts';
import { ownerOf } from './owner.ts';
import type { Place } from './place.ts';
import type { Reader } from './reader.ts';

/** How many entries are read at once, and about how many bytes of them, at least one entry. */
const SLICE = 250;
const SLICE_BYTES = 64 * 1024;

/** Where a stream begins: what to tell first, then the entries at those places, and the place up to which that is whole. */
export interface Beginning {
  readonly first: readonly StreamItem[];
  readonly entries: HistoryPlaces;
  /** The position after which no entry may be missing; null if what is left is enough. */
  readonly after: number | null;
  readonly place: Place;
}

/** Whose entries to read. */
interface Asked {
  readonly world: string;
  readonly organization: string | null;
}

type Read = readonly Appended[] | 'reset' | 'gone';

/** Reads the messages of a stream's beginning; null if some are gone meanwhile, undefined if the reader has been ended. */
export async function readBacklog(
  parts: Slicing & { readonly messages: Messages },
  reader: Reader,
  { world, organization }: Asked,
  { first, entries, after, place }: Beginning,
): Promise<StreamItem[] | null | undefined> {
  const { turns, messages } = parts;
  const head = await turns.workThrough(world, reader.prepare(first));
  const slices: StreamItem[][] = [];
  let read = after ?? 0;
  // The oldest entries are dropped first: what is left of all of them has no gap if the latest are read first.
  for (const [from, to] of after === null ? latestFirst(entries) : earliestFirst(entries)) {
    if (reader.isClosed) return undefined;
    const found = await transactSlice(parts, world, (tx): Read => {
      // Readers are told of a reset, after which nothing before it matters.
      if (tx.state('epoch') !== place.epoch) return 'reset';
      if (after !== null && tx.history.hasDroppedAfter(read, entries.journals)) return 'gone';
      return ownOf(tx, tx.history.appendedAt(entries, from, to), organization);
    });
    if (found === 'gone') return null;
    if (found === 'reset') break;
    const items = found.map((each) => messages.entry(each, { ...place, position: each.position }));
    const made = await turns.workThrough(world, reader.prepare(items));
    if (made) slices.push(made);
    read = to;
  }
  if (reader.isClosed || !head) return undefined;
  if (after === null) slices.reverse();
  return [...head, ...slices.flat()];
}

function ownOf(tx: Tx, appended: readonly Appended[], organization: string | null): readonly Appended[] {
  return organization === null ? appended : appended.filter((each) => ownerOf(tx, each) === organization);
}

/** From which position to which each slice goes. */
function* earliestFirst({ places }: HistoryPlaces): Generator<[from: number, to: number]> {
  const next = places.map(() => 0);
  for (let slice = sliceOf(places, next, 1); slice; slice = sliceOf(places, next, 1)) yield slice;
}

function* latestFirst({ places }: HistoryPlaces): Generator<[from: number, to: number]> {
  const next = places.map(({ numbers }) => numbers.length - 1);
  for (let slice = sliceOf(places, next, -1); slice; slice = sliceOf(places, next, -1)) {
    const [to, from] = slice;
    yield [from, to];
  }
}

/** The positions of the first and the last entry of a slice, of which the next are known in each journal; undefined if none is left. */
function sliceOf(
  places: readonly EntryPlaces[],
  next: number[],
  step: 1 | -1,
): [first: number, last: number] | undefined {
  let first: number | undefined;
  let last = 0;
  let bytes = 0;
  for (let count = 0; count < SLICE; count++) {
    const which = nextOf(places, next, step);
    const at = next[which] ?? 0;
    const number = places[which]?.numbers[at];
    if (number === undefined) break;
    bytes += places[which]?.bytes[at] ?? 0;
    if (count > 0 && bytes > SLICE_BYTES) break;
    next[which] = at + step;
    first ??= number;
    last = number;
  }
  return first === undefined ? undefined : [first, last];
}

/** The journal with the next entry in that direction. */
function nextOf(places: readonly EntryPlaces[], next: readonly number[], step: 1 | -1): number {
  let which = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [journal, { numbers }] of places.entries()) {
    const number = step * (numbers[next[journal] ?? 0] ?? Number.POSITIVE_INFINITY * step);
    if (number >= least) continue;
    which = journal;
    least = number;
  }
  return which;
}
