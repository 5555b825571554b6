// The plan of an organization: `spec.md` "Account limit". Whether it has a subscription, and minutes left in this month
// (assumptions account_subscription and included_minutes).
import { assumed } from '../../assumptions/catalogue.ts';
import { LATEST_INSTANT, timestamp } from '../../clock/clock.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Tx } from '../../store/store.ts';

/** Calls per read. */
const BATCH = 1000;

/** The calendar month of an instant. */
export function monthOf(at: number): { readonly start: string; readonly end: string } {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    start: timestamp(Date.UTC(year, month, 1)),
    end: timestamp(Math.min(LATEST_INSTANT, Date.UTC(year, month + 1, 1))),
  };
}

/** The minutes of a call that lasted so long. */
export const startedMinutes = (seconds: number): number => Math.ceil(seconds / 60);

/** Throws unless the plan of the organization allows another call. */
export function checkPlan(tx: Tx, organization: string): void {
  const values = tx.state('assumptions');
  if (assumed(values, 'account_subscription') === 'ended') {
    throw new ApiError('no_active_subscription', { assumption: 'account_subscription' });
  }
  const included = assumed(values, 'included_minutes');
  if (included === 'unlimited') return;
  const used = minutesUsed(tx, organization);
  if (used < included) return;
  throw new ApiError('voice_usage_exhausted', {
    message: `${used} of the ${included} minutes that the plan includes this month are used up.`,
    hint: 'Wait for the next month, or set the assumption included_minutes of this world (PUT /_sandbox/assumptions/included_minutes).',
    assumption: 'included_minutes',
  });
}

/**
 * The minutes of this month, as GET /v1/usage counts them. Counters keep the usage of all calls before the first one that
 * is still in progress, so that a check reads only the calls after those.
 */
function minutesUsed(tx: Tx, organization: string): number {
  const { start } = monthOf(tx.at);
  const counter = (name: string): string => `${name} of ${organization}`;
  const month = Number(start.slice(0, 7).replace('-', ''));
  const known = tx.counter(counter('month of usage'));
  const isSameMonth = known === month;
  let lastCounted = known === 0 ? undefined : tx.counter(counter('last call in usage'));
  let minutes = isSameMonth ? tx.counter(counter('minutes of usage')) : 0;
  let seconds = isSameMonth ? tx.counter(counter('seconds of usage')) : 0;
  let after = { minutes: 0, seconds: 0 };
  let allEnded = true;
  for (const { started_at, ended_at, duration_seconds, private: own } of callsAfter(tx, organization, lastCounted)) {
    allEnded &&= ended_at !== null;
    const used = started_at < start ? 0 : (duration_seconds ?? 0);
    if (allEnded) {
      lastCounted = own.rank;
      minutes += startedMinutes(used);
      seconds += used;
    } else after = { minutes: after.minutes + startedMinutes(used), seconds: after.seconds + used };
  }
  if (lastCounted !== undefined) {
    tx.setCounter(counter('month of usage'), month);
    tx.setCounter(counter('last call in usage'), lastCounted);
    tx.setCounter(counter('minutes of usage'), minutes);
    tx.setCounter(counter('seconds of usage'), seconds);
  }
  const perCall = assumed(tx.state('assumptions'), 'usage_minutes') === 'per_call';
  return perCall ? minutes + after.minutes : startedMinutes(seconds + after.seconds);
}

function* callsAfter(tx: Tx, organization: string, first: number | undefined) {
  for (let after = first; ; ) {
    const options = { limit: BATCH, ...(after === undefined ? {} : { after }) };
    const calls = tx.page('calls', 'organization', organization, options);
    yield* calls;
    after = calls.at(-1)?.private.rank;
    if (calls.length < BATCH) return;
  }
}
