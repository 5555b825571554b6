// Tools that choose what happens: the scenario library, and what a world plays.
import { z } from 'zod';
import { scenarioKinds } from '../../lifecycles/index.ts';
import { parseScenarioReference } from '../../scenarios/reference.ts';
import { defineTool, type Tool } from '../tool.ts';

const name = z.string().min(1).describe('The name of the scenario, such as `busy`.');

export const scenarioTools: readonly Tool[] = [
  defineTool({
    name: 'list_scenarios',
    title: 'List scenarios',
    description:
      'Lists what can happen to a call, a message and so on: name, kind, what happens, parameters, magic number (+1 NPA 555 01XX).',
    reads: true,
    input: { kind: z.enum(scenarioKinds).optional().describe('Only those of a kind.') },
    async run(session, { kind, world }) {
      // The kinds of the lifecycles are those of the contract.
      const query = { kind } as { kind?: 'call' };
      const scenarios = await session.control(world).all('listScenarios', { query });
      return scenarios.map(({ name, kind, summary, numbers, parameters, default: isDefault, error }) => ({
        name,
        kind,
        summary,
        ...(numbers?.length ? { numbers } : {}),
        ...(parameters && Object.keys(parameters).length > 0 ? { parameters } : {}),
        ...(isDefault ? { default: true } : {}),
        ...(error ? { error } : {}),
      }));
    },
  }),
  defineTool({
    name: 'show_scenario',
    title: 'Show a scenario',
    description: 'Shows the file of a scenario: its timeline, refusals and what it expects.',
    reads: true,
    input: { name },
    async run(session, { name, world }) {
      const scenario = await session.control(world).call('getScenario', { path: { name } });
      return scenario.source ?? scenario;
    },
  }),
  defineTool({
    name: 'write_scenario',
    title: 'Write a scenario of the world',
    description:
      'Adds a scenario to this world, or replaces one. The source is YAML like that of show_scenario; everything wrong with it is named by line. In short: `kind: call`, `summary: …`, `extends: busy` and `parameters:`, or a `timeline:` of `- { after: 2s, trigger: ring }`.',
    reads: false,
    input: { name, source: z.string().min(1).describe('The YAML of the scenario.') },
    async run(session, { name, source, world }) {
      // The client sends text as YAML.
      const body = source as never;
      await session.control(world).call('putScenario', { path: { name }, body });
      return `Saved. Play it with play_scenario or dial, as ${name}.`;
    },
  }),
  defineTool({
    name: 'play_scenario',
    title: 'Choose what happens next',
    description:
      'Sets the active scenario of the world, for requests of the application under test: one scenario stays until it is replaced, a list is used up one entry per request. `clear` ends it.',
    reads: false,
    input: {
      use: z
        .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
        .optional()
        .describe('A scenario, such as `busy` or `busy;ring=2s`, or a list of scenarios of one kind.'),
      clear: z.enum(scenarioKinds).optional().describe('The kind whose active scenario ends.'),
    },
    async run(session, { use, clear, world }) {
      const control = session.control(world);
      if (clear !== undefined) await control.call('clearActiveScenario', { path: { kind: clear } });
      if (use === undefined) {
        if (clear === undefined) throw new Error('use is required, or else clear');
        return `No ${clear} scenario is active.`;
      }
      const parsed = parseScenarioReference([use].flat()[0] ?? '');
      const first = typeof parsed === 'string' ? String(use) : parsed.name;
      const { kind } = await control.call('getScenario', { path: { name: first } });
      return control.call('setActiveScenario', { path: { kind: kind ?? 'call' }, body: { use } });
    },
  }),
];
