// Every error code on one page: those of `spec.md` "Errors" and those that the ledger adds (extra_error_codes). The
// error pages, /_sandbox/catalog, the tables in the documentation and scripted refusals are generated from it.
import type { Schemas } from '../contract/document.ts';
import { keysOf } from '../typed-keys.ts';

export type ErrorCode = Schemas['ErrorCode'];
export type ErrorCategory = Schemas['ErrorCategory'];

/** How an error reaches the client: as an HTTP response, later on the call resource, or only from the sandbox. */
type Channel = 'response' | 'call' | 'sandbox';

export interface ErrorRow {
  /** The HTTP status; absent for codes that only a call resource carries. */
  readonly status?: number;
  /** On call-related errors only. */
  readonly category?: ErrorCategory;
  readonly retryable: boolean;
  readonly channel: Channel;
  readonly meaning: string;
  readonly message: string;
  readonly hint: string;
}

const invalid = { category: 'invalid_request', channel: 'response' } as const;
const compliance = { status: 403, category: 'compliance_block', channel: 'response' } as const;
const account = { category: 'account_limit', channel: 'response' } as const;
const unreachable = { category: 'unreachable', channel: 'call' } as const;
const provider = { status: 502, category: 'provider_error', retryable: true, channel: 'response' } as const;
const http = { retryable: false, channel: 'response' } as const;
const sandbox = { retryable: false, channel: 'sandbox' } as const;

/** `rate_limited` and `internal_error` have no category here; `categoryOnCalls` adds the one that they have on calls. */
export const errors = {
  destination_missing: {
    ...invalid,
    status: 400,
    retryable: false,
    meaning: 'no destination number provided',
    message: 'No destination number was provided.',
    hint: 'Send the number to call as `to_number`, in E.164 form such as +14155550101.',
  },
  destination_invalid: {
    ...invalid,
    status: 400,
    retryable: false,
    meaning: 'destination not a valid dialable E.164 number',
    message: 'The destination is not a dialable E.164 number.',
    hint: 'Send `to_number` as a string: a plus sign, the country code and the number, such as +14155550101.',
  },
  no_active_number: {
    ...invalid,
    status: 409,
    retryable: false,
    meaning: 'no active number available (for example still provisioning)',
    message: 'The number is not active yet.',
    hint: 'Wait for `number_purchased`, or call from a number whose `is_active` is true.',
  },
  call_id_not_verified: {
    ...invalid,
    status: 422,
    retryable: false,
    meaning: 'caller ID not verified for this account',
    message: 'The caller ID is not verified for this account.',
    hint: 'Verify the number as a caller ID, or call from a verified one.',
  },
  destination_blocked: {
    ...compliance,
    retryable: false,
    meaning: 'emergency or special-service number',
    message: 'Emergency and special-service numbers cannot be called.',
    hint: 'Call an ordinary number.',
  },
  dnc_suppressed: {
    ...compliance,
    retryable: false,
    meaning: 'number on a Do-Not-Call list',
    message: 'The number is on a Do-Not-Call list.',
    hint: 'Remove this number from your list.',
  },
  recipient_opted_out: {
    ...compliance,
    retryable: false,
    meaning: 'contact opted out of calls',
    message: 'The recipient has opted out of calls.',
    hint: 'Remove this contact from your list.',
  },
  contact_automation_paused: {
    ...compliance,
    retryable: false,
    meaning: 'automated outreach paused after a clear decline',
    message: 'Automated outreach to this contact is paused.',
    hint: 'Ask a person to decide whether to call this contact again.',
  },
  no_consent: {
    ...compliance,
    retryable: false,
    meaning: 'no calling consent on file',
    message: 'No calling consent is on file for this contact.',
    hint: 'Record consent before calling.',
  },
  outside_call_window: {
    ...compliance,
    retryable: true,
    meaning: 'outside permitted calling hours',
    message: 'It is outside the permitted calling hours of the destination.',
    hint: 'Try again within the calling window of the destination.',
  },
  day_not_allowed: {
    ...compliance,
    retryable: true,
    meaning: 'calls not permitted to the recipient today',
    message: 'Calls to this recipient are not permitted today.',
    hint: 'Try again on a permitted day.',
  },
  frequency_exceeded: {
    ...compliance,
    status: 429,
    retryable: true,
    meaning: 'contact already called the maximum number of times',
    message: 'This contact has been called the maximum number of times.',
    hint: 'Try again after the period has ended.',
  },
  texting_not_ready: {
    ...http,
    status: 403,
    meaning: 'texting registration missing, pending review, or rejected',
    message: 'The texting registration does not allow this number to send messages yet.',
    hint: 'Watch `texting_registration_status_changed`, or `texting_status` on GET /v1/phone-numbers.',
  },
  content_policy_forbidden: {
    ...http,
    status: 403,
    meaning: "the organization's call-content policy keeps transcripts and recordings inside a compliance boundary",
    message: "The organization's content policy forbids returning call content.",
    hint: 'Read the content inside the compliance boundary; this API never returns it.',
  },
  voice_usage_exhausted: {
    ...account,
    status: 402,
    retryable: false,
    meaning: 'included calling minutes used up',
    message: 'The included calling minutes are used up.',
    hint: 'Add minutes or wait for the next period.',
  },
  no_active_subscription: {
    ...account,
    status: 402,
    retryable: false,
    meaning: 'no active subscription',
    message: 'The account has no active subscription.',
    hint: 'Start a subscription for the account.',
  },
  no_number_available: {
    ...account,
    status: 429,
    retryable: true,
    meaning: 'all numbers busy',
    message: 'All numbers are busy.',
    hint: 'Wait until a call ends.',
  },
  rate_limited: {
    ...http,
    status: 429,
    retryable: true,
    meaning: 'too many requests, or too many calls placed at once',
    message: 'Too many requests.',
    hint: 'Wait for the number of seconds in the Retry-After header.',
  },
  busy: {
    ...unreachable,
    retryable: true,
    meaning: 'line busy',
    message: 'The line was busy.',
    hint: 'Try again later.',
  },
  no_answer: {
    ...unreachable,
    retryable: true,
    meaning: 'no one answered',
    message: 'No one answered.',
    hint: 'Try again later.',
  },
  number_unreachable: {
    ...unreachable,
    retryable: false,
    meaning: 'invalid or disconnected number',
    message: 'The number is invalid or disconnected.',
    hint: 'Correct the number.',
  },
  call_declined: {
    ...unreachable,
    retryable: false,
    meaning: 'recipient declined',
    message: 'The recipient declined the call.',
    hint: 'Do not call again without a reason.',
  },
  carrier_rejected: {
    ...unreachable,
    retryable: false,
    meaning: 'carrier rejected the call',
    message: 'The carrier rejected the call.',
    hint: 'Check the reputation of the caller ID.',
  },
  voicemail_reached: {
    category: 'voicemail',
    channel: 'call',
    retryable: true,
    meaning: 'answering machine reached',
    message: 'An answering machine was reached.',
    hint: 'Try again later.',
  },
  room_creation_failed: {
    ...provider,
    meaning: 'call session could not start',
    message: 'The call session could not start.',
    hint: 'Try again in a moment.',
  },
  agent_dispatch_failed: {
    ...provider,
    meaning: 'agent could not be connected',
    message: 'The agent could not be connected.',
    hint: 'Try again in a moment.',
  },
  sip_gateway_failed: {
    ...provider,
    meaning: 'phone network unreachable',
    message: 'The phone network could not be reached.',
    hint: 'Try again in a moment.',
  },
  provider_api_error: {
    ...provider,
    meaning: 'telephony provider returned an error',
    message: 'The telephony provider returned an error.',
    hint: 'Try again in a moment.',
  },
  internal_error: {
    ...http,
    status: 500,
    retryable: true,
    meaning: 'unexpected server error',
    message: 'An unexpected error occurred.',
    hint: 'Try again. If the error persists, report the request id.',
  },
  validation_error: {
    ...http,
    status: 400,
    meaning: 'invalid body or parameters (see `fields`)',
    message: 'The request is not valid.',
    hint: 'Correct the fields named under `fields`.',
  },
  unauthorized: {
    ...http,
    status: 401,
    meaning: 'missing or invalid API key',
    message: 'The API key is missing or invalid.',
    hint: 'Send `Authorization: Bearer <API_KEY>`, for example with the sandbox key svc_sandbox_default.',
  },
  forbidden: {
    ...http,
    status: 403,
    meaning: 'key has no access to the resource',
    message: 'The key has no access to this resource.',
    hint: 'Use a key of the organization that owns the resource.',
  },
  not_found: {
    ...http,
    status: 404,
    meaning: 'resource does not exist',
    message: 'The resource does not exist.',
    hint: 'Check the path and the id.',
  },
  idempotency_conflict: {
    ...http,
    status: 409,
    meaning: 'an `Idempotency-Key` already succeeded with a different body',
    message: 'This Idempotency-Key already succeeded with a different body.',
    hint: 'Send the original body again, or use a new key.',
  },
  scope_missing: {
    ...http,
    status: 403,
    meaning: 'key lacks the scope the endpoint requires',
    message: 'The key lacks the scope that this endpoint requires.',
    hint: 'Use a key with one of the scopes named in the message.',
  },
  conflict: {
    ...sandbox,
    status: 409,
    meaning: 'the object is in a state that does not allow this',
    message: 'The object is in a state that does not allow this.',
    hint: 'See the message for the current state and the allowed ones.',
  },
  method_not_allowed: {
    ...sandbox,
    status: 405,
    meaning: 'the path does not support this method',
    message: 'The path does not support this method.',
    hint: 'Use one of the methods in the Allow header.',
  },
  payload_too_large: {
    ...sandbox,
    status: 413,
    meaning: 'the body is larger than the limit',
    message: 'The body is too large.',
    hint: 'Send a body smaller than the limit named in the message.',
  },
  unsupported_media_type: {
    ...sandbox,
    status: 415,
    meaning: 'the Content-Type of the body is not JSON',
    message: 'The media type of the body is not supported.',
    hint: 'Send the header `Content-Type: application/json`.',
  },
  headers_too_large: {
    ...sandbox,
    status: 431,
    meaning: 'the request headers are larger than the limit',
    message: 'The request headers are too large.',
    hint: 'Send fewer or shorter headers.',
  },
} as const satisfies Record<ErrorCode, ErrorRow>;

export const errorCodes: readonly ErrorCode[] = keysOf(errors);

/** The platform's codes and the one that only the control API has. */
export const allErrors = {
  ...errors,
  timeout: {
    ...sandbox,
    status: 408,
    retryable: true,
    meaning: 'what the control API waited for did not happen in time',
    message: 'What you waited for did not happen in time.',
    hint: 'Wait longer, or advance the clock.',
  },
} as const satisfies Record<string, ErrorRow>;

export type AnyCode = keyof typeof allErrors;

/** A code that an HTTP response of the platform can carry: 29 of the specification's 35. */
export type SynchronousCode = {
  [Code in ErrorCode]: (typeof errors)[Code]['channel'] extends 'response' ? Code : never;
}[ErrorCode];

export const synchronousCodes = errorCodes.filter(
  (code): code is SynchronousCode => errors[code].channel === 'response',
);

/** A code that a failed call carries as `failure_code`. */
export type FailureCode = Exclude<Schemas['FailureCode'], null>;

/** The `failure_category` of a `failure_code`. */
export function failureCategory(code: FailureCode): NonNullable<Schemas['FailureCategory']> {
  return errors[code].category;
}

/**
 * The category of a code on operations that place calls (`spec.md` "Account limit", "Provider error"): two codes are
 * listed both with and without a category, and have one there.
 */
export function categoryOnCalls(code: AnyCode): ErrorCategory | undefined {
  if (code === 'rate_limited') return 'account_limit';
  if (code === 'internal_error') return 'provider_error';
  const row: ErrorRow = allErrors[code];
  return row.category;
}
