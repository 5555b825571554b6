// What the calls of an organization add to its usage: `spec.md` "Usage rollup". Calls that need not be read for it
// again are counted in the world, by month: those up to a rank, once the usage was asked for, and those removed to make
// room for others. A counted call that changes is counted anew.
import type { Row } from '../model.ts';
import type { Tx } from './store.ts';

export interface CallUsage {
  readonly placed: number;
  /** Each call's started minutes. */
  readonly minutes: number;
  readonly seconds: number;
}

export type Counters = Pick<Tx, 'counter' | 'setCounter'>;

export const noCalls: CallUsage = { placed: 0, minutes: 0, seconds: 0 };

/** The minutes of a call that lasted so long. */
export const startedMinutes = (seconds: number): number => Math.ceil(seconds / 60);

/** The calendar month of a timestamp. */
export const monthIn = (timestamp: string): string => timestamp.slice(0, 7);

export function withCall(usage: CallUsage, { direction, duration_seconds }: Row<'calls'>): CallUsage {
  const seconds = duration_seconds ?? 0;
  return {
    placed: usage.placed + (direction === 'outbound' ? 1 : 0),
    minutes: usage.minutes + startedMinutes(seconds),
    seconds: usage.seconds + seconds,
  };
}

const counterOf = (part: keyof CallUsage, organization: string, month: string): string =>
  `usage of ${organization} in ${month}: ${part}`;
const upToOf = (organization: string): string => `usage of ${organization}: counted up to`;

/** What the counters have of a month. */
export function countedUsage(counters: Counters, organization: string, month: string): CallUsage {
  const read = (part: keyof CallUsage): number => counters.counter(counterOf(part, organization, month));
  return { placed: read('placed'), minutes: read('minutes'), seconds: read('seconds') };
}

export function setCountedUsage(counters: Counters, organization: string, month: string, usage: CallUsage): void {
  for (const part of ['placed', 'minutes', 'seconds'] as const) {
    counters.setCounter(counterOf(part, organization, month), usage[part]);
  }
}

/** The rank up to which all calls of an organization are counted; undefined if none is. A rank is never 0. */
export const countedUpTo = (counters: Counters, organization: string): number | undefined =>
  counters.counter(upToOf(organization)) || undefined;

export function setCountedUpTo(counters: Counters, organization: string, rank: number): void {
  counters.setCounter(upToOf(organization), rank);
}

/** Counts a call that goes, unless it is counted already. */
export function countGone(counters: Counters, call: Row<'calls'>): void {
  const { organization_id, rank } = call.private;
  if (rank <= (countedUpTo(counters, organization_id) ?? Number.NEGATIVE_INFINITY)) return;
  const month = monthIn(call.started_at);
  setCountedUsage(counters, organization_id, month, withCall(countedUsage(counters, organization_id, month), call));
}

/** Counts what changes of a call that is counted already: the minutes of one that ends. */
export function countChanged(counters: Counters, before: Row<'calls'>, after: Row<'calls'>): void {
  const { organization_id, rank } = before.private;
  if (before.duration_seconds === after.duration_seconds) return;
  if (rank > (countedUpTo(counters, organization_id) ?? Number.NEGATIVE_INFINITY)) return;
  const month = monthIn(before.started_at);
  const [without, changed] = [withCall(noCalls, before), withCall(noCalls, after)];
  const { placed, minutes, seconds } = countedUsage(counters, organization_id, month);
  setCountedUsage(counters, organization_id, month, {
    placed,
    minutes: minutes + changed.minutes - without.minutes,
    seconds: seconds + changed.seconds - without.seconds,
  });
}
