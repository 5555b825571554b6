// Routes of the request journal.
import { z } from 'zod';
import { findRequest, listRequests } from '../admin/requests.ts';
import { verifyRequests } from '../admin/verify/verify-requests.ts';
import { globForm, MAX_GLOB_LENGTH } from '../glob.ts';
import { anyJson, instantField, integerInQuery, paging } from './fields.ts';
import { defineRoute, journal, one } from './route.ts';

const requestMatch = z
  .strictObject({
    method: z.string().min(1).optional().describe('Their HTTP method, in any case.'),
    path: z.string().min(1).max(MAX_GLOB_LENGTH).optional().describe(`Their path without the query: ${globForm}.`),
    operation: z.string().min(1).optional().describe('The id of their operation, such as `dialCall`.'),
    body: anyJson
      .optional()
      .describe('What their JSON body contains: objects may have more fields, lists are compared item by item.'),
    headers: z.record(z.string(), z.string()).optional().describe('Their headers; names are case-insensitive.'),
  })
  .describe('Which requests are counted; every field that is given must match.');

const times = z.int().min(0).optional();

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
      path: z.string().max(MAX_GLOB_LENGTH).optional().describe(`Their path without the query: ${globForm}.`),
      operation: z.string().optional().describe('The id of their operation, such as `dialCall`.'),
      status: integerInQuery.optional().describe('The status of the response.'),
      since: instantField.optional().describe('The earliest instant.'),
    }),
    answer: journal('RecordedRequest'),
    handle: ({ sandbox, world, query, organization }) => listRequests(sandbox, world, { ...query, organization }),
  }),
  defineRoute({
    id: 'getRequest',
    method: 'get',
    path: '/requests/:id',
    summary: 'Read a request and its response',
    description: 'The `X-Sandbox-Request-Id` of a response is the id.',
    parameters: { id: 'The id of the request.' },
    answer: one('RecordedRequest'),
    handle: async ({ sandbox, world, params, organization }) => ({
      data: await findRequest(sandbox, world, params.id, { organization }),
    }),
  }),
  defineRoute({
    id: 'verifyRequests',
    method: 'post',
    path: '/requests/verify',
    summary: 'Verify which requests were made',
    description:
      'Counts the platform requests that match. Without a number, there must be at least one. If it fails, `misses` has the nearest of those that do not match.',
    body: z
      .strictObject({
        match: requestMatch,
        exactly: times.describe('How many must match.'),
        at_least: times.describe('The fewest that must match.'),
        at_most: times.describe('The most that may match.'),
      })
      .describe('What to count, and how many are expected: at least one unless given.'),
    errors: ['conflict'],
    readsMuch: true,
    answer: one('RequestVerification', [200, 409]),
    async handle({ sandbox, world, body, organization }) {
      const data = await verifyRequests(sandbox, world, body, { organization });
      return { status: data.passed ? 200 : 409, data };
    },
  }),
];
