// The route that waits for an event.
import { z } from 'zod';
import { waitForEvent } from '../admin/wait.ts';
import { eventTypes } from '../events/catalogue.ts';
import { durationField, instantField } from './fields.ts';
import { defineRoute } from './route.ts';

export const waitRoutes = [
  defineRoute({
    method: 'get',
    path: '/wait',
    summary: 'Wait until an event has happened; 408 when it does not happen in time',
    query: z.strictObject({
      event_type: z.enum(eventTypes).optional(),
      call_id: z.string().optional(),
      delivered: z.enum(['true', 'false']).optional(),
      since: instantField.optional(),
      timeout: durationField.refine((ms) => ms <= 60_000, { error: 'must be at most 60s' }).default(10_000),
    }),
    async handle({ sandbox, world, query: { delivered, timeout, ...match }, signal }) {
      const wanted = { ...match, delivered: delivered === 'true' };
      return { data: await waitForEvent(sandbox, world, wanted, timeout, signal) };
    },
  }),
];
