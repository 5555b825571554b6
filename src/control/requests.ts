// Routes of the request journal.
import { z } from 'zod';
import { findRequest, listRequests } from '../admin/requests.ts';
import { instantField, integerInQuery, paging } from './fields.ts';
import { defineRoute } from './route.ts';

export const requestRoutes = [
  defineRoute({
    method: 'get',
    path: '/requests',
    summary: 'List the request journal, newest first',
    query: z.strictObject({
      ...paging,
      method: z.string().optional(),
      path: z.string().optional(),
      operation: z.string().optional(),
      status: integerInQuery.optional(),
      since: instantField.optional(),
    }),
    handle: ({ sandbox, world, query }) => listRequests(sandbox, world, query),
  }),
  defineRoute({
    method: 'get',
    path: '/requests/:id',
    summary: 'Read a request and its response',
    handle: async ({ sandbox, world, params }) => ({ data: await findRequest(sandbox, world, params.id) }),
  }),
];
