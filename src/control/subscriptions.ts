// Routes of webhook subscriptions: their secrets and delivery plans.
import { z } from 'zod';
import {
  changeSubscription,
  deleteWorldPlan,
  findSubscription,
  listSubscriptions,
  readWorldPlan,
  setWorldPlan,
  subscribe,
} from '../admin/subscriptions.ts';
import { invalidField } from '../errors/api-error.ts';
import { planForm } from '../webhooks/plan-form.ts';
import { eventTypeField, paging } from './fields.ts';
import { created, defineRoute, nothing, one, page } from './route.ts';

export const subscriptionRoutes = [
  defineRoute({
    id: 'listSubscriptions',
    method: 'get',
    path: '/webhook-subscriptions',
    summary: 'List the webhook subscriptions',
    description:
      'Returns those of the organization of the key, or of the world, in the order in which they were made, with their secrets and plans.',
    query: z.strictObject(paging),
    answer: page('SignedSubscription'),
    handle: ({ sandbox, world, query, organization }) => listSubscriptions(sandbox, world, { ...query, organization }),
  }),
  defineRoute({
    id: 'subscribe',
    method: 'post',
    path: '/webhook-subscriptions',
    summary: 'Subscribe an address to events',
    description:
      "Makes a subscription for each type, of the world's own organization, without a request to the platform in the journal or the coverage.",
    errors: ['conflict'],
    body: z
      .strictObject({
        webhook_url: z.string().max(2048).describe('Where the events are delivered to.'),
        event_types: z.array(eventTypeField).min(1).max(100).describe('The event types.'),
        plan: planForm.optional().describe('How the deliveries are sent.'),
      })
      .describe('What to subscribe to.'),
    answer: created('SignedSubscriptionList'),
    async handle({ sandbox, world, body: { webhook_url, event_types, plan } }) {
      return { data: { subscriptions: await subscribe(sandbox, world, webhook_url, event_types, plan) } };
    },
  }),
  defineRoute({
    id: 'getSubscription',
    method: 'get',
    path: '/webhook-subscriptions/:id',
    summary: 'Read a webhook subscription',
    description: 'Returns it with its signing secret and its plan.',
    parameters: { id: 'The id of the subscription.' },
    answer: one('SignedSubscription'),
    handle: async ({ sandbox, world, params, organization }) => ({
      data: await findSubscription(sandbox, world, params.id, { organization }),
    }),
  }),
  defineRoute({
    id: 'updateSubscription',
    method: 'put',
    path: '/webhook-subscriptions/:id',
    summary: 'Set the secret or the plan of a subscription',
    description:
      'Without a secret (null), deliveries are no longer signed; without a plan (null), that of the world applies.',
    parameters: { id: 'The id of the subscription.' },
    answer: one('SignedSubscription'),
    needsBody: true,
    body: z
      .strictObject({
        signing_secret: z.string().min(1).max(1024).nullable().optional().describe('The secret; null removes it.'),
        plan: planForm
          .nullable()
          .optional()
          .describe('How its deliveries are sent: it replaces the plan as a whole; null removes it.'),
      })
      .describe('What to change; what is left out stays as it is.'),
    handle: async ({ sandbox, world, params: { id }, body, organization }) => ({
      data: await changeSubscription(sandbox, world, id, body, { organization }),
    }),
  }),
  defineRoute({
    id: 'getWebhookPlan',
    method: 'get',
    path: '/webhook-plan',
    summary: 'Read the plan of the world',
    description: 'Returns the plan of every subscription that has none of its own; empty if there is none.',
    answer: one('DeliveryPlan'),
    handle: async ({ sandbox, world }) => ({ data: await readWorldPlan(sandbox, world) }),
  }),
  defineRoute({
    id: 'setWebhookPlan',
    method: 'put',
    path: '/webhook-plan',
    summary: 'Set the plan of the world',
    description: 'Every subscription that has no plan of its own follows it from now on, until a reset.',
    needsBody: true,
    body: planForm
      .extend({ plan: planForm.optional().describe('The whole plan in one field, as of a subscription.') })
      .describe('The plan.'),
    answer: one('DeliveryPlan'),
    async handle({ sandbox, world, body: { plan, ...fields } }) {
      const others = Object.keys(fields);
      if (plan && others.length > 0)
        throw invalidField('plan', `is the whole plan; cannot be with ${others.join(', ')}`);
      return { data: await setWorldPlan(sandbox, world, plan ?? fields) };
    },
  }),
  defineRoute({
    id: 'deleteWebhookPlan',
    method: 'delete',
    path: '/webhook-plan',
    summary: 'Delete the plan of the world',
    description: 'What it has held by a pause is sent.',
    answer: nothing,
    async handle({ sandbox, world }) {
      await deleteWorldPlan(sandbox, world);
      return {};
    },
  }),
];
