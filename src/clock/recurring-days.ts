// Instants that recur on the calendar of a time zone: at nine in the morning on the days of a frequency.
import { instantsOf, localTimesOf } from './local-time.ts';

const DAY_MS = 86_400_000;
const MORNING_MS = 9 * 60 * 60_000;
/** A month and a day. */
const MOST_DAYS = 32;

/** Whether it is one of these days, by the days since 1970-01-01 (a Thursday) and its date. */
const isDay = {
  business_daily: (day: number) => day % 7 !== 2 && day % 7 !== 3,
  daily: () => true,
  weekly: (day: number) => day % 7 === 4,
  biweekly: (day: number) => day % 14 === 4,
  monthly: (_: number, date: string) => date.endsWith('-01'),
  never: () => false,
} as const satisfies Record<string, (day: number, date: string) => boolean>;

export type Frequency = keyof typeof isDay;

export const isFrequency = (text: string): text is Frequency => Object.hasOwn(isDay, text);

/**
 * The latest of these instants that is not after `at` (in milliseconds), in an IANA time zone; undefined if there was none.
 * Weeks begin on Monday.
 */
export function latestMorning(frequency: Frequency, zone: string, at: number): number | undefined {
  if (frequency === 'never') return undefined;
  const instantAt = instantsOf(zone);
  const today = Date.parse(`${localTimesOf(zone)(at).date}T00:00:00Z`);
  for (let back = 0; back < MOST_DAYS; back++) {
    const midnight = today - back * DAY_MS;
    const date = new Date(midnight).toISOString().slice(0, 10);
    // Before 1970, the remainder would be negative.
    const day = (((midnight / DAY_MS) % 14) + 14) % 14;
    if (!isDay[frequency](day, date)) continue;
    const instant = instantAt(date, MORNING_MS);
    if (instant <= at) return instant;
  }
  return undefined;
}
