// The rate window of a key: `spec.md` "Limits". It begins with the key's first counted request and ends when a minute
// has passed on real time or, except on an instant clock, on the world's, whichever is first.
import { systemNow, systemTimeOf } from '../clock/clock.ts';
import type { Caller } from '../engine/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Tx } from '../store/store.ts';

const WINDOW_MS = 60_000;

export interface RateStanding {
  readonly limit: number;
  readonly remaining: number;
  /** The machine's time at which the window ends, in milliseconds. */
  readonly resetAt: number;
  /** This request was one too many. */
  readonly exceeded: boolean;
}

/** Counts a request of that key, unless its window is full. */
export function countRequest(tx: Tx, caller: Caller, at: number): RateStanding {
  const limit = caller.requests_per_minute;
  const now = systemNow();
  const window = tx.get('rate_windows', caller.id);
  const clock = tx.state('clock');
  // The world's minute, seen from the machine: never on a clock that stands, sooner on one that runs fast.
  const endOf = (begun: { systemTime: number; at: number }): number =>
    Math.min(begun.systemTime + WINDOW_MS, systemTimeOf(clock, begun.at + WINDOW_MS));
  const instant = clock.mode === 'instant';
  const open = window && now - window.systemTime < WINDOW_MS && (instant || at - window.at < WINDOW_MS);
  if (!open) {
    if (!window) forgetExpired(tx, now);
    const { organization_id } = caller;
    const begun = { id: caller.id, systemTime: now, at, count: 1, private: { organization_id, rank: now } };
    tx.put('rate_windows', begun);
    return { limit, remaining: limit - 1, resetAt: endOf(begun), exceeded: false };
  }
  const resetAt = endOf(window);
  if (window.count >= limit) return { limit, remaining: 0, resetAt, exceeded: true };
  tx.put('rate_windows', { ...window, count: window.count + 1 });
  return { limit, remaining: limit - window.count - 1, resetAt, exceeded: false };
}

/** As if nothing had been asked yet: what the headers show where the limit is off. */
export function fullQuota({ requests_per_minute: limit }: Caller): RateStanding {
  return { limit, remaining: limit, resetAt: systemNow() + WINDOW_MS, exceeded: false };
}

/** Keys come and go (every `svc_test_` key has a window); each new window takes two that are over with it. */
function forgetExpired(tx: Tx, now: number): void {
  for (const window of tx.page('rate_windows', 'all', 'all', { limit: 2 })) {
    if (now - window.systemTime >= WINDOW_MS) tx.remove('rate_windows', window.id);
  }
}

export function refuseExceeded(standing: RateStanding): void {
  if (!standing.exceeded) return;
  throw new ApiError('rate_limited', {
    message: `More than ${standing.limit} requests in one minute.`,
    uncategorized: true,
    headers: { 'Retry-After': String(secondsLeft(standing)) },
  });
}

/** Whole real seconds until the window ends, never 0. */
export function secondsLeft({ resetAt }: RateStanding): number {
  return Math.max(1, Math.ceil((resetAt - systemNow()) / 1000));
}
