// The rate window of a key: `spec.md` "Limits". It begins with the key's first counted request and ends after one minute
// of real time or, except on an instant clock, of the world's time, whichever comes first.
import { systemNow, systemTimeOf } from '../clock/clock.ts';
import type { Caller } from '../engine/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Tx } from '../store/store.ts';

const WINDOW_MS = 60_000;

export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  /** The system time at which the window ends, in milliseconds. */
  readonly resetAt: number;
  /** Whether this request exceeded the limit. */
  readonly exceeded: boolean;
}

/** Counts a request of a key, unless its window is full. */
export function countRequest(tx: Tx, caller: Caller): RateStatus {
  const { at } = tx;
  const limit = caller.requests_per_minute;
  const now = systemNow();
  const window = tx.get('rate_windows', caller.id);
  const clock = tx.state('clock');
  // A minute of the world's time ends never on a stopped clock, and sooner on one that runs fast.
  const endOf = (begun: { systemTime: number; at: number }): number =>
    Math.min(begun.systemTime + WINDOW_MS, systemTimeOf(clock, begun.at + WINDOW_MS));
  const instant = clock.mode === 'instant';
  const open = window && now - window.systemTime < WINDOW_MS && (instant || at - window.at < WINDOW_MS);
  if (!open) {
    if (!window) deleteEnded(tx, now);
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

/** An unused window, for the headers if the limit is off. */
export function fullQuota({ requests_per_minute: limit }: Caller): RateStatus {
  return { limit, remaining: limit, resetAt: systemNow() + WINDOW_MS, exceeded: false };
}

/** Every `svc_test_` key has a window; each new one deletes up to two that have ended. */
function deleteEnded(tx: Tx, now: number): void {
  for (const window of tx.page('rate_windows', 'all', 'all', { limit: 2 })) {
    if (now - window.systemTime >= WINDOW_MS) tx.remove('rate_windows', window.id);
  }
}

export function refuseExceeded(status: RateStatus): void {
  if (!status.exceeded) return;
  throw new ApiError('rate_limited', {
    message: `More than ${status.limit} requests in one minute.`,
    uncategorized: true,
    headers: { 'Retry-After': String(secondsLeft(status)) },
  });
}

/** Whole real seconds until the window ends, never 0. */
export function secondsLeft({ resetAt }: RateStatus): number {
  return Math.max(1, Math.ceil((resetAt - systemNow()) / 1000));
}
