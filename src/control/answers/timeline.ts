// Answers of the routes of timelines.
import { z } from 'zod';
import { unheardReasons } from '../../model.ts';
import { cause, count, instant, nullableInstant, resource, Subject } from './fields.ts';
import { AppliedFault, Delivery, DeliveryAttempt, OutrankedScenario, SelectionSource } from './journals.ts';

const offset_ms = z.number().describe("Milliseconds of the world's time since the timeline began.");

export const ChosenScenario = z
  .strictObject({
    name: z.string().describe('The name of the scenario.'),
    parameters: z.record(z.string(), z.string()).describe('The parameters that were given.'),
    source: SelectionSource.describe('What selected it.'),
    reason: z.string().describe('Why it is the one that is played.'),
  })
  .describe('The scenario that is played, and why.');

export const ShownSelection = z
  .strictObject({
    winner: ChosenScenario.describe('The one that is played.'),
    losers: z.array(OutrankedScenario).describe('The others, and why they lost.'),
  })
  .describe('Which scenario was chosen, and why.');

const choice = () => ShownSelection.nullable().describe('The scenario that was chosen with it; null if none was.');

export const RequestInTimeline = z
  .strictObject({
    method: z.string().describe('The HTTP method.'),
    path: z.string().describe('The path without the query.'),
    operation: z.string().nullable().describe("The operation's id in the contract; null if no operation matched."),
    status: z.int().describe('The status of the response; 0 if the connection was broken before one.'),
    error_code: z.string().nullable().describe('The code of the error.'),
    duration_ms: z.number().describe('How long the response took, in real time.'),
    replayed: z.boolean().describe('Whether an idempotency key replayed an earlier response.'),
    fault: z.string().nullable().describe('How the connection was broken.'),
    faults: z.array(AppliedFault).describe('What faults of the world did.'),
    control_headers: z.record(z.string(), z.string()).describe('The `x-sandbox-` headers that it carried.'),
    choice: choice(),
  })
  .describe('A request of a timeline; `GET /_sandbox/requests/{id}` has its bodies.');

export const StepInTimeline = z
  .strictObject({
    trigger: z.string().describe('What caused the transition, such as `answer`.'),
    from: z.string().nullable().describe('The status before; null for a new record.'),
    to: z.string().nullable().describe('The status after.'),
    error: z.string().nullable().describe('Why a scheduled task failed: it had no effect.'),
    choice: choice(),
  })
  .describe('A status change of a timeline.');

export const EventInTimeline = z
  .strictObject({
    event_type: resource('EventType').describe('Its type.'),
    deliveries: count.describe('How many subscriptions it is delivered to.'),
    unheard: z.array(z.enum(unheardReasons)).describe('Why there is no delivery; empty if there is any.'),
    schema_violations: z.array(z.string()).describe('Where the body does not match its schema.'),
  })
  .describe('An event of a timeline.');

const { number, attempted_at, reason, plan, signed_with, latency_ms, error_class, error, hint } = DeliveryAttempt.shape;

export const AttemptInTimeline = z
  .strictObject({
    number,
    attempted_at,
    offset_ms,
    reason,
    plan,
    signed_with,
    latency_ms,
    status: z.int().nullable().describe("The status of the receiver's response; null if there was none."),
    error_class,
    error,
    hint,
  })
  .describe('One attempt of a delivery.');

export const DeliveryInTimeline = z
  .strictObject({
    event_type: resource('EventType').describe('The type of the event.'),
    subscription_id: z.string().describe('The subscription that it is for.'),
    url: z.string().describe('Where it is sent.'),
    status: Delivery.shape.status,
    held_by: Delivery.shape.held_by,
    next_attempt_at: Delivery.shape.next_attempt_at,
    attempts: z.array(AttemptInTimeline).describe('Every attempt, the first one first.'),
  })
  .describe('A delivery of a timeline.');

export const EntryInTimeline = z
  .strictObject({
    id: z.string().describe('The id of the journal entry.'),
    kind: z.enum(['request', 'step', 'event', 'delivery']).describe('Which of the four it is.'),
    at: instant,
    offset_ms,
    depth: count.describe('How many entries lie between it and the beginning of the timeline.'),
    cause,
    subject: Subject.nullable().describe('The record that it is about; null for a request.'),
    request: RequestInTimeline.optional().describe('For a request.'),
    step: StepInTimeline.optional().describe('For a step.'),
    event: EventInTimeline.optional().describe('For an event.'),
    delivery: DeliveryInTimeline.optional().describe('For a delivery.'),
  })
  .describe('One entry of a timeline.');

export const Timeline = z
  .strictObject({
    subject: Subject.describe('What it is about; a request is in the table `requests`.'),
    status: z.string().nullable().describe('The status of the record or the response; null if there is none.'),
    began_at: nullableInstant.describe('The instant from which offsets count; null if nothing has happened.'),
    now: instant.describe('The present of the world.'),
    choice: ShownSelection.nullable().describe('Why it has this outcome; null if no scenario was chosen for it.'),
    entries: z.array(EntryInTimeline).describe('What happened, in order.'),
  })
  .describe('What happened to a record: requests, steps, events and deliveries, each with its cause.');
