// Usage of the current month: `spec.md` "Usage rollup". No counters are kept: each request computes the
// figures from the records.
import { LATEST_INSTANT, timestamp } from '../clock/clock.ts';
import { type Caller, type Operation, ok } from '../engine/operation.ts';
import { findAll } from '../engine/records.ts';
import { spamRiskOf } from '../lifecycles/phone-number.ts';
import type { Tx } from '../store/store.ts';

/** Calls per read. */
const BATCH = 1000;

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
    });
  },
};

/** Reads the calls from the newest back to the first of the period; older ones are not read. */
function callsSince(tx: Tx, caller: Caller, since: string): { calls_placed: number; minutes_used: number } {
  let calls_placed = 0;
  let minutes_used = 0;
  let after: number | undefined;
  for (;;) {
    const calls = tx.page('calls', 'organization', caller.organization_id, {
      limit: BATCH,
      newestFirst: true,
      ...(after === undefined ? {} : { after }),
    });
    for (const { started_at, direction, duration_seconds } of calls) {
      // Timestamps of one form sort as their instants do.
      if (started_at !== null && started_at < since) return { calls_placed, minutes_used };
      if (direction === 'outbound') calls_placed += 1;
      minutes_used += Math.ceil((duration_seconds ?? 0) / 60);
    }
    if (calls.length < BATCH) return { calls_placed, minutes_used };
    after = calls.at(-1)?.private.rank;
  }
}
