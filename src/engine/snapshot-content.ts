// What a snapshot has of a world. To read an entry of a journal takes microseconds, so long journals are read in slices; one
// transaction then reads the rest, and what has changed meanwhile, so that all of it is as it was at one moment.
import type { JournalName, Journals } from '../model.ts';
import type { EntryPlaces, ReadEntries } from '../store/history.ts';
import type { Tx, WorldDump } from '../store/store.ts';
import { KEPT_ON_RESTORE } from './epochs.ts';
import { type Slicing, transactSlice } from './transact-slice.ts';

/** How many entries are read at once; shorter journals are read in the last transaction. */
const SLICE = 250;

const journalNames = ['requests', 'steps', 'events', 'deliveries', 'inbox', 'ticks'] as const satisfies JournalName[];

class Read implements ReadEntries {
  readonly position: number;
  readonly #entries: { [Name in JournalName]?: Map<number, Journals[Name]> } = {};

  constructor(position: number) {
    this.position = position;
  }

  of<Name extends JournalName>(journal: Name): Map<number, Journals[Name]> {
    const entries: { [Each in Name]?: Map<number, Journals[Each]> } = this.#entries;
    entries[journal] ??= new Map();
    return entries[journal];
  }
}

/** Reads long journals ahead for `contentOf`. Throws what `check` throws, before anything is read. */
export async function readJournals(parts: Slicing, world: string, check: (tx: Tx) => void): Promise<ReadEntries> {
  const { position, long } = await parts.store.transaction(world, (tx) => {
    check(tx);
    const all = journalNames.map((name) => [name, tx.history.placesOf(name)] as const);
    return { position: tx.history.position, long: all.filter(([, { numbers }]) => numbers.length > SLICE) };
  });
  const read = new Read(position);
  for (const [name, places] of long) await readJournal(parts, world, name, places, read.of(name));
  return read;
}

async function readJournal<Name extends JournalName>(
  parts: Slicing,
  world: string,
  journal: Name,
  places: EntryPlaces,
  read: Map<number, Journals[Name]>,
): Promise<void> {
  for (let from = 0; from < places.numbers.length; from += SLICE) {
    const slice = await transactSlice(parts, world, ({ history }) =>
      history
        .entriesAt(journal, places, from, from + SLICE)
        .map((entry) => [history.positionOf(journal, entry.id), entry] as const),
    );
    for (const [order, entry] of slice) if (order !== undefined) read.set(order, entry);
  }
}

export function contentOf(tx: Tx, read: ReadEntries): WorldDump {
  // What the world has met stays, whatever it is brought back to.
  const { coverage: _, ...dump } = tx.dump(read, KEPT_ON_RESTORE);
  return dump;
}
