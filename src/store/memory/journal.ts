// One journal of one world in memory: entries in the order in which they were appended, the oldest dropped past the
// limit, except what is still open (a delivery that is pending, in flight, or to be attempted again).
import type { JournalName, Journals } from '../../model.ts';
import type { Placed } from '../history.ts';
import type { JournalDelta } from '../store.ts';
import { forgetAll, takeAll } from './changed.ts';
import { DropQueue } from './drop-queue.ts';
import { type KeptEntry, keptForm, wholeEntry } from './kept-form.ts';
import { ContentsElsewhere, type Outline, outlineOf } from './outline.ts';
import type { Undo } from './table.ts';
import { TextPages } from './text-pages.ts';

interface Kept<Entry> extends Outline {
  /** Null if they are elsewhere, and have not been asked for. */
  contents: KeptEntry<Entry> | null;
  /** Its place in the queue; null for what must not be dropped. */
  slot: number | null;
}

export class MemoryJournal<Name extends JournalName> {
  readonly #name: Name;
  readonly #kept = new Map<string, Kept<Journals[Name]>>();
  readonly #pages = new TextPages();
  readonly #queue = new DropQueue<Kept<Journals[Name]>>();
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
    return this.#kept.size;
  }

  get(id: string): Journals[Name] | undefined {
    const kept = this.#kept.get(id);
    return kept && this.#whole([kept])[0];
  }

  entries(): Journals[Name][] {
    return this.#whole(inOrder([...this.#kept.values()]));
  }

  /** What must not be dropped, in the order in which it was appended. */
  open(): Placed<Journals[Name]>[] {
    return this.#placed(inOrder([...this.#kept.values()].filter(({ isOpen }) => isOpen)));
  }

  #placed(kept: readonly Kept<Journals[Name]>[]): Placed<Journals[Name]>[] {
    const entries = this.#whole(kept);
    // There are as many of them.
    return kept.map(({ position, order }, n) => ({
      entry: entries[n] as Journals[Name],
      position,
      amended: position > order,
    }));
  }

  #whole(kept: readonly Kept<Journals[Name]>[]): Journals[Name][] {
    const whole: Journals[Name][] = [];
    for (const { id, contents } of kept) {
      if (contents) whole.push(wholeEntry(this.#name, contents));
      else this.#wanted.add(id);
    }
    if (whole.length < kept.length) throw new ContentsElsewhere(`contents of ${this.#name} are elsewhere`);
    return whole;
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
    return this.#kept.get(id);
  }

  /** Where the latest entry that was dropped was, in two ways; -1 if none was. */
  get droppedPlaces(): { readonly began: number; readonly position: number } {
    return { began: this.#droppedBegan, position: this.#droppedPosition };
  }

  /** Takes an entry over as another copy of the journal has it; without contents, they are asked for when they are needed. */
  receive(outline: Outline, entry: Journals[Name] | null): void {
    this.#forget(outline.id);
    this.#keep(outline, entry && keptForm(this.#name, entry, this.#pages));
  }

  /** Takes over the contents of an entry, if it is kept and they are elsewhere. */
  receiveContents(entry: Journals[Name]): void {
    const kept = this.#kept.get(entry.id);
    if (kept) kept.contents ??= keptForm(this.#name, entry, this.#pages);
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
    return this.#placed([...this.#kept.values()].filter((kept) => kept.position > position));
  }

  /** Entries were dropped before this journal was restored. */
  setDropped(dropped: number, upTo: string | null, position: number): void {
    this.dropped = dropped;
    this.droppedUpTo = upTo;
    if (dropped === 0) return;
    this.#droppedBegan = position;
    this.#droppedPosition = position;
  }

  /** The entries that have changed since the last call; undefined if none has. */
  takeChanges(): JournalDelta<Name> | undefined {
    const changed = takeAll(this.#changed);
    if (changed.length === 0) return undefined;
    const present = changed.flatMap((id) => this.#kept.get(id) ?? []);
    // What has changed here is here; the rest was undone.
    const entries = this.#whole(inOrder(present.filter(({ contents }) => contents)));
    const removed = changed.filter((id) => !this.#kept.has(id));
    const { dropped, droppedUpTo } = this;
    return { entries, removed, dropped, droppedUpTo };
  }

  forgetChanges(): void {
    forgetAll(this.#changed);
  }

  /** Positions grow with everything that is appended or amended; `began` is where the transaction began. */
  append(entry: Journals[Name], order: number, began: number, undo: Undo, position = order): void {
    this.#keepEntry(entry, order, began, position);
    undo.push(() => this.#forget(entry.id));
  }

  /** Whether the entry is still kept. */
  amend(entry: Journals[Name], position: number, undo: Undo): boolean {
    const before = this.#kept.get(entry.id);
    if (!before) return false;
    const takeBack = this.#taken(before);
    this.#forget(entry.id);
    this.#keepEntry(entry, before.order, before.began, position);
    undo.push(() => {
      this.#forget(entry.id);
      takeBack();
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
    const oldest = this.#queue.take();
    if (oldest) {
      undo?.push(this.#undrop(oldest));
      this.droppedUpTo = oldest.at;
      this.#droppedBegan = Math.max(this.#droppedBegan, oldest.began);
      this.#droppedPosition = Math.max(this.#droppedPosition, oldest.position);
      this.#remove(oldest);
      this.dropped += 1;
    }
    this.#queue.compact(this.#kept.size);
    return oldest !== undefined;
  }

  /** Undoes the drop of an entry, which is the oldest again. */
  #undrop(kept: Kept<Journals[Name]>): () => void {
    const { dropped, droppedUpTo } = this;
    const [began, position] = [this.#droppedBegan, this.#droppedPosition];
    const takeBack = this.#taken(kept);
    return () => {
      Object.assign(this, { dropped, droppedUpTo });
      this.#droppedBegan = began;
      this.#droppedPosition = position;
      takeBack();
      this.#queue.moveLastToFront();
    };
  }

  /** Call it before an entry goes: what it returns brings it back. */
  #taken(kept: Kept<Journals[Name]>): () => void {
    const entry = kept.contents && wholeEntry(this.#name, kept.contents);
    return () => this.#keep(kept, entry && keptForm(this.#name, entry, this.#pages));
  }

  #keepEntry(entry: Journals[Name], order: number, began: number, position: number): void {
    this.#keep(outlineOf(entry, order, began, position), keptForm(this.#name, entry, this.#pages));
  }

  #keep(outline: Outline, contents: KeptEntry<Journals[Name]> | null): void {
    const { id, at, order, began, position, bytes, isOpen } = outline;
    const kept: Kept<Journals[Name]> = { id, at, order, began, position, bytes, isOpen, contents, slot: null };
    this.#kept.set(id, kept);
    this.#changed?.add(id);
    if (isOpen) {
      this.#openBytes += bytes;
      return;
    }
    this.#bytes += bytes;
    this.#queue.add(kept);
    this.#queue.compact(this.#kept.size);
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id);
    if (kept) this.#remove(kept);
  }

  #remove(kept: Kept<Journals[Name]>): void {
    const { id } = kept;
    if (kept.isOpen) this.#openBytes -= kept.bytes;
    else {
      this.#queue.delete(kept);
      this.#bytes -= kept.bytes;
    }
    if (kept.contents?.texts) this.#pages.release(kept.contents.texts);
    this.#kept.delete(id);
    this.#changed?.add(id);
  }
}

const inOrder = <Entry>(kept: Kept<Entry>[]): Kept<Entry>[] => kept.sort((a, b) => a.order - b.order);
