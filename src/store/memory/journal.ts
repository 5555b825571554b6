// One journal of one world in memory: entries in the order in which they were appended, the oldest dropped past the
// limit, except what is still open (a delivery that is pending, in flight, or to be attempted again).
import { isUnfinished, type JournalName, type Journals } from '../../model.ts';
import { sizeOf } from '../footprint.ts';
import type { JournalDelta } from '../store.ts';
import { type KeptEntry, keptForm, wholeEntry } from './kept-form.ts';
import type { Undo } from './table.ts';
import { TextPages } from './text-pages.ts';
import { QUEUED_BYTES } from './usage.ts';

interface Kept<Entry> extends KeptEntry<Entry> {
  /** Its place in the queue; null for what must not be dropped. */
  slot: number | null;
  /** Where it was appended, in the order of all journals of the world. */
  readonly order: number;
  /** Where the transaction began that appended it. */
  readonly began: number;
  /** Where it was appended or amended last. */
  readonly position: number;
  readonly bytes: number;
}

/** An entry, and where it was appended or amended last. */
interface Placed<Entry> {
  readonly entry: Entry;
  readonly position: number;
  readonly amended: boolean;
}

/** How many places of a queue may be empty before it is compacted. */
const SLACK = 1024;

export class MemoryJournal<Name extends JournalName> {
  readonly #name: Name;
  readonly #kept = new Map<string, Kept<Journals[Name]>>();
  readonly #pages = new TextPages();
  /**
   * What may be dropped, in that order, each at its `slot`: entries are queued when they are closed, and queued again when
   * they are amended. The places of those that are no longer kept are empty.
   */
  #queue: (Kept<Journals[Name]> | undefined)[] = [];
  #front = 0;
  #bytes = 0;
  #openBytes = 0;
  dropped = 0;
  droppedUpTo: string | null = null;
  /** The latest `began` and `position` of an entry that was dropped. */
  #droppedBegan = -1;
  #droppedPosition = -1;
  /** Ids of entries that have changed since they were last taken; null if nobody takes them. */
  readonly #changed: Set<string> | null;

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
    return kept && wholeEntry(this.#name, kept);
  }

  entries(): Journals[Name][] {
    return this.#whole([...this.#kept.values()]);
  }

  /** In the order in which they were appended. */
  #whole(kept: Kept<Journals[Name]>[]): Journals[Name][] {
    return kept.sort((a, b) => a.order - b.order).map((each) => wholeEntry(this.#name, each));
  }

  /** How many were dropped, if one of them may be as late as the transaction that began there. */
  droppedSince(began: number): number {
    return this.#droppedBegan >= began ? this.dropped : 0;
  }

  /** Where the transaction began that appended an entry. */
  beganOf(id: string): number | undefined {
    return this.#kept.get(id)?.began;
  }

  /** Where an entry was appended. */
  orderOf(id: string): number | undefined {
    return this.#kept.get(id)?.order;
  }

  /** Where an entry was appended or amended last. */
  positionOf(id: string): number | undefined {
    return this.#kept.get(id)?.position;
  }

  /** Where the latest entry that was dropped was, in two ways; -1 if none was. */
  get droppedPlaces(): { readonly began: number; readonly position: number } {
    return { began: this.#droppedBegan, position: this.#droppedPosition };
  }

  /** Takes an entry over as another copy of the journal has it. */
  receive(entry: Journals[Name], order: number, began: number, position: number): void {
    this.#forget(entry.id);
    this.#keep(entry, order, began, position);
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
  *after(position: number): Generator<Placed<Journals[Name]>> {
    for (const kept of this.#kept.values()) {
      const { position: at, order } = kept;
      if (at > position) yield { entry: wholeEntry(this.#name, kept), position: at, amended: at > order };
    }
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
    const changed = [...(this.#changed ?? [])];
    if (changed.length === 0) return undefined;
    this.#changed?.clear();
    const entries = this.#whole(changed.flatMap((id) => this.#kept.get(id) ?? []));
    const removed = changed.filter((id) => !this.#kept.has(id));
    const { dropped, droppedUpTo } = this;
    return { entries, removed, dropped, droppedUpTo };
  }

  /** Positions grow with everything that is appended or amended; `began` is where the transaction began. */
  append(entry: Journals[Name], order: number, began: number, undo: Undo, position = order): void {
    this.#keep(entry, order, began, position);
    undo.push(() => this.#forget(entry.id));
  }

  /** Whether the entry is still kept. */
  amend(entry: Journals[Name], position: number, undo: Undo): boolean {
    const before = this.#kept.get(entry.id);
    if (!before) return false;
    const entryBefore = wholeEntry(this.#name, before);
    this.#forget(entry.id);
    this.#keep(entry, before.order, before.began, position);
    undo.push(() => {
      this.#forget(entry.id);
      this.#keep(entryBefore, before.order, before.began, before.position);
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
    while (this.#front < this.#queue.length) {
      const oldest = this.#queue[this.#front];
      this.#front += 1;
      if (!oldest) continue;
      undo?.push(this.#undrop(oldest));
      this.droppedUpTo = oldest.entry.at;
      this.#droppedBegan = Math.max(this.#droppedBegan, oldest.began);
      this.#droppedPosition = Math.max(this.#droppedPosition, oldest.position);
      this.#remove(oldest);
      this.dropped += 1;
      this.#compact();
      return true;
    }
    this.#compact();
    return false;
  }

  /** Undoes the drop of an entry, which is the oldest again. */
  #undrop(kept: Kept<Journals[Name]>): () => void {
    const { dropped, droppedUpTo } = this;
    const [began, position] = [this.#droppedBegan, this.#droppedPosition];
    const entry = wholeEntry(this.#name, kept);
    return () => {
      Object.assign(this, { dropped, droppedUpTo });
      this.#droppedBegan = began;
      this.#droppedPosition = position;
      this.#keep(entry, kept.order, kept.began, kept.position);
      const oldest = this.#queue.pop();
      if (oldest) this.#setQueue([oldest, ...this.#queued()]);
    };
  }

  #keep(entry: Journals[Name], order: number, began: number, position: number): void {
    const bytes = bytesOf(entry);
    const { entry: rest, texts } = keptForm(this.#name, entry, this.#pages);
    const slot = isOpenDelivery(entry) ? null : this.#queue.length;
    const kept: Kept<Journals[Name]> = { entry: rest, texts, order, began, position, bytes, slot };
    this.#kept.set(entry.id, kept);
    this.#changed?.add(entry.id);
    if (slot === null) {
      this.#openBytes += bytes;
      return;
    }
    this.#bytes += bytes;
    this.#queue.push(kept);
    this.#compact();
  }

  /** What is in the queue. */
  #queued(): Kept<Journals[Name]>[] {
    return this.#queue.filter((each) => each !== undefined);
  }

  #setQueue(queue: Kept<Journals[Name]>[]): void {
    this.#queue = queue;
    this.#front = 0;
    for (const [slot, kept] of queue.entries()) kept.slot = slot;
  }

  /** Removes empty places once they are most of the queue. */
  #compact(): void {
    if (this.#queue.length > 2 * this.#kept.size + SLACK) this.#setQueue(this.#queued());
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id);
    if (kept) this.#remove(kept);
  }

  #remove(kept: Kept<Journals[Name]>): void {
    const { id } = kept.entry;
    if (kept.slot === null) this.#openBytes -= kept.bytes;
    else {
      this.#queue[kept.slot] = undefined;
      this.#bytes -= kept.bytes;
    }
    if (kept.texts) this.#pages.release(kept.texts);
    this.#kept.delete(id);
    this.#changed?.add(id);
  }
}

function isOpenDelivery(entry: Journals[JournalName]): boolean {
  return 'attempts' in entry && isUnfinished(entry);
}

/** An entry without its contents: its places in the journal and in its queue. */
const ENTRY_BYTES = 200;

export function bytesOf(entry: Journals[JournalName]): number {
  return ENTRY_BYTES + (isOpenDelivery(entry) ? QUEUED_BYTES : 0) + sizeOf(entry);
}
