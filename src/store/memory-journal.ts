// One journal of one world in memory: entries in the order in which they were appended, the oldest dropped past the
// limit, except what is still open (a delivery that is pending or in flight).
import type { DeliveryEntry, JournalName, Journals } from '../model.ts';
import type { Undo } from './memory-table.ts';

interface Kept<Entry> {
  readonly entry: Entry;
  readonly order: number;
  readonly bytes: number;
}

export class MemoryJournal<Name extends JournalName> {
  readonly #name: Name;
  /** Entries that may be dropped, by age, and those that may not. */
  readonly #closed = new Map<string, Kept<Journals[Name]>>();
  readonly #open = new Map<string, Kept<Journals[Name]>>();
  #order = 0;
  #bytes = 0;
  dropped = 0;
  droppedUpTo: string | null = null;

  constructor(name: Name) {
    this.#name = name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#closed.size + this.#open.size;
  }

  get(id: string): Journals[Name] | undefined {
    return (this.#closed.get(id) ?? this.#open.get(id))?.entry;
  }

  entries(): Journals[Name][] {
    const closed = [...this.#closed.values()];
    const kept = this.#open.size === 0 ? closed : [...closed, ...this.#open.values()];
    return kept.sort((a, b) => a.order - b.order).map(({ entry }) => entry);
  }

  append(entry: Journals[Name], undo: Undo): void {
    this.#order += 1;
    this.#keep(entry, this.#order);
    undo.push(() => this.#forget(entry.id));
  }

  /** Whether the entry is still kept. */
  amend(entry: Journals[Name], undo: Undo): boolean {
    const before = this.#closed.get(entry.id) ?? this.#open.get(entry.id);
    if (!before) return false;
    this.#forget(entry.id);
    this.#keep(entry, before.order);
    undo.push(() => {
      this.#forget(entry.id);
      this.#keep(before.entry, before.order);
    });
    return true;
  }

  /** Drops the oldest entries past the limit; for after a commit. */
  trim(limit: number): void {
    while (this.size > limit && this.dropOldest()) {}
  }

  dropOldest(): boolean {
    const oldest = this.#closed.keys().next();
    if (oldest.done) return false;
    this.droppedUpTo = this.get(oldest.value)?.at ?? null;
    this.#forget(oldest.value);
    this.dropped += 1;
    return true;
  }

  #keep(entry: Journals[Name], order: number): void {
    const kept = { entry, order, bytes: bytesOf(entry) };
    (this.#isOpen(entry) ? this.#open : this.#closed).set(entry.id, kept);
    this.#bytes += kept.bytes;
  }

  #forget(id: string): void {
    const kept = this.#closed.get(id) ?? this.#open.get(id);
    if (!kept) return;
    this.#bytes -= kept.bytes;
    this.#closed.delete(id);
    this.#open.delete(id);
  }

  #isOpen(entry: Journals[Name]): boolean {
    if (this.#name !== 'deliveries') return false;
    const { status } = entry as DeliveryEntry;
    return status === 'pending' || status === 'in_flight';
  }
}

/** About what an entry takes in memory: its texts, and a flat sum for the rest. */
function bytesOf(entry: object): number {
  return 400 + textIn(entry, 100);
}

function textIn(value: object, flat: number): number {
  let bytes = 0;
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof inner === 'string') bytes += inner.length;
    else if (typeof inner === 'object' && inner !== null) bytes += flat + textIn(inner, 0);
  }
  return bytes;
}
