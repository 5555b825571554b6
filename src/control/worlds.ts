// Routes of worlds: `interface.md` section 2.
import { z } from 'zod';
import { createWorld, deleteWorld, listWorlds, resetWorld } from '../admin/worlds.ts';
import { assumptionValues } from '../assumptions/values.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import { readWorldName, worldNameForm } from '../identity/test-keys.ts';
import { clockSettingField, paging, parsedField } from './fields.ts';
import { defineRoute } from './route.ts';

export const worldRoutes = [
  defineRoute({
    method: 'get',
    path: '/worlds',
    summary: 'List the worlds of this server',
    aboutServer: true,
    query: z.strictObject(paging),
    handle: ({ sandbox, query, ...requester }) => listWorlds(sandbox, requester, query),
  }),
  defineRoute({
    method: 'post',
    path: '/worlds',
    summary: 'Create a world that stays until it is deleted',
    aboutServer: true,
    body: z.strictObject({
      name: parsedField(worldNameForm, readWorldName).optional(),
      fixtures: z.string().default(DEFAULT_FIXTURE),
      clock: clockSettingField.optional(),
      assumptions: assumptionValues.default({}),
    }),
    async handle({ sandbox, body, ...requester }) {
      return { status: 201, data: await createWorld(sandbox, requester, body) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/worlds/:name',
    summary: 'Delete a world and everything in it',
    aboutServer: true,
    async handle({ sandbox, params, ...requester }) {
      await deleteWorld(sandbox, requester, params.name);
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
