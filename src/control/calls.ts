// Routes of calls, for a person who watches a world: the dashboard's list.
import { z } from 'zod';
import { listCalls, readCall } from '../admin/calls.ts';
import { recordId } from '../identity/record-id.ts';
import { paging } from './fields.ts';
import { defineRoute, one, page } from './route.ts';

const MOST_IDS = 100;

const ids = z
  .string()
  .transform((text) => text.split(',').map((id) => recordId(id.trim())))
  .refine((list) => list.length <= MOST_IDS, { error: `must be at most ${MOST_IDS} ids, with commas between them` });

export const callRoutes = [
  defineRoute({
    id: 'listWatchedCalls',
    method: 'get',
    path: '/calls',
    summary: 'List the calls',
    description:
      'Returns the calls of this world, newest first, each with the scenario that it plays. Unlike the list of the platform, it counts towards no rate limit and is not in the journal.',
    query: z.strictObject({
      ...paging,
      ids: ids.optional().describe(`These calls alone: at most ${MOST_IDS} ids, with commas between them.`),
    }),
    answer: page('WatchedCall'),
    handle: ({ sandbox, world, query, organization, address }) =>
      listCalls(sandbox, world, { ...query, organization, address }),
  }),
  defineRoute({
    id: 'getWatchedCall',
    method: 'get',
    path: '/calls/:id',
    summary: 'Read a call',
    description: 'Returns the call, the scenario that it plays, and what was said.',
    parameters: { id: 'The id of the call.' },
    answer: one('WatchedCallDetail'),
    async handle({ sandbox, world, params, organization, address }) {
      return { data: await readCall(sandbox, world, { id: params.id, organization, address }) };
    },
  }),
];
