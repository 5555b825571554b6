// Runs the background work of all worlds in turns: together it holds the event loop for a short slice of time, then
// requests are served. So no world's schedule delays the requests of another, however full it is.
import { FairQueue } from '../fair-queue.ts';
import { Rounds } from './rounds.ts';

/** How long all worlds together work before requests are served, at least. */
const SLICE_MS = 1;
/**
 * Where serving and reading what has arrived takes longer than that, background work has this part of that time, so that
 * no flood of requests keeps deliveries waiting; and at most so long.
 */
const PART_OF_ROUND = 0.25;
const MOST_SLICE_MS = 10;
/** How long one world works of it while others wait. */
const TURN_MS = 0.25;
/** Work on much data has every fourth turn at least. */
const BULK_EVERY = 4;
/** What a turn costs at least, so that one in which nothing is done is not free; and at most, as the machine may have done
 * something else meanwhile. */
const LEAST_MS = 0.01;
const MOST_MS = 2;
/** What one piece of work is told to take at most, as garbage may have been collected meanwhile. */
const MOST_HEARD_MS = 0.5;

export interface TurnsOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back when requests that have arrived have been served. */
  readonly afterRequests: (callback: () => void) => void;
}

const byEventLoop = (rounds: Rounds): TurnsOptions => ({
  now: () => performance.now(),
  afterRequests: (callback) => rounds.next(callback),
});

interface Waiting {
  readonly world: string;
  readonly begin: () => void;
}

export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting = new FairQueue<Waiting>();
  /** Work on much data, such as a large body, which would keep short tasks and deliveries waiting. */
  readonly #bulk = new FairQueue<Waiting>();
  #given = 0;
  /** How long the present slice is; when it was planned, without the time of background work. */
  #slice = SLICE_MS;
  #plannedAt = 0;
  /** When it began. */
  #beganAt = 0;
  /** Milliseconds of the slice that are used up, and how many were when the present turn began. */
  #spent = 0;
  #before = 0;
  /** Whose turn it is, and what it waited in. */
  #turn: { readonly world: string; readonly queue: FairQueue<Waiting> } | undefined;
  #isPlanned = false;
  #heard: (world: string, ms: number) => void = () => {};

  constructor(given: TurnsOptions | Rounds = new Rounds()) {
    this.#options = given instanceof Rounds ? byEventLoop(given) : given;
  }

  /** Whether the current work should wait for its next turn. */
  get isOver(): boolean {
    if (this.#spent >= this.#slice) return true;
    return this.#waiting.size + this.#bulk.size > 0 && this.#spent - this.#before >= TURN_MS;
  }

  /** Does a piece of work of a world, which counts as part of the slice. What it awaits does not count. */
  work<Result>(piece: () => Result, world?: string): Result {
    const began = this.#options.now();
    try {
      return piece();
    } finally {
      const ms = this.#options.now() - began;
      this.#spent += ms;
      if (world !== undefined) this.#heard(world, Math.min(MOST_HEARD_MS, ms));
      this.#plan();
    }
  }

  /** Tells how long each piece of work of a world has taken. */
  onWork(heard: (world: string, ms: number) => void): void {
    this.#heard = heard;
  }

  /** Resolves when it is that world's turn. */
  next(world: string): Promise<void> {
    return this.#wait(this.#waiting, world);
  }

  #wait(queue: FairQueue<Waiting>, world: string): Promise<void> {
    return new Promise((begin) => {
      queue.add(world, { world, begin });
      this.#plan();
    });
  }

  /**
   * Does pieces of work on much data, each a fraction of a millisecond, in turns of that world; resolves with what they
   * return.
   */
  async workThrough<Result>(world: string, pieces: Iterator<void, Result>): Promise<Result> {
    for (;;) {
      if (this.isOver) await this.#wait(this.#bulk, world);
      const { done, value } = this.work(() => pieces.next(), world);
      if (done) return value;
    }
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#plannedAt = this.#options.now() - this.#spent;
    this.#options.afterRequests(() => {
      this.#isPlanned = false;
      const round = this.#options.now() - this.#spent - this.#plannedAt;
      this.#slice = Math.min(MOST_SLICE_MS, Math.max(SLICE_MS, PART_OF_ROUND * round));
      this.#spent = 0;
      this.#before = 0;
      this.#beganAt = this.#options.now();
      this.#give();
    });
  }

  /** Worlds take turns by how long they work, not by how often. */
  #endTurn(): void {
    const ms = Math.min(MOST_MS, Math.max(LEAST_MS, this.#spent - this.#before));
    this.#turn?.queue.charge(this.#turn.world, ms);
    this.#turn = undefined;
    this.#before = this.#spent;
  }

  /** Gives turns, one after another, until the slice is used up. */
  #give(): void {
    // What goes on after something awaited is part of the slice too, though nobody tells how long it takes.
    this.#spent = Math.max(this.#spent, this.#options.now() - this.#beganAt);
    const next = this.#moreOfTurn() ?? this.#nextTurn();
    if (!next) return;
    next.begin();
    // Ticks run when no promise is left to settle: the turn has ended, or waits for something else.
    queueMicrotask(() => process.nextTick(() => this.#give()));
  }

  /** What else waits of the world whose turn it is, as long as its turn lasts. */
  #moreOfTurn(): Waiting | undefined {
    if (!this.#turn || this.#spent >= this.#slice || this.#spent - this.#before >= TURN_MS) return undefined;
    return this.#turn.queue.takeOf(this.#turn.world, 0);
  }

  #nextTurn(): Waiting | undefined {
    this.#endTurn();
    if (this.#spent >= this.#slice) {
      this.#plan();
      return undefined;
    }
    this.#given += 1;
    const isForBulk = this.#waiting.size === 0 || this.#given % BULK_EVERY === 0;
    const queue = isForBulk && this.#bulk.size > 0 ? this.#bulk : this.#waiting;
    const next = queue.take(0);
    if (next) this.#turn = { world: next.world, queue };
    return next;
  }
}
