// Reads a whole journal in slices: `--journal-limit` allows hundreds of thousands of entries, and to make one takes
// microseconds. Requests of other worlds are answered in between.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transactSlice } from '../engine/transact-slice.ts';
import type { JournalName, Journals } from '../model.ts';
import type { Tx } from '../store/store.ts';

/** How many entries are read at once; a shorter journal is read in one transaction. */
const SLICE = 250;

export type Slicing = Pick<SandboxContext, 'store' | 'turns'>;

export interface EntriesRead<Name extends JournalName> {
  readonly entries: Journals[Name][];
  /** How many the journal had dropped in the end. */
  readonly dropped: number;
  /** The epoch that they are of. */
  readonly epoch: number;
}

/**
 * The entries that match, in the order of the journal, of those that were there when it began. A reset meanwhile, after
 * which others have their ids, makes it begin again.
 */
export async function readEntries<Name extends JournalName>(
  parts: Slicing,
  world: string,
  journal: Name,
  matches: (entry: Journals[Name], tx: Tx) => boolean,
): Promise<EntriesRead<Name>> {
  const slice = (tx: Tx, ids: readonly string[]): Journals[Name][] =>
    tx.history.entriesOf(journal, ids).filter((entry) => matches(entry, tx));
  for (;;) {
    const began = await parts.store.transaction(world, (tx) => {
      const ids = tx.history.idsOf(journal);
      return { ids, first: slice(tx, ids.slice(0, SLICE)), ...standOf(tx, journal) };
    });
    let read: EntriesRead<Name> | undefined = { entries: began.first, dropped: began.dropped, epoch: began.epoch };
    for (let from = SLICE; read && from < began.ids.length; from += SLICE) {
      const ids = began.ids.slice(from, from + SLICE);
      const next = await transactSlice(parts, world, (tx) => ({ found: slice(tx, ids), ...standOf(tx, journal) }));
      for (const entry of next.found) read.entries.push(entry);
      read = next.epoch === began.epoch ? { ...read, dropped: next.dropped } : undefined;
    }
    if (read) return read;
  }
}

const standOf = (tx: Tx, journal: JournalName): Pick<EntriesRead<JournalName>, 'dropped' | 'epoch'> => ({
  dropped: tx.history.droppedFrom(journal),
  epoch: tx.state('epoch'),
});
