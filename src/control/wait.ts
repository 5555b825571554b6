// The route that waits for an event.
import { z } from 'zod';
import { waitForEvent } from '../admin/wait.ts';
import { invalidField } from '../errors/api-error.ts';
import { durationField, eventTypeField, instantField, recordIdField } from './fields.ts';
import { defineRoute, one } from './route.ts';

export const waitRoutes = [
  defineRoute({
    id: 'waitForEvent',
    method: 'get',
    path: '/wait',
    summary: 'Wait for an event',
    description: 'Answers as soon as it has happened; 408 when it does not happen in time.',
    query: z.strictObject({
      event_type: eventTypeField.optional().describe('Its type.'),
      subject_id: recordIdField.optional().describe('The record that it is about, of whatever kind.'),
      call_id: recordIdField.optional().describe('The call that it is about.'),
      delivered: z
        .enum(['true', 'false'])
        .optional()
        .describe('Whether it must have deliveries, and all of them must have been accepted.'),
      since: instantField.optional().describe('Events before this instant do not count.'),
      timeout: durationField
        .refine((ms) => ms <= 60_000, { error: 'must be at most 60s' })
        .prefault('10s')
        .describe('How long to wait, in real time; 10s by default, 60s at most.'),
    }),
    errors: ['timeout', 'conflict'],
    answer: one('Event'),
    async handle({ sandbox, world, organization, query: { delivered, timeout, ...match }, signal }) {
      const { subject_id, call_id } = match;
      if (subject_id !== undefined && call_id !== undefined && subject_id !== call_id)
        throw invalidField('call_id', 'is another record than subject_id; send one of them');
      const wanted = { ...match, organization, delivered: delivered === 'true' };
      return { data: await waitForEvent(sandbox, world, wanted, timeout, signal) };
    },
  }),
];
