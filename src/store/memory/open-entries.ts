// What a journal must not drop, by id. There can be very many of them, of which whoever looks mostly needs the first.
import { byOrder, type Kept } from './entry-places.ts';

export class OpenEntries<Entry> extends Map<string, Kept<Entry>> {
  /** The place of the entry that was added last, and whether all were added in their order, as they usually are. */
  #latest = Number.NEGATIVE_INFINITY;
  #isInOrder = true;

  override set(id: string, kept: Kept<Entry>): this {
    const { order } = kept.outline;
    if (order > this.#latest) this.#latest = order;
    else if (this.get(id)?.outline.order !== order) this.#isInOrder = false;
    return super.set(id, kept);
  }

  /** In the order in which they were appended. */
  inOrder(): IterableIterator<Kept<Entry>> {
    if (!this.#isInOrder) this.#sort();
    return this.values();
  }

  /** The first so many that match; what is elsewhere may. */
  matching(matches: (entry: Entry) => boolean, limit: number): Kept<Entry>[] {
    const found: Kept<Entry>[] = [];
    for (const kept of this.inOrder()) {
      if (found.length >= limit) break;
      if (!kept.entry || matches(kept.entry)) found.push(kept);
    }
    return found;
  }

  #sort(): void {
    const sorted = [...this].sort(([, a], [, b]) => byOrder(a, b));
    this.clear();
    this.#latest = Number.NEGATIVE_INFINITY;
    this.#isInOrder = true;
    for (const [id, kept] of sorted) this.set(id, kept);
  }
}
