// Usage of the current month: `spec.md` "Usage rollup". No counters are kept: each request computes the
// figures from the records.
import { assumed } from '../assumptions/catalogue.ts';
import { monthOf, startedMinutes } from '../domain/calls/plan.ts';
import { monitoringOf } from '../domain/numbers/reputation.ts';
import { type Operation, ok } from '../engine/operation.ts';
import { findAll, type Owner } from '../engine/records.ts';
import type { Tx } from '../store/store.ts';

/** Calls per read. */
const BATCH = 1000;

export const getUsage: Operation<'getUsage'> = {
  handle({ caller }, tx) {
    const { start: period_start, end: period_end } = monthOf(tx.at);
    const usage = { calls_placed: 0, minutes_used: 0, phone_numbers_active: 0 };
    const spam_risk_distribution = { low: 0, medium: 0, high: 0, unknown: 0 };
    for (const owner of countedFor(tx, caller)) {
      const { calls_placed, minutes_used } = callsSince(tx, owner, period_start);
      const numbers = findAll(tx, 'phone_numbers', 'organization', owner.organization_id, owner);
      usage.calls_placed += calls_placed;
      usage.minutes_used += minutes_used;
      usage.phone_numbers_active += numbers.filter((number) => number.is_active).length;
      const { riskOf } = monitoringOf(tx, owner);
      for (const number of numbers) spam_risk_distribution[riskOf(number)] += 1;
    }
    return ok({ period_start, period_end, ...usage, spam_risk_distribution });
  },
};

/** The organizations whose numbers and calls count: the caller's own, and its children where the ledger says so. */
function countedFor(tx: Tx, { organization_id }: Owner): Owner[] {
  const withChildren = assumed(tx.state('assumptions'), 'umbrella_usage') === 'with_children';
  const children = withChildren ? tx.page('organizations', 'parent', organization_id) : [];
  return [{ organization_id }, ...children.map(({ id }) => ({ organization_id: id }))];
}

/** Reads the calls from the newest back to the first of the period; older ones are not read. */
function callsSince(tx: Tx, { organization_id }: Owner, since: string): { calls_placed: number; minutes_used: number } {
  let calls_placed = 0;
  const perCall = assumed(tx.state('assumptions'), 'usage_minutes') === 'per_call';
  let seconds_used = 0;
  let after: number | undefined;
  for (;;) {
    const calls = tx.page('calls', 'organization', organization_id, {
      limit: BATCH,
      newestFirst: true,
      ...(after === undefined ? {} : { after }),
    });
    for (const { started_at, direction, duration_seconds } of calls) {
      // Timestamps of one form sort as their instants do.
      if (started_at !== null && started_at < since)
        return { calls_placed, minutes_used: startedMinutes(seconds_used) };
      if (direction === 'outbound') calls_placed += 1;
      const seconds = duration_seconds ?? 0;
      seconds_used += perCall ? startedMinutes(seconds) * 60 : seconds;
    }
    if (calls.length < BATCH) return { calls_placed, minutes_used: startedMinutes(seconds_used) };
    after = calls.at(-1)?.private.rank;
  }
}
