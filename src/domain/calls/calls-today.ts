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
  const localTimes = new Map<string, (at: number) => LocalTime>();
  const localTime = (zone: string, at: number): LocalTime => {
    const known = localTimes.get(zone) ?? localTimesOf(zone);
    localTimes.set(zone, known);
    return known(at);
  };
  for (const { to_number, direction, started_at, private: owner } of recentCalls(tx)) {
    if (direction !== 'outbound') continue;
    const local = localTime(zoneOf(rules, to_number), Date.parse(started_at));
    const counter = counterOf(owner.organization_id, to_number, local);
    counts.set(counter, (counts.get(counter) ?? 0) + 1);
  }
  for (const [counter, count] of counts) tx.setCounter(counter, count);
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
