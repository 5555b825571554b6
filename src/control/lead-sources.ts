// Routes of lead sources, for what the platform has on a settings page.
import { z } from 'zod';
import { listLeadSources, rotateLeadSource } from '../admin/lead-sources.ts';
import { paging } from './fields.ts';
import { defineRoute } from './route.ts';

export const leadSourceRoutes = [
  defineRoute({
    method: 'get',
    path: '/lead-sources',
    summary: 'List the lead sources of this world, with URL token and secret',
    query: z.strictObject(paging),
    handle: ({ sandbox, world, query }) => listLeadSources(sandbox, world, query),
  }),
  defineRoute({
    method: 'post',
    path: '/lead-sources/:id/rotate',
    summary: 'Replace the URL token and the secret of a lead source; the old ones are no longer valid',
    body: z.strictObject({ url_token: z.boolean().default(true), source_secret: z.boolean().default(true) }),
    async handle({ sandbox, world, params, body }) {
      return { data: await rotateLeadSource(sandbox, world, params.id, body) };
    },
  }),
];
