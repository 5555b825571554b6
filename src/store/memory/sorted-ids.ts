// The ids under one index value, by rank: new ids are usually appended; a binary search finds the place of any other.

export class SortedIds {
  readonly ids: string[] = [];
  readonly ranks: number[] = [];

  get length(): number {
    return this.ids.length;
  }

  add(rank: number, id: string): void {
    const last = this.ranks[this.ranks.length - 1];
    if (last === undefined || last < rank) {
      this.ranks.push(rank);
      this.ids.push(id);
      return;
    }
    const at = this.firstFrom(rank);
    this.ranks.splice(at, 0, rank);
    this.ids.splice(at, 0, id);
  }

  remove(rank: number, id: string): void {
    for (let at = this.firstFrom(rank); this.ranks[at] === rank; at++) {
      if (this.ids[at] !== id) continue;
      this.ranks.splice(at, 1);
      this.ids.splice(at, 1);
      return;
    }
  }

  /** The position of the first rank that is not below this one. */
  firstFrom(rank: number): number {
    let low = 0;
    let high = this.ranks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      // The middle of a range within the array is always there.
      if ((this.ranks[middle] ?? rank) < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
