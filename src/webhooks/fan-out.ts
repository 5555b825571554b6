// Turns an event into deliveries: the body is serialized once, and every subscription of that organization and type
// gets one delivery, in the transaction that caused the event.
import { timestamp } from '../clock/clock.ts';
import { emitted } from '../coverage/facts.ts';
import { type EventOf, eventDefinition, isSigned } from '../events/catalogue.ts';
import {
  type DeliveryAttempt,
  type DeliveryEntry,
  type EventEntry,
  type Row,
  type TableName,
  type UnheardReason,
  unheardReasons,
} from '../model.ts';
import { nextEntryId } from '../store/next-id.ts';
import type { Tx } from '../store/store.ts';
import { eventBody } from './event-body.ts';
import { place } from './held-deliveries.ts';

/** The maximum number of subscriptions to one event type in a world; it limits the fan-out of an event. */
export const MAX_SUBSCRIPTIONS_PER_TYPE = 1000;

/** Emits an event about a record: its body is what follows from the record, so that the two cannot contradict one another. */
export function emitAbout<Table extends TableName>(
  tx: Tx,
  type: EventOf<Table>,
  table: Table,
  id: string,
  record: Row<Table>,
): EventEntry {
  const { organization_id: organization } = record.private;
  /** The campaign that the record belongs to. */
  const job = 'job_id' in record.private ? record.private.job_id : null;
  const subscriptions = tx.page('subscriptions', 'event_type', type, { limit: MAX_SUBSCRIPTIONS_PER_TYPE });
  const refusals = subscriptions.map((each) => whyUnheard(each, organization, job));
  const subscribers = subscriptions.filter((_, index) => refusals[index] === null);
  const at = timestamp(tx.at);
  const assumptions = tx.state('assumptions');
  const body = eventBody(type, eventDefinition(type).payload(record, at, assumptions), at, assumptions);
  // Of a thousand, not so many are written first as there is memory for.
  if (tx.isBounded && subscribers.length > 0 && lacksRoomFor(tx, subscribers.length, body.text))
    throw tx.refusal('deliveries');
  const event: EventEntry = {
    id: nextEntryId(tx, 'events'),
    at,
    event_type: type,
    subject: eventDefinition(type).orderingKey?.(record) ?? { table, id },
    organization_id: organization,
    body: body.text,
    ...(isSigned(type, assumptions) && { signed: true }),
    schema_violations: body.violations,
    deliveries: subscribers.length,
    unheard: subscribers.length > 0 ? [] : reasonsOf(refusals),
    cause: tx.cause,
  };
  tx.append('events', event);
  tx.cover(emitted(type));
  for (const subscription of subscribers) place(tx, admitted(tx, deliveryOf(tx, event, subscription)), subscription);
  return event;
}

/** About what a pending delivery takes in memory beside its body. */
const DELIVERY_BYTES = 2000;

const lacksRoomFor = (tx: Tx, deliveries: number, body: string): boolean =>
  tx.lacksRoom('deliveries', deliveries * (DELIVERY_BYTES + body.length));

/**
 * The delivery, if there is memory for another that is pending. If not, the request that causes it is refused; a
 * scheduled step goes on, and the delivery is recorded as failed.
 */
function admitted(tx: Tx, delivery: DeliveryEntry): DeliveryEntry {
  if (!lacksRoomFor(tx, 1, delivery.body)) return delivery;
  const refusal = tx.refusal('deliveries');
  if (tx.isBounded) throw refusal;
  const attempt: DeliveryAttempt = {
    number: 1,
    at: delivery.at,
    request_headers: {},
    status: null,
    response_headers: null,
    response_body: null,
    latency_ms: 0,
    error_class: 'queue_full',
    error: refusal.message,
  };
  return { ...delivery, status: 'failed', attempts: [attempt] };
}

/** Why a subscription to an event's type does not get the event; null if it does. */
function whyUnheard(
  { campaign_id, private: { organization_id } }: Row<'subscriptions'>,
  organization: string,
  job: string | null,
): UnheardReason | null {
  if (organization_id !== organization) return 'other_organization';
  return campaign_id === undefined || campaign_id === job ? null : 'other_campaign';
}

/** Why no subscription heard an event, each reason once. */
function reasonsOf(refusals: readonly (UnheardReason | null)[]): readonly UnheardReason[] {
  const found = unheardReasons.filter((reason) => refusals.includes(reason));
  return found.length > 0 ? found : NONE_OF_THAT_TYPE;
}

const NONE_OF_THAT_TYPE: readonly UnheardReason[] = ['none_of_that_type'];

function deliveryOf(tx: Tx, event: EventEntry, subscription: Row<'subscriptions'>): DeliveryEntry {
  return {
    id: nextEntryId(tx, 'deliveries'),
    at: event.at,
    event_id: event.id,
    event_type: event.event_type,
    subscription_id: subscription.id,
    organization_id: event.organization_id,
    url: subscription.webhook_url,
    body: event.body,
    status: 'pending',
    schema_violations: event.schema_violations,
    attempts: [],
    next_attempt_at: null,
    // V8 copies an object with other values in a tenth of the time that another property takes.
    held_by: undefined,
    next: undefined,
    subject: event.subject,
    epoch: tx.state('epoch'),
    cause: event.id,
  };
}
