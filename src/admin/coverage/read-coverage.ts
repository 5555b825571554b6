// Coverage: what the tests of one or several worlds have met of the platform, and what they have not. `interface.md`
// section 5.
import { loadContract } from '../../contract/document.ts';
import {
  accepted,
  answered,
  BROKEN,
  DUPLICATE_ACCEPTED,
  deliveryTroubles,
  emitted,
  endedAs,
  type Forgery,
  failedBy,
  faulted,
  forged,
  forgeryAccepted,
  otherAnswers,
  played,
  REPLAYED,
  reached,
  receiverAnswers,
  retried,
  troubled,
  unanswered,
} from '../../coverage/facts.ts';
import type { SandboxContext } from '../../engine/sandbox-context.ts';
import { errorCodes, errors } from '../../errors/catalogue.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { matchesGlob } from '../../glob.ts';
import { callOutcomes } from '../../lifecycles/call.ts';
import { lifecycles, namedLifecycles } from '../../lifecycles/index.ts';
import { connectionFaults, drifts, type Retriable } from '../../model.ts';
import { keysOf } from '../../typed-keys.ts';
import { ownWorldOnly, type Requester } from '../worlds.ts';
import { operationsIn, requestsIn } from './requests.ts';
import { countsOf, type Section, sectionOf } from './section.ts';

export interface CoverageQuery {
  /** A glob of names; by default, the world of the requester. */
  readonly worlds?: string | undefined;
  /** The percentage that each part of `judged` is to reach. */
  readonly min?: number | undefined;
}

/** The parts that a minimum is about. */
export const judged = ['operations', 'error_codes', 'event_types', 'call_outcomes', 'receiver_answers'] as const;

/** What control headers and faults can do to a request. */
const faults = ['error', 'respond', ...connectionFaults, 'latency', ...drifts];

/** How many names of worlds are listed. */
const MAX_LISTED = 1000;

export type Coverage = ReturnType<typeof reportOf>;
type Counts = ReadonlyMap<string, number>;
type Parts = Pick<SandboxContext, 'store' | 'scenarios' | 'turns'>;

/** `forbidden` to a control key for other worlds than its own. */
export async function readCoverage(parts: Parts, requester: Requester, query: CoverageQuery = {}): Promise<Coverage> {
  const { world: own, authority } = requester;
  // World names are in lower case.
  const glob = (query.worlds ?? own).toLowerCase();
  if (authority === 'control_key' && glob !== own) throw ownWorldOnly(own);
  const sum = await parts.store.coverage((name) => matchesGlob(glob, name));
  const { worlds, forgotten, counts } = await parts.turns.workThrough(own, sum);
  const listed = worlds.slice(0, MAX_LISTED);
  const scenarios = parts.scenarios.forWorld([]).all();
  const names = scenarios.map(({ name }) => name);
  return reportOf(
    { worlds: listed, world_count: worlds.length, worlds_forgotten: forgotten },
    counts,
    names,
    query.min,
  );
}

interface Scope {
  readonly worlds: readonly string[];
  readonly world_count: number;
  readonly worlds_forgotten: number;
}

function reportOf(scope: Scope, counts: Counts, scenarios: readonly string[], min: number | undefined) {
  const { total: requests, byOperation, byCode } = requestsIn(counts);
  const sections = {
    operations: operationsIn(loadContract(), byOperation),
    error_codes: errorCodesIn(counts, byCode),
    event_types: {
      ...sectionOf(eventTypes, countsOf(counts, eventTypes, accepted)),
      emitted: Object.fromEntries(countsOf(counts, eventTypes, emitted)),
    },
    call_outcomes: sectionOf(callOutcomes, countsOf(counts, callOutcomes, endedAs)),
    receiver_answers: sectionOf(receiverAnswers, countsOf(counts, [...receiverAnswers, ...otherAnswers], answered)),
    scenarios: sectionOf(scenarios, countsOf(counts, scenarios, played)),
    record_statuses: recordStatusesIn(counts),
    faults: sectionOf(faults, countsOf(counts, faults, faulted)),
    delivery_troubles: sectionOf(deliveryTroubles, countsOf(counts, deliveryTroubles, troubled)),
  };
  return {
    ...scope,
    requests,
    replayed: counts.get(REPLAYED) ?? 0,
    minimum: min === undefined ? null : judge(sections, min),
    ...sections,
    retries: {
      after_429: retriesIn(counts, '429'),
      after_5xx: retriesIn(counts, '5xx'),
      after_broken: retriesIn(counts, BROKEN),
    },
    signatures: { tampered: forgeriesIn(counts, 'tamper'), wrong_secret: forgeriesIn(counts, 'wrong_secret') },
    duplicates: { sent: counts.get(troubled('duplicate')) ?? 0, accepted: counts.get(DUPLICATE_ACCEPTED) ?? 0 },
  };
}

function judge(sections: { readonly [Name in (typeof judged)[number]]: Section }, percent: number) {
  const below = judged.filter((name) => sections[name].percent < percent);
  return { percent, passed: below.length === 0, judged, below };
}

function retriesIn(counts: Counts, kind: Retriable) {
  return { expected: counts.get(unanswered(kind)) ?? 0, seen: counts.get(retried(kind)) ?? 0 };
}

function forgeriesIn(counts: Counts, forgery: Forgery) {
  return { sent: counts.get(forged(forgery)) ?? 0, accepted: counts.get(forgeryAccepted(forgery)) ?? 0 };
}

/** The platform's codes: in responses, and on calls that have failed. What the sandbox adds need not be met. */
function errorCodesIn(counts: Counts, inResponses: Counts): Section {
  const specified = errorCodes.filter((code) => errors[code].channel !== 'sandbox');
  const all = new Map(inResponses);
  for (const code of specified) {
    const onCalls = counts.get(failedBy(code));
    if (onCalls !== undefined) all.set(code, (all.get(code) ?? 0) + onCalls);
  }
  return sectionOf(specified, all);
}

/** The statuses that records other than calls can get, as `messages.delivered`. */
function recordStatusesIn(counts: Counts): Section {
  const names: string[] = [];
  const met = new Map<string, number>();
  for (const table of keysOf(lifecycles)) {
    if (table === 'calls') continue;
    for (const status of statusesOf(table)) {
      const name = `${table}.${status}`;
      names.push(name);
      const count = counts.get(reached(table, status));
      if (count !== undefined) met.set(name, count);
    }
  }
  return sectionOf(names, met);
}

/** Those that a trigger leads to. */
function statusesOf(table: string): ReadonlySet<string> {
  const rows = Object.values(namedLifecycles.get(table)?.transitions ?? {});
  return new Set(rows.flatMap((row) => Object.values(row).flatMap((transition) => transition?.to ?? [])));
}
