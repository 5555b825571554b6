// The calling rules of a world: `spec.md` "Compliance block". They are data, of its fixture or set through the control
// API; a world without rules may call anyone at any time. They hold for all its organizations, each with its own count.
import { type LocalTime, localTimesOf } from '../../clock/local-time.ts';
import { ApiError } from '../../errors/api-error.ts';
import { allErrors } from '../../errors/catalogue.ts';
import { type CallingRules, weekdays } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { timeZonesOf } from '../numbers/time-zones.ts';
import { callsToday } from './calls-today.ts';

/** The rules of the world; null if it has none. */
export function callingRulesOf(tx: Tx): CallingRules | null {
  return tx.get('organizations', tx.world.organization_id)?.private.calling_rules ?? null;
}

/**
 * Throws the error of the first rule that forbids the call now, in the order of the specification's table. A number whose
 * prefix lies in several time zones may be called when all of them allow it; a number without a known location
 * (toll-free, or abroad without a zone of its own) follows the rules' own zone.
 */
export function checkCallingRules(tx: Tx, rules: CallingRules, organization: string, to: string): void {
  for (const [rule, code] of lists) if (rules[rule].includes(to)) throw blocked(code, rule);
  if (limitsTimes(rules)) checkTimes(tx, rules, to);
  if (rules.calls_per_day === null) return;
  const before = callsToday(tx, rules, organization, to);
  if (before < rules.calls_per_day) return;
  const message = `${to} has been called ${before} times today, which is the maximum.`;
  throw blocked('frequency_exceeded', 'calls_per_day', message);
}

/** The lists of numbers, with the code of a call to one of them, in the order in which they are checked. */
const lists = [
  ['do_not_call', 'dnc_suppressed'],
  ['opted_out', 'recipient_opted_out'],
  ['paused', 'contact_automation_paused'],
  ['no_consent', 'no_consent'],
] as const;

function limitsTimes({ days, from, until }: CallingRules): boolean {
  return from !== '00:00:00' || until !== '23:59:59' || weekdays.some((day) => !days.includes(day));
}

/** The window comes before the day. */
function checkTimes(tx: Tx, rules: CallingRules, to: string): void {
  const { from, until, days } = rules;
  const local = (timeZonesOf(to) ?? [rules.time_zone]).map((zone) => localTimesOf(zone)(tx.at));
  for (const { time } of local) {
    if (isWithin(rules, time)) continue;
    const message = `It is ${time} at ${to}; calls are permitted from ${from} to ${until}.`;
    throw blocked('outside_call_window', 'from, until', message);
  }
  for (const { weekday } of local) {
    if (isPermitted(rules, weekday)) continue;
    const message = `It is ${weekday} at ${to}; calls are permitted on ${days.join(', ')}.`;
    throw blocked('day_not_allowed', 'days', message);
  }
}

const isWithin = ({ from, until }: CallingRules, time: string): boolean => time >= from && time <= until;
const isPermitted = ({ days }: CallingRules, weekday: LocalTime['weekday']): boolean =>
  days.some((day) => day === weekday);

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
    const isOpen = local.every(({ time, weekday }) => isWithin(rules, time) && isPermitted(rules, weekday));
    if (isOpen && !(anotherDay && local[0]?.date === today)) return instant;
  }
  return undefined;
}

/** Seconds from one time of day to the next occurrence of another; never 0. */
function secondsUntil(goal: string, time: string): number {
  const seconds = (text: string): number => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (seconds(goal) - seconds(time) + DAY_SECONDS) % DAY_SECONDS || DAY_SECONDS;
}

type RuleCode =
  | 'dnc_suppressed'
  | 'recipient_opted_out'
  | 'contact_automation_paused'
  | 'no_consent'
  | 'outside_call_window'
  | 'day_not_allowed'
  | 'frequency_exceeded';

/** The refusal of a call by a rule, which the hint names by its key or keys in the world's calling rules. */
function blocked(code: RuleCode, rule: string, message?: string): ApiError {
  const hint = `${allErrors[code].hint} The calling rule \`${rule}\` of this world forbids the call (GET /_sandbox/calling-rules).`;
  const assumption = code === 'frequency_exceeded' ? 'calling_rules, frequency_counting' : 'calling_rules';
  return new ApiError(code, { hint, callingRule: rule, assumption, ...(message === undefined ? {} : { message }) });
}
