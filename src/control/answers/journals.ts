// Answers of the routes of the journals: requests, events and deliveries.
import { z } from 'zod';
import {
  attemptReasons,
  deliveryErrorClasses,
  deliveryStatuses,
  holds,
  signedWith,
  unheardReasons,
} from '../../model.ts';
import { anyJson } from '../fields.ts';
import { cause, count, instant, resource, Subject } from './fields.ts';

const headers = z.record(z.string(), z.string());
const schema_violations = z
  .array(z.string())
  .describe('Where the body does not match its schema in the contract; empty unless there is a bug.');

export const RecordedMessage = z
  .strictObject({
    headers: headers.describe('Of a request by lower-case name, of a response as sent; secrets are redacted.'),
    body: z.string().describe('The first 64 KiB; secrets are redacted.'),
    body_bytes: count.describe('The length of the whole body.'),
    body_sha256: z.string().describe('SHA-256 of the whole body, in lower-case hexadecimal digits.'),
  })
  .describe('A request or a response as it was sent.');

export const SelectionSource = z
  .enum(['header', 'active', 'number', 'named', 'default', 'rules'])
  .describe('What selects it; `named`: the control request that simulates something.');

export const OutrankedScenario = z
  .strictObject({
    source: SelectionSource.describe('What would have selected it.'),
    name: z.string().describe('Its name.'),
    reason: z.string().describe('Why it is not the one that is played.'),
  })
  .describe('A scenario that another one outranked, or that could not be played.');

export const ScenarioSelection = z
  .strictObject({
    name: z.string().describe('The name of the scenario.'),
    parameters: z.record(z.string(), z.string()).describe('The parameters that were given.'),
    source: SelectionSource.describe('What selected it.'),
    outranked: z.array(OutrankedScenario).describe('What it outranked, and why.'),
  })
  .describe('The scenario that is played, and why.');

export const AppliedFault = z
  .strictObject({
    id: z.string().describe('The id of the fault.'),
    effect: z.string().describe('What it did, such as `respond=502;when=before`.'),
  })
  .describe('A fault that happened to a request.');

export const RecordedRequest = z
  .strictObject({
    id: z.string().describe('The id of the journal entry, which is also `X-Sandbox-Request-Id`.'),
    at: instant,
    method: z.string().describe('The HTTP method.'),
    path: z.string().describe('The path without the query.'),
    query: z.string().describe('The query without its question mark.'),
    operation: z.string().nullable().describe("The operation's id in the contract; null if no operation matched."),
    key_id: z.string().nullable().describe('The id of the API key.'),
    status: z.int().describe('The status of the response; 0 if the connection was broken before one.'),
    error_code: z.string().nullable().describe('The code of the error.'),
    duration_ms: z.number().describe('How long the response took, in real time.'),
    replayed: z.boolean().describe('Whether an idempotency key replayed an earlier response.'),
    fault: z.string().nullable().describe('How the connection was broken, by X-Sandbox-Fault or a fault of the world.'),
    faults: z.array(AppliedFault).optional().describe('What faults of the world did; absent if none did anything.'),
    scenario: ScenarioSelection.nullable().describe('The scenario that it played; null if it played none.'),
    request: RecordedMessage.describe('What was received.'),
    response: RecordedMessage.describe('What was answered.'),
  })
  .describe('A request to the platform and its response.');

export const RequestDifference = z
  .strictObject({
    field: z.string().describe('The field that differs, such as `body.to_number`.'),
    expected: anyJson.describe('What it should be.'),
    actual: anyJson.optional().describe('What it is; absent if the request does not have it.'),
  })
  .describe('What sets a request apart from the expected one.');

export const NearMiss = z
  .strictObject({
    id: z.string().describe('The id of the journal entry.'),
    at: instant,
    method: z.string().describe('The HTTP method.'),
    path: z.string().describe('The path without the query.'),
    operation: z.string().nullable().describe("The operation's id in the contract; null if no operation matched."),
    status: z.int().describe('The status of the response; 0 if the connection was broken before one.'),
    differences: z.array(RequestDifference).describe('Where it differs.'),
  })
  .describe('A request that nearly matches.');

export const RequestVerification = z
  .strictObject({
    passed: z.boolean().describe('Whether as many requests match as expected.'),
    actual: count.describe('How many requests match.'),
    misses: z
      .array(NearMiss)
      .optional()
      .describe('The nearest requests that do not match, at most 5; empty if too many match, absent if it has passed.'),
  })
  .describe('Whether requests were made as expected.');

export const UnheardReason = z
  .enum(unheardReasons)
  .describe(
    'Why subscriptions did not get an event: another type, another organization, or the campaign of another job.',
  );

export const Event = z
  .strictObject({
    id: z.string().describe('The id of the journal entry.'),
    event_type: resource('EventType').describe('Its type.'),
    created_at: instant,
    subject: Subject.nullable().describe('The record that it is about; null if there is none.'),
    payload: z.record(z.string(), z.unknown()).describe('The body, parsed.'),
    body: z.string().describe('The exact body that is sent.'),
    headers: headers.describe(
      "What a delivery of it carries, signed with the world's secret where the type is signed.",
    ),
    schema_violations,
    deliveries: count.describe('How many subscriptions it is delivered to.'),
    unheard: z.array(UnheardReason).describe('Why there is no delivery; empty if there is any.'),
    cause,
  })
  .describe('An event that was emitted.');

export const SentMessage = z
  .strictObject({
    headers: headers.describe('By name, as they were sent.'),
    body: z.string().describe('The exact bytes, as text.'),
  })
  .describe('The request of an attempt.');

export const ReceivedMessage = z
  .strictObject({
    status: z.int().describe('The status of the response.'),
    headers: headers.nullable().describe('By lower-case name.'),
    body: z.string().nullable().describe('The first 4 KiB.'),
  })
  .describe("A receiver's response.");

export const DeliveryErrorClass = z.enum(deliveryErrorClasses).describe('Why an attempt failed.');

export const DeliveryAttempt = z
  .strictObject({
    number: z.int().min(1).describe('1 for the first attempt.'),
    attempted_at: instant,
    reason: z
      .enum(attemptReasons)
      .describe('Why it was made: the event, a failure before, a duplicate by the plan, or a redelivery by hand.'),
    plan: z.array(z.string()).describe('What the plan did to it, such as `delay=3s` or `tamper`; empty if nothing.'),
    signed_with: z
      .enum(signedWith)
      .nullable()
      .describe(
        "The secret: the world's, the subscription's own, a wrong one, `none` if there is none; null without a signature.",
      ),
    latency_ms: z.number().describe('How long it took, in real time.'),
    request: SentMessage.describe('What was sent.'),
    response: ReceivedMessage.nullable().describe('What the receiver answered; null if nothing.'),
    error_class: DeliveryErrorClass.nullable().describe('Why it failed; null if it did not.'),
    error: z.string().nullable().describe('What failed, in words.'),
    hint: z.string().nullable().describe('What to do about it.'),
  })
  .describe('One attempt to deliver an event.');

export const DeliveryStatus = z
  .enum(deliveryStatuses)
  .describe(
    '`failed` without a 2xx response; `dropped` by its plan; `canceled` when its subscription was deleted first.',
  );

export const Delivery = z
  .strictObject({
    id: z.string().describe('The id of the journal entry.'),
    event_id: z.string().describe('The event that it delivers.'),
    event_type: resource('EventType').describe('The type of that event.'),
    subscription_id: z.string().describe('The subscription that it is for.'),
    url: z.string().describe('Where it is sent.'),
    status: DeliveryStatus.describe('How far it is.'),
    created_at: instant,
    body: z.string().describe('The exact bytes that are sent, as text.'),
    schema_violations,
    cause: z.string().describe('The id of the journal entry that caused it.'),
    next_attempt_at: instant
      .nullable()
      .describe('When a delivery that is held is sent, or a failed one again; null if it is not.'),
    held_by: z.enum(holds).nullable().describe('Why it is not sent yet, or attempted again later.'),
    attempts: z.array(DeliveryAttempt).describe('Every attempt, the first one first.'),
  })
  .describe('One event for one subscription, with its attempts.');
