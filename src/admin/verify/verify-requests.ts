// Verifies how many platform requests of a world match, and lists those that almost match. `interface.md` section 5.
import { ApiError } from '../../errors/api-error.ts';
import { KEPT_BODY_BYTES, type RequestEntry } from '../../model.ts';
import { type EntriesRead, readEntries, type Slicing } from '../read-journal.ts';
import type { Reader } from '../reader.ts';
import { maySee } from '../timeline/subject.ts';
import { checkExpectation, type RequestExpectation } from './check-expectation.ts';
import {
  bodyDifferences,
  type Difference,
  headerDifferences,
  type RequestMatch,
  routeDifferences,
} from './differences.ts';

/** A request that does not match, and why. */
export interface NearMiss {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly status: number;
  readonly differences: readonly Difference[];
}

export interface Verification {
  readonly passed: boolean;
  /** How many requests match. */
  readonly actual: number;
  /** The nearest first; only if it has not passed. */
  readonly misses?: readonly NearMiss[];
}

const MAX_MISSES = 5;
const MAX_DIFFERENCES = 20;
/** Requests that differ in more are equally far. */
const MAX_COUNTED = 1000;

/** `conflict` if the answer depends on what the journal no longer has, `validation_error` for what it never has. */
export async function verifyRequests(
  parts: Slicing,
  world: string,
  expectation: RequestExpectation,
  reader: Reader = {},
): Promise<Verification> {
  await parts.turns.workThrough(world, checkExpectation(expectation));
  const { match } = expectation;
  const journal = await readEntries(parts, world, 'requests', (entry, tx) =>
    maySee(tx, reader, { journal: 'requests', entry }),
  );
  const compared = await parts.turns.workThrough(world, compareAll(match, journal.entries));
  const actual = compared.filter(isEqual).length;
  const unknown = journal.dropped + compared.filter((each) => isCut(match, each)).length;
  const { min, max } = boundsOf(expectation);
  if (actual >= min && actual + unknown <= max) return { passed: true, actual };
  const canPass = actual <= max && actual + unknown >= min;
  if (canPass) throw cannotKnow(journal, unknown);
  return { passed: false, actual, misses: actual < min ? nearest(match, compared) : [] };
}

/** How many differences a request has; which ones is found out for the nearest alone, as each holds a part of a body. */
interface Compared {
  readonly entry: RequestEntry;
  readonly route: number;
  readonly headers: number;
  readonly body: number;
}

function* compareAll(match: RequestMatch, entries: readonly RequestEntry[]): Generator<void, Compared[]> {
  const all: Compared[] = [];
  for (const entry of entries) {
    all.push({
      entry,
      route: countOf(routeDifferences(match, entry)),
      headers: countOf(headerDifferences(match, entry)),
      body: countOf(bodyDifferences(match, entry)),
    });
    yield;
  }
  return all;
}

function countOf(differences: Iterable<Difference>): number {
  let count = 0;
  for (const _ of differences) {
    count += 1;
    if (count === MAX_COUNTED) break;
  }
  return count;
}

const isEqual = ({ route, headers, body }: Compared): boolean => route + headers + body === 0;

function boundsOf({ exactly, at_least, at_most }: RequestExpectation): { readonly min: number; readonly max: number } {
  if (exactly !== undefined) return { min: exactly, max: exactly };
  const nothing = at_least === undefined && at_most === undefined;
  return { min: at_least ?? (nothing ? 1 : 0), max: at_most ?? Number.POSITIVE_INFINITY };
}

/** Whether only the part of its body that the journal has not kept could make a request match. */
const isCut = ({ body }: RequestMatch, { entry, route, headers }: Compared): boolean =>
  body !== undefined && entry.request.body_bytes > KEPT_BODY_BYTES && route + headers === 0;

function cannotKnow({ dropped }: Pick<EntriesRead<'requests'>, 'dropped'>, unknown: number): ApiError {
  const cut = unknown - dropped;
  const parts = [
    ...(dropped > 0 ? [`has dropped ${dropped} requests, which could match`] : []),
    ...(cut > 0 ? [`has only the beginning of the bodies of ${cut} requests that could match`] : []),
  ];
  return new ApiError('conflict', {
    message: `The journal ${parts.join(' and ')}.`,
    hint: 'Verify sooner, reset the world before the test, match less of the body, or raise --journal-limit.',
  });
}

/** Requests of the same route come first, then those with fewer differences, then later ones. */
function nearest(match: RequestMatch, all: readonly Compared[]): NearMiss[] {
  return all
    .filter((each) => !isEqual(each))
    .reverse()
    .sort((a, b) => a.route - b.route || a.headers + a.body - (b.headers + b.body))
    .slice(0, MAX_MISSES)
    .map(({ entry }) => {
      const { id, at, method, path, operation, status } = entry;
      return { id, at, method, path, operation, status, differences: firstDifferences(match, entry) };
    });
}

function firstDifferences(match: RequestMatch, entry: RequestEntry): Difference[] {
  const first: Difference[] = [];
  for (const find of [routeDifferences, headerDifferences, bodyDifferences]) {
    for (const difference of find(match, entry)) {
      if (first.length === MAX_DIFFERENCES) return first;
      first.push(difference);
    }
  }
  return first;
}
