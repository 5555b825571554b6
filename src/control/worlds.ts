// Routes of worlds: `interface.md` section 2.
import { z } from 'zod';
import { createWorld, deleteWorld, listWorlds, resetWorld } from '../admin/worlds.ts';
import { assumptionValues } from '../assumptions/values.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import { worldName, worldNameForm } from '../identity/api-keys.ts';
import { clockSettingField, paging } from './fields.ts';
import { defineRoute } from './route.ts';

export const worldRoutes = [
  defineRoute({
    method: 'get',
    path: '/worlds',
    summary: 'List the worlds of this server',
    query: z.strictObject(paging),
    handle: ({ sandbox, query }) => listWorlds(sandbox, query),
  }),
  defineRoute({
    method: 'post',
    path: '/worlds',
    summary: 'Create a world that stays until it is deleted',
    body: z.strictObject({
      name: z
        .string()
        .regex(worldName, { error: `must be ${worldNameForm}` })
        .optional(),
      fixtures: z.string().default(DEFAULT_FIXTURE),
      clock: clockSettingField.optional(),
      assumptions: assumptionValues.default({}),
    }),
    handle: async ({ sandbox, body }) => ({ status: 201, data: await createWorld(sandbox, body) }),
  }),
  defineRoute({
    method: 'delete',
    path: '/worlds/:name',
    summary: 'Delete a world and everything in it',
    async handle({ sandbox, params }) {
      await deleteWorld(sandbox, params.name);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/reset',
    summary: 'Reset this world to its fixture',
    async handle({ sandbox, world }) {
      await resetWorld(sandbox, world);
      return { status: 204 };
    },
  }),
];
