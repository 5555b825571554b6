// The error codes as the tables of `spec.md` "Errors" specify them, written by hand and not read from the catalogue.
import { expect } from 'vitest';
import type { ErrorCode } from '../../src/errors/catalogue.ts';
import { type Answer, expectError } from '../support/client.ts';

type Category =
  | 'invalid_request'
  | 'compliance_block'
  | 'account_limit'
  | 'unreachable'
  | 'voicemail'
  | 'provider_error';

interface Specified {
  readonly code: ErrorCode;
  /** Null if the code appears on the call resource only. */
  readonly status: number | null;
  readonly retryable: boolean;
  readonly category: Category | undefined;
}

/** The rows of a table of `spec.md` "Errors": code, status and, where the table says so, that it is retryable. */
function table(
  category: Category | undefined,
  ...rows: readonly [code: ErrorCode, status: number | null, retryable?: 'retryable'][]
): Specified[] {
  return rows.map(([code, status, retryable]) => ({ code, status, category, retryable: retryable !== undefined }));
}

const again = 'retryable';

/** The tables in their order; two codes are in two of them, with a category where calls are placed. */
export const specifiedErrors: readonly Specified[] = [
  ...table(
    'invalid_request',
    ['destination_missing', 400],
    ['destination_invalid', 400],
    ['no_active_number', 409],
    ['call_id_not_verified', 422],
  ),
  ...table(
    'compliance_block',
    ['destination_blocked', 403],
    ['dnc_suppressed', 403],
    ['recipient_opted_out', 403],
    ['contact_automation_paused', 403],
    ['no_consent', 403],
    ['outside_call_window', 403, again],
    ['day_not_allowed', 403, again],
    ['frequency_exceeded', 429, again],
  ),
  ...table(undefined, ['texting_not_ready', 403], ['content_policy_forbidden', 403]),
  ...table(
    'account_limit',
    ['voice_usage_exhausted', 402],
    ['no_active_subscription', 402],
    ['no_number_available', 429, again],
    ['rate_limited', 429, again],
  ),
  ...table(
    'unreachable',
    ['busy', null, again],
    ['no_answer', null, again],
    ['number_unreachable', null],
    ['call_declined', null],
    ['carrier_rejected', null],
  ),
  ...table('voicemail', ['voicemail_reached', null, again]),
  ...table(
    'provider_error',
    ['room_creation_failed', 502, again],
    ['agent_dispatch_failed', 502, again],
    ['sip_gateway_failed', 502, again],
    ['provider_api_error', 502, again],
    ['internal_error', 500, again],
  ),
  ...table(
    undefined,
    ['validation_error', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['idempotency_conflict', 409],
    ['rate_limited', 429, again],
    ['internal_error', 500, again],
    ['scope_missing', 403],
  ),
];

/** The codes that the assumption `extra_error_codes` adds. */
export const addedErrors = table(
  undefined,
  ['conflict', 409],
  ['method_not_allowed', 405],
  ['payload_too_large', 413],
  ['unsupported_media_type', 415],
  ['headers_too_large', 431],
);

/** The row of a code; if it is in two tables, the one of calls or the one of all endpoints. */
export function rowOf(code: ErrorCode, where: 'calls' | 'everywhere' = 'everywhere'): Specified {
  const rows = [...specifiedErrors, ...addedErrors].filter((each) => each.code === code);
  const found =
    rows.length > 1 ? rows.find(({ category }) => (category !== undefined) === (where === 'calls')) : rows[0];
  return found as Specified;
}

/** The synchronous codes; `X-Sandbox-Error` accepts no others. */
export const synchronous = new Set(specifiedErrors.flatMap(({ code, status }) => (status === null ? [] : [code])));
/** The codes that a dial can return; `interface.md` section 3 promises a scenario named after each. */
export const refusingCodes = specifiedErrors.flatMap(({ code, status, category }) =>
  status !== null && category ? [code] : [],
);
/** The codes that a call can end with. */
export const endingCodes = specifiedErrors.flatMap(({ code, status }) => (status === null ? [code] : []));

/** Checks status, code and category, the rest of the envelope, and that a 429 says when to retry. */
export function expectRow(code: ErrorCode, answer: Answer, where?: 'calls'): void {
  const { status, category } = rowOf(code, where);
  expectError(answer, status as number, code);
  const { error } = answer.body;
  expect(error.category).toBe(category);
  expect(error.message).toMatch(/\w.*\.$/s);
  expect(error.resolution_hint).toMatch(/^[A-Z].*\.$/s);
  expect(error.doc_url).toMatch(new RegExp(`^http://[^/]+/docs/errors#${code}$`));
  if (status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(0);
}
