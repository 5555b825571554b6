// A list of entries that grows and changes while it is shown, newest first.
import { type ReadonlySignal, signal } from '@preact/signals';

export interface Entry {
  readonly id: string;
}

export class Journal<E extends Entry> {
  readonly #items = signal<readonly E[]>([]);
  readonly #ids = new Set<string>();
  /** Null until the first page has been read. */
  readonly total = signal<number | null>(null);
  /** Where older entries begin; null if there are none. */
  cursor: string | null = null;

  /** At most so many are kept: the oldest go. */
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get items(): ReadonlySignal<readonly E[]> {
    return this.#items;
  }

  find(id: string): E | undefined {
    return this.#items.value.find((item) => item.id === id);
  }

  /** The newest page, into an empty list; what has come over the stream meanwhile is newer than it. */
  begin(page: readonly E[], total: number, cursor: string | null): void {
    const come = new Map(this.#items.value.map((item) => [item.id, item]));
    const known = new Set(page.map(({ id }) => id));
    const newer = this.#items.value.filter(({ id }) => !known.has(id));
    this.#set([...newer, ...page.map((item) => come.get(item.id) ?? item)]);
    this.total.value = total;
    this.cursor = cursor;
  }

  /** The newest page instead of everything that is known. */
  replace(page: readonly E[], total: number, cursor: string | null): void {
    this.#set(page);
    this.total.value = total;
    this.cursor = cursor;
  }

  append(page: readonly E[], cursor: string | null): void {
    this.#set([...this.#items.value, ...page.filter(({ id }) => !this.#ids.has(id))]);
    this.cursor = this.#items.value.length >= this.#limit ? null : cursor;
  }

  /** Entries in the order in which they came: new ones, and new versions of known ones. */
  put(entries: readonly E[]): void {
    if (entries.length === 0) return;
    const changed = new Map(entries.map((entry) => [entry.id, entry]));
    const added = [...changed.values()].filter(({ id }) => !this.#ids.has(id)).reverse();
    const known = this.#items.value;
    const kept = added.length === changed.size ? known : known.map((item) => changed.get(item.id) ?? item);
    for (const { id } of added) this.#ids.add(id);
    const items = [...added, ...kept];
    for (const { id } of items.splice(this.#limit)) this.#ids.delete(id);
    this.#items.value = items;
    if (this.total.value !== null) this.total.value += added.length;
  }

  clear(): void {
    this.#set([]);
    this.total.value = null;
    this.cursor = null;
  }

  #set(items: readonly E[]): void {
    this.#ids.clear();
    for (const { id } of items) this.#ids.add(id);
    this.#items.value = items;
  }
}
