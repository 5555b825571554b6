// Routes of a webhook subscription's signing secret.
import { z } from 'zod';
import { findSubscription, setSigningSecret } from '../admin/subscriptions.ts';
import { defineRoute } from './route.ts';

export const subscriptionRoutes = [
  defineRoute({
    method: 'get',
    path: '/webhook-subscriptions/:id',
    summary: 'Read a webhook subscription with its signing secret',
    handle: async ({ sandbox, world, params }) => ({ data: await findSubscription(sandbox, world, params.id) }),
  }),
  defineRoute({
    method: 'put',
    path: '/webhook-subscriptions/:id',
    summary: 'Set the signing secret, or remove it with null',
    body: z.strictObject({
      signing_secret: z.string().min(1).max(1024).nullable().optional(),
      plan: z.undefined({ error: 'is not supported yet: delivery plans are not built' }).optional(),
    }),
    async handle({ sandbox, world, params: { id }, body: { signing_secret } }) {
      if (signing_secret === undefined) return { data: await findSubscription(sandbox, world, id) };
      return { data: await setSigningSecret(sandbox, world, id, signing_secret) };
    },
  }),
];
