// Time and chance of a simulation: events happen one after another, each when all that the one before set off has ended,
// and everything that is drawn follows from a seed.
import { setImmediate } from 'node:timers';
import TinyQueue from 'tinyqueue';
import type { MachineTime } from '../../src/store/redis/machine-time.ts';

export interface Dice {
  /** A whole number from 0 up to below a limit. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** The generator known as mulberry32. */
export function diceOf(seed: number): Dice {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick(list) {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error('There is nothing to pick from.');
      return found;
    },
  };
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly process: SimulatedProcess | null;
  readonly run: () => void;
}

export class Timeline {
  /** In milliseconds. */
  now = 0;
  #order = 0;
  readonly #queue = new TinyQueue<Happening>([], (a, b) => a.at - b.at || a.order - b.order);

  /** What concerns a process waits while that is paused, and does not happen once it is dead. */
  after(ms: number, run: () => void, process: SimulatedProcess | null = null): () => void {
    let isCanceled = false;
    this.#add(this.now + ms, process, () => {
      if (!isCanceled) run();
    });
    return () => {
      isCanceled = true;
    };
  }

  #add(at: number, process: SimulatedProcess | null, run: () => void): void {
    this.#order += 1;
    this.#queue.push({ at, order: this.#order, process, run });
  }

  /** Lets everything happen up to a moment, or until `isOver`. */
  async runUntil(moment: number, isOver: () => boolean = () => false): Promise<void> {
    await settled();
    for (let next = this.#queue.peek(); next && next.at <= moment && !isOver(); next = this.#queue.peek()) {
      this.#queue.pop();
      const { process, run, at } = next;
      this.now = Math.max(this.now, at);
      if (process?.isDead) continue;
      if (process && process.pausedUntil > this.now) {
        this.#add(process.pausedUntil, process, run);
        continue;
      }
      run();
      await settled();
    }
    if (!isOver()) this.now = Math.max(this.now, moment);
  }
}

/** Once all promises have been told that can be. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A replica's process: it has a clock of its own, can stand still, and can die. */
export class SimulatedProcess implements MachineTime {
  pausedUntil = 0;
  isDead = false;
  readonly #timeline: Timeline;
  readonly #began: number;

  constructor(timeline: Timeline, began: number) {
    this.#timeline = timeline;
    this.#began = began;
  }

  elapsed = (): number => this.#timeline.now + this.#began;

  after(ms: number, call: () => void): () => void {
    return this.#timeline.after(ms, call, this);
  }

  every(ms: number, call: () => void): () => void {
    let stop = (): void => {};
    const next = (): void => {
      stop = this.after(ms, () => {
        next();
        call();
      });
    };
    next();
    return () => stop();
  }

  afterRequests(call: () => void): void {
    this.after(0, call);
  }
}
