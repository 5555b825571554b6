// Routes of events.
import { z } from 'zod';
import { emitEvent } from '../admin/emit-event.ts';
import { listEvents } from '../admin/events.ts';
import { eventTypes } from '../events/catalogue.ts';
import { paging } from './fields.ts';
import { defineRoute } from './route.ts';

export const eventRoutes = [
  defineRoute({
    method: 'get',
    path: '/events',
    summary: 'List emitted events, newest first',
    query: z.strictObject({
      ...paging,
      event_type: z.enum(eventTypes).optional(),
      subject_id: z.string().optional(),
    }),
    handle: ({ sandbox, world, query }) => listEvents(sandbox, world, query),
  }),
  defineRoute({
    method: 'post',
    path: '/events',
    summary: 'Emit an event, about an existing record if there is one',
    body: z.strictObject({
      event_type: z.enum(eventTypes),
      data: z.record(z.string(), z.unknown()).default({}),
    }),
    handle: async ({ sandbox, world, body }) => ({ status: 201, data: await emitEvent(sandbox, world, body) }),
  }),
];
