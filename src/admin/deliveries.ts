// Deliveries: every attempt of every webhook, exactly as it was sent. `interface.md` section 6.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import type { EventType } from '../events/catalogue.ts';
import { type DeliveryAttempt, type DeliveryEntry, type DeliveryStatus, isOpen } from '../model.ts';
import { redactedUrl } from '../redaction/urls.ts';
import type { Tx } from '../store/store.ts';
import { hintFor } from '../webhooks/failures.ts';
import { unhold } from '../webhooks/held-deliveries.ts';
import { findEntry, isRequested, type JournalPage, listEntries } from './journal.ts';
import type { PageRequest } from './pages.ts';
import type { Slicing } from './read-journal.ts';
import type { Reader } from './reader.ts';
import { maySee } from './timeline/subject.ts';

type Parts = Pick<SandboxContext, 'store'>;

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly event_type?: EventType | undefined;
  readonly subscription_id?: string | undefined;
}

export type Delivery = ReturnType<typeof serializeDelivery>;

/** A delivery as users see it. */
export function serializeDelivery(delivery: DeliveryEntry) {
  return {
    id: delivery.id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    subscription_id: delivery.subscription_id,
    /** Where it goes, without secrets in the address. */
    url: redactedUrl(delivery.url),
    status: delivery.status,
    created_at: delivery.at,
    /** The exact bytes that are sent, as text. */
    body: delivery.body,
    schema_violations: delivery.schema_violations,
    cause: delivery.cause,
    /** When a delivery that its plan holds is sent, or a failed one again; otherwise null. */
    next_attempt_at: delivery.next_attempt_at,
    /** Why it is not sent yet, or attempted again later. */
    held_by: delivery.held_by ?? null,
    attempts: delivery.attempts.map((attempt) => serializeAttempt(attempt, delivery.body)),
  };
}

export function serializeAttempt(attempt: DeliveryAttempt, signedBody: string) {
  const { status, response_headers, response_body, error_class, error } = attempt;
  return {
    number: attempt.number,
    attempted_at: attempt.at,
    /** Why it was made. */
    reason: attempt.reason ?? 'event',
    /** What the plan did to it, such as `delay=3s`. */
    plan: attempt.plan ?? [],
    signed_with: attempt.signed_with ?? null,
    latency_ms: attempt.latency_ms,
    error_class,
    error,
    /** What to do about a failed attempt. */
    hint: error_class === null ? null : hintFor(error_class, status, error),
    request: { headers: attempt.request_headers, body: attempt.body ?? signedBody },
    response: status === null ? null : { status, headers: response_headers, body: response_body },
  };
}

export function listDeliveries(
  parts: Slicing,
  world: string,
  { status, event_type, subscription_id, organization, ...page }: DeliveryFilter & PageRequest & Reader,
): Promise<JournalPage<Delivery>> {
  const matches = (delivery: DeliveryEntry, tx: Tx): boolean =>
    maySee(tx, { organization }, { journal: 'deliveries', entry: delivery }) &&
    isRequested(status, delivery.status) &&
    isRequested(event_type, delivery.event_type) &&
    isRequested(subscription_id, delivery.subscription_id);
  return listEntries(parts, world, 'deliveries', page, matches, serializeDelivery);
}

export async function findDelivery(parts: Parts, world: string, id: string, reader: Reader = {}): Promise<Delivery> {
  const isSeen = (entry: DeliveryEntry, tx: Tx): boolean => maySee(tx, reader, { journal: 'deliveries', entry });
  return serializeDelivery(await findEntry(parts, world, 'deliveries', 'delivery', id, isSeen));
}

/**
 * Queues the same bytes again, as another attempt, signed with the present secret and whatever the plan says; `conflict`
 * while it is queued or held, after a reset or unsubscription.
 */
export async function redeliver({ store }: Parts, world: string, id: string, reader: Reader = {}): Promise<Delivery> {
  const pending = await store.transaction(world, (tx): DeliveryEntry => {
    const delivery = tx.entry('deliveries', id);
    if (!delivery || !maySee(tx, reader, { journal: 'deliveries', entry: delivery })) throw notFound('delivery', id);
    refuseRedelivery(tx, delivery);
    if (tx.lacksRoom('deliveries', delivery.body.length)) throw tx.refusal('deliveries');
    const next = { reason: 'redelivery', effects: [] } as const;
    const again: DeliveryEntry = { ...(unhold(tx, id) ?? delivery), status: 'pending', next };
    tx.amend('deliveries', again);
    return again;
  });
  return serializeDelivery(pending);
}

function refuseRedelivery(tx: Tx, { status, epoch, subscription_id, held_by }: DeliveryEntry): void {
  if (isOpen(status)) {
    const held = held_by === undefined ? '' : ` (held by ${held_by})`;
    throw new ApiError('conflict', {
      message: `The delivery is ${status}${held}; only one that is delivered, failed, dropped or canceled can be sent again.`,
      hint: held_by === 'paused' ? 'Unpause the plan.' : 'Wait until its attempt has finished.',
    });
  }
  if (epoch !== tx.state('epoch')) {
    throw new ApiError('conflict', {
      message: 'The delivery was created before the world was reset; it is kept as a record and is never sent.',
      hint: 'Redeliver a delivery created after the reset.',
    });
  }
  if (!tx.get('subscriptions', subscription_id)) {
    throw new ApiError('conflict', {
      message: `The subscription ${subscription_id} has been deleted.`,
      hint: 'Create a subscription with POST /api/v1/webhook_subscriptions, and emit the event again.',
    });
  }
}
