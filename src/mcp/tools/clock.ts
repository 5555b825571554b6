// Tools for the time of a world.
import { z } from 'zod';
import type { ControlOperations } from '../../client/control-client.ts';
import type { DataOf } from '../../client/operation-types.ts';
import { defineTool, type Tool } from '../tool.ts';

/** An agent reads what happened, not a thousand entries. */
const MAX_SHOWN = 50;

export const clockTools: readonly Tool[] = [
  defineTool({
    name: 'show_clock',
    title: 'Show the clock',
    description: 'Shows the mode and the time of the world, and how much is pending.',
    reads: true,
    input: {},
    run: (session, { world }) => session.control(world).call('getClock'),
  }),
  defineTool({
    name: 'advance_clock',
    title: 'Advance the clock',
    description:
      'Runs everything up to an instant, webhooks included, and answers what happened. Give exactly one of `by`, `to` and `until`.',
    reads: false,
    input: {
      by: z.string().optional().describe('How far, such as `30s`, `5m` or `2d`.'),
      to: z.string().optional().describe('Up to which instant, in ISO 8601 form.'),
      until: z.literal('idle').optional().describe('Until nothing is scheduled or pending.'),
      timeout: z.string().optional().describe('How long it may take in real time; `30s` by default.'),
    },
    async run(session, { world, ...body }) {
      // The server refuses none of the three, and more than one.
      const { now, complete, totals, steps, deliveries } = await session.control(world).call('advanceClock', { body });
      return {
        now,
        complete,
        totals,
        steps: steps.slice(0, MAX_SHOWN).map(stepInWords),
        deliveries: deliveries.slice(0, MAX_SHOWN).map(deliveryInWords),
      };
    },
  }),
  defineTool({
    name: 'set_clock',
    title: 'Set the mode of the clock',
    description:
      '`manual` stands until it is advanced, `instant` runs every timeline at once, `real` and `20x` go by themselves.',
    reads: false,
    input: { mode: z.string().describe('`manual`, `instant`, `real`, or a speed such as `20x`.') },
    run: (session, { mode, world }) => session.control(world).call('setClock', { body: { mode } }),
  }),
];

type Advance = DataOf<ControlOperations['advanceClock']>;

const stepInWords = ({ at, subject, trigger, from, to }: Advance['steps'][number]): string =>
  `${at} ${subject.table} ${subject.id}: ${from === null ? '' : `${from} → `}${to} (${trigger})`;

export const deliveryInWords = ({ id, event_type, url, status, attempts }: Advance['deliveries'][number]): string => {
  const last = attempts.at(-1);
  const why = last?.error ? `, ${last.error}` : last?.response ? `, answered ${last.response.status}` : '';
  return `${id} ${event_type} to ${url}: ${status}${why}`;
};
