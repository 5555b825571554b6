// The plan of an organization: `spec.md` "Account limit". Whether it has a subscription, and minutes left in this month
// (assumptions account_subscription and included_minutes).
import { assumed } from '../../assumptions/catalogue.ts';
import { LATEST_INSTANT, timestamp } from '../../clock/clock.ts';
import { ApiError } from '../../errors/api-error.ts';
import {
  countedUpTo,
  countedUsage,
  monthIn,
  noCalls,
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

/** The minutes of this month, as GET /v1/usage counts them. Counts the calls before the first one in progress for good. */
function minutesUsed(tx: Tx, organization: string): number {
  const month = monthIn(monthOf(tx.at).start);
  let counted = countedUsage(tx, organization, month);
  let after = noCalls;
  let lastCounted: number | undefined;
  let allEnded = true;
  for (const call of callsAfter(tx, organization, countedUpTo(tx, organization))) {
    const isOfMonth = monthIn(call.started_at) === month;
    allEnded &&= call.ended_at !== null;
    if (allEnded) lastCounted = call.private.rank;
    if (!isOfMonth) continue;
    if (allEnded) counted = withCall(counted, call);
    else after = withCall(after, call);
  }
  if (lastCounted !== undefined) {
    setCountedUsage(tx, organization, month, counted);
    setCountedUpTo(tx, organization, lastCounted);
  }
  const perCall = assumed(tx.state('assumptions'), 'usage_minutes') === 'per_call';
  return perCall ? counted.minutes + after.minutes : startedMinutes(counted.seconds + after.seconds);
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
