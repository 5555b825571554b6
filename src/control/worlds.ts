// Routes of worlds: `interface.md` section 2.
import { z } from 'zod';
import { createWorld, deleteWorld, listWorlds, resetWorld } from '../admin/worlds.ts';
import { assumptionValues } from '../assumptions/values.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import { readWorldName, worldNameForm, worldNamePattern } from '../identity/test-keys.ts';
import { clockSettingField, paging, parsedField } from './fields.ts';
import { created, defineRoute, nothing, page } from './route.ts';

export const worldRoutes = [
  defineRoute({
    id: 'listWorlds',
    method: 'get',
    path: '/worlds',
    summary: 'List the worlds',
    description: 'Returns every world of this server; with a control key, that world alone.',
    aboutServer: true,
    query: z.strictObject(paging),
    answer: page('World'),
    handle: ({ sandbox, query, ...requester }) => listWorlds(sandbox, requester, query),
  }),
  defineRoute({
    id: 'createWorld',
    method: 'post',
    path: '/worlds',
    summary: 'Create a world',
    description: 'It stays until it is deleted.',
    aboutServer: true,
    body: z
      .strictObject({
        name: parsedField(worldNameForm, readWorldName, { pattern: worldNamePattern })
          .optional()
          .describe('By default the first free one of `world-1`, `world-2`, …'),
        fixtures: z.string().default(DEFAULT_FIXTURE).describe('The fixture that it is made from.'),
        clock: clockSettingField.optional().describe('`real`, `manual`, `instant` or a speed; `--clock` by default.'),
        assumptions: assumptionValues.default({}).describe('Values of assumptions, by name.'),
      })
      .describe('The name, fixture and clock of the world; each has a default.'),
    errors: ['conflict'],
    answer: created('CreatedWorld'),
    handle: async ({ sandbox, body, ...requester }) => ({ data: await createWorld(sandbox, requester, body) }),
  }),
  defineRoute({
    id: 'deleteWorld',
    method: 'delete',
    path: '/worlds/:name',
    summary: 'Delete a world',
    description: 'Everything in it goes with it. A bundled world cannot be deleted.',
    aboutServer: true,
    parameters: { name: 'The name of the world.' },
    errors: ['conflict', 'forbidden'],
    answer: nothing,
    async handle({ sandbox, params, ...requester }) {
      await deleteWorld(sandbox, requester, params.name);
      return {};
    },
  }),
  defineRoute({
    id: 'resetWorld',
    method: 'post',
    path: '/reset',
    summary: 'Reset this world',
    description: 'It becomes what its fixture says. Keys, its own scenarios, assumption values and coverage stay.',
    answer: nothing,
    async handle({ sandbox, world }) {
      await resetWorld(sandbox, world);
      return {};
    },
  }),
];
