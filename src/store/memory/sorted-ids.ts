// The ids under one index value, by rank: new ids are usually appended, and old ones usually go from the front; a binary
// search finds the place of any other. A place whose id was removed stays, empty, until there are more of these than ids:
// closing each gap at once would move all that comes after it.

/** How many more places may be empty than there are ids. */
const SLACK = 1024;

export class SortedIds {
  /** Null where a place is empty. */
  readonly #ids: (string | null)[] = [];
  /** Empty places keep theirs, so that the ranks stay sorted. */
  readonly #ranks: number[] = [];
  /** The places before it are empty; it is not, nor is the last one. */
  #front = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The place of the first id; if there is none, it is past the end. */
  get first(): number {
    return this.#front;
  }

  /** The place of the last id. */
  get last(): number {
    return this.#ids.length - 1;
  }

  /** Undefined before the first place and past the last one. */
  idAt(place: number): string | null | undefined {
    return place < this.#front ? undefined : this.#ids[place];
  }

  /** Undefined before the first place and past the last one. */
  rankAt(place: number): number | undefined {
    return place < this.#front ? undefined : this.#ranks[place];
  }

  /** The nearest place that is not empty, from this one on, forwards or backwards. */
  nearest(place: number, step: 1 | -1): number {
    let at = place;
    while (this.idAt(at) === null) at += step;
    return at;
  }

  add(rank: number, id: string): void {
    this.#length += 1;
    const last = this.#ranks[this.#ranks.length - 1];
    if (last === undefined || last < rank) {
      this.#ranks.push(rank);
      this.#ids.push(id);
      return;
    }
    const at = this.firstFrom(rank);
    if (this.#ids[at] === null && this.#ranks[at] === rank) this.#ids[at] = id;
    else if (at > 0 && this.#ids[at - 1] === null) {
      this.#ids[at - 1] = id;
      this.#ranks[at - 1] = rank;
      if (at === this.#front) this.#front -= 1;
    } else {
      this.#ranks.splice(at, 0, rank);
      this.#ids.splice(at, 0, id);
    }
  }

  remove(rank: number, id: string): void {
    for (let at = this.firstFrom(rank); this.#ranks[at] === rank; at++) {
      if (this.#ids[at] !== id) continue;
      this.#length -= 1;
      this.#ids[at] = null;
      if (at === this.#front) this.#front = this.nearest(at, 1);
      else if (at === this.last) this.#dropLast();
      if (this.#length === 0 || this.#ids.length >= SLACK + 2 * this.#length) this.#compact();
      return;
    }
  }

  /** The first place whose rank is not below this one, though it may be empty. */
  firstFrom(rank: number): number {
    let low = this.#front;
    let high = this.#ranks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      // The middle of a range within the array is always there.
      if ((this.#ranks[middle] ?? rank) < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #dropLast(): void {
    while (this.#ids[this.last] === null) {
      this.#ids.pop();
      this.#ranks.pop();
    }
  }

  #compact(): void {
    const [ids, ranks] = [this.#ids, this.#ranks];
    let to = 0;
    for (let from = this.#front; from < ids.length; from++) {
      const id = ids[from];
      if (id == null) continue;
      ids[to] = id;
      ranks[to] = ranks[from] ?? 0;
      to += 1;
    }
    ids.length = to;
    ranks.length = to;
    this.#front = 0;
  }
}
