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
    rule: 'Statuses of success that the specification does not name. A web call makes a room and a token: 201.',
  },
  operation_scopes: {
    default:
      'dial: calls:write or voice:write; calls: calls:read or voice:read; caller IDs and caller trust: caller_trust; web call: agents:write; usage: usage:read or voice:read; room token: voice:write; contacts: account:read',
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
    rule: 'new_call, call_completed and phone_call.ended take the call disposition shape, with duration_seconds null until the call has ended; created_at is when the call was placed; contact_replied takes the SMS shape; texting_registration_status_changed carries registration (id, type), status, reasons and texting_enabled_numbers; contact_created, new_appointment and enterprise.status.updated carry the resource; workflow_contact_completed carries job, contact, number, outcome, call and failure code; all but number lifecycle are flat and unsigned.',
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
    rule: 'Both can be subscribed to; phone_call.ended comes at the end of every call, one that came in included; the upper-case spelling of the texting event is refused with a suggestion.',
  },
  subscription_filters: {
    default: 'campaign_id narrows to calls and contacts of that job; workflow_id is stored and shown only',
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
    rule: 'A body is a JSON object, also where it may be left out or has no field (submit, generate-loa, webrtc-token, client-tokens). On an operation without one (GET, DELETE, web-call, hangup, pause, resume, cancel) it is ignored unread. Unknown query parameters are 400.',
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
    rule: 'The values of cnam_status on numbers and caller IDs. They speak of the name that was set last, even a rejected one: nothing else tells of the rejection.',
  },
  rcd_status: {
    default: 'null, pending, approved, rejected',
    words: 'rcd_status: string',
    rule: 'The values of rcd_status on caller IDs; the newest display identity that was not rejected shows on every verified one, pending at first and approved 60 s later, so that after a rejection what was approved before shows again; where all were rejected, the newest.',
  },
  texting_status: {
    default: 'none, pending, approved, rejected',
    words: 'example value `approved`; other values: not shown',
    rule: 'The values of texting_status on phone numbers.',
  },
  available_numbers: {
    default: '555-0150 to 555-0169 of every geographic area code of the United States, save those that are taken',
    words: 'method, body and response shapes are not shown: […] phone-number provisioning and configuration',
    rule: "GET /v1/phone-numbers/available lists phone_number, area_code and iso_country, the lowest number first, for area_code, or the area code of the organization's oldest number; an area code without numbers on offer has an empty list. One of these that is released is on offer again, any other is gone.",
  },
  provision_number: {
    default: 'POST /v1/phone-numbers with any of phone_number, area_code and name; 201 with the number',
    words: 'method, body and response shapes are not shown: […] phone-number provisioning and configuration',
    rule: 'Without phone_number it is the lowest one on offer in area_code. A number that is not on offer is 404, one that is taken and an area code without any is 409. The number is not active at first; 3 to 8 s later it is, is enrolled in reputation monitoring, and number_purchased fires.',
  },
  provisioned_caller_id: {
    default: 'verified',
    allowed: ['verified', 'none'],
    words: '`from_number` (E.164, a number owned by the account and usable as verified caller ID)',
    rule: 'A number that the platform provides is a VERIFIED caller ID from its order on, certified as platform_number, so that it can be dialled from once it is active; none: its caller ID is verified like any other.',
  },
  configure_number: {
    default: 'PATCH /v1/phone-numbers/{id} with any of name and agent_id',
    words: 'method, body and response shapes are not shown: […] phone-number provisioning and configuration',
    rule: 'agent_id names the agent that answers the number from now on, and null none; the agent shows it as its phone_number, in place of the one it had. A released number is 409.',
  },
  released_numbers: {
    default: 'read by id, not listed',
    words: 'a phone number was released',
    rule: 'DELETE /v1/phone-numbers/{id} answers 200 with the number, which is neither active nor enrolled nor able to text any more; it leaves the list, its caller ID is revoked, its agent has no number, and calls and messages stay readable. A second DELETE is 200. A number released while it is provisioning was never announced, so that number_released does not fire.',
  },
  set_cnam: {
    default: 'PUT /v1/phone-numbers/{id}/cnam with cnam_display_name; 200 with the number, pending',
    words: 'method, body and response shapes are not shown: […] CNAM setting',
    rule: "1 to 15 letters, digits, periods, commas and spaces, the first a letter; a prohibited term (FBI, Police, Government, Medicare and their like) and a name that could be anyone's (Unknown, Wireless Caller) are 400. Approved 60 s later; shows on the number and on its caller ID, and a further name takes the place of the one before. A released number is 409.",
  },
  message_fields: {
    default: 'the fields of the outbound SMS event, and body',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'GET /v1/sms lists both directions, newest first. phone_number is whom the message was sent to, from_number who sent it; contact_token stands for the other side and is the same in every message with it; provider_id is null until the carrier has accepted the message; channel is sms.',
  },
  message_status: {
    default: 'accepted, sent, delivered, undelivered, failed, received',
    words: '`status` (for example `delivered`)',
    rule: 'An outbound message is accepted, then sent (sms_sent), then delivered (sms_delivered), undelivered or failed (sms_failed for both; the bundled scenarios fail); an inbound one is received (contact_replied).',
  },
  message_sender: {
    default:
      'POST /v1/sms/send with to_number, body (1600 characters) and optionally from_number; 202 with the message',
    words:
      '`fields.reason` is one of `a2p_registration_required`, `a2p_registration_pending`, `a2p_registration_rejected`, `no_sender`',
    rule: 'Without from_number it is the oldest active number whose texting_status is approved. The texting_status of the number gives reason and registration_status of texting_not_ready: none is required, then pending and rejected by their names; a number that the organization does not have, or that is approved and not active, and an organization without numbers are no_sender with none.',
  },
  message_segments: {
    default: 'encoding (GSM-7 or UCS-2) and segments',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'How a text is split, on messages in both directions and not in events. GSM-7 where the tables of GSM 03.38 have every character, one of the extension table counting two: 160 alone, else 153 a segment; UCS-2 else: 70 code units alone, else 67. Neither a character of the extension table nor a surrogate pair is split.',
  },
  texting_keywords: {
    default: 'on',
    allowed: ['on', 'off'],
    words: 'an outbound SMS failed or was undelivered',
    rule: 'A text that is nothing but STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT, OPTOUT or REVOKE, in either case, opts its sender out of texts from the number it came to; START, UNSTOP or YES opts in again; HELP and INFO are answered, also to one who is out. Each is confirmed by a message of its own, which is delivered whatever scenario is active; a second STOP, and a START of one who is in, are not. A message to one who has opted out is 202 and then fails, whatever scenario was chosen: sms_failed, without sms_sent. Every text emits contact_replied, keyword or not. off: keywords are ordinary texts, and no opt-out holds.',
  },
  registration_status: {
    default: 'pending, approved, rejected',
    words: 'the A2P texting registration (brand or campaign) was approved or rejected',
    rule: 'The values of the status of brands and campaigns.',
  },
  brand_registration: {
    default: 'GET and POST /v1/brand with legal_name and ein; 201 with the brand',
    words: 'method, body and response shapes are not shown: […] brand submission',
    rule: 'One brand an organization, decided 60 s later; without one GET is 404. A rejected brand is submitted again under its own id; a POST in any other state is 409. A brand alone enables no number, so that its event lists none.',
  },
  campaign_registration: {
    default: 'GET and POST /v1/brand/campaigns with use_case and up to 400 phone_numbers; 201 with the campaign',
    words:
      'the A2P texting registration (brand or campaign) was approved or rejected; on campaign approval the payload lists `texting_enabled_numbers`',
    rule: "Without an approved brand 409. Without phone_numbers it is for all numbers of the organization that may not send; a number that the organization does not have is 404, one that is pending or approved 409. Its numbers are pending until the campaign is decided, 60 s later, and then stand as it does; a rejected one's can be registered anew.",
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
  document_status: {
    default: 'pending, verified, denied',
    words: 'Allowed values of `status` and `av_scan_status`: not shown.',
    rule: "The values of a document's status: pending until its scan has finished, then verified, or denied where it is infected.",
  },
  av_scan_status: {
    default: 'pending_scan, not_scanned, scanned, infected',
    words: 'Allowed values of `status` and `av_scan_status`: not shown.',
    rule: 'The values of av_scan_status; a document that the platform made itself, as an LOA, is not_scanned and verified from the start.',
  },
  upload_document: {
    default: 'POST /v1/caller-trust/documents with filename, content_type, content_base64; 201 with the document',
    words: 'size limits of uploaded documents: not shown',
    rule: 'How documents are uploaded; the scan comes 2 to 5 s later. A world keeps the bytes of 64 MiB of documents, the newest.',
  },
  business_details: {
    default: 'legal_name; dba, ein, website, address and contact are optional',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: 'The body of POST and PATCH /v1/caller-trust/enterprise; what the enterprise does not show stands in the LOA.',
  },
  enterprise_absent: {
    default: 404,
    words: 'none; query and response shape: not shown',
    rule: 'Without an enterprise GET, PATCH, generate-loa, submit and sign-and-submit are 404; a second POST is 409; submitting needs no earlier generate-loa.',
  },
  generate_loa: {
    default: '201 with the document, whose id the enterprise then shows as loa_document_id',
    words: 'body not shown […] response shape not shown',
    rule: 'The LOA of a draft or rejected enterprise, unsigned, as a PDF; in any other state 409.',
  },
  submit_enterprise: {
    default: 'loa_document_id is optional; 200 with the enterprise',
    words: 'for an LOA signed out of band; body not shown; response shape not shown',
    rule: 'loa_document_id names a verified document (404 where there is none, 409 where it is not verified); without it the LOA generated since the last PATCH counts, and one is made where there is none.',
  },
  resubmission: {
    default: 'DRAFT or REJECTED to PENDING_VETTING',
    words:
      'The target state of `POST /v1/caller-trust/enterprise/submit`, and of resubmission after `REJECTED`: not shown.',
    rule: 'PATCH mends a DRAFT or REJECTED enterprise; both submit operations lead from either to PENDING_VETTING; any other state is 409. The carrier enterprise record is kept.',
  },
  consent_time: {
    default: 'optional fraction, Z, any instant that the calendar has',
    words: 'ISO 8601 UTC date-time ending in `Z` (valid calendar dates only)',
    rule: 'The form of consent_acknowledged_at; it may lie in the past or the future. The years are 0001 to 9999; a leap second (:60) is none.',
  },
  blank_texts: {
    default: 400,
    words: '`signer_full_name` length 2 to 255 characters; `signer_title` length 1 to 255 characters',
    rule: "White space alone is no name, title, file name, call reason, use case or message; where a field may go without one, null says so. An agent's name and texts may be emptied, and a lead is taken as it comes.",
  },
  enterprise_events: {
    default: 'on APPROVED and on REJECTED',
    words: '`enterprise.status.updated` (enterprise vetting status change)',
    rule: "enterprise.status.updated fires on what vetting decides, not on the customer's own submission.",
  },
  remediation_status: {
    default: 'pending, in_progress, completed, failed, cancelled',
    words: 'Status values and transitions: not shown.',
    rule: "The values of a remediation's status; the bundled scenarios lead from pending by in_progress to completed.",
  },
  billed_amount: {
    default: '1500 for a number that was remediated, else 0',
    words: '`billed_amount_dc` (integer)',
    rule: 'What a number of a remediation costs, 0 until processing completes.',
  },
  create_remediation: {
    default: 'POST /v1/caller-trust/reputation/remediations with 1 to 2000 phone_numbers; 202 with the remediation',
    words: "disputing or fixing spam labels under the customer's own entity […] needs the registered enterprise",
    rule: 'Without an APPROVED enterprise 409; a number that the organization does not have is 404; one in a remediation that has not ended is 409. A remediated number has the spam risk low.',
  },
  list_remediations: {
    default: 'data and meta, newest first',
    words: 'method, body and response shapes are not shown: […] the list of reputation data',
    rule: 'GET /v1/caller-trust/reputation/remediations lists the remediations of the organization.',
  },
  reputation_numbers: {
    default: 'phone_number_id, phone_number, spam_risk, spam_score, enrolled_at, own_brand',
    words: 'method, body and response shapes are not shown: […] the list of reputation data',
    rule: 'GET /v1/caller-trust/reputation/numbers lists every phone number, oldest first; the risk is low, medium or high, and unknown until the number is enrolled.',
  },
  display_identities: {
    default: 'display_name (35 characters), 1 to 10 call_reasons (64 characters each), logo_document_id',
    words: 'Once `APPROVED`, the Display Identity Record becomes eligible for submission under Branded Calling.',
    rule: 'GET and POST /v1/caller-trust/display-identities; without an APPROVED enterprise POST is 409.',
  },
  display_logo: {
    default: 'a BMP, not compressed, of exactly 256 by 256 pixels, at most 32 bits a pixel and 1,000,000 bytes',
    words: 'Branded Calling (name, logo, call reason shown on screen)',
    rule: 'logo_document_id names a verified document (404 where there is none, 409 where it is not verified) whose bytes are such an image, whatever type they were declared as; any other is 400. The display identity carries it; caller IDs show the name and its status alone.',
  },
  disabled_agent: {
    default: 409,
    words: '`enabled`: boolean',
    rule: 'A call with a disabled agent is 409 conflict: a web call, a room token, POST /v1/calls, a job, and an inbound call to its number.',
  },
  join_tokens: {
    default: 'HS256, issuer sandbox_join_key, 6 hours of machine time',
    words: '`token` (string) […] `expires_in` (integer)',
    rule: "A JWT with LiveKit's claims (iss, sub, nbf, exp, video.roomJoin, video.room), signed with the published key sandbox_join_secret_for_browser_calls; on a replay it is signed anew.",
  },
  room_url: {
    default: 'ws://{this server}/rooms/{room_name}',
    words: '`room_url` (string)',
    rule: 'A WebSocket of this server; it takes the token as access_token or token in the query, or as a Bearer token, and refuses any other. It says who is there; audio does not pass through it.',
  },
  ice_servers: {
    default: 'a STUN and a TURN address at the host of this server',
    words: '`ice_servers` (array; item shape not shown)',
    rule: 'Items are RTCIceServer objects (urls, and for TURN username and credential, which expire with the token). Nothing answers at these addresses: no media leaves this machine.',
  },
  usage_rollup: {
    default: 'calendar month in UTC on the clock of the world; minutes are rounded up call by call',
    words: '`GET /v1/usage`: Usage rollup for the current month',
    rule: 'period_end is the first instant of the next month; calls_placed counts outbound calls placed since period_start, whatever came of them; minutes_used the talk of calls in both directions that began since then and have ended; the spam risk of a number is unknown until it is enrolled in monitoring.',
  },
  list_sub_entities: {
    default: 'data and meta, newest first',
    words: '`sub_entities:read`: list sub-entities; method, body and response shapes are not shown',
    rule: 'GET /v1/sub-entities lists the child organizations of an umbrella organization, with the meta of calls. member_count counts the users of the child, phone_number_count its numbers that are not released.',
  },
  create_sub_entity: {
    default: 'POST /v1/sub-entities with name and optionally hipaa_enabled; 201 with the sub-entity',
    words: '`sub_entities:write`: create sub-entities; method, body and response shapes are not shown',
    rule: 'The slug is made from the name; where it is taken, a number follows it. The child has the plan and the calling rules of its umbrella. hipaa_enabled, whatever its value, needs compliance:write.',
  },
  update_sub_entity: {
    default: 'PATCH /v1/sub-entities/{id} with any of name and hipaa_enabled',
    words: 'update sub-entities (including the HIPAA mode change)',
    rule: 'hipaa_enabled, whatever its value, needs compliance:write beside sub_entities:write; while it is true, the call-content policy holds for that child. The slug stays.',
  },
  forbidden: {
    default: 403,
    words: '`forbidden`: key has no access to the resource',
    rule: 'A child organization is no umbrella organization; its keys are refused every operation on sub-entities.',
  },
  create_call: {
    default: 'POST /v1/calls with agent_id, to_number and from_number; answered as a dial',
    words: 'The full field set of GET /v1/calls/{id} and of the response to POST /v1/calls: not shown.',
    rule: "Without from_number the call comes from the agent's number where that is usable, else from the first usable number, else it is 409 no_active_number. The transcript is that agent's, as it was configured when the call was placed. Agents of either agent_type call.",
  },
  jobs: {
    default: 'agent_id and one of contact_ids and to_numbers (1 to 5000); name, from_number and concurrency (5)',
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'A job is an outbound campaign: GET and POST /v1/jobs, GET /v1/jobs/{id}, POST pause, resume and cancel below it. Its number is found as for POST /v1/calls, when it is made. Progress is counted over its list: pending, in_progress, completed, and the outcomes of the latter. campaign_id of a subscription is the id of a job. All lists of a world together hold 100,000 contacts at most; a job past that is 409.',
  },
  job_states: {
    default: 'queued, running, paused, completed, canceled',
    words: 'method, body and response shapes are not shown: […] jobs under `/v1/jobs`',
    rule: 'queued or running can be paused, paused resumed, any of the three canceled; else 409. Calls in progress go on; whoever was not called when a job was canceled stays pending.',
  },
  job_dialling: {
    default: 'a cap is waited for, a calling rule too, anything else that may pass is tried three times',
    words: '`workflow_contact_completed`: a contact finished a workflow',
    rule: 'A job calls as POST /v1/calls does, by active scenario, magic number or default. Where no line is free it looks again after 1 s; outside the calling window, on a day that is not permitted and past the calls of a day it calls when the window opens next; another retryable refusal is tried again after 60 s, three times in all; whoever is refused for good is finished with the outcome refused and the code of the refusal, without a call. Every contact that has finished emits workflow_contact_completed, those of a canceled job that were never called do not.',
  },
  webrtc_token: {
    default: 'token, room_url, room_name, expires_in, identity, ice_servers',
    words: 'method, body and response shapes are not shown: […] `POST /v1/webrtc-token`',
    rule: 'A join token for a room of its own, in which the browser is alone.',
  },
  room_token: {
    default: 'agent_id; answered with a browser call session',
    words: 'An agent `id` is used as `agent_id` on `POST /v1/calls` and `POST /v1/room-token`.',
    rule: 'The same as a web call, by voice:write.',
  },
  client_tokens: {
    default: 'scopes and expires_in (1 to 86400 seconds, 900 unless given)',
    words: 'Fields of SMS messages, brand registrations, jobs, client tokens and enterprise creation input: not shown.',
    rule: "A JWT (HS256, issuer sandbox_client_key) that works as a Bearer key until it expires on machine time, with some scopes of the key that minted it (all but tokens:mint unless given; one that the key lacks is scope_missing). Its requests count with that key's, and it ends when that key is revoked. A world knows its newest 10,000; on a replay it is signed anew.",
  },
  lead_intake: {
    default: 'POST /v1/leads/{url_token} with the header X-Source-Secret; 201 with the contact',
    words:
      'Lead intake endpoints do not use API keys. Each lead source has its own rotatable URL token and source secret.',
    rule: 'An unknown URL token is 404, a missing or wrong secret 401, both in the place of the 401 of a key; no scope is needed; each URL token has a rate window of its own. name, phone_number (E.164), email and metadata are optional; the contact has the status active and the source lead. Rotation is POST /_sandbox/lead-sources/{id}/rotate.',
  },
  retired_status: {
    default: '404 not_found',
    words:
      'The retired workflow endpoints (`/v1/workflows`, `/v1/workflows/{id}/enroll`, `/v1/workflow_contacts`) are unavailable.',
    rule: 'The answer of a retired endpoint, whatever the method and the key.',
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
    default: '256 KiB; documents 28 MiB, which is 20 MiB decoded',
    words: 'size limits of uploaded documents: not shown',
    rule: "A larger body, or a larger document in it, is 413 payload_too_large. An agent's texts take 65,536 characters, its system prompt 131,072; a longer one is 400.",
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
