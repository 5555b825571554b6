// The rate window of a key: `spec.md` "Limits", `interface.md` section 4. It begins with the key's first counted
// request and ends after one minute. A client may wait by either clock: it sleeps, or advances the world's.
import { type ClockState, waitedAt, waitingSpeed } from '../clock/clock.ts';
import type { Caller } from '../engine/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';

const WINDOW_MS = 60_000;
/** Corrections of the machine's clock up to this are not taken for a clock that was set. */
const SET_BACK_MS = 1000;

export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds to wait until the window ends, by either clock; never 0. */
  readonly secondsLeft: number;
  /** The system time at which the window ends if nobody advances the clock, in milliseconds. */
  readonly resetAt: number;
  /** Whether this request exceeded the limit. */
  readonly exceeded: boolean;
}

/** Counts a request of a key, unless its window is full. */
export function countRequest(tx: Tx, caller: Caller): RateStatus {
  const limit = caller.requests_per_minute;
  const now = tx.systemTime;
  const clock = tx.state('clock');
  const window = tx.get('rate_windows', caller.id);
  const left = window ? leftOf(window, clock, now) : 0;
  if (!window || left === 0) {
    if (!window) deleteEnded(tx, clock, now);
    const { organization_id } = caller;
    const began = waitedAt(clock, now);
    // In lists the oldest comes first, by system time.
    tx.put('rate_windows', { id: caller.id, began, count: 1, private: { organization_id, rank: now } });
    return { limit, remaining: limit - 1, exceeded: false, ...endOf(WINDOW_MS, clock, now) };
  }
  const end = endOf(left, clock, now);
  if (window.count >= limit) return { limit, remaining: 0, exceeded: true, ...end };
  tx.put('rate_windows', { ...window, count: window.count + 1 });
  return { limit, remaining: limit - window.count - 1, exceeded: false, ...end };
}

/** How long a window still has to be waited for, in milliseconds; 0 if it has ended. */
function leftOf(window: Row<'rate_windows'>, clock: ClockState, now: number): number {
  // The machine's clock was set back between two starts: the window ends, so that nobody waits for it to catch up.
  if (now < window.private.rank - SET_BACK_MS) return 0;
  // Speeds such as 1.1x cause rounding errors, which must neither keep a window open nor add to the time left.
  const microseconds = Math.round((WINDOW_MS - (waitedAt(clock, now) - window.began)) * 1000);
  return Math.max(0, microseconds / 1000);
}

function endOf(left: number, clock: ClockState, now: number): Pick<RateStatus, 'secondsLeft' | 'resetAt'> {
  return { secondsLeft: Math.ceil(left / 1000), resetAt: now + Math.ceil(left / waitingSpeed(clock)) };
}

/** An unused window, for the headers if the limit is off. */
export function fullQuota({ requests_per_minute: limit }: Caller, now: number): RateStatus {
  const secondsLeft = WINDOW_MS / 1000;
  return { limit, remaining: limit, secondsLeft, resetAt: now + WINDOW_MS, exceeded: false };
}

/** Every `svc_test_` key has a window; each new one deletes up to two that have ended. */
function deleteEnded(tx: Tx, clock: ClockState, now: number): void {
  for (const window of tx.page('rate_windows', 'all', 'all', { limit: 2 })) {
    if (leftOf(window, clock, now) === 0) tx.remove('rate_windows', window.id);
  }
}

export function refuseExceeded({ exceeded, limit, secondsLeft }: RateStatus): void {
  if (!exceeded) return;
  throw new ApiError('rate_limited', {
    message: `More than ${limit} requests in one minute.`,
    uncategorized: true,
    headers: { 'Retry-After': String(secondsLeft) },
    assumption: 'rate_window',
  });
}
