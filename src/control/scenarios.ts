// Routes of the scenario library and its overlays: `interface.md` section 3.
import { z } from 'zod';
import { checkOverlay, deleteOverlay, findScenario, listScenarios, putOverlay } from '../admin/scenarios.ts';
import { scenarioKinds } from '../lifecycles/index.ts';
import { paging } from './fields.ts';
import { defineRoute, nothing, one, page } from './route.ts';

const name = 'The name of the scenario.';

export const scenarioRoutes = [
  defineRoute({
    id: 'listScenarios',
    method: 'get',
    path: '/scenarios',
    summary: 'List the scenarios',
    description: "Returns the library with this world's overlays, by name.",
    query: z.strictObject({ ...paging, kind: z.enum(scenarioKinds).optional().describe('What they apply to.') }),
    answer: page('Scenario'),
    handle: ({ sandbox, world, query }) => listScenarios(sandbox, world, query),
  }),
  defineRoute({
    id: 'getScenario',
    method: 'get',
    path: '/scenarios/:name',
    summary: 'Read a scenario',
    description: 'Returns it with the text of its file.',
    parameters: { name },
    answer: one('Scenario'),
    handle: async ({ sandbox, world, params }) => ({ data: await findScenario(sandbox, world, params.name) }),
  }),
  defineRoute({
    id: 'putScenario',
    method: 'put',
    path: '/scenarios/:name',
    summary: 'Add a scenario to this world',
    description:
      'Only this world has it, and it overrides a scenario of the same name. It is checked like a scenario file.',
    parameters: { name },
    body: z.record(z.string(), z.unknown()),
    bodyName: 'ScenarioFile',
    bodyMayBeYaml: true,
    errors: ['conflict'],
    answer: one('Scenario', [200, 201]),
    async handle({ sandbox, world, params, body, text }) {
      const source = text ?? JSON.stringify(body);
      const { created, scenario } = await putOverlay(sandbox, world, params.name, source);
      return { status: created ? 201 : 200, data: scenario };
    },
  }),
  defineRoute({
    id: 'checkScenario',
    method: 'post',
    path: '/scenarios/:name/check',
    summary: 'Check a scenario without adding it',
    description:
      'Returns everything that is wrong with it, each with its line and column, and else the scenario that it would be in this world.',
    parameters: { name },
    body: z.record(z.string(), z.unknown()),
    bodyName: 'ScenarioFile',
    bodyMayBeYaml: true,
    needsBody: true,
    errors: ['conflict'],
    answer: one('ScenarioCheck'),
    handle: async ({ sandbox, world, params, body, text }) => ({
      data: await checkOverlay(sandbox, world, params.name, text ?? JSON.stringify(body)),
    }),
  }),
  defineRoute({
    id: 'deleteScenario',
    method: 'delete',
    path: '/scenarios/:name',
    summary: 'Remove a scenario from this world',
    description: 'What it has overridden applies again.',
    parameters: { name },
    errors: ['conflict'],
    answer: nothing,
    async handle({ sandbox, world, params }) {
      await deleteOverlay(sandbox, world, params.name);
      return {};
    },
  }),
];
