// The assumption ledger: every choice made where `spec.md` says "not shown", with the words it stands in for. Those
// with `allowed` can be set in a fixture file and per world. `openapi.yaml` marks each one as `x-assumed`.

export interface Assumption {
  /** The choice that holds unless a world sets another; a value where it can be set, else the rule in words. */
  readonly default: string | number;
  /** What it can be set to; absent where there is nothing to set. */
  readonly allowed?: readonly (string | number)[] | { readonly minimum: number; readonly maximum: number };
  /** The words of the specification it stands in for. */
  readonly words: string;
  readonly rule: string;
}

export const assumptions = {
  timestamps: {
    default: 'ISO 8601 UTC, milliseconds, Z',
    words: 'Timestamp format in responses: not shown.',
    rule: 'Every timestamp in an answer or a payload is ISO 8601 UTC with milliseconds and a trailing Z.',
  },
  extra_error_codes: {
    default: 'conflict, method_not_allowed, payload_too_large, unsupported_media_type, headers_too_large',
    words: 'Per-endpoint error statuses for the other endpoints: not shown.',
    rule: '409 conflict for an object in the wrong state, 405, 413, 415 and 431 carry codes of their own, outside the 35.',
  },
  success_statuses: {
    default: '201 where a record is made, 202 for what is placed, 204 for a deleted subscription, 200 else',
    words: 'Per-endpoint error statuses for the other endpoints: not shown.',
    rule: 'Statuses of success that the specification does not name.',
  },
  operation_scopes: {
    default: 'dial: calls:write or voice:write; calls: calls:read or voice:read; caller IDs: caller_trust',
    words: 'The scope of each remaining endpoint: not shown.',
    rule: "The scopes of operations that the scope table does not name, as the contract's `x-scopes` lists them.",
  },
  scope_missing_status: {
    default: 403,
    allowed: [403, 401],
    words: 'scope_missing — HTTP status not shown',
    rule: 'The status of an answer with the code scope_missing.',
  },
  call_status_set: {
    default: 'QUEUED, RINGING, IN_PROGRESS, COMPLETED, BUSY, NO_ANSWER, VOICEMAIL, FAILED, CANCELED',
    words: 'full set of status values and of direction values: not shown',
    rule: 'A call ends in one of the last six; FAILED covers declined, unreachable and rejected by the carrier.',
  },
  call_fields: {
    default: 'fields of the end are present and null before it; started_at is the instant the call was placed',
    words: 'The full field set of GET /v1/calls/{id} and of the response to POST /v1/calls: not shown.',
    rule: 'call_outcome is answered, busy, no_answer, voicemail, failed or canceled; duration_seconds counts from the answer and is 0 for a call that no one answered; direction is inbound or outbound, as is agent_type.',
  },
  hangup_status: {
    default: 'COMPLETED once answered, CANCELED before; an ended call keeps its own',
    words: 'Call states other than these four, and the status set by hangup: not shown.',
    rule: 'A call hung up before it was answered emits no disposition event.',
  },
  dial_response_envelope: {
    default: 'flat',
    allowed: ['flat', 'data'],
    words: '`202` with `call_id` and `status` `QUEUED`',
    rule: 'The answer to a dial is the object itself (flat) or stands under `data`.',
  },
  event_payloads: {
    default: 'exactly the fields that the specification lists; id is the id of the call or message',
    words:
      'Payloads of `new_call`, `call_completed`, `contact_replied`, `contact_created`, `new_appointment`, `workflow_contact_completed`, `phone_call.ended`, `enterprise.status.updated` […]: not shown.',
    rule: 'new_call, call_completed and phone_call.ended take the call disposition shape, with duration_seconds null until the call has ended; created_at is when the call was placed; contact_replied takes the SMS shape; contact_created, new_appointment and enterprise.status.updated carry the resource; all but number lifecycle are flat and unsigned.',
  },
  event_order: {
    default: 'completed_first',
    allowed: ['completed_first', 'disposition_first'],
    words: 'Retry policy, delivery time-out and ordering guarantees: not shown.',
    rule: 'new_call when the call is made; at its end call_completed, then the disposition, then phone_call.ended; disposition_first swaps the first two of the end.',
  },
  extra_event_types: {
    default: 'enterprise.status.updated, phone_call.ended',
    words: 'Other event names are referenced elsewhere: `enterprise.status.updated` […] and `phone_call.ended`',
    rule: 'Both can be subscribed to; the upper-case spelling of the texting event is refused with a suggestion.',
  },
  subscription_filters: {
    default: 'campaign_id narrows to calls of that job; workflow_id is stored and shown only',
    words: 'optional `workflow_id`, optional `campaign_id`',
    rule: 'What the two optional fields of a subscription do.',
  },
  subscription_response: {
    default: 'flat: id, webhook_url, event_type and what else was sent; no secret',
    words: 'body with `id`',
    rule: 'The answer that creates a subscription, and the items of their list.',
  },
  list_webhook_subscriptions: {
    default: 'data and meta, newest first',
    words: '`webhooks:read` — list',
    rule: 'GET /api/v1/webhook_subscriptions lists the subscriptions of the organization.',
  },
  unknown_body_fields: {
    default: 'accepted and ignored where the specification does not show the whole body, 400 where it does',
    words: 'Other body fields: not shown.',
    rule: 'A body on an operation without one is ignored; unknown query parameters are 400.',
  },
  me: {
    default: 'user, organization, scopes',
    words: "authenticated user and the key's scopes; shape not shown",
    rule: 'The shape of GET /v1/me.',
  },
  paging: {
    default: 'cursor and page_size (1 to 100, 25 unless given)',
    words: 'Query parameters for paging and filtering of list endpoints: not shown.',
    rule: "The last page's cursor is null; caller IDs carry the meta of agents, which are listed oldest first, as are phone numbers and caller IDs.",
  },
  transcript_absent: {
    default: 404,
    words: 'GET /v1/calls/{id}/transcript',
    rule: 'A call without a transcript answers 404 not_found.',
  },
  create_caller_id: {
    default: 'POST /v1/caller-ids with phone_number; 201 with the caller ID',
    words: 'The state names and transitions of a caller ID before `VERIFIED`: not shown.',
    rule: 'Adds a number and starts its verification call.',
  },
  caller_id_states: {
    default: 'PENDING_VERIFICATION, VERIFIED, REVOKED',
    words: 'The state names and transitions of a caller ID before `VERIFIED`: not shown.',
    rule: 'A wrong or expired code (10 minutes, 5 attempts) is 200 with verified false; verifying a verified one is 200 true; a revoked one starts anew by POST /v1/caller-ids, same id, new code; a second DELETE is 200.',
  },
  cnam_status: {
    default: 'null, pending, approved, rejected',
    words: 'cnam_status: string',
    rule: 'The values of cnam_status on numbers and caller IDs.',
  },
  rcd_status: {
    default: 'null, pending, approved, rejected',
    words: 'rcd_status: string',
    rule: 'The values of rcd_status on caller IDs.',
  },
  texting_status: {
    default: 'none, pending, approved, rejected',
    words: 'example value `approved`; other values: not shown',
    rule: 'The values of texting_status on phone numbers.',
  },
  reputation_status: {
    default: 'pending, approved, rejected, deleted',
    words: '`reputation`: `status` (string)',
    rule: "The values of an enterprise's reputation.status.",
  },
  check_frequency: {
    default: 'business_daily, daily, weekly, biweekly, monthly, never',
    words: '`reputation`: `check_frequency` (string)',
    rule: "The values of an enterprise's reputation.check_frequency.",
  },
  contact_metadata: {
    default: 'an object, or null',
    words: '`metadata`: type not shown (may be null)',
    rule: "A contact's metadata is a JSON object.",
  },
  concurrent_calls: {
    default: 100,
    allowed: { minimum: 1, maximum: 1_000_000 },
    words: "set by the account's provisioned call capacity […]; the number: not shown",
    rule: 'Calls in progress in a world, unless --concurrent-calls says otherwise; the next dial is 429 rate_limited with category account_limit.',
  },
  idempotency: {
    default: 'organization, method, path and key; 24 hours; successes only',
    words: 'The same key already succeeded with a different body gives `409` `idempotency_conflict`.',
    rule: 'A bare or quoted UUID, else 400; bodies are compared as JSON, order-free, control headers are not; a repeat while the first runs waits for it; ignored on GET. A world keeps 100,000 replies and 64 MiB of them; past either the oldest go first.',
  },
  body_limits: {
    default: '256 KiB',
    words: 'size limits of uploaded documents: not shown',
    rule: 'A larger body is 413 payload_too_large.',
  },
  delivery_policy: {
    default: 'one attempt, no retry, no redirects; connect 3 s, answer 10 s, 15 s in all; in order per subscription',
    words: 'Retry policy, delivery time-out and ordering guarantees: not shown.',
    rule: 'How webhooks are delivered.',
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionName = keyof typeof assumptions;
export const assumptionNames = Object.keys(assumptions) as AssumptionName[];

/** The ones that can be set, with the values that this world (or its fixture) has set. */
export type AssumptionValues = Readonly<Partial<Record<AssumptionName, string | number>>>;

/** The value that holds in a world: its own, or the ledger's default. */
export function assumed(values: AssumptionValues, name: AssumptionName): string | number {
  return values[name] ?? assumptions[name].default;
}

/**
 * Reads a value for an assumption: the value in the form in which it is kept, or a sentence that says what is allowed.
 */
export function readAssumption(name: string, value: unknown): { value: string | number } | { problem: string } {
  const row = (assumptions as Record<string, Assumption>)[name];
  if (!row) return { problem: `there is no assumption of this name; one of ${assumptionNames.join(', ')}` };
  const { allowed } = row;
  if (!allowed) return { problem: 'this assumption is stated, not set' };
  if ('minimum' in allowed) {
    const fits = Number.isInteger(value) && Number(value) >= allowed.minimum && Number(value) <= allowed.maximum;
    return fits
      ? { value: Number(value) }
      : { problem: `must be a whole number from ${allowed.minimum} to ${allowed.maximum}` };
  }
  const found = allowed.find((each) => String(each) === String(value));
  return found === undefined ? { problem: `must be one of ${allowed.join(', ')}` } : { value: found };
}
