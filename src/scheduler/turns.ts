// The background work of all worlds in turns: together it holds the event loop for a short slice of time, then requests
// are served. So no world's schedule delays the requests of another, however much is on it.
import { FairQueue } from '../fair-queue.ts';

/** How long all worlds together work before requests are served. */
const SLICE_MS = 1;
/** How long one world works of it while others wait. */
const TURN_MS = 0.25;
/** What a turn costs at least, so that one in which nothing is done is not free; and at most, as the machine may have done
 * something else meanwhile. */
const LEAST_MS = 0.01;
const MOST_MS = 2 * TURN_MS;

export interface TurnsOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back when requests that have arrived have been served. */
  readonly afterRequests: (callback: () => void) => void;
}

const byEventLoop: TurnsOptions = { now: () => performance.now(), afterRequests: (callback) => setImmediate(callback) };

interface Waiting {
  readonly world: string;
  readonly begin: () => void;
}

export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting = new FairQueue<Waiting>();
  /** Milliseconds of the slice that are used up, and how many were when the present turn began. */
  #spent = 0;
  #before = 0;
  /** Whose turn it is, or was last. */
  #world: string | undefined;
  #isPlanned = false;

  constructor(options: TurnsOptions = byEventLoop) {
    this.#options = options;
  }

  /** Whether whoever works now should wait for its next turn. */
  get isOver(): boolean {
    if (this.#spent >= SLICE_MS) return true;
    return this.#waiting.size > 0 && this.#spent - this.#before >= TURN_MS;
  }

  /** Does a piece of work, which counts as part of the slice. What it awaits does not count. */
  work<Result>(piece: () => Result): Result {
    const began = this.#options.now();
    try {
      return piece();
    } finally {
      this.#spent += this.#options.now() - began;
      this.#plan();
    }
  }

  /** Resolves when it is that world's turn. */
  next(world: string): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.add(world, { world, begin });
      this.#plan();
    });
  }

  /** Does pieces of work, each a fraction of a millisecond, in turns of that world; resolves with what they return. */
  async workThrough<Result>(world: string, pieces: Iterator<void, Result>): Promise<Result> {
    for (;;) {
      if (this.isOver) await this.next(world);
      const { done, value } = this.work(() => pieces.next());
      if (done) return value;
    }
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#options.afterRequests(() => {
      this.#isPlanned = false;
      this.#spent = 0;
      this.#give();
    });
  }

  /** Worlds take turns by how long they work, not by how often. */
  #endTurn(): void {
    const ms = Math.min(MOST_MS, Math.max(LEAST_MS, this.#spent - this.#before));
    if (this.#world !== undefined) this.#waiting.charge(this.#world, ms);
    this.#world = undefined;
  }

  /** Gives turns, one after another, until the slice is used up. */
  #give(): void {
    this.#endTurn();
    this.#before = this.#spent;
    if (this.#spent >= SLICE_MS) return this.#plan();
    const next = this.#waiting.take(0);
    if (!next) return;
    this.#world = next.world;
    next.begin();
    // Ticks run when no promise is left to settle: the turn has ended, or waits for something else.
    queueMicrotask(() => process.nextTick(() => this.#give()));
  }
}
