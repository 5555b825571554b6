// Webhook subscriptions: `spec.md` "Webhook subscriptions". An event type can have several subscriptions.
import { assumed } from '../assumptions/catalogue.ts';
import { type Operation, ok } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findRecord, findReferenced, ownedBy } from '../engine/records.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { type Row, wireOf } from '../model.ts';
import { nextId } from '../store/next-id.ts';
import { urlProblem } from '../webhooks/egress.ts';
import { MAX_SUBSCRIPTIONS_PER_TYPE } from '../webhooks/fan-out.ts';
import { cancelHeld } from '../webhooks/held-deliveries.ts';
import { WORLD_SIGNING_SECRET } from '../webhooks/sign.ts';

export const createWebhookSubscription: Operation<'createWebhookSubscription'> = {
  handle({ body, caller, settings }, tx) {
    const problem = urlProblem(body.webhook_url, settings.webhookHttp);
    if (problem) throw invalidField('webhook_url', problem, { assumption: 'webhook_urls' });
    const { workflow_id } = body;
    const campaign_id =
      body.campaign_id &&
      findReferenced(tx, 'jobs', body.campaign_id, caller, 'campaign_id', 'subscription_filters').id;
    if (tx.count('subscriptions', 'event_type', body.event_type) >= MAX_SUBSCRIPTIONS_PER_TYPE) {
      throw new ApiError('conflict', {
        message: `This world already has ${MAX_SUBSCRIPTIONS_PER_TYPE} subscriptions to ${body.event_type}.`,
        hint: 'Delete some of them.',
        assumption: 'webhook_urls',
      });
    }
    const subscription: Row<'subscriptions'> = {
      id: nextId(tx, 'whk', 'subscriptions'),
      webhook_url: body.webhook_url,
      event_type: body.event_type,
      ...(workflow_id != null && { workflow_id }),
      ...(campaign_id && { campaign_id }),
      private: { ...ownedBy(tx, caller), signing_secret: WORLD_SIGNING_SECRET },
    };
    tx.put('subscriptions', subscription);
    const isFull = assumed(tx.state('assumptions'), 'subscription_response') === 'full';
    return { status: 201, body: isFull ? wireOf(subscription) : { id: subscription.id } };
  },
};

export const listWebhookSubscriptions: Operation<'listWebhookSubscriptions'> = {
  handle({ caller, query }, tx) {
    const options = { ...query, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'subscriptions', 'organization', caller.organization_id, options);
    return ok(rows.map(wireOf), counted);
  },
};

export const deleteWebhookSubscription: Operation<'deleteWebhookSubscription'> = {
  handle({ params, caller }, tx) {
    const subscription = findRecord(tx, 'subscriptions', params.id, caller);
    tx.remove('subscriptions', subscription.id);
    cancelHeld(tx, subscription.id);
    const { entries } = tx.journal('deliveries');
    for (const delivery of entries) {
      if (delivery.subscription_id !== subscription.id || delivery.status !== 'pending') continue;
      tx.amend('deliveries', { ...delivery, status: 'canceled' });
    }
    return { status: 204 };
  },
};
