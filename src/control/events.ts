// Routes of events.
import { z } from 'zod';
import { emitEvent } from '../admin/emit-event.ts';
import { listEvents } from '../admin/events.ts';
import { eventTypeField, paging, recordIdField } from './fields.ts';
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
      subject_id: recordIdField.optional().describe('The record that they are about.'),
    }),
    answer: journal('Event'),
    handle: ({ sandbox, world, query, organization }) => listEvents(sandbox, world, { ...query, organization }),
  }),
  defineRoute({
    id: 'emitEvent',
    method: 'post',
    path: '/events',
    summary: 'Emit an event by hand',
    description:
      'It is about the record that `data` names, shown as it would be if the event has not happened to it; otherwise about an existing record to which it has happened and that has what `data` says, or one made for it. Its body follows from that record. Existing records do not change. What no such event can have is 400.',
    body: z
      .strictObject({
        event_type: eventTypeField.describe('Its type.'),
        data: z
          .record(z.string(), z.unknown())
          .default({})
          .describe(
            'What its body must have. `id` names the record that it is about; fields that are left out follow from it.',
          ),
      })
      .describe('The event type, and what the record that it is about must have.'),
    errors: ['not_found', 'conflict'],
    answer: created('Event'),
    handle: async ({ sandbox, world, body, organization }) => ({
      data: await emitEvent(sandbox, world, body, { organization }),
    }),
  }),
];
