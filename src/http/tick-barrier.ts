// Requests that arrive in one tick of the event loop are processed together: all are read first, then all executed,
// then all answered. So each kind of work finds warm caches, and a client with many connections is woken once. When
// more have arrived than one tick serves, callers take turns, so that one caller's flood delays no other.
import { RequestQueue } from './request-queue.ts';

/** How long requests are served before the event loop goes on to what has arrived meanwhile, and how many at most. */
const SLICE_MS = 4;
const MOST = 32;
/** How long where more than one caller waits, at least. */
const SHARED_SLICE_MS = 1;
/** What a request costs at least; and at most, as the machine may have done something else meanwhile. */
const LEAST_MS = 0.01;
const MOST_MS = 2;

interface Waiting {
  readonly caller: string;
  readonly begin: () => void;
}

export interface TickBarrierOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Calls back when everything that has arrived has been read. */
  readonly afterReading: (callback: () => void) => void;
  /** Tells what a caller costs besides its requests. */
  readonly onWork?: (charge: (caller: string, ms: number) => void) => void;
  /** Tells who was told to try again later. */
  readonly onRefusal?: (refuse: (caller: string) => void) => void;
}

/** Resolves once everything that has arrived by now has been read, and it is that caller's turn. */
export type TickBarrier = (caller: string) => Promise<void>;

/** As long as the rest of the round has taken: a server with much to read and to send would hardly serve else. */
const sharedSlice = (rest: number): number => Math.min(SLICE_MS, Math.max(SHARED_SLICE_MS, rest));

/** Ticks run when no promise is left to settle: a request that has begun is answered, or waits for something else. */
const onceSettled = (callback: () => void): void => queueMicrotask(() => process.nextTick(callback));

/** A queue that is told of what callers cost and of refusals. */
function queueThatHears({ onWork, onRefusal }: TickBarrierOptions): RequestQueue<Waiting> {
  const queue = new RequestQueue<Waiting>();
  onWork?.((caller, ms) => queue.burden(caller, ms));
  onRefusal?.((caller) => queue.refuse(caller));
  return queue;
}

export function createTickBarrier(options: TickBarrierOptions): TickBarrier {
  const { now, afterReading } = options;
  const waiting = queueThatHears(options);
  let isPlanned = false;
  let plannedAt = 0;
  let began = 0;
  let served = 0;
  /** What a request takes, by those that were served last. */
  let usual = 0;
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    plannedAt = now();
    afterReading(() => {
      isPlanned = false;
      began = now();
      served = 0;
      serve();
    });
  };
  const serve = (): void => {
    if (waiting.size === 0) return;
    const { isShared } = waiting;
    const before = now();
    const slice = isShared ? sharedSlice(began - plannedAt) : SLICE_MS;
    if (served > 0 && (served >= MOST || before - began >= slice)) return plan();
    // Callers take turns by the time that their requests take, which is known of one request at a time.
    const servedBefore = served;
    const atOnce = isShared ? 1 : Math.max(1, Math.min(MOST - served, SLICE_MS / usual));
    let caller = '';
    while (served < servedBefore + atOnce) {
      const next = waiting.take();
      if (!next) break;
      caller = next.caller;
      served += 1;
      next.begin();
    }
    onceSettled(() => {
      const ms = now() - before;
      usual = (usual + Math.min(MOST_MS, ms / (served - servedBefore))) / 2;
      waiting.charge(caller, Math.min(MOST_MS, Math.max(LEAST_MS, ms)));
      serve();
    });
  };
  return (caller) =>
    new Promise((begin) => {
      waiting.add({ caller, begin });
      plan();
    });
}
