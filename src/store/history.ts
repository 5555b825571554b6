// The journals of a world as transactions and listeners see them.
import type { JournalName, Journals } from '../model.ts';

export interface Journal<Name extends JournalName> {
  readonly entries: readonly Journals[Name][];
  /** How many entries were dropped, and the latest instant of one of them. */
  readonly dropped: number;
  readonly droppedUpTo: string | null;
}

/** An entry, and where it was appended or amended last. */
export interface Placed<Entry> {
  readonly entry: Entry;
  /** 0 for what was brought back. */
  readonly position: number;
  readonly amended: boolean;
}

/** An entry that is still to be sent, as it was at one moment, and where it was appended, and amended last. */
export interface OpenEntry<Entry> {
  readonly entry: Entry;
  readonly outline: { readonly order: number; readonly position: number };
}

/**
 * Where the entries of a journal were at one moment, in its order: they can be read part by part, in later transactions.
 * It is found without reading them.
 */
export interface EntryPlaces {
  /** Where each was appended, or in a history, where it was appended or amended last: no other entry ever has that. */
  readonly numbers: Float64Array;
  /** What each takes, about. */
  readonly bytes: Float64Array;
  /** Where each was kept then; it may be elsewhere by now. Below zero, it was the first, second, … of those that were open. */
  readonly kept: Int32Array;
  readonly open: readonly string[];
}

/**
 * The same of what happened after a position, over several journals. An entry that is amended again is not found any more: its
 * number is another one.
 */
export interface HistoryPlaces {
  readonly journals: readonly JournalName[];
  /** Those of each of these journals. */
  readonly places: readonly EntryPlaces[];
}

/** Entries that were read before, of which those need not be read again that were not amended after a position. */
export interface ReadEntries {
  readonly position: number;
  /** By where they were appended. */
  of<Name extends JournalName>(journal: Name): ReadonlyMap<number, Journals[Name]>;
}

/** What happened to the journals of a world, in one order over all of them. */
export interface JournalHistory {
  /** Grows with every entry that is appended or amended, over resets too. */
  readonly position: number;
  /** How many entries of a journal were dropped. */
  droppedFrom(journal: JournalName): number;
  /** The latest instant of an entry that was dropped from a journal. */
  droppedUpTo(journal: JournalName): string | null;
  placesOf(journal: JournalName): EntryPlaces;
  /** Those of the entries from one of these places up to another that are still there. */
  entriesAt<Name extends JournalName>(
    journal: Name,
    places: EntryPlaces,
    from: number,
    to: number,
  ): readonly Journals[Name][];
  /** Where an entry was appended; undefined if it is not kept. */
  positionOf(journal: JournalName, id: string): number | undefined;
  /** Whether some of what was appended to these journals, or amended in them, after a position is no longer kept. */
  hasDroppedAfter(position: number, journals?: readonly JournalName[]): boolean;
  /** Where what was appended or amended after a position is; after 0, everything but what was brought back. */
  placesAfter(position: number, journals?: readonly JournalName[]): HistoryPlaces;
  /** What is still there of what was at these places from one position to another, and has not been amended since. */
  appendedAt(places: HistoryPlaces, from: number, to: number): readonly Appended[];
  /** What is still to be sent, or being sent, now or later, and matches, in the order in which it was appended; at most so many. */
  open<Name extends 'deliveries' | 'ticks'>(
    journal: Name,
    matches?: (entry: Journals[Name]) => boolean,
    limit?: number,
  ): readonly Placed<Journals[Name]>[];
  /** The same, all of it, for whoever has very many of them to look at: none is copied. */
  allOpen<Name extends 'deliveries' | 'ticks'>(journal: Name): readonly OpenEntry<Journals[Name]>[];
  /**
   * How many entries were dropped from journals that may have lost one as late as the transaction which appended that
   * entry, and so one that it caused; 0 if nothing of that is lost.
   */
  droppedSince(journal: JournalName, id: string): number;
}

export type Appended = {
  [Name in JournalName]: {
    readonly journal: Name;
    readonly entry: Journals[Name];
    readonly amended: boolean;
    /** Where the journals of the world stood then. */
    readonly position: number;
  };
}[JournalName];
