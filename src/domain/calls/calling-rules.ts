// The calling rules of an organization: `spec.md` "Compliance block". They are data of its fixture; an organization
// without rules may call anyone at any time.
import { localTimesOf } from '../../clock/local-time.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { CallingRules } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { timeZonesOf } from '../numbers/time-zones.ts';

/**
 * Throws the error of the first rule that forbids the call now, in the order of the specification's table. A number whose
 * prefix lies in several time zones may be called when all of them allow it; a number without a known location
 * (toll-free, or abroad without a zone of its own) follows the rules' own zone.
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
  const before = tx.counter(counterOf(tx, rules, organization, to));
  if (before >= rules.calls_per_day) {
    throw blocked('frequency_exceeded', `${to} has been called ${before} times today, which is the maximum.`);
  }
}

/** Counts a call that is placed now, for the rule about calls per day. */
export function countCall(tx: Tx, rules: CallingRules, organization: string, to: string): void {
  const counter = counterOf(tx, rules, organization, to);
  tx.setCounter(counter, tx.counter(counter) + 1);
}

function counterOf(tx: Tx, rules: CallingRules, organization: string, to: string): string {
  const [zone = rules.time_zone] = timeZonesOf(to) ?? [];
  return `calls of ${organization} to ${to} on ${localTimesOf(zone)(tx.at).date}`;
}

const DAY_SECONDS = 24 * 60 * 60;
/** More than a window can open in a week, in as many zones as one number can have. */
const MAX_WINDOWS = 100;

/**
 * When a number that a rule forbids to call at an instant may be called again, in milliseconds: the next time that the
 * window opens at the destination on a permitted day, and on another day if the day's calls are used up. Undefined if the
 * rules never permit it.
 */
export function nextPermitted(rules: CallingRules, to: string, at: number, anotherDay: boolean): number | undefined {
  const zones = timeZonesOf(to) ?? [rules.time_zone];
  const locals = zones.map(localTimesOf);
  const today = locals[0]?.(at).date;
  let instant = at;
  for (let checked = 0; checked < MAX_WINDOWS; checked++) {
    const second = Math.floor(instant / 1000) * 1000;
    instant = Math.min(...locals.map((localOf) => second + 1000 * secondsUntil(rules.from, localOf(instant).time)));
    const local = locals.map((localOf) => localOf(instant));
    const isOpen = local.every(
      ({ time, weekday }) => time >= rules.from && time <= rules.until && rules.days.includes(weekday),
    );
    if (isOpen && !(anotherDay && local[0]?.date === today)) return instant;
  }
  return undefined;
}

/** Seconds from one time of day to the next occurrence of another; never 0. */
function secondsUntil(goal: string, time: string): number {
  const seconds = (text: string): number => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (seconds(goal) - seconds(time) + DAY_SECONDS) % DAY_SECONDS || DAY_SECONDS;
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
  return new ApiError(code, message === undefined ? {} : { message });
}
