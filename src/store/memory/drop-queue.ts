// What a journal may drop, in that order: entries are queued when they are closed, and queued again when they are amended.

interface Queued {
  /** Its place in the queue; null for what must not be dropped. */
  slot: number | null;
}

/** How many places may be empty before the queue is compacted. */
const SLACK = 1024;

export class DropQueue<Entry extends Queued> {
  /** Each at its `slot`. The places of those that are no longer kept are empty. */
  #entries: (Entry | undefined)[] = [];
  #front = 0;

  add(entry: Entry): void {
    entry.slot = this.#entries.length;
    this.#entries.push(entry);
  }

  delete({ slot }: Entry): void {
    if (slot !== null) this.#entries[slot] = undefined;
  }

  /** Takes the first one. */
  take(): Entry | undefined {
    while (this.#front < this.#entries.length) {
      const oldest = this.#entries[this.#front];
      this.#front += 1;
      if (oldest) return oldest;
    }
    return undefined;
  }

  /** Makes the one that was added last the first. */
  moveLastToFront(): void {
    const last = this.#entries.pop();
    if (last) this.#set([last, ...this.#present()]);
  }

  /** Removes empty places once they are most of the queue, of which as many entries may be left as that. */
  compact(kept: number): void {
    if (this.#entries.length > 2 * kept + SLACK) this.#set(this.#present());
  }

  #present(): Entry[] {
    return this.#entries.filter((each) => each !== undefined);
  }

  #set(entries: Entry[]): void {
    this.#entries = entries;
    this.#front = 0;
    for (const [slot, entry] of entries.entries()) entry.slot = slot;
  }
}
