// One journal of one world in memory: entries in the order in which they were appended, the oldest dropped past the
// limit, except what is still open (a delivery that is pending, in flight, or to be attempted again).
import { isUnfinished, type JournalName, type Journals } from '../../model.ts';
import { sizeOf } from '../footprint.ts';
import type { JournalDelta } from '../store.ts';
import type { Undo } from './table.ts';
import { QUEUED_BYTES } from './usage.ts';

interface Kept<Entry> {
  readonly entry: Entry;
  /** Its place in the queue, which lets go of it when it is no longer kept. */
  slot: Slot<Entry> | null;
  readonly order: number;
  readonly bytes: number;
}

interface Slot<Entry> {
  kept: Kept<Entry> | null;
}

/** How many empty slots a queue may have before it is compacted. */
const SLACK = 1024;

export class MemoryJournal<Name extends JournalName> {
  readonly #kept = new Map<string, Kept<Journals[Name]>>();
  /**
   * What may be dropped, in that order: entries are queued when they are closed, and queued again when they are
   * amended. A slot is empty unless it holds the latest version of its entry.
   */
  #queue: (Slot<Journals[Name]> | undefined)[] = [];
  #front = 0;
  #order = 0;
  #bytes = 0;
  #openBytes = 0;
  dropped = 0;
  droppedUpTo: string | null = null;
  /** Ids of entries that have changed since they were last taken; null if nobody takes them. */
  readonly #changed: Set<string> | null;

  constructor(tracked: boolean) {
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
    return this.#kept.get(id)?.entry;
  }

  entries(): Journals[Name][] {
    return [...this.#kept.values()].sort((a, b) => a.order - b.order).map(({ entry }) => entry);
  }

  /** The entries that have changed since the last call; undefined if none has. */
  takeChanges(): JournalDelta<Name> | undefined {
    const changed = [...(this.#changed ?? [])];
    if (changed.length === 0) return undefined;
    this.#changed?.clear();
    const kept = changed.flatMap((id) => this.#kept.get(id) ?? []).sort((a, b) => a.order - b.order);
    const removed = changed.filter((id) => !this.#kept.has(id));
    const { dropped, droppedUpTo } = this;
    return { entries: kept.map(({ entry }) => entry), removed, dropped, droppedUpTo };
  }

  append(entry: Journals[Name], undo: Undo): void {
    this.#order += 1;
    this.#keep(entry, this.#order);
    undo.push(() => this.#forget(entry.id));
  }

  /** Whether the entry is still kept. */
  amend(entry: Journals[Name], undo: Undo): boolean {
    const before = this.#kept.get(entry.id);
    if (!before) return false;
    this.#forget(entry.id);
    this.#keep(entry, before.order);
    undo.push(() => {
      this.#forget(entry.id);
      this.#keep(before.entry, before.order);
    });
    return true;
  }

  /** Drops the oldest entries past the limit, and returns how many; called after a commit. */
  trim(limit: number): number {
    const before = this.dropped;
    while (this.size > limit && this.dropOldest()) {}
    return this.dropped - before;
  }

  dropOldest(): boolean {
    while (this.#front < this.#queue.length) {
      const oldest = this.#queue[this.#front]?.kept;
      this.#queue[this.#front] = undefined;
      this.#front += 1;
      this.#compact();
      if (!oldest) continue;
      this.droppedUpTo = oldest.entry.at;
      this.#forget(oldest.entry.id);
      this.dropped += 1;
      return true;
    }
    return false;
  }

  #keep(entry: Journals[Name], order: number): void {
    const kept: Kept<Journals[Name]> = { entry, order, bytes: bytesOf(entry), slot: null };
    this.#kept.set(entry.id, kept);
    this.#changed?.add(entry.id);
    if (isOpenDelivery(entry)) {
      this.#openBytes += kept.bytes;
      return;
    }
    this.#bytes += kept.bytes;
    kept.slot = { kept };
    this.#queue.push(kept.slot);
    this.#compact();
  }

  /** Removes empty slots once they are most of the queue. */
  #compact(): void {
    if (this.#queue.length <= 2 * this.#kept.size + SLACK) return;
    this.#queue = this.#queue.filter((slot) => slot?.kept);
    this.#front = 0;
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    if (kept.slot) kept.slot.kept = null;
    if (isOpenDelivery(kept.entry)) this.#openBytes -= kept.bytes;
    else this.#bytes -= kept.bytes;
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
