// Webhook subscriptions: `spec.md` "Webhook subscriptions". The same event type may be subscribed several times.
import type { Schemas } from '../contract/document.ts';
import { findRecord, type Operation, ownedBy, pageOf } from '../engine/operation.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { token } from '../identity/seeded.ts';
import { type Row, wireOf } from '../model.ts';
import { urlProblem } from '../webhooks/egress.ts';
import { MAX_SUBSCRIPTIONS_PER_TYPE } from '../webhooks/fan-out.ts';

/** Every subscription is signed with it unless its own secret is set or removed. */
export const WORLD_SIGNING_SECRET = 'sandbox_signing_secret';

export const createWebhookSubscription: Operation<'createWebhookSubscription'> = {
  handle(request, tx) {
    const { body, caller, settings } = request;
    const problem = urlProblem(body.webhook_url, settings.webhookHttp);
    if (problem) throw invalidField('webhook_url', problem);
    if (tx.count('subscriptions', 'event_type', body.event_type) >= MAX_SUBSCRIPTIONS_PER_TYPE) {
      throw new ApiError('conflict', {
        message: `There are ${MAX_SUBSCRIPTIONS_PER_TYPE} subscriptions to ${body.event_type} already.`,
        hint: 'Delete some of them.',
      });
    }
    const ordinal = tx.ordinal('subscriptions');
    const subscription: Row<'subscriptions'> = {
      id: `whk_${token(24, tx.world.seed, tx.world.name, 'subscriptions', ordinal)}`,
      ...body,
      private: { ...ownedBy(tx, caller), signing_secret: WORLD_SIGNING_SECRET },
    };
    tx.put('subscriptions', subscription);
    return { status: 201, body: wireOf(subscription) as Schemas['WebhookSubscription'] };
  },
};

export const listWebhookSubscriptions: Operation<'listWebhookSubscriptions'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'subscriptions', request, true);
    return { status: 200, body: { data: rows.map(wireOf), meta: counted } };
  },
};

export const deleteWebhookSubscription: Operation<'deleteWebhookSubscription'> = {
  handle(request, tx) {
    const subscription = findRecord(tx, 'subscriptions', request.params.id, request.caller, 'webhook subscription');
    tx.remove('subscriptions', subscription.id);
    const { entries } = tx.journal('deliveries');
    for (const delivery of entries) {
      if (delivery.subscription_id !== subscription.id || delivery.status !== 'pending') continue;
      tx.amend('deliveries', { ...delivery, status: 'canceled' });
    }
    return { status: 204 };
  },
};
