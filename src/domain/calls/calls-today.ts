// How often an organization has called a number today, for the calling rule about calls per day. A counter for each
// number and local date of the destination; what was placed before anyone counted is counted from the calls themselves.
import { type LocalTime, localTimesOf } from '../../clock/local-time.ts';
import type { CallingRules } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { timeZonesOf } from '../numbers/time-zones.ts';

/** Set once the calls of the past are counted. */
const COUNTED = 'calls are counted';
/** The longest local day. */
const DAY_MS = 25 * 60 * 60_000;
/** Calls per read. */
const BATCH = 1000;

/** Outbound calls that were placed today, whatever became of them; "today" is the date at the destination. */
export function callsToday(tx: Tx, rules: CallingRules, organization: string, to: string): number {
  if (tx.counter(COUNTED) === 0) countPast(tx, rules);
  return tx.counter(counterOf(organization, to, localTimesOf(zoneOf(rules, to))(tx.at)));
}

/** Counts a call that is placed now. */
export function countCall(tx: Tx, rules: CallingRules, organization: string, to: string): void {
  if (rules.calls_per_day === null) return;
  const before = callsToday(tx, rules, organization, to);
  tx.setCounter(counterOf(organization, to, localTimesOf(zoneOf(rules, to))(tx.at)), before + 1);
}

/** Makes the next check count the calls of the past again, since other rules may not have counted them. */
export function recount(tx: Tx): void {
  tx.setCounter(COUNTED, 0);
}

const zoneOf = (rules: CallingRules, to: string): string => timeZonesOf(to)?.[0] ?? rules.time_zone;
const counterOf = (organization: string, to: string, { date }: LocalTime): string =>
  `calls of ${organization} to ${to} on ${date}`;

function countPast(tx: Tx, rules: CallingRules): void {
  tx.setCounter(COUNTED, 1);
  const counts = new Map<string, number>();
  const localTime = localTimesByZone();
  for (const [organization, numbers] of recentByMinute(tx)) {
    for (const [to, minutes] of numbers) {
      const local = localTime(zoneOf(rules, to));
      for (const [minute, placed] of minutes) {
        const counter = counterOf(organization, to, local(Date.parse(`${minute}Z`)));
        counts.set(counter, (counts.get(counter) ?? 0) + placed);
      }
    }
  }
  for (const [counter, count] of counts) tx.setCounter(counter, count);
}

/**
 * How many outbound calls were placed, by organization, destination and minute, within which no date begins: to read a local
 * time takes microseconds, and there can be 100,000 calls.
 */
function recentByMinute(tx: Tx): Map<string, Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, Map<string, number>>>();
  for (const { to_number, direction, started_at, private: owner } of recentCalls(tx)) {
    if (direction !== 'outbound') continue;
    const numbers = inMap(found, owner.organization_id, () => new Map<string, Map<string, number>>());
    const minutes = inMap(numbers, to_number, () => new Map<string, number>());
    const minute = started_at.slice(0, '2026-01-05T15:00'.length);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return found;
}

function inMap<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

function localTimesByZone(): (zone: string) => (at: number) => LocalTime {
  const zones = new Map<string, (at: number) => LocalTime>();
  const memos = new Map<string, Map<number, LocalTime>>();
  return (zone) => {
    const times = inMap(zones, zone, () => localTimesOf(zone));
    const known = inMap(memos, zone, () => new Map<number, LocalTime>());
    return (at) => {
      const local = known.get(at) ?? times(at);
      known.set(at, local);
      return local;
    };
  };
}

/** The calls of a day back from now, of every organization of the world. */
function* recentCalls(tx: Tx) {
  const children = tx.page('organizations', 'parent', tx.world.organization_id).map(({ id }) => id);
  for (const organization of [tx.world.organization_id, ...children]) {
    for (let after: number | undefined; ; ) {
      const options = { limit: BATCH, newestFirst: true, ...(after === undefined ? {} : { after }) };
      const calls = tx.page('calls', 'organization', organization, options);
      yield* calls;
      const oldest = calls.at(-1);
      if (!oldest || calls.length < BATCH || Date.parse(oldest.started_at) < tx.at - DAY_MS) break;
      after = oldest.private.rank;
    }
  }
}
