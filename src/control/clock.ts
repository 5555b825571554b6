// Routes of the clock: `interface.md` section 4.
import { z } from 'zod';
import { advance, MAX_ADVANCE_MS, readClock, setClock } from '../admin/clock.ts';
import { clockSettingField, durationField, instantField } from './fields.ts';
import { defineRoute, one } from './route.ts';

export const clockRoutes = [
  defineRoute({
    id: 'getClock',
    method: 'get',
    path: '/clock',
    summary: 'Read the clock',
    description: "Returns the mode and the time of the world's clock, and how much is pending.",
    answer: one('Clock'),
    handle: async ({ sandbox, world }) => ({ data: await readClock(sandbox, world) }),
  }),
  defineRoute({
    id: 'setClock',
    method: 'put',
    path: '/clock',
    summary: 'Set the mode or the time',
    description: 'The time moves forward only; everything due up to then happens first.',
    errors: ['conflict'],
    needsBody: true,
    body: z
      .strictObject({
        mode: clockSettingField.optional().describe('`real`, `manual`, `instant`, or a speed such as `20x`.'),
        speed: z.number().min(0).max(1_000_000).optional().describe('Another way to set the mode: 1 is `real`.'),
        now: instantField.optional().describe('Not in the past of the world.'),
        pending: z.number().optional().describe('Ignored, so that what GET answers can be sent back.'),
      })
      .describe('Any of the mode and the time; what is left out stays as it is.'),
    answer: one('Clock'),
    handle: async ({ sandbox, world, body }) => ({ data: await setClock(sandbox, world, body) }),
  }),
  defineRoute({
    id: 'advanceClock',
    method: 'post',
    path: '/clock/advance',
    summary: 'Advance the clock',
    description:
      'Runs everything up to an instant, and what it causes, before it answers. Takes exactly one of `by`, `to` and `until`.',
    errors: ['conflict'],
    needsBody: true,
    body: z
      .strictObject({
        by: durationField.optional().describe('How far, such as `30s`.'),
        to: instantField.optional().describe('Up to which instant.'),
        until: z.literal('idle').optional().describe('Until no step and no delivery is pending.'),
        timeout: durationField
          .refine((ms) => ms <= MAX_ADVANCE_MS, { error: 'must be at most 10m' })
          .prefault('30s')
          .describe('The real time after which it stops where it is; 30s by default, 10m at most.'),
      })
      .describe('How far: by a duration, to an instant, or until nothing is pending.'),
    answer: one('Advance'),
    async handle({ sandbox, world, body: { timeout, ...goal } }) {
      return { data: await advance(sandbox, world, { ...goal, timeoutMs: timeout }) };
    },
  }),
];
