// The route of messages, for people who watch a world: the dashboard's list.
import { z } from 'zod';
import { listMessages } from '../admin/messages.ts';
import { MOST_IDS, namedIds, paging } from './fields.ts';
import { defineRoute, page } from './route.ts';

export const messageRoutes = [
  defineRoute({
    id: 'listWatchedMessages',
    method: 'get',
    path: '/messages',
    summary: 'List the messages',
    description:
      'Returns the messages of this world, newest first. Unlike the list of the platform, it counts towards no rate limit and is not in the journal.',
    query: z.strictObject({
      ...paging,
      ids: namedIds.optional().describe(`These messages alone: at most ${MOST_IDS} ids, with commas between them.`),
    }),
    answer: page('Message'),
    handle: ({ sandbox, world, query, organization }) => listMessages(sandbox, world, { ...query, organization }),
  }),
];
