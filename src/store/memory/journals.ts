// The journals of one world in memory, in one order over all of them.
import type { JournalName, Journals } from '../../model.ts';
import type {
  Appended,
  EntryPlaces,
  HistoryPlaces,
  Journal,
  JournalHistory,
  OpenEntry,
  Placed,
  ReadEntries,
} from '../history.ts';
import type { WorldDelta } from '../store.ts';
import { MemoryJournal } from './journal.ts';
import type { Undo } from './table.ts';

export const journalNames: readonly JournalName[] = ['requests', 'steps', 'events', 'deliveries', 'inbox', 'ticks'];

/** An entry by its journal and id. */
export interface EntryName {
  readonly journal: JournalName;
  readonly id: string;
}

/** Reads entries of a journal. */
type ReadPlaced = <Name extends JournalName>(journal: MemoryJournal<Name>, name: Name) => Placed<Journals[Name]>[];

export class WorldJournals implements JournalHistory {
  /** How many entries they have got, and how often one was amended; a reset goes on from there. */
  position: number;
  readonly #tracked: boolean;
  readonly #journals: { [Name in JournalName]?: MemoryJournal<Name> } = {};

  constructor(tracked: boolean, position = 0) {
    this.#tracked = tracked;
    this.position = position;
  }

  of<Name extends JournalName>(name: Name): MemoryJournal<Name> {
    const journals: { [Each in Name]?: MemoryJournal<Each> } = this.#journals;
    journals[name] ??= new MemoryJournal(name, this.#tracked);
    return journals[name];
  }

  read<Name extends JournalName>(name: Name, read?: ReadEntries): Journal<Name> {
    const journal = this.of(name);
    return { entries: journal.entries(read), dropped: journal.dropped, droppedUpTo: journal.droppedUpTo };
  }

  open<Name extends 'deliveries' | 'ticks'>(
    name: Name,
    matches: (entry: Journals[Name]) => boolean = () => true,
    limit = Number.POSITIVE_INFINITY,
  ): Placed<Journals[Name]>[] {
    return this.of(name).open(matches, limit);
  }

  allOpen<Name extends 'deliveries' | 'ticks'>(name: Name): readonly OpenEntry<Journals[Name]>[] {
    return this.of(name).allOpen();
  }

  droppedFrom(journal: JournalName): number {
    return this.of(journal).dropped;
  }

  droppedUpTo(journal: JournalName): string | null {
    return this.of(journal).droppedUpTo;
  }

  placesOf(journal: JournalName): EntryPlaces {
    return this.of(journal).places('order');
  }

  entriesAt<Name extends JournalName>(
    journal: Name,
    places: EntryPlaces,
    from: number,
    to: number,
  ): readonly Journals[Name][] {
    return this.of(journal).entriesAt(places, from, to);
  }

  positionOf(journal: JournalName, id: string): number | undefined {
    return this.of(journal).outlineOf(id)?.order;
  }

  droppedSince(journal: JournalName, id: string): number {
    const began = this.of(journal).outlineOf(id)?.began ?? 0;
    const { requests, steps, events, deliveries } = this.#journals;
    return [requests, steps, events, deliveries].reduce((sum, each) => sum + (each?.droppedSince(began) ?? 0), 0);
  }

  hasDroppedAfter(position: number, journals: readonly JournalName[] = journalNames): boolean {
    return journals.some((name) => this.#journals[name]?.hasDroppedAfter(position));
  }

  placesAfter(position: number, journals: readonly JournalName[] = journalNames): HistoryPlaces {
    return { journals, places: journals.map((name) => this.of(name).places('position', position)) };
  }

  appendedAt({ journals, places }: HistoryPlaces, from: number, to: number): Appended[] {
    return this.#inOrder((journal, name) => {
      const own = places[journals.indexOf(name)];
      return own ? journal.placedAt(own, from, to) : [];
    });
  }

  /** What was appended or amended after a position and is still kept, in that order. */
  keptAfter(position: number): Appended[] {
    return this.#inOrder((journal) => journal.after(position));
  }

  #inOrder(read: ReadPlaced): Appended[] {
    const { requests, steps, events, deliveries, inbox, ticks } = this.#journals;
    const appended: Appended[] = [];
    for (const each of requests ? read(requests, 'requests') : []) appended.push({ journal: 'requests', ...each });
    for (const each of steps ? read(steps, 'steps') : []) appended.push({ journal: 'steps', ...each });
    for (const each of events ? read(events, 'events') : []) appended.push({ journal: 'events', ...each });
    for (const each of deliveries ? read(deliveries, 'deliveries') : [])
      appended.push({ journal: 'deliveries', ...each });
    for (const each of inbox ? read(inbox, 'inbox') : []) appended.push({ journal: 'inbox', ...each });
    for (const each of ticks ? read(ticks, 'ticks') : []) appended.push({ journal: 'ticks', ...each });
    return appended.sort((a, b) => a.position - b.position);
  }

  /** What deliveries and ticks take that are not finished, which stay. */
  get openBytes(): number {
    const { deliveries, ticks } = this.#journals;
    return (deliveries?.openBytes ?? 0) + (ticks?.openBytes ?? 0);
  }

  /** What the rest takes. */
  get bytes(): number {
    const { requests, steps, events, deliveries, inbox, ticks } = this.#journals;
    return (
      (requests?.bytes ?? 0) +
      (steps?.bytes ?? 0) +
      (events?.bytes ?? 0) +
      (deliveries?.bytes ?? 0) +
      (inbox?.bytes ?? 0) +
      (ticks?.bytes ?? 0)
    );
  }

  /** Drops the oldest entries past the limit of each journal, and returns how many. */
  trim(limit: number, undo?: Undo): number {
    return journalNames.reduce((sum, name) => sum + (this.#journals[name]?.trim(limit, undo) ?? 0), 0);
  }

  /** Drops the oldest entry of the largest journal; false if nothing may be dropped. */
  dropOldest(undo?: Undo): boolean {
    const journals = Object.values(this.#journals);
    return journals.length > 0 && journals.reduce((a, b) => (a.bytes >= b.bytes ? a : b)).dropOldest(undo);
  }

  /** Whether contents were needed that are elsewhere. */
  get isWanting(): boolean {
    return journalNames.some((journal) => this.#journals[journal]?.isWanting);
  }

  /** The entries whose contents were needed and are elsewhere, since the last call. */
  takeWanted(): EntryName[] {
    const wanted: EntryName[] = [];
    for (const journal of journalNames) {
      for (const id of this.#journals[journal]?.takeWanted() ?? []) wanted.push({ journal, id });
    }
    return wanted;
  }

  /** The entries that have changed since the last call. */
  takeChanges(): WorldDelta['journals'] {
    const { requests, steps, events, deliveries, inbox, ticks } = this.#journals;
    return {
      ...named('requests', requests?.takeChanges()),
      ...named('steps', steps?.takeChanges()),
      ...named('events', events?.takeChanges()),
      ...named('deliveries', deliveries?.takeChanges()),
      ...named('inbox', inbox?.takeChanges()),
      ...named('ticks', ticks?.takeChanges()),
    };
  }

  forgetChanges(): void {
    for (const journal of Object.values(this.#journals)) journal.forgetChanges();
  }
}

/** An object with that property, unless its value is undefined. */
function named<Name extends JournalName, Value>(name: Name, value: Value | undefined): { [Each in Name]?: Value } {
  const found: { [Each in Name]?: Value } = {};
  if (value !== undefined) found[name] = value;
  return found;
}
