// The calling rules of an organization, where its fixture puts some in force: `spec.md` "Compliance block". They are
// data; everywhere else they are open.
import { localTimesOf } from '../clock/local-time.ts';
import { ApiError } from '../errors/api-error.ts';
import type { CallingRules } from '../model.ts';
import { timeZonesOf } from '../seed/time-zones.ts';
import type { Tx } from '../store/store.ts';

/**
 * Throws where a rule forbids the call now, in the order of the specification's table; counts it where none does. A
 * number whose prefix lies in several time zones may be called when all of them allow it, and one whose place is not
 * known (toll-free, abroad without a zone of its own) goes by the rules' own zone.
 */
export function checkCallingRules(tx: Tx, rules: CallingRules, organization: string, to: string): void {
  refuseListed(rules, to);
  const zones = timeZonesOf(to) ?? [rules.time_zone];
  const local = zones.map((zone) => localTimesOf(zone)(tx.at));
  for (const { time } of local) {
    if (time >= rules.from && time <= rules.until) continue;
    throw blocked(
      'outside_call_window',
      `It is ${time} at ${to}; calls are permitted from ${rules.from} to ${rules.until}.`,
    );
  }
  for (const { weekday } of local) {
    if (rules.days.includes(weekday)) continue;
    throw blocked('day_not_allowed', `It is ${weekday} at ${to}; calls are permitted on ${rules.days.join(', ')}.`);
  }
  const counter = `calls of ${organization} to ${to} on ${local[0]?.date}`;
  const before = tx.counter(counter);
  if (before >= rules.calls_per_day) {
    throw blocked('frequency_exceeded', `${to} has been called ${before} times today, which is the maximum.`);
  }
  tx.setCounter(counter, before + 1);
}

function refuseListed(rules: CallingRules, to: string): void {
  if (rules.do_not_call.includes(to)) throw blocked('dnc_suppressed');
  if (rules.opted_out.includes(to)) throw blocked('recipient_opted_out');
  if (rules.paused.includes(to)) throw blocked('contact_automation_paused');
  if (rules.no_consent.includes(to)) throw blocked('no_consent');
}

type RuleCode =
  | 'dnc_suppressed'
  | 'recipient_opted_out'
  | 'contact_automation_paused'
  | 'no_consent'
  | 'outside_call_window'
  | 'day_not_allowed'
  | 'frequency_exceeded';

function blocked(code: RuleCode, message?: string): ApiError {
  return new ApiError(code, { category: 'compliance_block', ...(message ? { message } : {}) });
}
