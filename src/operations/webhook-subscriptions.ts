// Webhook subscriptions: `spec.md` "Webhook subscriptions". An event type can have several subscriptions.
import { assumed } from '../assumptions/catalogue.ts';
import { addSubscription, checkWebhookUrl } from '../domain/webhooks/new-subscription.ts';
import { type Operation, ok } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findRecord, findReferenced } from '../engine/records.ts';
import { wireOf } from '../model.ts';
import { cancelDeliveries } from '../webhooks/cancel-deliveries.ts';

export const createWebhookSubscription: Operation<'createWebhookSubscription'> = {
  handle({ body, caller, settings }, tx) {
    checkWebhookUrl(body.webhook_url, settings.webhookHttp);
    const campaign_id =
      body.campaign_id &&
      findReferenced(tx, 'jobs', body.campaign_id, caller, 'campaign_id', 'subscription_filters').id;
    const { webhook_url, event_type, workflow_id } = body;
    const subscription = addSubscription(tx, caller, {
      webhook_url,
      event_type,
      ...(workflow_id != null && { workflow_id }),
      ...(campaign_id && { campaign_id }),
    });
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
  leavesTasks: true,
  handle({ params, caller }, tx) {
    const subscription = findRecord(tx, 'subscriptions', params.id, caller);
    tx.remove('subscriptions', subscription.id);
    cancelDeliveries(tx, subscription.id);
    return { status: 204 };
  },
};
