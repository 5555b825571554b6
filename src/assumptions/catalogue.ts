// The assumption ledger: Ringback's choice for everything that `spec.md` leaves open ("not shown"), with the words that it
// replaces. Those with `allowed` can be set in a fixture file and per world. `x-assumed` in `openapi.yaml` marks their use.
import { keysOf } from '../typed-keys.ts';

export interface Assumption {
  /** The choice unless a world sets another: a value if it can be set, otherwise a description. */
  readonly default: string | number;
  /** The values that it can be set to; absent if it cannot be set. */
  readonly allowed?: readonly (string | number)[] | { readonly minimum: number; readonly maximum: number };
  /** The words of the specification that it replaces. */
  readonly words: string;
  readonly rule: string;
}

export const assumptions = {
  timestamps: {
    default: 'ISO 8601 UTC, milliseconds, Z',
    words: 'Timestamp format in responses: not shown.',
    rule: 'Every timestamp in a response or payload is ISO 8601 in UTC with milliseconds and a trailing Z.',
  },
  extra_error_codes: {
    default: 'conflict, method_not_allowed, payload_too_large, unsupported_media_type, headers_too_large',
    words: 'Per-endpoint error statuses for the other endpoints: not shown.',
    rule: '409 conflict for an object in the wrong state, and 405, 413, 415 and 431 have codes of their own in addition to the 35.',
  },
  success_statuses: {
    default: '201 for a new record, 202 for accepted work, 204 for a deleted subscription, otherwise 200',
    words: 'Per-endpoint error statuses for the other endpoints: not shown.',
    rule: 'The success statuses that the specification does not name. A web call creates a room and a token, so it responds 201.',
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
  call_fields: {
    default: 'the fields about the end are present and null until then; started_at is when the call was placed',
    words: 'The full field set of GET /v1/calls/{id} and of the response to POST /v1/calls: not shown.',
    rule: 'call_outcome is answered, busy, no_answer, voicemail, failed or canceled. duration_seconds counts from the answer and is 0 for a call that no one answered. direction is inbound or outbound, as is agent_type.',
  },
  hangup_status: {
    default: 'COMPLETED if answered, otherwise CANCELED; a call that has ended keeps its status',
    words: 'Call states other than these four, and the status set by hangup: not shown.',
    rule: 'A call that is hung up before it was answered emits no disposition event.',
  },
  dial_response_envelope: {
    default: 'flat',
    allowed: ['flat', 'data'],
    words: '`202` with `call_id` and `status` `QUEUED`',
    rule: 'Whether the response to a dial is the object itself (flat) or has it under `data`.',
  },
  event_payloads: {
    default: 'exactly the fields that the specification lists; id is the id of the call or message',
    words:
      'Payloads of `new_call`, `call_completed`, `contact_replied`, `contact_created`, `new_appointment`, `workflow_contact_completed`, `phone_call.ended`, `enterprise.status.updated` […]: not shown.',
    rule: 'new_call, call_completed and phone_call.ended have the call disposition shape, with duration_seconds null until the call has ended; created_at is when the call was placed. contact_replied has the SMS shape. texting_registration_status_changed has registration (id, type), status, reasons and texting_enabled_numbers. contact_created, new_appointment and enterprise.status.updated have the resource. workflow_contact_completed has job, contact, number, outcome, call and failure code. All except number lifecycle events are flat and unsigned.',
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
    default: 'flat: id, webhook_url, event_type and the other fields that were sent; no secret',
    words: 'body with `id`',
    rule: 'The response that creates a subscription, and the items of their list.',
  },
  list_webhook_subscriptions: {
    default: 'data and meta, newest first',
    words: '`webhooks:read` — list',
    rule: 'GET /api/v1/webhook_subscriptions lists the subscriptions of the organization.',
  },
  unknown_body_fields: {
    default: 'accepted and ignored if the specification does not show the whole body, otherwise 400',
    words: 'Other body fields: not shown.',
    rule: 'A body is a JSON object, even if it is optional or has no fields (submit, generate-loa, webrtc-token, client-tokens). Operations without a body (GET, DELETE, web-call, hangup, pause, resume, cancel) ignore one without reading it. Unknown query parameters are 400. In a POST or PUT, an optional field that is null, or an optional list that is empty, counts as not sent.',
  },
  me: {
    default: 'user, organization, scopes',
    words: "authenticated user and the key's scopes; shape not shown",
    rule: 'The response of GET /v1/me.',
  },
  paging: {
    default: 'cursor and page_size (1 to 100, default 25)',
    words: 'Query parameters for paging and filtering of list endpoints: not shown.',
    rule: 'The cursor of the last page is null. Lists of caller IDs have the same meta as lists of agents. Agents, phone numbers and caller IDs are listed oldest first.',
  },
  transcript_absent: {
    default: 404,
    words: 'GET /v1/calls/{id}/transcript',
    rule: 'A call without a transcript responds 404 not_found.',
  },
  create_caller_id: {
    default: 'POST /v1/caller-ids with phone_number; 201 with the caller ID',
    words: 'The state names and transitions of a caller ID before `VERIFIED`: not shown.',
    rule: 'Adds a number and starts its verification call. Only a number that can be called can become a caller ID: short codes, emergency and special-service numbers are 400. A phone number that another organization of the world holds, such as a sub-entity, is 409.',
  },
  caller_id_states: {
    default: 'PENDING_VERIFICATION, VERIFIED, REVOKED',
    words: 'The state names and transitions of a caller ID before `VERIFIED`: not shown.',
    rule: 'A wrong or expired code (10 minutes, 5 attempts) is 200 with verified false. Verifying a verified caller ID is 200 with verified true. POST /v1/caller-ids verifies a revoked one again, with the same id and a new code. A second DELETE is 200.',
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
    default: 'none, pending, approved, rejected',
    words: 'example value `approved`; other values: not shown',
    rule: 'The values of texting_status on phone numbers.',
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
    rule: 'DELETE /v1/phone-numbers/{id} responds 200 with the number, which is no longer active, enrolled or able to send messages. It leaves the list, its caller ID is revoked and its agent has no number; calls and messages stay readable. A second DELETE is 200. For a number that is released while it is provisioning, number_released is not sent, as number_purchased was not.',
  },
  set_cnam: {
    default: 'PUT /v1/phone-numbers/{id}/cnam with cnam_display_name; 200 with the number, pending',
    words: 'method, body and response shapes are not shown: […] CNAM setting',
    rule: 'The name has 1 to 15 letters, digits, periods, commas and spaces, starting with a letter. A prohibited term (such as FBI, Police, Government, Medicare) or a generic name (such as Unknown, Wireless Caller) is 400. The name is approved 60 s later and shows on the number and on its caller ID; a new name replaces it. A released number is 409.',
  },
  message_fields: {
    default: 'the fields of the outbound SMS event, and body',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'GET /v1/sms lists both directions, newest first. phone_number is the recipient, from_number the sender. contact_token identifies the other party and is the same in all messages with it. provider_id is null until the carrier accepts the message. channel is sms.',
  },
  message_status: {
    default: 'accepted, sent, delivered, undelivered, failed, received',
    words: '`status` (for example `delivered`)',
    rule: 'An outbound message is accepted, then sent (sms_sent), then delivered (sms_delivered), undelivered or failed (sms_failed for both; the bundled scenarios use failed). An inbound message is received (contact_replied).',
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
    default: 'business_daily, daily, weekly, biweekly, monthly, never',
    words: '`reputation`: `check_frequency` (string)',
    rule: 'The values of reputation.check_frequency of an enterprise.',
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
    default: 'legal_name; dba, ein, website, address and contact are optional',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'The body of POST and PATCH /v1/caller-trust/enterprise. Details that the enterprise does not show appear in the LOA.',
  },
  enterprise_absent: {
    default: 404,
    words: 'none; query and response shape: not shown',
    rule: 'Without an enterprise, GET, PATCH, generate-loa, submit and sign-and-submit are 404. A second POST is 409. Submitting does not require generate-loa first.',
  },
  generate_loa: {
    default: '201 with the document, whose id the enterprise then shows as loa_document_id',
    words: 'body not shown […] response shape not shown',
    rule: 'Generates the unsigned LOA of a draft or rejected enterprise as a PDF; 409 in any other state.',
  },
  submit_enterprise: {
    default: 'loa_document_id is optional; 200 with the enterprise',
    words: 'for an LOA signed out of band; body not shown; response shape not shown',
    rule: 'loa_document_id names a verified document (404 if it does not exist, 409 if it is not verified). Without it, the LOA that was generated since the last PATCH is used, or a new one is generated.',
  },
  resubmission: {
    default: 'DRAFT or REJECTED to PENDING_VETTING',
    words:
      'The target state of `POST /v1/caller-trust/enterprise/submit`, and of resubmission after `REJECTED`: not shown.',
    rule: 'PATCH changes a DRAFT or REJECTED enterprise. Both submit operations lead from either state to PENDING_VETTING; any other state is 409. The carrier enterprise record is kept.',
  },
  consent_time: {
    default: 'optional fraction, Z, any valid calendar date',
    words: 'ISO 8601 UTC date-time ending in `Z` (valid calendar dates only)',
    rule: 'The form of consent_acknowledged_at, which may be in the past or the future. Years are 0001 to 9999; leap seconds (:60) are refused.',
  },
  blank_texts: {
    default: 400,
    words: '`signer_full_name` length 2 to 255 characters; `signer_title` length 1 to 255 characters',
    rule: 'A name, title, file name, call reason, use case or message must not be white space only; optional fields take null instead. The name and texts of an agent may be empty, and a lead is stored as sent.',
  },
  enterprise_events: {
    default: 'on APPROVED and on REJECTED',
    words: '`enterprise.status.updated` (enterprise vetting status change)',
    rule: 'enterprise.status.updated is sent when vetting decides, not when the customer submits.',
  },
  remediation_status: {
    default: 'pending, in_progress, completed, failed, cancelled',
    words: 'Status values and transitions: not shown.',
    rule: 'The values of the status of a remediation. The bundled scenarios go from pending over in_progress to completed.',
  },
  billed_amount: {
    default: '1500 for a number that was remediated, otherwise 0',
    words: '`billed_amount_dc` (integer)',
    rule: 'The price of each number of a remediation; 0 until processing is complete.',
  },
  create_remediation: {
    default: 'POST /v1/caller-trust/reputation/remediations with 1 to 2000 phone_numbers; 202 with the remediation',
    words: "disputing or fixing spam labels under the customer's own entity […] needs the registered enterprise",
    rule: 'Without an APPROVED enterprise it is 409. A number that the organization does not have is 404; a number in another remediation that has not ended is 409. A remediated number has the spam risk low.',
  },
  list_remediations: {
    default: 'data and meta, newest first',
    words: 'method, body and response shapes are not shown: […] the list of reputation data',
    rule: 'GET /v1/caller-trust/reputation/remediations lists the remediations of the organization.',
  },
  reputation_numbers: {
    default: 'phone_number_id, phone_number, spam_risk, spam_score, enrolled_at, own_brand',
    words: 'method, body and response shapes are not shown: […] the list of reputation data',
    rule: 'GET /v1/caller-trust/reputation/numbers lists every phone number, oldest first. The risk is low, medium or high, and unknown until the number is enrolled.',
  },
  display_identities: {
    default: 'display_name (35 characters), 1 to 10 call_reasons (64 characters each), logo_document_id',
    words: 'Once `APPROVED`, the Display Identity Record becomes eligible for submission under Branded Calling.',
    rule: 'GET and POST /v1/caller-trust/display-identities. Without an APPROVED enterprise, POST is 409.',
  },
  display_logo: {
    default: 'an uncompressed BMP of exactly 256 by 256 pixels, with at most 32 bits per pixel and 1,000,000 bytes',
    words: 'Branded Calling (name, logo, call reason shown on screen)',
    rule: 'logo_document_id names a verified document (404 if it does not exist, 409 if it is not verified) that is such an image, whatever its declared content type; any other is 400. The display identity carries it; caller IDs show only the name and its status.',
  },
  disabled_agent: {
    default: 409,
    words: '`enabled`: boolean',
    rule: 'A call with a disabled agent is 409 conflict: a web call, a room token, POST /v1/calls, a job, and an inbound call to its number.',
  },
  join_tokens: {
    default: 'HS256, issuer sandbox_join_key, 6 hours in real time',
    words: '`token` (string) […] `expires_in` (integer)',
    rule: "A JWT with LiveKit's claims (iss, sub, nbf, exp, video.roomJoin, video.room), signed with the published key sandbox_join_secret_for_browser_calls. An idempotent replay signs it again.",
  },
  room_url: {
    default: 'ws://{this server}/rooms/{room_name}',
    words: '`room_url` (string)',
    rule: 'A WebSocket of this server. It takes the token as access_token or token in the query, or as a Bearer token, and refuses any other. It reports who is in the room; it carries no audio.',
  },
  ice_servers: {
    default: 'a STUN and a TURN address at the host of this server',
    words: '`ice_servers` (array; item shape not shown)',
    rule: 'Items are RTCIceServer objects (urls, and for TURN username and credential, which expire with the token). Nothing listens at these addresses: no media leaves this machine.',
  },
  usage_rollup: {
    default: "calendar month in UTC on the world's clock; minutes are rounded up per call",
    words: '`GET /v1/usage`: Usage rollup for the current month',
    rule: 'period_end is the first instant of the next month. calls_placed counts outbound calls placed since period_start, whatever their outcome. minutes_used counts the talk time of ended calls in both directions that started since then. The spam risk of a number is unknown until it is enrolled in monitoring.',
  },
  umbrella_usage: {
    default: 'own',
    allowed: ['own', 'with_children'],
    words: 'Counts aggregate over all numbers the key can see.',
    rule: 'own: GET /v1/usage counts the numbers and calls of the organization of the key, because a key of an umbrella does not see those of its sub-entities. with_children: that of an umbrella counts its sub-entities too. The usage of a sub-entity is its own in either case.',
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
    words: '`forbidden`: key has no access to the resource',
    rule: 'A child organization is not an umbrella organization, so its keys are refused all operations on sub-entities.',
  },
  create_call: {
    default: 'POST /v1/calls with agent_id, to_number and from_number; same response as a dial',
    words: 'The full field set of GET /v1/calls/{id} and of the response to POST /v1/calls: not shown.',
    rule: "Without from_number, the call comes from the agent's number if it is usable, otherwise from the first usable phone number of the account, otherwise it is 409 no_active_number. A number with a free line comes before one without. The transcript uses the agent's configuration at the time the call was placed. Agents of either agent_type can call.",
  },
  jobs: {
    default:
      'agent_id and one of contact_ids and to_numbers (1 to 5000); name, from_number and concurrency (default 5)',
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'A job is an outbound campaign: GET and POST /v1/jobs, GET /v1/jobs/{id}, and POST pause, resume and cancel. Its number is chosen as for POST /v1/calls when the job is created. Progress counts its contacts: pending, in_progress, completed, and the outcomes of completed ones. campaign_id of a subscription is the id of a job. All jobs of a world together hold at most 100,000 contacts; a job beyond that is 409.',
  },
  job_states: {
    default: 'queued, running, paused, completed, canceled',
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'A queued or running job can be paused, a paused one resumed, and any of the three canceled; otherwise 409. Calls in progress continue. Contacts that were not called before the cancellation stay pending.',
  },
  job_dialling: {
    default: 'waits for capacity and calling rules; tries other temporary refusals three times',
    words: '`workflow_contact_completed`: a contact finished a workflow',
    rule: 'A job calls like POST /v1/calls, by active scenario, magic number or default. If all lines are busy, it tries again after 1 s. Outside the calling window, on a day that is not permitted, or after the maximum number of calls of a day, it calls when the window opens next. Other retryable refusals are retried after 60 s, up to three tries. A contact that is refused for good ends with the outcome refused and the error code, without a call. Every contact that has ended emits workflow_contact_completed; contacts of a canceled job that were never called do not.',
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
    default: 'scopes and expires_in (1 to 86400 seconds, default 900)',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'A JWT (HS256, issuer sandbox_client_key) that works as a Bearer key until it expires in real time. It has some scopes of the key that minted it, by default all except tokens:mint; a scope that the key lacks is scope_missing. Its requests count toward the rate limit of that key, and it becomes invalid when the key is revoked. A world keeps its newest 10,000 tokens. An idempotent replay signs it again.',
  },
  lead_intake: {
    default: 'POST /v1/leads/{url_token} with the header X-Source-Secret; 201 with the contact',
    words:
      'Lead intake endpoints do not use API keys. Each lead source has its own rotatable URL token and source secret.',
    rule: 'An unknown URL token is 404, and a missing or wrong secret is 401; both are checked where other operations check the API key. No scope is needed. Each URL token has a rate window of its own. name, phone_number (E.164), email and metadata are optional. The contact has the status active and the source lead. POST /_sandbox/lead-sources/{id}/rotate rotates the token and the secret.',
  },
  retired_status: {
    default: '404 not_found',
    words:
      'The retired workflow endpoints (`/v1/workflows`, `/v1/workflows/{id}/enroll`, `/v1/workflow_contacts`) are unavailable.',
    rule: 'The response of a retired endpoint, whatever the method and the key.',
  },
  contact_metadata: {
    default: 'an object, or null',
    words: '`metadata`: type not shown (may be null)',
    rule: 'The metadata of a contact is a JSON object.',
  },
  concurrent_calls: {
    default: 100,
    allowed: { minimum: 1, maximum: 1_000_000 },
    words: "set by the account's provisioned call capacity […]; the number: not shown",
    rule: 'The number of calls in progress in a world, unless --concurrent-calls sets another default. The next dial is 429 rate_limited with category account_limit. So is one from a number whose own lines (max_calls in a fixture) are all busy, while another usable phone number is free; when none is, it is no_number_available.',
  },
  idempotency: {
    default: 'organization, method, path and key; 24 hours; successes only',
    words: 'The same key already succeeded with a different body gives `409` `idempotency_conflict`.',
    rule: 'The key is a bare or quoted UUID; otherwise 400. Bodies are compared as JSON regardless of the order of fields, without control headers. A repeated request waits while the first one is running. GET ignores the key. A world keeps 100,000 responses and 64 MiB of them; beyond that, the oldest are deleted first.',
  },
  body_limits: {
    default: '256 KiB; documents 28 MiB, which is 20 MiB after decoding',
    words: 'size limits of uploaded documents: not shown',
    rule: 'A larger body, or a larger document in it, is 413 payload_too_large. The texts of an agent have up to 65,536 characters, the system prompt up to 131,072; longer ones are 400.',
  },
  delivery_policy: {
    default:
      'one attempt, no retry, no redirects; timeouts: connect 3 s, response 10 s, total 15 s; in order per subscription',
    words: 'Retry policy, delivery time-out and ordering guarantees: not shown.',
    rule: 'How webhooks are delivered.',
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionName = keyof typeof assumptions;
export const assumptionNames: readonly AssumptionName[] = keysOf(assumptions);
const rows: ReadonlyMap<string, Assumption> = new Map(Object.entries(assumptions));

/** The values that a world or its fixture has set. */
export type AssumptionValues = Readonly<Partial<Record<AssumptionName, string | number>>>;

/** The value in a world: its own, or the default of the ledger. */
export function assumed(values: AssumptionValues, name: AssumptionName): string | number {
  return values[name] ?? assumptions[name].default;
}

/** Parses a value for an assumption: the value as it is stored, or a sentence about what is allowed. */
export function readAssumption(name: string, value: unknown): { value: string | number } | { problem: string } {
  const row = rows.get(name);
  if (!row) return { problem: `is not an assumption; allowed: ${assumptionNames.join(', ')}` };
  const { allowed } = row;
  if (!allowed) return { problem: 'this assumption cannot be set' };
  if ('minimum' in allowed) {
    const fits = Number.isInteger(value) && Number(value) >= allowed.minimum && Number(value) <= allowed.maximum;
    return fits
      ? { value: Number(value) }
      : { problem: `must be an integer from ${allowed.minimum} to ${allowed.maximum}` };
  }
  const found = allowed.find((candidate) => String(candidate) === String(value));
  return found === undefined ? { problem: `must be one of ${allowed.join(', ')}` } : { value: found };
}
