// Routes of the clock: `interface.md` section 4.
import { z } from 'zod';
import { advance, MAX_ADVANCE_MS, readClock, readNextTask, setClock } from '../admin/clock.ts';
import { deleteTick, listTicks, readTick, setTick } from '../admin/ticks.ts';
import { clockSettingField, durationField, instantField, paging } from './fields.ts';
import { defineRoute, journal, nothing, one } from './route.ts';

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
    id: 'getNextTask',
    method: 'get',
    path: '/clock/next',
    summary: 'Read when something happens next',
    description: 'Returns the instant of the earliest scheduled task, to which the clock can then be advanced.',
    answer: one('NextTask'),
    handle: async ({ sandbox, world }) => ({ data: await readNextTask(sandbox, world) }),
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
        tick: z.record(z.string(), z.unknown()).optional().describe('Ignored, as `pending` is.'),
      })
      .describe('Any of the mode and the time; what is left out stays as it is.'),
    answer: one('Clock'),
    handle: async ({ sandbox, world, body: { mode, speed, now } }) => ({
      data: await setClock(sandbox, world, { mode, speed, now }),
    }),
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
    async handle({ sandbox, world, organization, body: { timeout, ...goal } }) {
      return { data: await advance(sandbox, world, { ...goal, timeoutMs: timeout, organization }) };
    },
  }),
  defineRoute({
    id: 'getTick',
    method: 'get',
    path: '/clock/tick',
    summary: 'Read the tick',
    description: 'Returns what is set, and how many ticks were sent.',
    errors: ['not_found'],
    answer: one('Tick'),
    handle: async ({ sandbox, world }) => ({ data: await readTick(sandbox, world) }),
  }),
  defineRoute({
    id: 'setTick',
    method: 'put',
    path: '/clock/tick',
    summary: 'Let the clock drive a scheduler of yours',
    description:
      "From now on until a reset, the server POSTs `{ now }` to the address at regular instants of the world's time. An advance waits for each answer.",
    needsBody: true,
    body: z
      .strictObject({
        every: z.string().describe('How often, such as `1m`; the first one comes after that time.'),
        url: z.string().max(2048).describe('Where to; the rules are those of webhook URLs.'),
      })
      .describe('The tick.'),
    answer: one('Tick'),
    handle: async ({ sandbox, world, body }) => ({ data: await setTick(sandbox, world, body) }),
  }),
  defineRoute({
    id: 'deleteTick',
    method: 'delete',
    path: '/clock/tick',
    summary: 'End the tick',
    description: 'No more ticks are sent.',
    answer: nothing,
    async handle({ sandbox, world }) {
      await deleteTick(sandbox, world);
      return {};
    },
  }),
  defineRoute({
    id: 'listTicks',
    method: 'get',
    path: '/clock/ticks',
    summary: 'List the ticks that were sent',
    description: 'Returns every tick that the journal keeps, newest first, with the answer to it.',
    query: z.strictObject(paging),
    answer: journal('SentTick'),
    handle: ({ sandbox, world, query }) => listTicks(sandbox, world, query),
  }),
];
