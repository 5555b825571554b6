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

export function checkExpectation(expectation: RequestExpectation): void {
  const fields = new Map([...problemsOfCount(expectation), ...problemsOfMatch(expectation.match)]);
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

function* problemsOfMatch({ path, operation, headers = {}, body }: RequestExpectation['match']): Generator<Problem> {
  if (path?.includes('?')) yield ['match.path', 'must be without a query; the journal has it apart'];
  else if (path !== undefined && redactedPath(path) !== path) yield ['match.path', REDACTED];
  const problem = operation === undefined ? undefined : operationProblem(operation);
  if (problem) yield ['match.operation', problem];
  for (const [name, value] of Object.entries(headers)) {
    if (redactedHeader(name.toLowerCase(), value) !== value) yield [`match.headers.${name}`, REDACTED];
  }
  yield* redactedIn('match.body', '', body);
}

/** The fields whose values the journal does not have as they were sent. */
function* redactedIn(field: string, name: string, value: unknown): Generator<Problem> {
  if (value === undefined) return;
  const text = JSON.stringify({ [name]: value });
  if (redactedBody(text) === text) return;
  const inner = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  const problems = inner.flatMap(([key, each]) => [...redactedIn(`${field}.${key}`, key, each)]);
  yield* problems.length > 0 ? problems : [[field, REDACTED] as const];
}
