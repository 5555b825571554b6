// Requests that arrive in one tick of the event loop are served side by side: all are read first, then all executed,
// then all answered. So each kind of work finds warm caches, and a client with many connections is woken once. When more
// have arrived than a tick serves, callers take turns, so that a flood of one delays no other.
import { FairQueue } from '../fair-queue.ts';
import type { ReceivedRequest } from './stages.ts';

/** How many requests a tick serves: some two milliseconds of work. */
const AT_ONCE = 32;

/** Who takes turns, before a key is looked up: all test keys of a world are one caller. A lead source has no key. */
export function callerOf({ req, path }: ReceivedRequest['received']): string {
  const key = req.headers.authorization ?? path;
  const dot = key.indexOf('.');
  return dot > 0 && key.startsWith('Bearer svc_test_') ? key.slice(0, dot) : key;
}

/** Returns a function whose promise resolves once everything that has arrived by now has been read. */
export function createTickBarrier(
  afterReading: (callback: () => void) => void = (callback) => setImmediate(callback),
): (caller: string) => Promise<void> {
  const waiting = new FairQueue<() => void>();
  let isPlanned = false;
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    afterReading(serve);
  };
  const serve = (): void => {
    isPlanned = false;
    for (let served = 0; served < AT_ONCE; served++) waiting.take()?.();
    if (waiting.size > 0) plan();
  };
  return (caller) =>
    new Promise((resolve) => {
      waiting.add(caller, resolve);
      plan();
    });
}
