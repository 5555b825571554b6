// Verifies how many platform requests of a world match, and lists those that almost match. `interface.md` section 5.
import type { SandboxContext } from '../../engine/sandbox-context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { KEPT_BODY_BYTES, type RequestEntry } from '../../model.ts';
import type { Journal } from '../../store/history.ts';
import type { Reader } from '../reader.ts';
import { maySee } from '../timeline/subject.ts';
import { checkExpectation, type RequestExpectation } from './check-expectation.ts';
import { type Difference, type Differences, differencesOf, type RequestMatch } from './differences.ts';

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

/** `conflict` if the answer depends on what the journal no longer has, `validation_error` for what it never has. */
export async function verifyRequests(
  { store }: Pick<SandboxContext, 'store'>,
  world: string,
  expectation: RequestExpectation,
  reader: Reader = {},
): Promise<Verification> {
  checkExpectation(expectation);
  const journal = await store.transaction(world, (tx): Journal<'requests'> => {
    const whole = tx.journal('requests');
    return { ...whole, entries: whole.entries.filter((entry) => maySee(tx, reader, { journal: 'requests', entry })) };
  });
  const compared = journal.entries.map((entry) => ({ entry, ...differencesOf(expectation.match, entry) }));
  const actual = compared.filter(({ route, content }) => route.length + content.length === 0).length;
  const unknown = journal.dropped + compared.filter((each) => isCut(expectation.match, each)).length;
  const { min, max } = boundsOf(expectation);
  if (actual >= min && actual + unknown <= max) return { passed: true, actual };
  const canPass = actual <= max && actual + unknown >= min;
  if (canPass) throw cannotKnow(journal, unknown);
  return { passed: false, actual, misses: actual < min ? nearest(compared) : [] };
}

function boundsOf({ exactly, at_least, at_most }: RequestExpectation): { readonly min: number; readonly max: number } {
  if (exactly !== undefined) return { min: exactly, max: exactly };
  const nothing = at_least === undefined && at_most === undefined;
  return { min: at_least ?? (nothing ? 1 : 0), max: at_most ?? Number.POSITIVE_INFINITY };
}

interface Compared extends Differences {
  readonly entry: RequestEntry;
}

/** Whether only the part of its body that the journal has not kept could make a request match. */
function isCut({ body }: RequestMatch, { entry: { request }, route, content }: Compared): boolean {
  if (body === undefined || request.body_bytes <= KEPT_BODY_BYTES) return false;
  return route.length === 0 && content.every(({ field }) => field === 'body' || field.startsWith('body.'));
}

function cannotKnow({ dropped }: Journal<'requests'>, unknown: number): ApiError {
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
function nearest(all: readonly Compared[]): NearMiss[] {
  return all
    .filter(({ route, content }) => route.length + content.length > 0)
    .reverse()
    .sort((a, b) => a.route.length - b.route.length || a.content.length - b.content.length)
    .slice(0, MAX_MISSES)
    .map(({ entry: { id, at, method, path, operation, status }, route, content }) => {
      const differences = [...route, ...content].slice(0, MAX_DIFFERENCES);
      return { id, at, method, path, operation, status, differences };
    });
}
