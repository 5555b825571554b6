// The background work of all worlds in turns: together it holds the event loop for a short slice of time, then requests
// are served. So no world's schedule delays the requests of another, however much is on it.
import { FairQueue } from '../fair-queue.ts';

/** How long all worlds together work before requests are served. */
const SLICE_MS = 2;
/** How long one world works of it while others wait. */
const TURN_MS = 0.5;

export interface TurnsOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back when requests that have arrived have been served. */
  readonly afterRequests: (callback: () => void) => void;
}

const byEventLoop: TurnsOptions = { now: () => performance.now(), afterRequests: (callback) => setImmediate(callback) };

export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting = new FairQueue<() => void>();
  /** Milliseconds of the slice that are used up, and how many were when the present turn began. */
  #spent = 0;
  #before = 0;
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
    return new Promise((resolve) => {
      this.#waiting.add(world, resolve);
      this.#plan();
    });
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

  /** Gives turns, one after another, until the slice is used up. */
  #give(): void {
    this.#before = this.#spent;
    if (this.#spent >= SLICE_MS) return this.#plan();
    const next = this.#waiting.take();
    if (!next) return;
    next();
    // Ticks run when no promise is left to settle: the turn has ended, or waits for something else.
    queueMicrotask(() => process.nextTick(() => this.#give()));
  }
}
