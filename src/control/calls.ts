// Routes of calls, for people who watch a world: the dashboard's list.
import { z } from 'zod';
import { decideCall, listCalls, readCall } from '../admin/calls.ts';
import { MOST_IDS, namedIds, paging } from './fields.ts';
import { defineRoute, one, page } from './route.ts';

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
      ids: namedIds.optional().describe(`These calls alone: at most ${MOST_IDS} ids, with commas between them.`),
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
  defineRoute({
    id: 'decideCall',
    method: 'post',
    path: '/calls/:id/decision',
    summary: 'Decide what becomes of a call',
    description:
      'For a call whose scenario leaves it to the person who watches, such as `rings_on_screen`: what is chosen replaces the rest of its timeline, from now on. Without a decision, the timeline goes on by itself.',
    parameters: { id: 'The id of the call.' },
    needsBody: true,
    errors: ['conflict'],
    body: z
      .strictObject({ choose: z.string().describe('One of the `choices` of the call, such as `answer` or `decline`.') })
      .describe('What is chosen.'),
    answer: one('WatchedCall'),
    handle: async ({ sandbox, world, params: { id }, body: { choose }, organization, address }) => ({
      data: await decideCall(sandbox, world, { id, choose, organization, address }),
    }),
  }),
];
