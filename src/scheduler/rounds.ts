// Rounds of the event loop. libuv accepts one connection in each: while many arrive, some rounds go by without work, so that
// new connections hardly wait for what others have asked for.
import { setImmediate } from 'node:timers';

/** How long rounds may go by without work: as long as the last one with work has taken, within these limits. */
const LEAST_MS = 1;
const MOST_MS = 4;

export interface RoundsOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back when everything that has arrived has been read. */
  readonly afterReading: (callback: () => void) => void;
}

const byEventLoop: RoundsOptions = { now: () => performance.now(), afterReading: (callback) => setImmediate(callback) };

export class Rounds {
  readonly #options: RoundsOptions;
  /** Whether a connection has arrived since the last round in which work was done or held. */
  #hasArrived = false;
  /** Whether work waits in this round. */
  #isHeld = false;
  /** When work was done last, and since when rounds go by without it; undefined if it was done in the last one. */
  #workedAt = 0;
  #heldSince: number | undefined;

  constructor(options: RoundsOptions = byEventLoop) {
    this.#options = options;
  }

  /** A connection was accepted: more of them may wait. */
  connectionArrived(): void {
    this.#hasArrived = true;
  }

  /** Does a piece of work when everything that has arrived has been read. */
  next(work: () => void): void {
    this.#options.afterReading(() => {
      if (this.#mustWait()) return this.next(work);
      this.#workedAt = this.#options.now();
      this.#heldSince = undefined;
      work();
    });
  }

  #mustWait(): boolean {
    if (this.#isHeld || !this.#hasArrived) return this.#isHeld;
    this.#hasArrived = false;
    const now = this.#options.now();
    this.#heldSince ??= now;
    const allowed = Math.min(MOST_MS, Math.max(LEAST_MS, this.#heldSince - this.#workedAt));
    if (now - this.#heldSince >= allowed) return false;
    this.#isHeld = true;
    // What waits asks again after that.
    this.#options.afterReading(() => {
      this.#isHeld = false;
    });
    return true;
  }
}
