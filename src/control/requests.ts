// Routes of the request journal.
import { z } from 'zod';
import { findRequest, listRequests } from '../admin/requests.ts';
import { instantField, integerInQuery, paging } from './fields.ts';
import { defineRoute, journal, one } from './route.ts';

export const requestRoutes = [
  defineRoute({
    id: 'listRequests',
    method: 'get',
    path: '/requests',
    summary: 'List platform requests',
    description: 'Returns every platform request that the journal keeps, newest first, with its response.',
    query: z.strictObject({
      ...paging,
      method: z.string().optional().describe('Their HTTP method.'),
      path: z.string().optional().describe('Their path, without the query.'),
      operation: z.string().optional().describe('The id of their operation, such as `dialCall`.'),
      status: integerInQuery.optional().describe('The status of the response.'),
      since: instantField.optional().describe('The earliest instant.'),
    }),
    answer: journal('RecordedRequest'),
    handle: ({ sandbox, world, query }) => listRequests(sandbox, world, query),
  }),
  defineRoute({
    id: 'getRequest',
    method: 'get',
    path: '/requests/:id',
    summary: 'Read a request and its response',
    description: 'The `X-Sandbox-Request-Id` of a response is the id.',
    parameters: { id: 'The id of the request.' },
    answer: one('RecordedRequest'),
    handle: async ({ sandbox, world, params }) => ({ data: await findRequest(sandbox, world, params.id) }),
  }),
];
