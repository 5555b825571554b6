// Work on a large world in slices: after each one the event loop goes round, so that requests of other worlds are served.
import type { MachineTime } from './machine-time.ts';

/** How long a slice is, in milliseconds. */
const SLICE_MS = 4;
/** By how much slices are longer with each attempt. */
const LONGER = 4;

export class Slices {
  readonly #time: MachineTime;
  /** What waits for its next slice: one goes on in each round, however many worlds are worked on. */
  readonly #waiting: (() => void)[] = [];
  #isPlanned = false;

  constructor(time: MachineTime) {
    this.#time = time;
  }

  /**
   * Does pieces of work, each a fraction of a millisecond; resolves with what they return. Later attempts, from 0, take longer
   * slices: what had to be repeated, since too much happened meanwhile, must end.
   */
  async workThrough<Result>(pieces: Iterator<void, Result>, attempt: number): Promise<Result> {
    const slice = SLICE_MS * LONGER ** attempt;
    for (let began = this.#time.elapsed(); ; ) {
      const { done, value } = pieces.next();
      if (done) return value;
      if (this.#time.elapsed() - began < slice) continue;
      await this.next();
      began = this.#time.elapsed();
    }
  }

  /** Tells whether so many milliseconds are over. */
  limit(ms: number): () => boolean {
    const began = this.#time.elapsed();
    return () => this.#time.elapsed() - began >= ms;
  }

  /** The next slice, for work that is done in parts of that length. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#time.afterRequests(() => {
      this.#isPlanned = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#plan();
    });
  }
}
