// Routes of events.
import { z } from 'zod';
import { emitEvent } from '../admin/emit-event.ts';
import { listEvents } from '../admin/events.ts';
import { eventTypeField, paging } from './fields.ts';
import { created, defineRoute, journal } from './route.ts';

export const eventRoutes = [
  defineRoute({
    id: 'listEvents',
    method: 'get',
    path: '/events',
    summary: 'List events',
    description: 'Returns every event that the journal keeps, newest first.',
    query: z.strictObject({
      ...paging,
      event_type: eventTypeField.optional().describe('Their type.'),
      subject_id: z.string().optional().describe('The record that they are about.'),
    }),
    answer: journal('Event'),
    handle: ({ sandbox, world, query }) => listEvents(sandbox, world, query),
  }),
  defineRoute({
    id: 'emitEvent',
    method: 'post',
    path: '/events',
    summary: 'Emit an event by hand',
    description:
      'It is about an existing record to which it has happened if there is one, otherwise about one made for it.',
    body: z
      .strictObject({
        event_type: eventTypeField.describe('Its type.'),
        data: z
          .record(z.string(), z.unknown())
          .default({})
          .describe('Fields of its body; `id` names the record that it is about.'),
      })
      .describe('The event type, and what differs from the record that the event is about.'),
    errors: ['not_found', 'conflict'],
    answer: created('Event'),
    handle: async ({ sandbox, world, body }) => ({ data: await emitEvent(sandbox, world, body) }),
  }),
];
