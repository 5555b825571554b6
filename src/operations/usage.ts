// Usage of the current month: `spec.md` "Usage rollup". Nothing is counted along the way; the figures are read off the
// records each time.
import { LATEST_INSTANT, timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { type Caller, findAll, type Operation, ok } from '../engine/operation.ts';
import { spamRiskOf } from '../lifecycles/phone-number.ts';
import type { Tx } from '../store/store.ts';

/** Calls that are looked at in one reading. */
const AT_ONCE = 1000;

export const getUsage: Operation<'getUsage'> = {
  handle({ caller }, tx) {
    const now = new Date(tx.at);
    const period_start = timestamp(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const period_end = timestamp(Math.min(LATEST_INSTANT, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));
    const { calls_placed, minutes_used } = callsSince(tx, caller, period_start);
    const numbers = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller);
    const spam_risk_distribution = { low: 0, medium: 0, high: 0, unknown: 0 };
    for (const number of numbers) spam_risk_distribution[spamRiskOf(number)] += 1;
    return ok({
      period_start,
      period_end,
      calls_placed,
      minutes_used,
      phone_numbers_active: numbers.filter((number) => number.is_active).length,
      spam_risk_distribution,
    } satisfies Schemas['Usage']);
  },
};

/** Walks the calls from the newest back to the first of the period; older ones are not looked at. */
function callsSince(tx: Tx, caller: Caller, since: string): { calls_placed: number; minutes_used: number } {
  let calls_placed = 0;
  let minutes_used = 0;
  let after: number | undefined;
  for (;;) {
    const calls = tx.page('calls', 'organization', caller.organization_id, {
      limit: AT_ONCE,
      newestFirst: true,
      ...(after === undefined ? {} : { after }),
    });
    for (const call of calls) {
      // Timestamps of one form sort as their instants do.
      if ((call.started_at as string) < since) return { calls_placed, minutes_used };
      if (call.direction === 'outbound') calls_placed += 1;
      minutes_used += Math.ceil((call.duration_seconds ?? 0) / 60);
    }
    if (calls.length < AT_ONCE) return { calls_placed, minutes_used };
    after = calls[calls.length - 1]?.private.rank;
  }
}
