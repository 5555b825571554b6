// The sandbox's side of a webhook subscription: the secret it is signed with.
import { z } from 'zod';
import { notFound } from '../errors/api-error.ts';
import { type Row, wireOf } from '../model.ts';
import { route } from './route.ts';

function serializeSubscription(subscription: Row<'subscriptions'>) {
  return { ...wireOf(subscription), signing_secret: subscription.private.signing_secret };
}

export const subscriptionRoutes = [
  route({
    method: 'get',
    path: '/webhook-subscriptions/:id',
    summary: 'A subscription with its signing secret',
    handle: ({ sandbox, world, params: { id = '' } }) =>
      sandbox.store.transaction(world, (tx) => {
        const subscription = tx.get('subscriptions', id);
        if (!subscription) throw notFound('webhook subscription', id);
        return { data: serializeSubscription(subscription) };
      }),
  }),
  route({
    method: 'put',
    path: '/webhook-subscriptions/:id',
    summary: 'Set the signing secret, or remove it with null',
    body: z.strictObject({
      signing_secret: z.string().min(1).max(1024).nullable().optional(),
      plan: z.undefined({ error: 'delivery plans are not built yet; deliveries follow the default plan' }).optional(),
    }),
    handle: ({ sandbox, world, params: { id = '' }, body: { signing_secret } }) =>
      sandbox.store.transaction(world, (tx) => {
        const subscription = tx.get('subscriptions', id);
        if (!subscription) throw notFound('webhook subscription', id);
        if (signing_secret === undefined) return { data: serializeSubscription(subscription) };
        const changed = { ...subscription, private: { ...subscription.private, signing_secret } };
        tx.put('subscriptions', changed);
        return { data: serializeSubscription(changed) };
      }),
  }),
];
