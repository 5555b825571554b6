// Refuses an expectation that no request can meet, or that depends on values that the journal has redacted.
import { isJsonObject } from '../../contract/json.ts';
import { ApiError } from '../../errors/api-error.ts';
import { redactedBody, redactedHeader } from '../../redaction/text.ts';
import { redactedPath } from '../../redaction/urls.ts';
import { operationProblem } from '../known-operation.ts';
import type { RequestMatch } from './differences.ts';

export interface RequestExpectation {
  readonly match: RequestMatch;
  /** How many requests must match: at least one if nothing is given. */
  readonly exactly?: number | undefined;
  readonly at_least?: number | undefined;
  readonly at_most?: number | undefined;
}

/** Throws `validation_error`; in pieces, since each level of a body is searched with all that is in it. */
export function* checkExpectation(expectation: RequestExpectation): Generator<void, void> {
  const fields = new Map([...problemsOfCount(expectation), ...problemsOfMatch(expectation.match)]);
  for (const problem of redactedIn('match.body', '', expectation.match.body)) {
    if (problem) fields.set(...problem);
    else yield;
  }
  if (fields.size === 0) return;
  throw new ApiError('validation_error', { fields: Object.fromEntries(fields) });
}

type Problem = readonly [field: string, reason: string];

function* problemsOfCount({ exactly, at_least, at_most }: RequestExpectation): Generator<Problem> {
  if (exactly !== undefined && (at_least !== undefined || at_most !== undefined)) {
    yield ['exactly', 'cannot be combined with at_least or at_most'];
  }
  if (at_least !== undefined && at_most !== undefined && at_least > at_most) {
    yield ['at_most', `must be at least at_least, ${at_least}`];
  }
}

const REDACTED = 'is redacted in the journal, so that it cannot be matched; leave it out';

function* problemsOfMatch({ path, operation, headers = {} }: RequestExpectation['match']): Generator<Problem> {
  if (path?.includes('?')) yield ['match.path', 'must be without a query; the journal has it apart'];
  else if (path !== undefined && redactedPath(path) !== path) yield ['match.path', REDACTED];
  const problem = operation === undefined ? undefined : operationProblem(operation);
  if (problem) yield ['match.operation', problem];
  for (const [name, value] of Object.entries(headers)) {
    if (redactedHeader(name.toLowerCase(), value) !== value) yield [`match.headers.${name}`, REDACTED];
  }
}

/** The fields whose values the journal does not have as they were sent, and null after each that was searched. */
function* redactedIn(field: string, name: string, value: unknown): Generator<Problem | null, boolean> {
  if (value === undefined) return false;
  const text = JSON.stringify({ [name]: value });
  const isRedacted = redactedBody(text) !== text;
  yield null;
  if (!isRedacted) return false;
  let isInside = false;
  const inner = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  for (const [key, each] of inner) {
    if (yield* redactedIn(`${field}.${key}`, key, each)) isInside = true;
  }
  if (!isInside) yield [field, REDACTED];
  return true;
}
