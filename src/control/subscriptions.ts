// Routes of a webhook subscription's signing secret.
import { z } from 'zod';
import { findSubscription, setSigningSecret } from '../admin/subscriptions.ts';
import { defineRoute, one } from './route.ts';

export const subscriptionRoutes = [
  defineRoute({
    id: 'getSubscription',
    method: 'get',
    path: '/webhook-subscriptions/:id',
    summary: 'Read a webhook subscription',
    description: 'Returns it with its signing secret.',
    parameters: { id: 'The id of the subscription.' },
    answer: one('SignedSubscription'),
    handle: async ({ sandbox, world, params }) => ({ data: await findSubscription(sandbox, world, params.id) }),
  }),
  defineRoute({
    id: 'updateSubscription',
    method: 'put',
    path: '/webhook-subscriptions/:id',
    summary: 'Set the signing secret of a subscription',
    description: 'Null removes it: its deliveries are no longer signed.',
    parameters: { id: 'The id of the subscription.' },
    answer: one('SignedSubscription'),
    needsBody: true,
    body: z
      .strictObject({
        signing_secret: z.string().min(1).max(1024).nullable().optional().describe('The secret; null removes it.'),
        plan: z.undefined({ error: 'is not supported yet: delivery plans are not built' }).optional(),
      })
      .describe('What to change; what is left out stays as it is.'),
    async handle({ sandbox, world, params: { id }, body: { signing_secret } }) {
      if (signing_secret === undefined) return { data: await findSubscription(sandbox, world, id) };
      return { data: await setSigningSecret(sandbox, world, id, signing_secret) };
    },
  }),
];
