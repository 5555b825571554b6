// Usage of the current month: `spec.md` "Usage rollup". The figures are computed from the records; calls are
// counted once.
import { assumed } from '../assumptions/catalogue.ts';
import { monthOf, usageOf } from '../domain/calls/plan.ts';
import { monitoringOf } from '../domain/numbers/reputation.ts';
import { type Operation, ok } from '../engine/operation.ts';
import { findAll, type Owner } from '../engine/records.ts';
import { startedMinutes } from '../store/call-usage.ts';
import type { Tx } from '../store/store.ts';

export const getUsage: Operation<'getUsage'> = {
  handle({ caller }, tx) {
    const { start: period_start, end: period_end } = monthOf(tx.at);
    const usage = { calls_placed: 0, minutes_used: 0, phone_numbers_active: 0 };
    const spam_risk_distribution = { low: 0, medium: 0, high: 0, unknown: 0 };
    for (const owner of countedFor(tx, caller)) {
      const { calls_placed, minutes_used } = callsOf(tx, owner);
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

function callsOf(tx: Tx, { organization_id }: Owner): { calls_placed: number; minutes_used: number } {
  const { placed, minutes, seconds } = usageOf(tx, organization_id);
  const perCall = assumed(tx.state('assumptions'), 'usage_minutes') === 'per_call';
  return { calls_placed: placed, minutes_used: perCall ? minutes : startedMinutes(seconds) };
}
