// Routes of the scenario library and its overlays: `interface.md` section 3.
import { z } from 'zod';
import { deleteOverlay, findScenario, listScenarios, putOverlay } from '../admin/scenarios.ts';
import { scenarioKinds } from '../lifecycles/index.ts';
import { paging } from './fields.ts';
import { defineRoute } from './route.ts';

export const scenarioRoutes = [
  defineRoute({
    method: 'get',
    path: '/scenarios',
    summary: "List the scenario library, with this world's overlays",
    query: z.strictObject({ ...paging, kind: z.enum(scenarioKinds).optional() }),
    handle: ({ sandbox, world, query }) => listScenarios(sandbox, world, query),
  }),
  defineRoute({
    method: 'get',
    path: '/scenarios/:name',
    summary: 'Read a scenario with its source',
    handle: async ({ sandbox, world, params }) => ({ data: await findScenario(sandbox, world, params.name) }),
  }),
  defineRoute({
    method: 'put',
    path: '/scenarios/:name',
    summary: 'Add a scenario for this world only, or override one of the library',
    body: z.record(z.string(), z.unknown()),
    bodyMayBeYaml: true,
    async handle({ sandbox, world, params, body, text }) {
      const source = text ?? JSON.stringify(body);
      const { created, scenario } = await putOverlay(sandbox, world, params.name, source);
      return { status: created ? 201 : 200, data: scenario };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/scenarios/:name',
    summary: 'Remove a scenario that was added for this world',
    async handle({ sandbox, world, params }) {
      await deleteOverlay(sandbox, world, params.name);
      return { status: 204 };
    },
  }),
];
