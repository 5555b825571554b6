// The plan of an organization: `spec.md` "Account limit". Whether it has a subscription, and minutes left in this month
// (assumptions account_subscription and included_minutes).
import { assumed } from '../../assumptions/catalogue.ts';
import { LATEST_INSTANT, timestamp } from '../../clock/clock.ts';
import { ApiError } from '../../errors/api-error.ts';
import {
  type CallUsage,
  countedUpTo,
  countedUsage,
  monthIn,
  setCountedUpTo,
  setCountedUsage,
  startedMinutes,
  withCall,
} from '../../store/call-usage.ts';
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

/** The minutes of this month, as GET /v1/usage counts them. */
function minutesUsed(tx: Tx, organization: string): number {
  const { minutes, seconds } = usageOf(tx, organization);
  const perCall = assumed(tx.state('assumptions'), 'usage_minutes') === 'per_call';
  return perCall ? minutes : startedMinutes(seconds);
}

/** What the calls of this month come to. */
export function usageOf(tx: Tx, organization: string): CallUsage {
  countCalls(tx, organization);
  return countedUsage(tx, organization, monthIn(monthOf(tx.at).start));
}

/** Counts the calls that are not counted yet, so that nobody has to read them again: a world can have 100,000. */
export function countCalls(tx: Tx, organization: string): void {
  const months = new Map<string, CallUsage>();
  let last: number | undefined;
  for (const call of callsAfter(tx, organization, countedUpTo(tx, organization))) {
    const month = monthIn(call.started_at);
    months.set(month, withCall(months.get(month) ?? countedUsage(tx, organization, month), call));
    last = call.private.rank;
  }
  for (const [month, usage] of months) setCountedUsage(tx, organization, month, usage);
  if (last !== undefined) setCountedUpTo(tx, organization, last);
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
