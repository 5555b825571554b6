// One journal of one world in memory: entries in the order in which they were appended, the oldest dropped past the
// limit, except what is still open (a delivery that is pending, in flight, or to be attempted again).
import type { JournalName, Journals } from '../../model.ts';
import type { EntryPlaces, OpenEntry, Placed, ReadEntries } from '../history.ts';
import type { JournalDelta } from '../store.ts';
import { forgetAll, takeAll } from './changed.ts';
import { byOrder, closedAt, type Kept, keptAt, placesBefore, placesIn } from './entry-places.ts';
import { EntryRing } from './entry-ring.ts';
import { OpenEntries } from './open-entries.ts';
import { ContentsElsewhere, type Outline, outlineOf, type PlaceNumber } from './outline.ts';
import type { Undo } from './table.ts';

export class MemoryJournal<Name extends JournalName> {
  readonly #name: Name;
  /** What must not be dropped. */
  readonly #open = new OpenEntries<Journals[Name]>();
  readonly #closed: EntryRing<Name>;
  #bytes = 0;
  #openBytes = 0;
  dropped = 0;
  droppedUpTo: string | null = null;
  /** The latest `began` and `position` of an entry that was dropped. */
  #droppedBegan = -1;
  #droppedPosition = -1;
  /** Ids of entries that have changed since they were last taken; null if nobody takes them. */
  readonly #changed: Set<string> | null;
  /** Ids of entries whose contents were needed and are elsewhere. */
  readonly #wanted = new Set<string>();

  constructor(name: Name, tracked: boolean) {
    this.#name = name;
    this.#closed = new EntryRing(name);
    this.#changed = tracked ? new Set() : null;
  }

  /** Of what may be dropped. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Of deliveries that are pending or in flight, which stay. */
  get openBytes(): number {
    return this.#openBytes;
  }

  get size(): number {
    return this.#open.size + this.#closed.size;
  }

  get(id: string): Journals[Name] | undefined {
    const kept = this.#keptOf(id);
    return kept && this.#whole([kept])[0];
  }

  entries(read?: ReadEntries): Journals[Name][] {
    return this.#whole(this.#keptAfter(Number.NEGATIVE_INFINITY, read).sort(byOrder));
  }

  /** Where the entries are that have greater numbers; neither their contents nor their ids are read, which takes long. */
  places(number: PlaceNumber, after = Number.NEGATIVE_INFINITY): EntryPlaces {
    return placesIn(number, after, this.#open, this.#closed);
  }

  /** Those from one of these places up to another that are still there. */
  entriesAt(places: EntryPlaces, from: number, to: number): Journals[Name][] {
    return this.#whole(keptAt('order', places, [from, to], this.#open, this.#closed));
  }

  /** What was appended or amended last from one position to another, is still there and was not amended since. */
  placedAt(places: EntryPlaces, from: number, to: number): Placed<Journals[Name]>[] {
    const range = [placesBefore(places, from), placesBefore(places, to + 1)] as const;
    return this.#placed(keptAt('position', places, range, this.#open, this.#closed));
  }

  /** What must not be dropped and matches, in the order in which it was appended; at most so many. */
  open(matches: (entry: Journals[Name]) => boolean, limit: number): Placed<Journals[Name]>[] {
    return this.#placed(this.#open.matching(matches, limit));
  }

  allOpen(): OpenEntry<Journals[Name]>[] {
    const open = [...this.#open.inOrder()];
    // Throws unless all are here.
    this.#whole(open);
    return open as OpenEntry<Journals[Name]>[];
  }

  #keptOf(id: string): Kept<Journals[Name]> | undefined {
    const slot = this.#closed.find(id);
    return slot === undefined ? this.#open.get(id) : closedAt(this.#closed, slot);
  }

  /** What was appended or amended after a position, in no order. */
  #keptAfter(position: number, read?: ReadEntries): Kept<Journals[Name]>[] {
    const kept = [...this.#open.values()].filter(({ outline }) => outline.position > position);
    const known = read?.of(this.#name);
    for (const slot of this.#closed.slots()) {
      const at = this.#closed.positionAt(slot);
      const isKnown = read !== undefined && at <= read.position;
      if (at > position)
        kept.push(closedAt(this.#closed, slot, isKnown ? known?.get(this.#closed.orderAt(slot)) : undefined));
    }
    return kept;
  }

  #placed(kept: readonly Kept<Journals[Name]>[]): Placed<Journals[Name]>[] {
    const entries = this.#whole(kept);
    // There are as many of them.
    return kept.map(({ outline: { position, order } }, n) => ({
      entry: entries[n] as Journals[Name],
      position,
      amended: position > order,
    }));
  }

  #whole(kept: readonly Kept<Journals[Name]>[]): Journals[Name][] {
    const whole: Journals[Name][] = [];
    for (const { outline, entry } of kept) {
      if (entry) whole.push(entry);
      else this.#wanted.add(outline.id);
    }
    if (whole.length < kept.length) throw new ContentsElsewhere(`contents of ${this.#name} are elsewhere`);
    return whole;
  }

  get isWanting(): boolean {
    return this.#wanted.size > 0;
  }

  /** The ids of the entries whose contents were needed and are elsewhere, since the last call. */
  takeWanted(): readonly string[] {
    if (this.#wanted.size === 0) return [];
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    return wanted;
  }

  /** How many were dropped, if one of them may be as late as the transaction that began there. */
  droppedSince(began: number): number {
    return this.#droppedBegan >= began ? this.dropped : 0;
  }

  outlineOf(id: string): Outline | undefined {
    const slot = this.#closed.find(id);
    return slot === undefined ? this.#open.get(id)?.outline : this.#closed.outlineAt(slot);
  }

  /** Where the latest entry that was dropped was, in two ways; -1 if none was. */
  get droppedPlaces(): { readonly began: number; readonly position: number } {
    return { began: this.#droppedBegan, position: this.#droppedPosition };
  }

  /** Takes an entry over as another copy of the journal has it; without contents, they are asked for when they are needed. */
  receive(outline: Outline, entry: Journals[Name] | null): void {
    this.#forget(outline.id);
    this.#keep(outline, entry);
  }

  /** Takes over the contents of an entry, if it is kept and they are elsewhere. */
  receiveContents(entry: Journals[Name]): void {
    const slot = this.#closed.find(entry.id);
    if (slot !== undefined && this.#closed.isElsewhere(slot)) this.#closed.complete(slot, entry);
    const open = this.#open.get(entry.id);
    if (open) open.entry ??= entry;
  }

  /** Removes an entry that another copy of the journal has dropped. */
  lose(id: string): void {
    this.#forget(id);
  }

  /** Takes over how many entries another copy of the journal has dropped, and where. */
  receiveDropped(dropped: number, upTo: string | null, began: number, position: number): void {
    this.dropped = dropped;
    this.droppedUpTo = upTo;
    this.#droppedBegan = began;
    this.#droppedPosition = position;
  }

  /** Whether an entry that was appended or amended after a position has been dropped. */
  hasDroppedAfter(position: number): boolean {
    return this.#droppedPosition > position;
  }

  /** The entries that were appended or amended after a position, in no order. */
  after(position: number): Placed<Journals[Name]>[] {
    return this.#placed(this.#keptAfter(position));
  }

  /** Entries were dropped before this journal was restored. */
  setDropped(dropped: number, upTo: string | null, position: number): void {
    const [began, at] = dropped === 0 ? [this.#droppedBegan, this.#droppedPosition] : [position, position];
    this.receiveDropped(dropped, upTo, began, at);
  }

  /** The entries that have changed since the last call; undefined if none has. */
  takeChanges(): JournalDelta<Name> | undefined {
    const changed = takeAll(this.#changed);
    if (changed.length === 0) return undefined;
    const present = changed.flatMap((id) => this.#keptOf(id) ?? []);
    // What has changed here is here; the rest was undone.
    const entries = this.#whole(present.filter(({ entry }) => entry).sort(byOrder));
    const removed = changed.filter((id) => !this.#has(id));
    const { dropped, droppedUpTo } = this;
    return { entries, removed, dropped, droppedUpTo };
  }

  forgetChanges(): void {
    forgetAll(this.#changed);
  }

  /** Positions grow with everything that is appended or amended; `began` is where the transaction began. */
  append(entry: Journals[Name], order: number, began: number, undo: Undo, position = order): void {
    this.#keep(outlineOf(entry, order, began, position), entry);
    undo.push(() => this.#forget(entry.id));
  }

  /** Whether the entry is still kept. */
  amend(entry: Journals[Name], position: number, undo: Undo): boolean {
    const before = this.#keptOf(entry.id);
    if (!before) return false;
    const { order, began } = before.outline;
    const outline = outlineOf(entry, order, began, position);
    // To delete from a large map first, and add again, makes it grow and shrink.
    if (before.outline.isOpen && outline.isOpen) this.#openBytes -= before.outline.bytes;
    else this.#forget(entry.id);
    this.#keep(outline, entry);
    undo.push(() => {
      this.#forget(entry.id);
      this.#keep(before.outline, before.entry);
    });
    return true;
  }

  /** Drops the oldest entries past the limit, and returns how many; called after a commit, or as its last part. */
  trim(limit: number, undo?: Undo): number {
    const before = this.dropped;
    while (this.size > limit && this.dropOldest(undo)) {}
    return this.dropped - before;
  }

  dropOldest(undo?: Undo): boolean {
    const oldest = this.#closed.first();
    if (oldest === undefined) return false;
    undo?.push(this.#undrop(oldest));
    this.droppedUpTo = this.#closed.atAt(oldest);
    this.#droppedBegan = Math.max(this.#droppedBegan, this.#closed.beganAt(oldest));
    this.#droppedPosition = Math.max(this.#droppedPosition, this.#closed.positionAt(oldest));
    this.#removeClosed(oldest);
    this.dropped += 1;
    return true;
  }

  /** Undoes the drop of an entry, which is the oldest again. */
  #undrop(slot: number): () => void {
    const { dropped, droppedUpTo } = this;
    const [began, position] = [this.#droppedBegan, this.#droppedPosition];
    const { outline, entry } = closedAt(this.#closed, slot);
    return () => {
      Object.assign(this, { dropped, droppedUpTo });
      this.#droppedBegan = began;
      this.#droppedPosition = position;
      this.#closed.addFirst(outline, entry);
      this.#bytes += outline.bytes;
      this.#changed?.add(outline.id);
    };
  }

  #keep(outline: Outline, entry: Journals[Name] | null): void {
    const { id, bytes, isOpen } = outline;
    this.#changed?.add(id);
    if (isOpen) {
      this.#open.set(id, { outline, entry });
      this.#openBytes += bytes;
    } else {
      this.#closed.add(outline, entry);
      this.#bytes += bytes;
    }
  }

  #has(id: string): boolean {
    return this.#open.has(id) || this.#closed.find(id) !== undefined;
  }

  #forget(id: string): void {
    const slot = this.#closed.find(id);
    if (slot !== undefined) return this.#removeClosed(slot);
    const open = this.#open.get(id);
    if (!open) return;
    this.#openBytes -= open.outline.bytes;
    this.#open.delete(id);
    this.#changed?.add(id);
  }

  #removeClosed(slot: number): void {
    this.#bytes -= this.#closed.bytesAt(slot);
    this.#changed?.add(this.#closed.idAt(slot));
    this.#closed.delete(slot);
  }
}
