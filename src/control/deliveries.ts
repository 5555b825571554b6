// Routes of deliveries: `interface.md` section 6.
import { z } from 'zod';
import { findDelivery, listDeliveries, redeliver } from '../admin/deliveries.ts';
import { deliveryStatuses } from '../model.ts';
import { eventTypeField, paging } from './fields.ts';
import { defineRoute, journal, one } from './route.ts';

export const deliveryRoutes = [
  defineRoute({
    id: 'listDeliveries',
    method: 'get',
    path: '/deliveries',
    summary: 'List deliveries',
    description: 'Returns every delivery that the journal keeps, newest first.',
    query: z.strictObject({
      ...paging,
      status: z.enum(deliveryStatuses).meta({ component: 'DeliveryStatus' }).optional().describe('Their status.'),
      event_type: eventTypeField.optional().describe('The type of their event.'),
      subscription_id: z.string().optional().describe('The subscription that they are for.'),
    }),
    answer: journal('Delivery'),
    handle: ({ sandbox, world, query, organization }) => listDeliveries(sandbox, world, { ...query, organization }),
  }),
  defineRoute({
    id: 'getDelivery',
    method: 'get',
    path: '/deliveries/:id',
    summary: 'Read a delivery',
    description: 'Returns the exact bytes and every attempt.',
    parameters: { id: 'The id of the delivery.' },
    answer: one('Delivery'),
    handle: async ({ sandbox, world, params, organization }) => ({
      data: await findDelivery(sandbox, world, params.id, { organization }),
    }),
  }),
  defineRoute({
    id: 'redeliver',
    method: 'post',
    path: '/deliveries/:id/redeliver',
    summary: 'Send a delivery again',
    description: 'Sends the same bytes, as another attempt.',
    parameters: { id: 'The id of the delivery.' },
    errors: ['conflict'],
    answer: one('Delivery'),
    handle: async ({ sandbox, world, params, organization }) => ({
      data: await redeliver(sandbox, world, params.id, { organization }),
    }),
  }),
];
