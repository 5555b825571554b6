// How often an organization has called a number today, for the calling rule about calls per day. A counter for each
// number and local date of the destination; what was placed before anyone counted is counted from the calls themselves.
import { type LocalTime, localTimesOf } from '../../clock/local-time.ts';
import type { SandboxContext } from '../../engine/sandbox-context.ts';
import { transactSlice } from '../../engine/transact-slice.ts';
import type { CallingRules, Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { timeZonesOf } from '../numbers/time-zones.ts';

/** Set once the calls of the past are counted. */
const COUNTED = 'calls are counted';
/** The longest local day. */
const DAY_MS = 25 * 60 * 60_000;
/** Calls per read, and per slice. */
const BATCH = 1000;
const SLICE = 250;

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

const zoneOf = (rules: CallingRules, to: string): string => timeZonesOf(to)?.[0] ?? rules.time_zone;
const counterOf = (organization: string, to: string, { date }: LocalTime): string =>
  `calls of ${organization} to ${to} on ${date}`;

function countPast(tx: Tx, rules: CallingRules): void {
  const past = new PastCalls(rules);
  for (const organization of organizationsOf(tx)) {
    for (let after: number | undefined; ; ) {
      const calls = pageBefore(tx, organization, after, BATCH);
      past.add(calls);
      after = nextAfter(calls, BATCH, tx.at);
      if (after === undefined) break;
    }
  }
  setCounters(tx, past.counts);
}

function setCounters(tx: Tx, counts: ReadonlyMap<string, number>): void {
  tx.setCounter(COUNTED, 1);
  for (const [counter, count] of counts) tx.setCounter(counter, count);
}

/**
 * Counts the calls of the past as other rules need it, in turns with other work, as there can be 100,000. Returns what
 * brings the counters of the world up to date, in the transaction in which the rules begin to hold.
 */
export async function countAhead(
  parts: Pick<SandboxContext, 'store' | 'turns'>,
  world: string,
  rules: CallingRules,
): Promise<(tx: Tx) => void> {
  const past = new PastCalls(rules);
  const began = await parts.store.transaction(world, (tx) => {
    const organizations = organizationsOf(tx);
    const latest = organizations.flatMap((each) => pageBefore(tx, each, undefined, 1)).map((call) => call.private.rank);
    return { epoch: tx.state('epoch'), organizations, latest: Math.max(...latest), at: tx.at };
  });
  for (const organization of began.organizations) {
    for (let after: number | undefined = began.latest + 1; after !== undefined; ) {
      const before: number = after;
      const calls = await transactSlice(parts, world, (tx) => pageBefore(tx, organization, before, SLICE));
      parts.turns.work(() => past.add(calls), world);
      after = nextAfter(calls, SLICE, began.at);
    }
  }
  return (tx) => {
    // After a reset, few calls are left to count.
    if (tx.state('epoch') !== began.epoch) return tx.setCounter(COUNTED, 0);
    const later = organizationsOf(tx).flatMap((each) =>
      tx.page('calls', 'organization', each, { after: began.latest }),
    );
    setCounters(tx, past.with(later));
  };
}

/**
 * How many outbound calls were placed, by counter. A local time is found once for each zone and minute, within which no date
 * begins: to read one takes microseconds.
 */
class PastCalls {
  readonly #rules: CallingRules;
  readonly #counts = new Map<string, number>();
  readonly #zones = new Map<string, string>();
  readonly #localTime = localTimesByZone();

  constructor(rules: CallingRules) {
    this.#rules = rules;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(calls: readonly Row<'calls'>[]): void {
    this.#addTo(this.#counts, calls);
  }

  /** The counts with these calls too, which are not kept. */
  with(calls: readonly Row<'calls'>[]): ReadonlyMap<string, number> {
    const counts = new Map(this.#counts);
    this.#addTo(counts, calls);
    return counts;
  }

  #addTo(counts: Map<string, number>, calls: readonly Row<'calls'>[]): void {
    for (const { to_number, direction, started_at, private: owner } of calls) {
      if (direction !== 'outbound') continue;
      const zone = inMap(this.#zones, to_number, () => zoneOf(this.#rules, to_number));
      const minute = Date.parse(`${started_at.slice(0, '2026-01-05T15:00'.length)}Z`);
      const counter = counterOf(owner.organization_id, to_number, this.#localTime(zone)(minute));
      counts.set(counter, (counts.get(counter) ?? 0) + 1);
    }
  }
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

/** Every organization of the world. */
function organizationsOf(tx: Tx): string[] {
  const children = tx.page('organizations', 'parent', tx.world.organization_id).map(({ id }) => id);
  return [tx.world.organization_id, ...children];
}

/** Its latest calls of those before a rank. */
const pageBefore = (tx: Tx, organization: string, after: number | undefined, limit: number): Row<'calls'>[] =>
  tx.page('calls', 'organization', organization, {
    limit,
    newestFirst: true,
    ...(after !== undefined && { after }),
  });

/** Where the next page begins; undefined if no older call can be of today. */
function nextAfter(calls: readonly Row<'calls'>[], limit: number, at: number): number | undefined {
  const oldest = calls.at(-1);
  if (!oldest || calls.length < limit || Date.parse(oldest.started_at) < at - DAY_MS) return undefined;
  return oldest.private.rank;
}
