// Routes of timelines.
import { z } from 'zod';
import { timelineMermaid } from '../admin/timeline/mermaid.ts';
import { timelineText } from '../admin/timeline/text.ts';
import { type Timeline, timelineOf } from '../admin/timeline/timeline.ts';
import { recordIdField } from './fields.ts';
import { defineRoute, oneOf } from './route.ts';

const TEXT = 'text/plain; charset=utf-8';

const format = z
  .enum(['json', 'text', 'mermaid'])
  .default('json')
  .describe('`text` is for a terminal, `mermaid` a sequence diagram; both are answered as `text/plain`.');

type Format = z.output<typeof format>;

function formatted(form: Format, timeline: Timeline) {
  if (form === 'json') return { data: timeline };
  const content = form === 'text' ? timelineText(timeline) : timelineMermaid(timeline);
  return { raw: { type: TEXT, content } };
}

export const timelineRoutes = [
  defineRoute({
    id: 'getCallTimeline',
    method: 'get',
    path: '/calls/:id/timeline',
    summary: 'Read the timeline of a call',
    description:
      'Returns the request that placed it, its steps, events and deliveries as one chain, with the scenario that was chosen and why the others lost.',
    parameters: { id: 'The id of the call.' },
    query: z.strictObject({ format }),
    errors: ['not_found', 'conflict'],
    readsMuch: true,
    answer: oneOf('Timeline', [TEXT]),
    async handle({ sandbox, world, params, query, organization }) {
      const wanted = { subject_id: params.id, table: 'calls', organization } as const;
      return formatted(query.format, await timelineOf(sandbox, world, wanted));
    },
  }),
  defineRoute({
    id: 'getTimeline',
    method: 'get',
    path: '/timeline',
    summary: 'Read the timeline of any record',
    description:
      'Returns what led to a record and what followed from it, as one chain; of a request, all that it caused. 409 if part of the chain may be among entries that the journals have dropped.',
    query: z.strictObject({
      subject_id: recordIdField.describe(
        'The id of a message, a job, a number or any other record, of a request, or of another journal entry.',
      ),
      format,
    }),
    errors: ['not_found', 'conflict'],
    readsMuch: true,
    answer: oneOf('Timeline', [TEXT]),
    async handle({ sandbox, world, query, organization }) {
      return formatted(query.format, await timelineOf(sandbox, world, { ...query, organization }));
    },
  }),
];
