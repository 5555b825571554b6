// Routes of deliveries: `interface.md` section 6.
import { z } from 'zod';
import { findDelivery, listDeliveries, redeliver } from '../admin/deliveries.ts';
import { eventTypes } from '../events/catalogue.ts';
import { paging } from './fields.ts';
import { defineRoute } from './route.ts';

export const deliveryRoutes = [
  defineRoute({
    method: 'get',
    path: '/deliveries',
    summary: 'List deliveries, newest first',
    query: z.strictObject({
      ...paging,
      status: z.enum(['pending', 'in_flight', 'delivered', 'failed', 'canceled']).optional(),
      event_type: z.enum(eventTypes).optional(),
      subscription_id: z.string().optional(),
    }),
    handle: ({ sandbox, world, query }) => listDeliveries(sandbox, world, query),
  }),
  defineRoute({
    method: 'get',
    path: '/deliveries/:id',
    summary: 'Read a delivery with its attempts',
    handle: async ({ sandbox, world, params }) => ({ data: await findDelivery(sandbox, world, params.id) }),
  }),
  defineRoute({
    method: 'post',
    path: '/deliveries/:id/redeliver',
    summary: 'Send the same bytes again, as another attempt',
    handle: async ({ sandbox, world, params }) => ({ data: await redeliver(sandbox, world, params.id) }),
  }),
];
