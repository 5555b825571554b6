// What the journals have for a stream that begins in the past, read and made into messages in slices: so many large entries
// would hold up the requests of other worlds. What happens meanwhile waits at the reader.
import { type Slicing, transactSlice } from '../engine/transact-slice.ts';
import type { Appended, HistoryPlaces } from '../store/history.ts';
import type { Tx } from '../store/store.ts';
import { isSeen } from './is-seen.ts';
import type { Messages, StreamItem } from './messages.ts';
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
  const ranges = rangesOf(entries);
  // The oldest entries are dropped first: what is left of all of them has no gap if the latest are read first.
  if (after === null) ranges.reverse();
  let read = after ?? 0;
  for (const [from, to] of ranges) {
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
    read = entries.positions[to - 1] ?? read;
  }
  if (reader.isClosed || !head) return undefined;
  if (after === null) slices.reverse();
  return [...head, ...slices.flat()];
}

function ownOf(tx: Tx, appended: readonly Appended[], organization: string | null): readonly Appended[] {
  return organization === null ? appended : appended.filter((each) => isSeen(tx, each, organization));
}

/** From which place to which each slice goes. */
function rangesOf({ bytes }: HistoryPlaces): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  let from = 0;
  let sum = 0;
  for (const [n, size] of bytes.entries()) {
    if (n > from && (n - from >= SLICE || sum + size > SLICE_BYTES)) {
      ranges.push([from, n]);
      from = n;
      sum = 0;
    }
    sum += size;
  }
  if (from < bytes.length) ranges.push([from, bytes.length]);
  return ranges;
}
