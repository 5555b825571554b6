// The transactions of a delivery attempt: what is sent and how it is signed when it starts, and what follows when it
// has ended. The plan in force at that moment applies.
import { timestamp, worldTime } from '../clock/clock.ts';
import { isSigned } from '../events/catalogue.ts';
import {
  type DeliveryAttempt,
  type DeliveryEntry,
  type DeliveryPlan,
  isOpen,
  type Row,
  type SignedWith,
} from '../model.ts';
import type { Tx } from '../store/store.ts';
import { coverAttempt } from './cover-attempt.ts';
import type { Limits } from './failures.ts';
import { withRetry } from './held-deliveries.ts';
import { happens, limitsOf, planOf, tampered, waitsOf, wrongSecret } from './plans.ts';
import type { PostResult } from './post.ts';
import { SIGNATURE_HEADER, signatureOf, WORLD_SIGNING_SECRET } from './sign.ts';

/** A delivery by its id: after a reset, another can have it. */
export interface DeliveryOfEpoch {
  readonly id: string;
  readonly epoch: number;
}

/** What is known of an attempt before it is sent. */
export type SentAttempt = Pick<DeliveryAttempt, 'at' | 'request_headers' | 'reason' | 'plan' | 'signed_with' | 'body'>;

/** A delivery that is about to be sent. */
export interface StartedAttempt {
  readonly delivery: DeliveryEntry;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly limits: Limits;
  readonly sent: SentAttempt;
}

/** Without an instant, it ended now. */
export type EndedAttempt = Omit<DeliveryAttempt, 'number' | 'at'> & { readonly at?: string };

/** What was sent and how that ended. Property by property: to spread both takes ten times as long. */
export const endedAttempt = (sent: SentAttempt, result: PostResult): EndedAttempt => ({
  at: sent.at,
  request_headers: sent.request_headers,
  status: result.status,
  response_headers: result.response_headers,
  response_body: result.response_body,
  latency_ms: result.latency_ms,
  error_class: result.error_class,
  error: result.error,
  reason: sent.reason,
  plan: sent.plan,
  signed_with: sent.signed_with,
  body: sent.body,
});

/** Marks a delivery as in flight, unless it was canceled, is held, or belongs to an earlier epoch. */
export function startAttempt(tx: Tx, { id, epoch }: DeliveryOfEpoch): StartedAttempt | undefined {
  const delivery = tx.entry('deliveries', id);
  if (!delivery || delivery.epoch !== epoch || delivery.held_by !== undefined || !isOpen(delivery.status))
    return undefined;
  const isDuplicate = delivery.next?.reason === 'duplicate';
  // What is in flight for another reason is the delivery of somebody else.
  if (delivery.status === 'in_flight' && !isDuplicate) return undefined;
  const subscription = tx.get('subscriptions', delivery.subscription_id);
  if (epoch !== tx.state('epoch') || !subscription) {
    tx.amend('deliveries', { ...delivery, status: isDuplicate ? 'delivered' : 'canceled', next: undefined });
    return undefined;
  }
  tx.amend('deliveries', { ...delivery, status: 'in_flight', resumed: undefined });
  const plan = planOf(tx, subscription);
  const { reason = 'event', effects = [] } = delivery.next ?? {};
  const changes = reason === 'redelivery' || !plan ? unchanged : changesOf(tx, plan, delivery);
  const { header, signed_with } = signature(tx, delivery, subscription, changes.secret);
  const headers = { 'content-type': 'application/json', ...header };
  const all = [...effects, ...changes.effects];
  return {
    delivery,
    headers,
    body: changes.body ?? delivery.body,
    limits: limitsOf(tx, plan),
    sent: {
      at: timestamp(worldTime(tx.state('clock'), tx.systemTime)),
      request_headers: headers,
      reason: reason === 'event' ? undefined : reason,
      plan: all.length > 0 ? all : undefined,
      signed_with,
      body: changes.body,
    },
  };
}

interface Changes {
  readonly effects: readonly string[];
  /** The body that is sent in the place of the one that is signed. */
  readonly body?: string;
  /** The secret that it is signed with in the place of the subscription's. */
  readonly secret?: string;
}

const unchanged: Changes = { effects: [] };

/** What a plan does to an attempt. Without a signature, there is no secret to be wrong. */
function changesOf(tx: Tx, plan: DeliveryPlan, delivery: DeliveryEntry): Changes {
  const tampers = happens(plan, 'tamper', delivery);
  const mistakes = isSigned(delivery.event_type, tx.state('assumptions')) && happens(plan, 'wrong_secret', delivery);
  return {
    effects: [...(tampers ? ['tamper'] : []), ...(mistakes ? ['wrong_secret'] : [])],
    ...(tampers && { body: tampered(delivery) }),
    ...(mistakes && { secret: wrongSecret(delivery) }),
  };
}

function signature(
  tx: Tx,
  delivery: DeliveryEntry,
  subscription: Row<'subscriptions'> | undefined,
  wrong: string | undefined,
): { readonly header?: Record<string, string>; readonly signed_with?: SignedWith } {
  if (!isSigned(delivery.event_type, tx.state('assumptions'))) return {};
  const own = subscription?.private.signing_secret ?? null;
  const header = { [SIGNATURE_HEADER]: signatureOf(delivery.body, wrong ?? own) };
  if (wrong !== undefined) return { header, signed_with: 'wrong_secret' };
  if (own === null) return { header, signed_with: 'none' };
  return { header, signed_with: own === WORLD_SIGNING_SECRET ? 'world_secret' : 'own_secret' };
}

/** Stores how an attempt has ended. Returns the delivery if it is still in flight, to be sent a second time. */
export function endAttempt(
  tx: Tx,
  { id, epoch }: DeliveryOfEpoch,
  ended: EndedAttempt,
  mayContinue: boolean,
): DeliveryEntry | undefined {
  const current = tx.entry('deliveries', id);
  if (!current || current.epoch !== epoch || !isOpen(current.status)) return undefined;
  const attempt = { number: current.attempts.length + 1, ...ended, at: ended.at ?? timestamp(tx.at) };
  const isAccepted = ended.error_class === null || current.next?.reason === 'duplicate';
  const attempted: DeliveryEntry = {
    ...current,
    status: isAccepted ? 'delivered' : 'failed',
    next: undefined,
    attempts: [...current.attempts, attempt],
  };
  coverAttempt(tx, current, attempt);
  const after = mayContinue ? continued(tx, current, attempted) : attempted;
  tx.amend('deliveries', after);
  return after;
}

/** What becomes of a delivery after an attempt, as its plan has it: another one follows, at once or later, or none. */
function continued(tx: Tx, before: DeliveryEntry, attempted: DeliveryEntry): DeliveryEntry {
  const subscription = tx.get('subscriptions', attempted.subscription_id);
  if (!subscription) return attempted;
  const plan = planOf(tx, subscription);
  const { reason } = before.next ?? {};
  if (attempted.status === 'failed') return withRetry(tx, attempted, waitsOf(tx, plan)[before.attempts.length]);
  if (!plan || reason === 'duplicate' || reason === 'redelivery' || !happens(plan, 'duplicate', before))
    return attempted;
  return { ...attempted, status: 'in_flight', next: { reason: 'duplicate', effects: ['duplicate'] } };
}
