// Routes of API keys: `interface.md` section 2.
import { z } from 'zod';
import { createKey, listKeys, revokeKey } from '../admin/keys.ts';
import { allScopes } from '../identity/api-keys.ts';
import { paging } from './fields.ts';
import { created, defineRoute, nothing, page } from './route.ts';

export const keyRoutes = [
  defineRoute({
    id: 'listKeys',
    method: 'get',
    path: '/keys',
    summary: 'List the API keys',
    description: 'Returns those of this world, newest first, without their plaintext.',
    query: z.strictObject(paging),
    answer: page('Key'),
    handle: ({ sandbox, world, query, organization }) => listKeys(sandbox, world, { ...query, organization }),
  }),
  defineRoute({
    id: 'createKey',
    method: 'post',
    path: '/keys',
    summary: 'Create an API key',
    description: 'Its plaintext is shown once, in this answer.',
    body: z
      .strictObject({
        scopes: z
          .array(z.enum(allScopes()).meta({ component: 'Scope' }))
          .max(100)
          .optional()
          .describe('By default, and for an empty list, every scope but `compliance:write`.'),
        is_demo: z.boolean().default(false).describe('Whether it is a demo key.'),
        requests_per_minute: z
          .number()
          .int()
          .min(1)
          .max(1_000_000)
          .optional()
          .describe('Its rate limit; 600 by default, 120 for a demo key.'),
        organization_id: z
          .uuid({ error: 'must be the id of an organization, a UUID' })
          .toLowerCase()
          .optional()
          .describe("The world's organization or one of its sub-entities; by default that of the API key."),
      })
      .describe('What the key may do. Without fields, it is a key with the default scopes.'),
    errors: ['not_found'],
    answer: created('CreatedKey'),
    handle: async ({ sandbox, world, body, organization }) => ({
      data: await createKey(sandbox, world, body, { organization }),
    }),
  }),
  defineRoute({
    id: 'revokeKey',
    method: 'delete',
    path: '/keys/:id',
    summary: 'Revoke an API key',
    description: 'Requests with it are 401 from now on.',
    parameters: { id: 'The id of the key.' },
    answer: nothing,
    async handle({ sandbox, world, params, organization }) {
      await revokeKey(sandbox, world, params.id, { organization });
      return {};
    },
  }),
];
