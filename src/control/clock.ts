// Routes of the clock: `interface.md` section 4.
import { z } from 'zod';
import { advance, MAX_ADVANCE_MS, readClock, setClock } from '../admin/clock.ts';
import { clockSettingField, durationField, instantField } from './fields.ts';
import { defineRoute } from './route.ts';

export const clockRoutes = [
  defineRoute({
    method: 'get',
    path: '/clock',
    summary: "Read the world's clock",
    handle: async ({ sandbox, world }) => ({ data: await readClock(sandbox, world) }),
  }),
  defineRoute({
    method: 'put',
    path: '/clock',
    summary: 'Set the mode or the speed, or move the time forward',
    body: z.strictObject({
      mode: clockSettingField.optional(),
      speed: z.number().min(0).max(1_000_000).optional(),
      now: instantField.optional(),
      /** Ignored, so that the response of GET can be sent back. */
      pending: z.number().optional(),
    }),
    handle: async ({ sandbox, world, body }) => ({ data: await setClock(sandbox, world, body) }),
  }),
  defineRoute({
    method: 'post',
    path: '/clock/advance',
    summary: 'Run everything up to an instant, and what it causes, before responding',
    body: z.strictObject({
      by: durationField.optional(),
      to: instantField.optional(),
      until: z.literal('idle').optional(),
      timeout: durationField.refine((ms) => ms <= MAX_ADVANCE_MS, { error: 'must be at most 10m' }).default(30_000),
    }),
    async handle({ sandbox, world, body: { timeout, ...goal } }) {
      return { data: await advance(sandbox, world, { ...goal, timeoutMs: timeout }) };
    },
  }),
];
