// Requests that wait for their turn, by caller. Most of the time, the request goes first that will finish soonest, so
// that light callers hardly wait for others; the rest of the time is shared out fairly, so that nobody waits forever.
import TinyQueue from 'tinyqueue';
import { FairQueue } from '../fair-queue.ts';

interface Caller {
  waiting: number;
  /** Milliseconds that a request of it costs with the background work it causes, by those before. */
  usual: number;
  /** Milliseconds of background work since its last request. */
  burden: number;
  /** Its place; those that it had before are void. */
  place: Place | undefined;
}

interface Place {
  readonly name: string;
  /** The virtual time at which it was taken, and the one by which a caller is served who costs so much. */
  readonly since: number;
  readonly due: number;
  /** Callers who are due together go in the order in which they came. */
  readonly number: number;
}

/** How much longer quick requests are served than callers in fair turns. */
const QUICK_PER_FAIR = 4;
/** How much of the time of others a request may go before, in units of what it saves. */
const PATIENCE = 4;
/** How fast what is known of a caller follows what its last request has cost, and how far that may be from it. */
const WEIGHT = 1 / 8;
const MOST_TIMES = 8;
const MOST_AT_FIRST_MS = 0.5;
/** What the requests of a caller count as that was told to try again later. */
const REFUSED_MS = 2;
/** Beside its requests, a caller pays for at most so many milliseconds at once. */
const MOST_BURDEN_MS = 2;
/** How many callers are remembered beside those that wait. */
const SLACK = 1000;

/** All waiting requests of a caller are due with the last of them: one with a single request goes before one with many. */
const dueOf = (caller: Caller, since: number): number => since + PATIENCE * costOf(caller) * caller.waiting;

/** What its next request is expected to cost. */
const costOf = ({ usual, burden }: Caller): number => Math.max(usual, Math.min(burden, mostAfter(usual)));

/** What is believed of one request: garbage is collected in whoever's time it is, and that takes longer than most requests. */
const mostAfter = (usual: number): number => MOST_TIMES * usual + MOST_AT_FIRST_MS;

export class RequestQueue<Item extends { readonly caller: string }> {
  readonly #fair = new FairQueue<Item>();
  readonly #quickest = new TinyQueue<Place>([], (a, b) => a.due - b.due || a.number - b.number);
  readonly #callers = new Map<string, Caller>();
  /** Passes as fast as each caller who waits is served. */
  #time = 0;
  #placed = 0;
  #waiting = 0;
  /** Milliseconds that quick requests have had beyond their part. */
  #ahead = 0;
  #isQuick = true;

  get size(): number {
    return this.#fair.size;
  }

  /** Whether more than one caller waits. */
  get isShared(): boolean {
    return this.#waiting > 1;
  }

  add(item: Item): void {
    this.#fair.add(item.caller, item);
    const caller = this.#callerOf(item.caller);
    caller.waiting += 1;
    if (caller.waiting > 1) return;
    this.#waiting += 1;
    this.#place(item.caller, caller);
  }

  /** Takes the next request, whose cost is told when it is known; undefined if none waits. */
  take(): Item | undefined {
    this.#isQuick = this.#ahead <= 0;
    const item = (this.#isQuick ? this.#takeQuickest() : undefined) ?? this.#fair.take(0);
    if (!item) return undefined;
    const caller = this.#callerOf(item.caller);
    caller.waiting -= 1;
    if (caller.waiting === 0) this.#waiting -= 1;
    else this.#place(item.caller, caller);
    if (this.size === 0) this.#forget();
    return item;
  }

  /** What the request that was taken last has cost. */
  charge(name: string, ms: number): void {
    const caller = this.#callerOf(name);
    const cost = Math.min(ms + caller.burden, mostAfter(caller.usual));
    caller.usual += WEIGHT * (cost - caller.usual);
    caller.burden = 0;
    if (this.size === 0) return;
    this.#fair.charge(name, ms);
    this.#time += ms / (this.#waiting + 1);
    this.#ahead += this.#isQuick ? ms : -ms * QUICK_PER_FAIR;
  }

  /** Makes the next requests of a caller as dear as what it costs besides, so that they come later. */
  burden(name: string, ms: number): void {
    const caller = this.#callerOf(name);
    caller.burden = Math.min(MOST_BURDEN_MS, caller.burden + ms);
  }

  /** Lets the next requests of a caller come later that was told to try again later. */
  refuse(name: string): void {
    const caller = this.#callerOf(name);
    caller.usual = Math.max(caller.usual, REFUSED_MS);
  }

  #takeQuickest(): Item | undefined {
    for (let place = this.#quickest.pop(); place; place = this.#quickest.pop()) {
      const { name, since, due } = place;
      const caller = this.#callers.get(name);
      if (!caller || caller.waiting === 0 || caller.place !== place) continue;
      // What its requests cost may have become known since.
      if (dueOf(caller, since) > due) this.#place(name, caller, since);
      else return this.#fair.takeOf(name, 0);
    }
    return undefined;
  }

  #place(name: string, caller: Caller, since = this.#time): void {
    this.#placed += 1;
    caller.place = { name, since, due: dueOf(caller, since), number: this.#placed };
    this.#quickest.push(caller.place);
  }

  #callerOf(name: string): Caller {
    const known = this.#callers.get(name);
    if (known) return known;
    if (this.#callers.size > 2 * this.#waiting + SLACK) this.#forgetIdle();
    const caller: Caller = { waiting: 0, usual: 0, burden: 0, place: undefined };
    this.#callers.set(name, caller);
    return caller;
  }

  #forgetIdle(): void {
    for (const [name, { waiting }] of this.#callers) if (waiting === 0) this.#callers.delete(name);
  }

  /** Where nobody waits, nobody has had too much. What requests of each cost is still known. */
  #forget(): void {
    this.#quickest.length = 0;
    this.#quickest.data.length = 0;
    this.#time = 0;
    this.#ahead = 0;
  }
}
