// Creates webhook subscriptions, by the API or by the library: `spec.md` "Webhook subscriptions". An event type can have
// several.
import { type Owner, ownedBy } from '../../engine/records.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import type { DeliveryPlan, Row } from '../../model.ts';
import { nextId } from '../../store/next-id.ts';
import type { Tx } from '../../store/store.ts';
import { urlProblem, type WebhookHttp } from '../../webhooks/egress.ts';
import { MAX_SUBSCRIPTIONS_PER_TYPE } from '../../webhooks/fan-out.ts';
import { WORLD_SIGNING_SECRET } from '../../webhooks/sign.ts';

type Subscribed = Pick<Row<'subscriptions'>, 'webhook_url' | 'event_type' | 'workflow_id' | 'campaign_id'>;

/** Throws `validation_error` for a URL that must not be used. */
export function checkWebhookUrl(url: string, http: WebhookHttp): void {
  const problem = urlProblem(url, http);
  if (problem) throw invalidField('webhook_url', problem, { assumption: 'webhook_urls' });
}

/** Subscribes an address that has been checked; `conflict` if the event type has too many subscriptions. */
export function addSubscription(
  tx: Tx,
  owner: Owner,
  subscribed: Subscribed,
  plan?: DeliveryPlan,
): Row<'subscriptions'> {
  const { webhook_url, event_type, workflow_id, campaign_id } = subscribed;
  if (tx.count('subscriptions', 'event_type', event_type) >= MAX_SUBSCRIPTIONS_PER_TYPE) {
    throw new ApiError('conflict', {
      message: `This world already has ${MAX_SUBSCRIPTIONS_PER_TYPE} subscriptions to ${event_type}.`,
      hint: 'Delete some of them.',
      assumption: 'webhook_urls',
    });
  }
  const subscription: Row<'subscriptions'> = {
    id: nextId(tx, 'whk', 'subscriptions'),
    webhook_url,
    event_type,
    ...(workflow_id !== undefined && { workflow_id }),
    ...(campaign_id !== undefined && { campaign_id }),
    private: { ...ownedBy(tx, owner), signing_secret: WORLD_SIGNING_SECRET, ...(plan && { plan }) },
  };
  tx.put('subscriptions', subscription);
  return subscription;
}
