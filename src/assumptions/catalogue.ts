// The assumption ledger: Ringback's choice for everything that `spec.md` leaves open ("not shown"), with the words that it
// replaces. Those with `allowed` can be set in a fixture file and per world. `x-assumed` in `openapi.yaml` marks their use.
import { keysOf } from '../typed-keys.ts';

export interface Assumption {
  /** The choice unless a world sets another: a value if it can be set, otherwise a description. */
  readonly default: string | number;
  /** The values that it can be set to; absent if it cannot be set. */
  readonly allowed?: readonly (string | number)[] | AllowedRange;
  /** The words of the specification that it replaces. */
  readonly words: string;
  readonly rule: string;
}

/** The integers of a range; `or` is what else is allowed. */
export interface AllowedRange {
  readonly minimum: number;
  readonly maximum: number;
  readonly or?: string;
}

export const assumptions = {
  timestamps: {
    default: 'milliseconds',
    allowed: ['milliseconds', 'seconds', 'offset'],
    words: 'Timestamp format in responses: not shown.',
    rule: 'Every timestamp in a response or event is ISO 8601 in UTC. milliseconds: 2026-01-05T15:00:00.000Z. seconds: 2026-01-05T15:00:00Z. offset: 2026-01-05T15:00:00.000+00:00.',
  },
  request_forms: {
    default: 'unknown paths 404, unknown methods 405, HEAD like GET',
    words: 'Per-endpoint error statuses for the other endpoints: not shown.',
    rule: 'Paths are matched literally, without a trailing slash and in their case. HEAD is answered like GET, without a body.',
  },
  foreign_ids: {
    default: '404',
    words: 'tenant isolation is enforced on every endpoint',
    rule: 'An id of another organization does not exist: in a path it is 404 whatever its form; in a body it is 400 if malformed, otherwise 404, with the field in fields. The case of a UUID does not count.',
  },
  error_details: {
    default: 'resolution_hint and doc_url on every error; fields wherever one field is at fault',
    words: '`resolution_hint` […] optional; `fields` […] optional; `doc_url` […] optional',
    rule: 'doc_url is the page of the code on this server. Nested fields are dotted, headers have their own name. category is sent by the operations that place calls, POST /v1/calls/dial and POST /v1/calls; a 429 of the request rate has none.',
  },
  rate_window: {
    default: 'one minute from the first request of the key',
    words: 'Rate-limit window: one minute',
    rule: 'The window is fixed, not sliding: it begins with the first request of a key and ends a minute later. Every request with a valid key counts, whatever its result, except those that the window itself refuses. A 429 of calling rules, caps and scenarios has Retry-After 1.',
  },
  extra_error_codes: {
    default: 'conflict, method_not_allowed, payload_too_large, unsupported_media_type, headers_too_large',
    words: 'Per-endpoint error statuses for the other endpoints: not shown.',
    rule: '409 conflict for an object in the wrong state, and 405, 413, 415 and 431 have codes of their own in addition to the 35.',
  },
  success_statuses: {
    default: 'by_effect',
    allowed: ['by_effect', 'always_200'],
    words: 'Per-endpoint error statuses for the other endpoints: not shown.',
    rule: '201 for a new record or token (a web call creates both), 202 for accepted work (a call by an agent, a message, a remediation), 200 otherwise. always_200: 200 in place of 201 and 202. A dial is always 202, and deleting a subscription 204, as the specification says.',
  },
  operation_scopes: {
    default:
      'dial: calls:write or voice:write; calls: calls:read or voice:read; caller IDs and caller trust: caller_trust; web call: agents:write; usage: usage:read or voice:read; room token: voice:write; contacts: account:read',
    words: 'The scope of each remaining endpoint: not shown.',
    rule: 'The scopes of operations that the scope table does not name, as in `security` of the contract.',
  },
  scope_missing_status: {
    default: 403,
    allowed: [403, 401],
    words: 'scope_missing — HTTP status not shown',
    rule: 'The status of a response with the code scope_missing.',
  },
  call_status_set: {
    default: 'QUEUED, RINGING, IN_PROGRESS, COMPLETED, BUSY, NO_ANSWER, VOICEMAIL, FAILED, CANCELED',
    words: 'full set of status values and of direction values: not shown',
    rule: 'A call ends in one of those after IN_PROGRESS. FAILED covers declined and unreachable calls and those that the carrier rejected.',
  },
  dial_checks: {
    default: 'destination, form of from_number, scenario, caller ID, active number, calling rules, plan, caps',
    words:
      'Codes of categories `invalid_request`, `compliance_block`, `account_limit` and `provider_error` come back synchronously on the dial request.',
    rule: 'The order of the checks of a dial, of which the first that fails decides; a refused dial leaves no call and counts nowhere. A job checks the caps first, because it waits for a free line. A dial without from_number is validation_error.',
  },
  dialable_numbers: {
    default: 'numbers that the numbering plan allows',
    words: 'destination not a valid dialable E.164 number',
    rule: 'In North America, area code and exchange begin with 2 to 9 and are not service codes; elsewhere the length must be possible in that country. 911, 933, 988, 112, 999, 211 to 811, the area code 900 and the exchange 976 are destination_blocked, with and without +1. An absent, null or empty destination is destination_missing.',
  },
  calling_rules: {
    default: 'in the order of the error table; the first that forbids the call decides',
    words:
      'refused by a calling rule: do-not-call, opt-out, no consent, calling window or day, frequency cap, emergency number',
    rule: 'Do-not-call, opted out, paused, no consent, window, day, frequency. Window and day are those of the destination by its prefix; if that lies in several time zones, all of them must allow the call; a number without a known place follows the zone of the rules. A sub-entity has the rules that its umbrella had when it was created.',
  },
  frequency_counting: {
    default: 'calls placed to one number on one calendar day at the destination',
    words: 'contact already called the maximum number of times',
    rule: 'Calls count for each organization when they are placed, whatever their outcome, those of jobs included. Refused dials, inbound calls and web calls do not count.',
  },
  inbound_calls: {
    default: 'a call record with the direction inbound and the same events',
    words: 'AI voice agents (called assistants) that answer inbound calls',
    rule: 'An inbound call emits new_call, call_completed, its disposition and phone_call.ended, counts toward the concurrent calls and the minutes, and leaves a recording and a transcript if it was answered. It is never refused for a cap or a calling rule, and creates no contact.',
  },
  web_calls: {
    default: 'recorded',
    allowed: ['recorded', 'none'],
    words: 'Dispatches the agent into a room and returns a browser join token; no phone number is needed.',
    rule: 'The agent is in the room from the start. recorded: a call begins when a browser joins the agent and ends when the last one leaves, after an hour, or when it is hung up. It has the direction inbound and the number +266696687 (ANONYMOUS on a keypad) at both ends, emits the events of an answered call, counts toward the concurrent calls and the minutes as an inbound call does, and its transcript is what was said. A token that nobody uses makes no call, nor does a room without an agent. none: no room makes a call or an event, and nobody can speak in one.',
  },
  phone_number_id: {
    default: 'the id of the number at the own end, as text',
    words: '`phone_number_id`: string',
    rule: 'The id of the phone number that the call came from, or was received on; null if its caller ID is a number of another provider.',
  },
  call_started_at: {
    default: 'placed',
    allowed: ['placed', 'answered'],
    words: '`started_at`: string',
    rule: 'placed: started_at is when the call was placed. answered: it is when the call was answered, and null until then. created_at of call events is always when the call was placed.',
  },
  unanswered_duration: {
    default: 'zero',
    allowed: ['zero', 'null'],
    words: '`duration_seconds`: integer',
    rule: 'duration_seconds of a call that ended without an answer, on the call and in its events: 0 or null.',
  },
  disconnection_reason: {
    default: 'named',
    allowed: ['named', 'null'],
    words: '`disconnection_reason` (nullable)',
    rule: 'named: CLIENT_INITIATED for an answered call, voicemail and a hangup, USER_REJECTED for busy and declined, USER_UNAVAILABLE for no answer, SIP_TRUNK_FAILURE for unreachable and rejected by the carrier; scenarios can name others. null: it is always null.',
  },
  recordings: {
    default: 'answered calls of at least one second',
    words: '`recording_url`: null unless the key holds `recordings:read`',
    rule: 'An answered call has a recording and a transcript as soon as it has ended; voicemail has neither. recording_url is a WAV file on this server, which needs no key: synthetic sound (PCM, 8 kHz, 8 bit, mono) for as long as duration_seconds, up to 10 minutes. Ranges of its bytes can be asked for. has_recording does not depend on scopes.',
  },
  content_policy: {
    default: 'recordings and transcripts of an organization in HIPAA mode',
    words: "the organization's call-content policy pins content to a compliance (HIPAA) boundary",
    rule: 'The transcript is 403 content_policy_forbidden, after the scope check and the 404 of an unknown call; recording_url is null and has_recording unchanged. Messages and events are not affected.',
  },
  call_fields: {
    default: 'present',
    allowed: ['present', 'absent'],
    words: 'The full field set of GET /v1/calls/{id} and of the response to POST /v1/calls: not shown.',
    rule: 'The fields about the end of a call (failure_code, failure_category, call_outcome, disconnection_reason) before it has ended: present and null, or absent. call_outcome is answered, busy, no_answer, voicemail, failed or canceled. duration_seconds is null until the end and counts from the answer. direction is inbound or outbound, as is agent_type.',
  },
  hangup_status: {
    default: 'by_answer',
    allowed: ['by_answer', 'completed'],
    words: 'Call states other than these four, and the status set by hangup: not shown.',
    rule: 'by_answer: a call that is hung up becomes COMPLETED if it was answered, otherwise CANCELED. completed: it becomes COMPLETED in both cases. Either way, hanging up before the answer sets call_outcome to canceled and emits no disposition event, and a call that has ended keeps its status.',
  },
  dial_response_envelope: {
    default: 'flat',
    allowed: ['flat', 'data'],
    words: '`202` with `call_id` and `status` `QUEUED`',
    rule: 'Whether the response to a dial is the object itself (flat) or has it under `data`.',
  },
  event_payloads: {
    default: 'flat',
    allowed: ['flat', 'enveloped', 'enveloped_and_signed'],
    words:
      'Payloads of `new_call`, `call_completed`, `contact_replied`, `contact_created`, `new_appointment`, `workflow_contact_completed`, `phone_call.ended`, `enterprise.status.updated` […]: not shown.',
    rule: 'The form of the events whose payload is not shown. flat: the event object is the body, unsigned. enveloped: the body has triggerEvent (the event type), createdAt and payload, as the body of number lifecycle events. enveloped_and_signed: signed like them too. Call disposition events and the three events of outbound messages are always flat and unsigned. new_call, call_completed and phone_call.ended have the call disposition shape, with duration_seconds null until the call has ended; created_at is when the call was placed. contact_replied has the SMS shape. texting_registration_status_changed has registration (id, type), status, reasons and texting_enabled_numbers. contact_created, new_appointment and enterprise.status.updated have the resource. workflow_contact_completed has job, contact, number, outcome, call and failure code.',
  },
  event_order: {
    default: 'completed_first',
    allowed: ['completed_first', 'disposition_first'],
    words: 'Retry policy, delivery time-out and ordering guarantees: not shown.',
    rule: 'new_call is sent when the call is created; at its end call_completed, the disposition and phone_call.ended follow in this order. disposition_first swaps the first two of these.',
  },
  extra_event_types: {
    default: 'enterprise.status.updated, phone_call.ended',
    words: 'Other event names are referenced elsewhere: `enterprise.status.updated` […] and `phone_call.ended`',
    rule: 'Both can be subscribed to. phone_call.ended is sent at the end of every call, including inbound ones. The upper-case spelling of the texting event is refused with a suggestion.',
  },
  subscription_filters: {
    default: 'campaign_id limits events to calls and contacts of that job; workflow_id is only stored and returned',
    words: 'optional `workflow_id`, optional `campaign_id`',
    rule: 'The effect of the two optional fields of a subscription. A campaign_id that is not a UUID is 400, one that is not the id of a job of the organization 404.',
  },
  subscription_response: {
    default: 'full',
    allowed: ['full', 'id_only'],
    words: 'body with `id`',
    rule: 'full: the response that creates a subscription has id, webhook_url, event_type and the other fields that were sent, not under data and without a secret. id_only: it has the id alone. Items of the list are always full.',
  },
  signing_secrets: {
    default: 'sandbox_signing_secret',
    words: "keyed with the subscription's signing secret (`<SIGNING_SECRET>`)",
    rule: 'Every subscription has the secret of its world unless another one is set, or it is removed, through the control API. A delivery is signed when it is sent: a retry or redelivery uses the secret that the subscription has by then, over the same bytes.',
  },
  webhook_urls: {
    default: 'https, and http to private addresses',
    words: '`webhook_url` (string, HTTPS URL, required)',
    rule: 'One URL can be subscribed to several event types, and several times to the same one; a world has up to 1,000 subscriptions to a type. --webhook-http decides about http. Deleting a subscription cancels what is still queued for it.',
  },
  list_webhook_subscriptions: {
    default: 'data and meta, newest first',
    words: '`webhooks:read` — list',
    rule: 'GET /api/v1/webhook_subscriptions lists the subscriptions of the organization.',
  },
  unknown_body_fields: {
    default: 'specified',
    allowed: ['specified', 'refused', 'ignored'],
    words: 'Other body fields: not shown.',
    rule: "Fields that an operation's body does not have. specified: 400 if the specification shows the whole body, otherwise ignored. refused: always 400. ignored: always ignored. A body is a JSON object, even if it is optional or has no fields (submit, generate-loa, webrtc-token, client-tokens). Operations without a body (GET, DELETE, web-call, hangup, pause, resume, cancel) ignore one without reading it. Unknown query parameters are 400. In a POST or PUT, an optional field that is null, or an optional list that is empty, counts as not sent.",
  },
  me: {
    default: 'user, organization, scopes',
    words: "authenticated user and the key's scopes; shape not shown",
    rule: 'The response of GET /v1/me.',
  },
  paging: {
    default: 'cursor and page_size (1 to 100, default 25)',
    words: 'Query parameters for paging and filtering of list endpoints: not shown.',
    rule: 'Lists take cursor and page_size (1 to 100). A cursor is opaque and belongs to its list. Lists of caller IDs have the same meta as lists of agents. No list can be filtered, except the available numbers.',
  },
  default_page_size: {
    default: 25,
    allowed: { minimum: 1, maximum: 100 },
    words: 'Maximum and default page size […]: not shown.',
    rule: 'The number of items of a page when the request does not say.',
  },
  page_size_limit: {
    default: 'refused',
    allowed: ['refused', 'clamped'],
    words: 'Maximum and default page size […]: not shown.',
    rule: 'A page_size above 100 is 400, or taken as 100.',
  },
  last_cursor: {
    default: 'null',
    allowed: ['null', 'empty'],
    words: 'List responses return `meta.cursor` and `meta.page_size`.',
    rule: 'meta.cursor of the last page: null or an empty string.',
  },
  list_order: {
    default: 'oldest_first',
    allowed: ['oldest_first', 'newest_first'],
    words: 'Lists of calls, appointments and contacts are ordered newest first.',
    rule: 'The order of the lists for which the specification names none: agents, phone numbers, caller IDs and reputation of numbers. All other lists begin with the newest.',
  },
  transcript_absent: {
    default: 404,
    allowed: [404, 200],
    words: 'GET /v1/calls/{id}/transcript',
    rule: 'A call without a transcript responds 404 not_found, or 200 with a null transcript and no turns.',
  },
  transcripts: {
    default: 'role and text of each line; roles agent and user',
    words:
      '`structured_transcript`: array of objects: `role` (string), `text` (string), `timestamp` (string), `interrupted` (boolean), `language` (string)',
    rule: 'transcript is one line for each turn, in the form "role: text", separated by line feeds. timestamp is when the turn began; language is that of the agent, otherwise en-US; interrupted marks a turn that the other party or the end of the call cut short. transcript_provider is ringback. Where neither the scenario nor the fixture says what is said, the conversation follows from the seed, the call and its agent (greeting, name, business and language): at the speed of speech for as long as the talk, with a goodbye unless the call was hung up, dropped or too short. There are phrases in English, Spanish, French, German and Portuguese; an agent of another language says the English ones.',
  },
  create_caller_id: {
    default: 'POST /v1/caller-ids with phone_number; 201 with the caller ID',
    words: 'The state names and transitions of a caller ID before `VERIFIED`: not shown.',
    rule: 'Adds a number and starts its verification call. Only a number that can be called can become a caller ID: short codes, emergency and special-service numbers are 400. A phone number that another organization of the world holds, such as a sub-entity, is 409.',
  },
  caller_id_states: {
    default: 'PENDING_VERIFICATION, VERIFIED, REVOKED',
    words: 'The state names and transitions of a caller ID before `VERIFIED`: not shown.',
    rule: 'A caller ID is PENDING_VERIFICATION until it is verified. Verifying a verified caller ID is 200 with verified true; verifying a revoked one is 409.',
  },
  verification_call: {
    default: '6 digits, spoken by a scenario',
    words: 'code received during the verification call',
    rule: 'The code of a verification call has six digits and can be tried once the call has spoken it. The control API reveals it (GET /_sandbox/caller-ids/{id}/verification-code).',
  },
  certification_method: {
    default: 'verification_call, platform_number',
    words: '`certification_method`: string',
    rule: 'How a caller ID was verified: by a verification call, or because the platform provides the number; null until then.',
  },
  wrong_verification_code: {
    default: 200,
    allowed: [200, 400],
    words: '`data`: `verified` (boolean), `message` (string)',
    rule: 'A wrong, expired or premature code is 200 with verified false, or 400 validation_error with the field verification_code.',
  },
  verification_attempts: {
    default: 5,
    allowed: { minimum: 1, maximum: 100 },
    words: 'correct code from the verification call',
    rule: 'How many wrong codes can be tried for one verification call.',
  },
  verification_minutes: {
    default: 10,
    allowed: { minimum: 1, maximum: 10080 },
    words: 'correct code from the verification call',
    rule: 'How long a spoken code is valid, in minutes on the clock of the world.',
  },
  repeated_caller_id: {
    default: 409,
    allowed: [409, 200],
    words: 're-verification makes the number usable again',
    rule: 'POST /v1/caller-ids for a number that is already VERIFIED: 409 conflict, or 200 with the caller ID as it is. For a pending or revoked one it starts a new verification call with a new code, under the same id (201).',
  },
  second_delete: {
    default: 200,
    allowed: [200, 404],
    words: 'record kept and still listed with `active=false`',
    rule: 'Deleting a caller ID or a phone number that is already revoked or released: 200 with the record, or 404.',
  },
  cnam_status: {
    default: 'null, pending, approved, rejected',
    words: 'cnam_status: string',
    rule: 'The values of cnam_status on numbers and caller IDs. They refer to the name that was set last, even if it was rejected, because nothing else reports the rejection.',
  },
  rcd_status: {
    default: 'null, pending, approved, rejected',
    words: 'rcd_status: string',
    rule: 'The values of rcd_status on caller IDs. Every verified caller ID shows the newest display identity that was not rejected, first as pending and 60 s later as approved; so after a rejection the earlier approved one shows again. If all were rejected, the newest one shows.',
  },
  texting_status: {
    default: 'none',
    allowed: ['none', 'null'],
    words: 'example value `approved`; other values: not shown',
    rule: 'The texting_status of a phone number is none, pending, approved or rejected. null: it is null in place of none. registration_status of texting_not_ready is none in both cases.',
  },
  available_numbers: {
    default: '555-0150 to 555-0169 of every geographic area code of the United States, except those that are taken',
    words: 'method, body and response shapes are not shown: […] phone-number provisioning and configuration',
    rule: "GET /v1/phone-numbers/available lists phone_number, area_code and iso_country, the lowest number first, for area_code or for the area code of the organization's oldest number. The list is empty for an area code without available numbers. A released number is available again only if it is one of these.",
  },
  provision_number: {
    default: 'POST /v1/phone-numbers with any of phone_number, area_code and name; 201 with the number',
    words: 'method, body and response shapes are not shown: […] phone-number provisioning and configuration',
    rule: 'Without phone_number, the lowest available number in area_code is ordered. A number that is not available is 404; a number that is taken, or an area code without available numbers, is 409. The number becomes active 3 to 8 s later, is enrolled in reputation monitoring, and number_purchased is sent.',
  },
  phone_number_fields: {
    default: 'provider carrier, iso_country US',
    words: '`provider`: string; `user_id`: string (uuid)',
    rule: 'user_id is the user of the account. texting_enabled is true while texting_status is approved. The reputation of a number is monitored from the moment it becomes active (reputation_enrolled_at). area_code of a number lifecycle event is null outside North America.',
  },
  provisioned_caller_id: {
    default: 'verified',
    allowed: ['verified', 'none'],
    words: '`from_number` (E.164, a number owned by the account and usable as verified caller ID)',
    rule: 'verified: a number from the platform is a VERIFIED caller ID as soon as it is ordered, certified as platform_number, so that it can place calls once it is active. none: its caller ID is verified like any other.',
  },
  caller_id_ownership: {
    default: 'verified',
    allowed: ['verified', 'inventory'],
    words: '`from_number` (E.164, a number owned by the account and usable as verified caller ID)',
    rule: 'verified: a call may come from any verified caller ID of the account, its phone numbers or not. inventory: only from a verified caller ID that is one of its phone numbers; any other is call_id_not_verified. Where no from_number is given (POST /v1/calls, jobs), a phone number of the account is used in either case. A number that another organization of the world holds, such as a sub-entity, is never usable.',
  },
  configure_number: {
    default: 'PATCH /v1/phone-numbers/{id} with any of name and agent_id',
    words: 'method, body and response shapes are not shown: […] phone-number provisioning and configuration',
    rule: 'agent_id names the agent that answers the number from now on; null removes it. The agent then shows this number as its phone_number instead of an earlier one. A released number is 409.',
  },
  released_numbers: {
    default: 'readable by id, not listed',
    words: 'a phone number was released',
    rule: 'DELETE /v1/phone-numbers/{id} responds 200 with the number, which is no longer active, enrolled or able to send messages. It leaves the list, its caller ID is revoked and its agent has no number; calls and messages stay readable. For a number that is released while it is provisioning, number_released is not sent, as number_purchased was not.',
  },
  set_cnam: {
    default: 'PUT /v1/phone-numbers/{id}/cnam with cnam_display_name; 200 with the number, pending',
    words: 'method, body and response shapes are not shown: […] CNAM setting',
    rule: 'The name has 1 to 15 letters, digits, periods, commas and spaces, starting with a letter. A prohibited term (such as FBI, Police, Government, Medicare) or a generic name (such as Unknown, Wireless Caller) is 400. The name shows on the number and on its caller ID; a new name replaces it. A released number is 409.',
  },
  cnam_approval: {
    default: 'reviewed',
    allowed: ['reviewed', 'immediate'],
    words: 'CNAM display name | No | A carrier-database entry, not a brand vetting.',
    rule: 'reviewed: a display name is pending and decided 60 s later, or as its scenario says. immediate: it is approved in the response, whatever the scenario.',
  },
  message_fields: {
    default: 'the fields of the outbound SMS event, and body',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'GET /v1/sms lists both directions, newest first. phone_number is the recipient, from_number the sender. contact_token identifies the other party and is the same in all messages with it. provider_id is null until the carrier accepts the message. channel is sms.',
  },
  message_status: {
    default: 'accepted, sent, delivered, undelivered, failed, received',
    words: '`status` (for example `delivered`)',
    rule: 'An outbound message is accepted, then sent (sms_sent), then delivered (sms_delivered), undelivered (the carrier has sent it, and reports that no handset got it) or failed; sms_failed is sent for both. An inbound message is received (contact_replied).',
  },
  message_sender: {
    default:
      'POST /v1/sms/send with to_number, body (up to 1600 characters) and optionally from_number; 202 with the message',
    words:
      '`fields.reason` is one of `a2p_registration_required`, `a2p_registration_pending`, `a2p_registration_rejected`, `no_sender`',
    rule: 'Without from_number, the oldest active number with texting_status approved is used. The texting_status of the number determines reason and registration_status of texting_not_ready: none means required; pending and rejected mean themselves. A number that the organization does not have, a number that is approved but not active, and an organization without numbers are no_sender with none.',
  },
  message_segments: {
    default: 'encoding (GSM-7 or UCS-2) and segments',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'How a message is split, in both directions; events do not show it. GSM-7 if the tables of GSM 03.38 have every character, where a character of the extension table counts as two: 160 in one segment, otherwise 153 per segment. Otherwise UCS-2: 70 code units in one segment, otherwise 67 per segment. Neither a character of the extension table nor a surrogate pair is split.',
  },
  texting_keywords: {
    default: 'on',
    allowed: ['on', 'off'],
    words: 'an outbound SMS failed or was undelivered',
    rule: 'A message that consists only of STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT, OPTOUT or REVOKE, in any case, opts its sender out of messages from the number that received it. START, UNSTOP or YES opts in again. HELP and INFO are answered, even after an opt-out. Each keyword is confirmed by a message, which is delivered regardless of the active scenario, except a second STOP and a START without an opt-out. A message to a recipient who has opted out is 202 and then fails regardless of the scenario: sms_failed without sms_sent. Every inbound message emits contact_replied, keyword or not. off: keywords are ordinary messages, and opt-outs have no effect.',
  },
  registration_status: {
    default: 'pending, approved, rejected',
    words: 'the A2P texting registration (brand or campaign) was approved or rejected',
    rule: 'The values of the status of brands and campaigns.',
  },
  brand_registration: {
    default: 'GET and POST /v1/brand with legal_name and ein; 201 with the brand',
    words: 'method, body and response shapes are not shown: […] brand submission',
    rule: 'An organization has one brand, which is decided 60 s after it is submitted. Without a brand, GET is 404. A rejected brand is submitted again under its own id; POST in any other state is 409. A brand alone enables no number, so its event lists none.',
  },
  campaign_registration: {
    default: 'GET and POST /v1/brand/campaigns with use_case and up to 400 phone_numbers; 201 with the campaign',
    words:
      'the A2P texting registration (brand or campaign) was approved or rejected; on campaign approval the payload lists `texting_enabled_numbers`',
    rule: 'Without an approved brand, POST is 409. Without phone_numbers, the campaign is for all numbers of the organization that cannot send. A number that the organization does not have is 404; one that is pending or approved is 409. The numbers are pending until the campaign is decided 60 s later, and then have its status. Numbers of a rejected campaign can be registered again.',
  },
  reputation_status: {
    default: 'pending, approved, rejected, deleted',
    words: '`reputation`: `status` (string)',
    rule: 'The values of reputation.status of an enterprise.',
  },
  check_frequency: {
    default: 'business_daily',
    allowed: ['business_daily', 'daily', 'weekly', 'biweekly', 'monthly', 'never'],
    words: '`reputation`: `check_frequency` (string)',
    rule: 'How often the reputation of numbers is checked, at 9:00 in the time zone of the calling rules (America/New_York by default): on working days (business_daily), every day (daily), on Mondays (weekly), on every other Monday (biweekly), on the first of the month (monthly), or never. It is that of an enterprise that asked for none (check_frequency of POST and PATCH) when it was submitted, and that of numbers under the shared umbrella. A number is also checked when it is enrolled and when its enterprise is approved. What carriers think of it shows from the next check on.',
  },
  document_status: {
    default: 'pending, verified, denied',
    words: 'Allowed values of `status` and `av_scan_status`: not shown.',
    rule: 'The values of the status of a document: pending until the scan has finished, then verified, or denied if it is infected.',
  },
  av_scan_status: {
    default: 'pending_scan, not_scanned, scanned, infected',
    words: 'Allowed values of `status` and `av_scan_status`: not shown.',
    rule: 'The values of av_scan_status. A document that the platform generated, such as an LOA, is not_scanned and verified from the start.',
  },
  upload_document: {
    default: 'POST /v1/caller-trust/documents with filename, content_type, content_base64; 201 with the document',
    words: 'size limits of uploaded documents: not shown',
    rule: 'How documents are uploaded. The scan finishes 2 to 5 s later. A world keeps the bytes of its newest documents, up to 64 MiB.',
  },
  business_details: {
    default: 'legal_name; dba, ein, website, address, contact and check_frequency are optional',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'The body of POST and PATCH /v1/caller-trust/enterprise. Details that the enterprise does not show appear in the LOA.',
  },
  enterprise_absent: {
    default: 404,
    allowed: [404, 200],
    words: 'none; query and response shape: not shown',
    rule: 'Without an enterprise, GET is 404, or 200 with null. PATCH, generate-loa, submit and sign-and-submit are 404. A second POST is 409.',
  },
  generate_loa: {
    default: '201 with the document, whose id the enterprise then shows as loa_document_id',
    words: 'body not shown […] response shape not shown',
    rule: 'Generates the unsigned LOA of a draft or rejected enterprise as a PDF; 409 in any other state.',
  },
  submit_enterprise: {
    default: 'loa_document_id is optional; 200 with the enterprise',
    words: 'for an LOA signed out of band; body not shown; response shape not shown',
    rule: 'loa_document_id names a verified document (404 if it does not exist, 409 if it is not verified). Without it, the LOA that was generated since the last PATCH is used.',
  },
  submission_without_loa: {
    default: 'generated',
    allowed: ['generated', 'conflict'],
    words: 'If the LOA was signed out of band, use `POST /v1/caller-trust/enterprise/submit` instead.',
    rule: 'POST submit without loa_document_id when no LOA has been generated since the last PATCH: generated: the platform generates one. conflict: 409.',
  },
  resubmission: {
    default: 'DRAFT or REJECTED to PENDING_VETTING',
    words:
      'The target state of `POST /v1/caller-trust/enterprise/submit`, and of resubmission after `REJECTED`: not shown.',
    rule: 'PATCH changes a DRAFT or REJECTED enterprise. Both submit operations lead from either state to PENDING_VETTING; any other state is 409. The carrier enterprise record is kept.',
  },
  carrier_enterprise_id: {
    default: 'a UUID, from the first submission on',
    words: 'identifier of the carrier-side enterprise record',
    rule: 'Null before the first submission; a resubmission keeps it.',
  },
  synced_at: {
    default: 'the latest submission or decision',
    words: '`synced_at`: string',
    rule: 'When the state of the enterprise was last exchanged with the carrier: at each submission and at each decision; null before. reputation.last_synced_at is the same instant. reputation is null before the first submission.',
  },
  rejection_reasons: {
    default: 'empty unless REJECTED',
    words: '`rejection_reasons` is populated',
    rule: 'The reasons come from the scenario; reputation has the same ones. With vetting_by_submission they follow from what was submitted: the EIN is missing or its prefix was never assigned; the street address is a P.O. box; the country is not the United States; the website is not a public address; the LOA is not a PDF. If there is none, the enterprise is approved. A resubmission empties them.',
  },
  consent_time: {
    default: 'any',
    allowed: ['any', 'past'],
    words: 'ISO 8601 UTC date-time ending in `Z` (valid calendar dates only)',
    rule: 'consent_acknowledged_at has an optional fraction of a second and a trailing Z, a valid calendar date and a year from 0001 to 9999; leap seconds (:60) are refused. any: it can be in the past or the future. past: an instant after the present one is 400.',
  },
  blank_texts: {
    default: 400,
    words: '`signer_full_name` length 2 to 255 characters; `signer_title` length 1 to 255 characters',
    rule: 'A name, title, file name, call reason, use case or message must not be white space only; optional fields take null instead. The name and texts of an agent may be empty, and a lead is stored as sent.',
  },
  enterprise_events: {
    default: 'decision',
    allowed: ['decision', 'every_change'],
    words: '`enterprise.status.updated` (enterprise vetting status change)',
    rule: 'decision: enterprise.status.updated is sent when vetting approves or rejects. every_change: also when the customer submits (PENDING_VETTING).',
  },
  remediation_status: {
    default: 'pending, in_progress, completed, failed, cancelled',
    words: 'Status values and transitions: not shown.',
    rule: 'The values of the status of a remediation. The bundled scenarios go from pending over in_progress to completed.',
  },
  billed_amount: {
    default: 1500,
    allowed: { minimum: 0, maximum: 1000000 },
    words: '`billed_amount_dc` (integer)',
    rule: 'The price of a number that was remediated, in deci-cents. It is 0 for every other outcome, and until processing is complete.',
  },
  create_remediation: {
    default: 'POST /v1/caller-trust/reputation/remediations with 1 to 2000 phone_numbers; 202 with the remediation',
    words: "disputing or fixing spam labels under the customer's own entity […] needs the registered enterprise",
    rule: 'Without an APPROVED enterprise it is 409. A number that the organization does not have is 404. A remediated number has the spam risk low from that moment on, without waiting for a check. The scenario decides the outcomes; remediation_by_reputation gives each number its own: remediated if carriers flag it (medium or high), not_flagged if they do not, ineligible if it is not enrolled.',
  },
  remediation_overlap: {
    default: 'conflict',
    allowed: ['conflict', 'accepted'],
    words: '`numbers`: array of objects: `phone_number` (string), `outcome` (string), `billed_amount_dc` (integer)',
    rule: 'A number that is already in a remediation that has not ended: conflict: 409. accepted: it is taken into the new one too.',
  },
  remediation_fields: {
    default: 'source api; completed_at is when it ended, in any way',
    words: '`source`: string; `completed_at`: string',
    rule: 'source is how the request was made, which is always api. The numbers are in the order of the request. outcome stays null for a remediation that failed or was cancelled.',
  },
  list_remediations: {
    default: 'data and meta, newest first',
    words: 'method, body and response shapes are not shown: […] the list of reputation data',
    rule: 'GET /v1/caller-trust/reputation/remediations lists the remediations of the organization.',
  },
  reputation_numbers: {
    default: 'phone_number_id, phone_number, spam_risk, spam_score, enrolled_at, last_checked_at, own_brand',
    words: 'method, body and response shapes are not shown: […] the list of reputation data',
    rule: 'GET /v1/caller-trust/reputation/numbers lists every phone number, oldest first. last_checked_at follows from check_frequency. The risk is low, medium or high, and unknown until the number is enrolled.',
  },
  display_identities: {
    default: 'display_name (35 characters), 1 to 10 call_reasons (64 characters each), logo_document_id',
    words: 'Once `APPROVED`, the Display Identity Record becomes eligible for submission under Branded Calling.',
    rule: 'GET and POST /v1/caller-trust/display-identities. Without an APPROVED enterprise, POST is 409. A call has no field for what its recipient sees: rcd_display_name and rcd_status of its caller ID say it, and logo_document_id of the identity names the logo.',
  },
  display_logo: {
    default: 'an uncompressed BMP of exactly 256 by 256 pixels, with at most 32 bits per pixel and 1,000,000 bytes',
    words: 'Branded Calling (name, logo, call reason shown on screen)',
    rule: 'logo_document_id names a verified document (404 if it does not exist, 409 if it is not verified) that is such an image, whatever its declared content type; any other is 400. The display identity carries it; caller IDs show only the name and its status.',
  },
  disabled_agent: {
    default: 409,
    allowed: [409, 'accepted'],
    words: '`enabled`: boolean',
    rule: 'A call with a disabled agent: a web call, a room token, POST /v1/calls, a job, and an inbound call to its number. 409: it is refused with conflict. accepted: it is placed as if the agent were enabled.',
  },
  join_tokens: {
    default: 'HS256, issuer sandbox_join_key',
    words: '`token` (string) […] `expires_in` (integer)',
    rule: "A JWT with LiveKit's claims (iss, sub, nbf, exp, video.roomJoin, video.room), signed with the published key sandbox_join_secret_for_browser_calls, or on a server with a control token or --secret with a key of its own. An idempotent replay signs it again.",
  },
  join_token_seconds: {
    default: 21600,
    allowed: { minimum: 60, maximum: 604800 },
    words: '`expires_in` (integer)',
    rule: 'How long the token of a web call, a room or WebRTC is valid.',
  },
  token_clock: {
    default: 'machine',
    allowed: ['machine', 'world'],
    words: '`token` (string) […] `expires_in` (integer)',
    rule: 'The clock by which join tokens and client tokens are issued and expire: that of the machine, by which client libraries check them, or that of the world, which tests can advance.',
  },
  room_url: {
    default: 'ws://{this server}/rooms/{room_name}',
    words: '`room_url` (string)',
    rule: 'A WebSocket of this server. It takes the token as access_token or token in the query, or as a Bearer token, and refuses any other. It reports who is in the room, and what is said there as text; it carries no audio.',
  },
  ice_servers: {
    default: 'a STUN and a TURN address at the host of this server',
    words: '`ice_servers` (array; item shape not shown)',
    rule: 'Items are RTCIceServer objects (urls, and for TURN username and credential, which expire with the token). Nothing listens at these addresses: no media leaves this machine.',
  },
  usage_rollup: {
    default: "calendar month in UTC on the world's clock",
    words: '`GET /v1/usage`: Usage rollup for the current month',
    rule: 'period_end is the first instant of the next month. calls_placed counts outbound calls placed since period_start, whatever their outcome. minutes_used counts the talk time of ended calls in both directions that started since then. The spam risk of a number is unknown until it is enrolled in monitoring.',
  },
  umbrella_usage: {
    default: 'own',
    allowed: ['own', 'with_children'],
    words: 'Counts aggregate over all numbers the key can see.',
    rule: 'own: GET /v1/usage counts the numbers and calls of the organization of the key, because a key of an umbrella does not see those of its sub-entities. with_children: that of an umbrella counts its sub-entities too. The usage of a sub-entity is its own in either case.',
  },
  usage_minutes: {
    default: 'per_call',
    allowed: ['per_call', 'total'],
    words: '`minutes_used`: integer',
    rule: 'per_call: the talk time of each call is rounded up to minutes. total: the talk time of all calls together is.',
  },
  list_sub_entities: {
    default: 'data and meta, newest first',
    words: '`sub_entities:read`: list sub-entities; method, body and response shapes are not shown',
    rule: "GET /v1/sub-entities lists the child organizations of an umbrella organization, with the same meta as lists of calls. member_count is the child's number of users, phone_number_count its numbers without released ones.",
  },
  create_sub_entity: {
    default: 'POST /v1/sub-entities with name and optionally hipaa_enabled; 201 with the sub-entity',
    words: '`sub_entities:write`: create sub-entities; method, body and response shapes are not shown',
    rule: 'The slug is made from the name, with a number appended if it is taken. The child gets the plan of its umbrella, and the calling rules of the world hold for it too. Sending hipaa_enabled, whatever its value, needs compliance:write.',
  },
  update_sub_entity: {
    default: 'PATCH /v1/sub-entities/{id} with any of name and hipaa_enabled',
    words: 'update sub-entities (including the HIPAA mode change)',
    rule: 'Sending hipaa_enabled, whatever its value, needs compliance:write in addition to sub_entities:write. While it is true, the call-content policy applies to the child. It also applies, whatever the mode of the child, while the umbrella is in HIPAA mode; hipaa_enabled shows the own mode of the child. The slug does not change.',
  },
  forbidden: {
    default: 403,
    allowed: [403, 404],
    words: '`forbidden`: key has no access to the resource',
    rule: 'A child organization is not an umbrella organization, so its keys are refused all operations on sub-entities: 403 forbidden, or 404 not_found.',
  },
  create_call: {
    default: 'POST /v1/calls with agent_id, to_number and from_number; same response as a dial',
    words: 'The full field set of GET /v1/calls/{id} and of the response to POST /v1/calls: not shown.',
    rule: "Without from_number, the call comes from the agent's number if it is usable, otherwise from the first usable phone number of the account, otherwise it is 409 no_active_number. A number with a free line comes before one without. The transcript uses the agent's configuration at the time the call was placed. Agents of either agent_type can call.",
  },
  jobs: {
    default: 'agent_id and one of contact_ids and to_numbers (1 to 5000); name, from_number and concurrency',
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'A job is an outbound campaign: GET and POST /v1/jobs, GET /v1/jobs/{id}, and POST pause, resume and cancel. Its number is chosen as for POST /v1/calls when the job is created. A number in to_numbers that cannot be dialed is 400, whereas a contact with such a number is refused when its turn comes. Progress counts its contacts: pending, in_progress, completed, and the outcomes of completed ones. campaign_id of a subscription is the id of a job. All jobs of a world together hold at most 100,000 contacts; a job beyond that is 409.',
  },
  job_states: {
    default: 'queued, running, paused, completed, canceled',
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'A queued or running job can be paused, a paused one resumed, and any of the three canceled; otherwise 409. Contacts that were not called before the cancellation stay pending.',
  },
  paused_jobs: {
    default: 'calls in progress go on; no call is placed',
    words: '`jobs:read`, `jobs:write`: read / create and manage jobs',
    rule: 'While a job is paused, its calls go on and finish their contacts. Contacts that wait for a calling rule or a retry become due, and are called when the job is resumed. It continues where it stopped, with the scenario and settings of that moment.',
  },
  job_disturbances: {
    default: 'contacts are refused one by one',
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'A running job does not stop when its agent is disabled or its number is released or no longer verified: each contact that comes up ends with the outcome refused and the error code. Deleting a contact or changing its number does not change the list.',
  },
  job_cancellation: {
    default: 'calls_continue',
    allowed: ['calls_continue', 'hangup'],
    words: '`jobs:read`, `jobs:write`: read / create and manage jobs',
    rule: 'Calls in progress when a job is canceled go on, or are hung up.',
  },
  job_concurrency: {
    default: 5,
    allowed: { minimum: 1, maximum: 100 },
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'The number of calls that a job has in progress at once unless it says otherwise.',
  },
  job_dialling: {
    default: 'waits for capacity and calling rules; tries other temporary refusals again',
    words: '`workflow_contact_completed`: a contact finished a workflow',
    rule: 'A job calls like POST /v1/calls, by active scenario, magic number or default. If all lines are busy, it tries again after 1 s, then after 2, 4, 8, 16, 32 and every 60 s, and on a fast clock after 100 ms of real time at least. Outside the calling window, on a day that is not permitted, or after the maximum number of calls of a day, it calls when the window opens next. Other retryable refusals are tried again after 60 s. A contact that is refused for good ends with the outcome refused and the error code, without a call. Every contact that has ended emits workflow_contact_completed; contacts of a canceled job that were never called do not.',
  },
  job_attempts: {
    default: 3,
    allowed: { minimum: 1, maximum: 100 },
    words: 'Client libraries treat `429` and `5xx` as retryable.',
    rule: 'How often a job tries to call a contact while a scenario refuses the call with a retryable error.',
  },
  webrtc_token: {
    default: 'token, room_url, room_name, expires_in, identity, ice_servers',
    words: 'method, body and response shapes are not shown: […] `POST /v1/webrtc-token`',
    rule: 'A join token for a room of its own, without an agent.',
  },
  room_token: {
    default: 'agent_id; responds with a browser call session',
    words: 'An agent `id` is used as `agent_id` on `POST /v1/calls` and `POST /v1/room-token`.',
    rule: 'The same as a web call, but with the scope voice:write.',
  },
  client_tokens: {
    default: 'scopes and expires_in (1 to 86400 seconds)',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'A JWT (HS256, issuer sandbox_client_key) that works as a Bearer key until it expires. It has some scopes of the key that minted it, by default all except tokens:mint; a scope that the key lacks is scope_missing. One that a client token mints has no more scopes and expires no later. Its requests count toward the rate limit of that key, and it becomes invalid when the key is revoked. A world keeps its newest 10,000 tokens. An idempotent replay signs it again.',
  },
  client_token_seconds: {
    default: 900,
    allowed: { minimum: 1, maximum: 86400 },
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'How long a client token is valid unless the request says otherwise.',
  },
  lead_intake: {
    default: 'POST /v1/leads/{url_token} with the header X-Source-Secret; 201 with the contact',
    words:
      'Lead intake endpoints do not use API keys. Each lead source has its own rotatable URL token and source secret.',
    rule: 'An unknown URL token is 404, and a missing or wrong secret is 401; both are checked where other operations check the API key. No scope is needed. Each URL token has a rate window of its own. name, phone_number (E.164), email and metadata are optional. The contact has the status active and the source lead. POST /_sandbox/lead-sources/{id}/rotate rotates the token and the secret.',
  },
  retired_status: {
    default: 404,
    allowed: [404, 410],
    words:
      'The retired workflow endpoints (`/v1/workflows`, `/v1/workflows/{id}/enroll`, `/v1/workflow_contacts`) are unavailable.',
    rule: 'The status of a retired endpoint, whatever the method and the key; the code is not_found.',
  },
  contact_metadata: {
    default: 'an object, or null',
    words: '`metadata`: type not shown (may be null)',
    rule: 'The metadata of a contact is a JSON object with up to 1,000 names, those of the objects in it included; one with more is 400.',
  },
  contact_fields: {
    default: 'status active; source manual, lead, simulated or what a fixture says',
    words: '`id`, `name`, `phone_number`, `email`, `status`, `source`, `created_at`, `updated_at` are strings.',
    rule: 'Both are free texts. Contacts come from fixtures, lead sources and the control API; calls and messages create none.',
  },
  appointment_fields: {
    default: 'status confirmed, canceled, completed or no_show; event_type appointment; scheduling_option phone',
    words: '`status`, `event_type`, `scheduling_option`, `notes`, `created_at`. All are strings.',
    rule: 'All three are free texts; these are the values that bundled fixtures and the control API use. timezone is an IANA time zone; start_time and end_time are UTC all the same. An appointment stays as it was booked.',
  },
  account_fields: {
    default: 'plan as the fixture says; one user',
    words: 'Account snapshot (plan tier, footprint counts)',
    rule: 'An account has one user, to whom all of its keys and those of its sub-entities belong. footprint counts the numbers that are not released. own_brand_enterprise is true while the enterprise is APPROVED.',
  },
  agent_changes: {
    default: 'from the next call on',
    words: 'Changes are synced to the voice runtime so the next call uses them.',
    rule: 'A call keeps the configuration that its agent had when the call was placed. An agent with an empty greeting waits for the other party to speak. Agents come from fixtures; no operation creates or deletes one.',
  },
  concurrent_calls: {
    default: 100,
    allowed: { minimum: 1, maximum: 1_000_000 },
    words: "set by the account's provisioned call capacity […]; the number: not shown",
    rule: 'The number of calls in progress in a world, unless --concurrent-calls sets another default. The next dial is 429 rate_limited with category account_limit. So is one from a number whose own lines (max_calls in a fixture) are all busy, while another usable phone number is free; when none is, it is no_number_available.',
  },
  included_minutes: {
    default: 'unlimited',
    allowed: { minimum: 0, maximum: 1_000_000, or: 'unlimited' },
    words: '`voice_usage_exhausted`: included calling minutes used up',
    rule: 'The minutes a month that the plan of each organization includes. Once minutes_used of GET /v1/usage (its own, without those of sub-entities) has reached them, POST /v1/calls/dial and POST /v1/calls are 402 voice_usage_exhausted until the next month, after the calling rules and before the caps, and a job refuses its contacts. Calls in progress go on, and use up more; inbound calls are never refused.',
  },
  account_subscription: {
    default: 'active',
    allowed: ['active', 'ended'],
    words: '`no_active_subscription`: no active subscription',
    rule: 'ended: POST /v1/calls/dial and POST /v1/calls are 402 no_active_subscription, before the included minutes are checked; a job refuses its contacts. All else still works, and the account shows the same plan.',
  },
  idempotency: {
    default: 'organization, method, path and key; successes only',
    words: 'The same key already succeeded with a different body gives `409` `idempotency_conflict`.',
    rule: 'Bodies are compared as JSON regardless of the order of fields, without control headers. A repeated request waits while the first one is running. GET ignores the key. A world keeps 100,000 responses, fewer if memory is short; beyond that, the oldest are deleted first.',
  },
  idempotency_hours: {
    default: 24,
    allowed: { minimum: 1, maximum: 8760 },
    words: 'a repeated submission with the same key is de-duplicated',
    rule: 'How long a response is kept under its idempotency key, in hours on the clock of the world.',
  },
  idempotency_key_form: {
    default: 'uuid',
    allowed: ['uuid', 'any'],
    words: 'Optional header `Idempotency-Key` (UUID)',
    rule: 'uuid: a key is a bare or quoted UUID, regardless of case; any other is 400. any: any text of up to 255 characters.',
  },
  body_limits: {
    default: '256 KiB; documents 28 MiB, which is 20 MiB after decoding',
    words: 'size limits of uploaded documents: not shown',
    rule: 'A larger body, or a larger document in it, is 413 payload_too_large. The texts of an agent have up to 65,536 characters, the system prompt up to 131,072; longer ones are 400.',
  },
  delivery_policy: {
    default: 'once',
    allowed: ['once', 'short', 'standard'],
    words: 'Retry policy, delivery time-out and ordering guarantees: not shown.',
    rule: 'How often a delivery that fails is attempted. once: a single time. short: up to 3 more times, after 5 s, 15 s and 40 s. standard: up to 8 more times over a day, after 5 s, 5 min, 30 min, 2 h, 3 h, 4 h, 6 h and 8 h. Retries run on the clock of the world and do not hold up later deliveries. Redirects are not followed. Deliveries of a subscription are sent one at a time, in order; so is what one receiver gets about one record.',
  },
  delivery_timeout: {
    default: 10000,
    allowed: { minimum: 1_000, maximum: 60_000 },
    words: 'Retry policy, delivery time-out and ordering guarantees: not shown.',
    rule: 'How long an attempt waits for the response of the receiver, in milliseconds of real time, to about a second. Connecting may take 3 s; all of it together 5 s more than this.',
  },
  delivery_success: {
    default: 'any 2xx',
    words: 'the receiver returns a `2xx` quickly',
    rule: 'A redirect or any other status is a failure, and so is a response that does not end in time. What it says is recorded and has no effect.',
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionName = keyof typeof assumptions;
export const assumptionNames: readonly AssumptionName[] = keysOf(assumptions);

type Rows = typeof assumptions;

/** The assumptions that a world can set. */
export type SettableName = {
  [Name in AssumptionName]: Rows[Name] extends { readonly allowed: unknown } ? Name : never;
}[AssumptionName];

/** The values that an assumption can have: those that it allows, or any number in its range. */
export type ValueOf<Name extends SettableName> = Rows[Name]['allowed'] extends readonly (infer Value)[]
  ? Value
  : Rows[Name]['allowed'] extends { readonly or: infer Other }
    ? number | Other
    : number;

/** The values that a world or its fixture has set. */
export type AssumptionValues = { readonly [Name in SettableName]?: ValueOf<Name> };

/** The value in a world: its own, or the default of the ledger. */
export function assumed<Name extends SettableName>(values: AssumptionValues, name: Name): ValueOf<Name> {
  const own: ValueOf<Name> | undefined = values[name];
  // The default of an assumption that can be set is one of its allowed values; a test checks that.
  return own ?? (assumptions[name].default as ValueOf<Name>);
}
