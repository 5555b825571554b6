// Routes of API keys: `interface.md` section 2.
import { z } from 'zod';
import { createKey, listKeys, revokeKey } from '../admin/keys.ts';
import { allScopes } from '../identity/api-keys.ts';
import { paging } from './fields.ts';
import { defineRoute } from './route.ts';

export const keyRoutes = [
  defineRoute({
    method: 'get',
    path: '/keys',
    summary: "List this world's API keys, without their plaintext",
    query: z.strictObject(paging),
    handle: ({ sandbox, world, query }) => listKeys(sandbox, world, query),
  }),
  defineRoute({
    method: 'post',
    path: '/keys',
    summary: 'Create an API key; its plaintext is returned once, here',
    body: z.strictObject({
      scopes: z.array(z.enum(allScopes())).optional(),
      is_demo: z.boolean().default(false),
      requests_per_minute: z.number().int().min(1).max(1_000_000).optional(),
      organization_id: z.uuid({ error: 'must be the id of an organization, a UUID' }).optional(),
    }),
    handle: async ({ sandbox, world, body }) => ({ status: 201, data: await createKey(sandbox, world, body) }),
  }),
  defineRoute({
    method: 'delete',
    path: '/keys/:id',
    summary: 'Revoke an API key',
    async handle({ sandbox, world, params }) {
      await revokeKey(sandbox, world, params.id);
      return { status: 204 };
    },
  }),
];
