// The ids under one index value, by rank: new ids are usually appended, and old ones usually go from the front; a binary
// search finds the place of any other.

/** How many places may be empty at the front before they are removed. */
const SLACK = 1024;

export class SortedIds {
  readonly #ids: string[] = [];
  readonly #ranks: number[] = [];
  /** The places before it are empty: removing them one by one would move all others each time. */
  #front = 0;

  get length(): number {
    return this.#ids.length - this.#front;
  }

  /** Undefined past the end. */
  idAt(position: number): string | undefined {
    return this.#ids[this.#front + position];
  }

  rankAt(position: number): number | undefined {
    return position < 0 ? undefined : this.#ranks[this.#front + position];
  }

  add(rank: number, id: string): void {
    const last = this.#ranks[this.#ranks.length - 1];
    if (last === undefined || last < rank) {
      this.#ranks.push(rank);
      this.#ids.push(id);
      return;
    }
    const at = this.#front + this.firstFrom(rank);
    this.#ranks.splice(at, 0, rank);
    this.#ids.splice(at, 0, id);
  }

  remove(rank: number, id: string): void {
    for (let at = this.#front + this.firstFrom(rank); this.#ranks[at] === rank; at++) {
      if (this.#ids[at] !== id) continue;
      if (at === this.#front) this.#removeFirst();
      else this.#removeAt(at, 1);
      return;
    }
  }

  /** The position of the first rank that is not below this one. */
  firstFrom(rank: number): number {
    let low = this.#front;
    let high = this.#ranks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      // The middle of a range within the array is always there.
      if ((this.#ranks[middle] ?? rank) < rank) low = middle + 1;
      else high = middle;
    }
    return low - this.#front;
  }

  #removeFirst(): void {
    this.#ids[this.#front] = '';
    this.#front += 1;
    if (this.length > 0 && this.#front < SLACK + this.length) return;
    this.#removeAt(0, this.#front);
    this.#front = 0;
  }

  #removeAt(at: number, count: number): void {
    this.#ranks.splice(at, count);
    this.#ids.splice(at, count);
  }
}
