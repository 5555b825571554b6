// Routes of active scenarios: `interface.md` section 3, rule 2.
import { z } from 'zod';
import { clearActiveScenario, readActiveScenario, setActiveScenario } from '../admin/active-scenarios.ts';
import { defineRoute } from './route.ts';

export const activeScenarioRoutes = [
  defineRoute({
    method: 'get',
    path: '/active-scenarios/:kind',
    summary: 'Read what this world plays for a kind unless a request names a scenario',
    handle: async ({ sandbox, world, params }) => ({ data: await readActiveScenario(sandbox, world, params.kind) }),
  }),
  defineRoute({
    method: 'put',
    path: '/active-scenarios/:kind',
    summary: 'Play one scenario from now on, or a list from which each request takes the next',
    body: z.strictObject({ use: z.union([z.string(), z.array(z.string()).min(1).max(1000)]) }),
    async handle({ sandbox, world, params, body }) {
      return { data: await setActiveScenario(sandbox, world, params.kind, body.use) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/active-scenarios/:kind',
    summary: 'Clear the active scenario: magic numbers and the default scenario apply again',
    async handle({ sandbox, world, params }) {
      await clearActiveScenario(sandbox, world, params.kind);
      return { status: 204 };
    },
  }),
];
