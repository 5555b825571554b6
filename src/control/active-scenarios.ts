// Routes of active scenarios: `interface.md` section 3, rule 2.
import { z } from 'zod';
import { clearActiveScenario, readActiveScenario, setActiveScenario } from '../admin/active-scenarios.ts';
import { defineRoute, nothing, one } from './route.ts';

export const activeScenarioRoutes = [
  defineRoute({
    id: 'getActiveScenario',
    method: 'get',
    path: '/active-scenarios/:kind',
    summary: 'Read the active scenario of a kind',
    description: 'It is what this world plays for a kind unless a request names a scenario.',
    parameters: { kind: 'A kind of scenario, such as `call`.' },
    answer: one('ActiveScenario'),
    handle: async ({ sandbox, world, params }) => ({ data: await readActiveScenario(sandbox, world, params.kind) }),
  }),
  defineRoute({
    id: 'setActiveScenario',
    method: 'put',
    path: '/active-scenarios/:kind',
    summary: 'Set the active scenario of a kind',
    description: 'This world plays one scenario from now on, or a list from which each request takes the next.',
    parameters: { kind: 'A kind of scenario, such as `call`.' },
    body: z
      .strictObject({
        use: z
          .union([z.string(), z.array(z.string()).min(1).max(1000)])
          .describe('A scenario such as `busy` or `busy;ring=2s`, or a list of them.'),
      })
      .describe('What to play: one scenario until another is set, or a list that requests use up.'),
    answer: one('ActiveScenario'),
    async handle({ sandbox, world, params, body }) {
      return { data: await setActiveScenario(sandbox, world, params.kind, body.use) };
    },
  }),
  defineRoute({
    id: 'clearActiveScenario',
    method: 'delete',
    path: '/active-scenarios/:kind',
    summary: 'Clear the active scenario of a kind',
    description: 'Magic numbers and the default scenario apply again.',
    parameters: { kind: 'A kind of scenario, such as `call`.' },
    answer: nothing,
    async handle({ sandbox, world, params }) {
      await clearActiveScenario(sandbox, world, params.kind);
      return {};
    },
  }),
];
