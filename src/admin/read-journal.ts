// Reads a whole journal in slices: `--journal-limit` allows hundreds of thousands of entries, and to make one takes
// microseconds. Requests of other worlds are answered in between.
import { type Slicing, transactSlice } from '../engine/transact-slice.ts';
import type { JournalName, Journals } from '../model.ts';
import type { Tx } from '../store/store.ts';

/** How many entries are read at once; a shorter journal is read in one transaction. */
const SLICE = 250;

export type { Slicing };

export interface EntriesRead<Name extends JournalName> {
  readonly entries: Journals[Name][];
  /** How many the journal had dropped in the end, and the latest instant of one of them. */
  readonly dropped: number;
  readonly droppedUpTo: string | null;
  /** The epoch that they are of. */
  readonly epoch: number;
}

/**
 * The entries that match, in the order of the journal, of those that were there when it began; with a limit, the first of
 * them. A reset meanwhile, after which others have their ids, makes it begin again.
 */
export async function readEntries<Name extends JournalName>(
  parts: Slicing,
  world: string,
  journal: Name,
  matches: (entry: Journals[Name], tx: Tx) => boolean,
  limit = Number.POSITIVE_INFINITY,
): Promise<EntriesRead<Name>> {
  for (;;) {
    const { places, ...began } = await parts.store.transaction(world, (tx) => {
      const all = tx.history.placesOf(journal);
      const first = tx.history.entriesAt(journal, all, 0, SLICE).filter((entry) => matches(entry, tx));
      return { places: all, entries: first, ...standOf(tx, journal) };
    });
    let read: EntriesRead<Name> | undefined = began;
    const count = places.numbers.length;
    for (let from = SLICE; read && from < count && read.entries.length < limit; from += SLICE) {
      const { found, ...stand } = await transactSlice(parts, world, (tx) => {
        const entries = tx.history.entriesAt(journal, places, from, from + SLICE);
        return { found: entries.filter((entry) => matches(entry, tx)), ...standOf(tx, journal) };
      });
      for (const entry of found) read.entries.push(entry);
      read = stand.epoch === began.epoch ? { ...read, ...stand } : undefined;
    }
    if (read) return read;
  }
}

const standOf = (tx: Tx, journal: JournalName): Omit<EntriesRead<JournalName>, 'entries'> => ({
  dropped: tx.history.droppedFrom(journal),
  droppedUpTo: tx.history.droppedUpTo(journal),
  epoch: tx.state('epoch'),
});
