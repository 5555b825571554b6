// Routes of lead sources: what the platform shows on a settings page.
import { z } from 'zod';
import { listLeadSources, rotateLeadSource } from '../admin/lead-sources.ts';
import { paging } from './fields.ts';
import { defineRoute, one, page } from './route.ts';

export const leadSourceRoutes = [
  defineRoute({
    id: 'listLeadSources',
    method: 'get',
    path: '/lead-sources',
    summary: 'List the lead sources',
    description: 'Returns those of this world, newest first, with URL token and secret.',
    query: z.strictObject(paging),
    answer: page('LeadSource'),
    handle: ({ sandbox, world, query, organization }) => listLeadSources(sandbox, world, { ...query, organization }),
  }),
  defineRoute({
    id: 'rotateLeadSource',
    method: 'post',
    path: '/lead-sources/:id/rotate',
    summary: 'Replace the token and secret of a lead source',
    description: 'The old ones are no longer valid.',
    parameters: { id: 'The id of the lead source.' },
    body: z
      .strictObject({
        url_token: z.boolean().default(true).describe('Whether to replace the URL token.'),
        source_secret: z.boolean().default(true).describe('Whether to replace the secret.'),
      })
      .describe('Which of the two to replace; both by default.'),
    answer: one('LeadSource'),
    async handle({ sandbox, world, params, body, organization }) {
      return { data: await rotateLeadSource(sandbox, world, params.id, body, { organization }) };
    },
  }),
];
