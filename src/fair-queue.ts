// What waits for its turn, in lanes: one item of each lane after another, so that a lane that is full delays no other.
// Lanes that have not had a turn lately have every second one, as the new flows of FQ-CoDel (RFC 8290) go first: who
// asks for little hardly waits.

export class FairQueue<Item> {
  /** Lanes that have not had a turn. */
  readonly #fresh = new Map<string, Item[]>();
  /** Lanes that have had one, the next first. An empty one stays until its turn, so that it does not count as fresh. */
  readonly #served = new Map<string, Item[]>();
  /** So that fresh lanes without end do not keep the others from their turns. */
  #freshNext = true;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(lane: string, item: Item): void {
    this.#size += 1;
    const items = this.#fresh.get(lane) ?? this.#served.get(lane);
    if (items) items.push(item);
    else this.#fresh.set(lane, [item]);
  }

  /** Takes the next item; undefined if nothing waits. */
  take(): Item | undefined {
    while (this.#fresh.size + this.#served.size > 0) {
      const isFresh = this.#fresh.size > 0 && (this.#freshNext || this.#served.size === 0);
      const item = this.#takeFrom(isFresh ? this.#fresh : this.#served);
      if (item === undefined) continue;
      this.#freshNext = !isFresh;
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes the next item of a lane, whoever's turn it is. */
  takeOf(lane: string): Item | undefined {
    const item = (this.#fresh.get(lane) ?? this.#served.get(lane))?.shift();
    if (item !== undefined) this.#size -= 1;
    return item;
  }

  #takeFrom(lanes: Map<string, Item[]>): Item | undefined {
    for (const [lane, items] of lanes) {
      lanes.delete(lane);
      if (items.length === 0) return undefined;
      this.#served.set(lane, items);
      return items.shift();
    }
    return undefined;
  }
}
