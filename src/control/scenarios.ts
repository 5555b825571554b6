// The scenario library as a world sees it, what the world lays over it, and what it plays unless a request says
// otherwise.

import { z } from 'zod';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField, notFound } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { scenarioKinds } from '../lifecycles/index.ts';
import type { Row } from '../model.ts';
import { overlayLimits, overlaysOf, type WorldScenarios } from '../scenarios/library.ts';
import { formatScenarioReference, parameterProblem, parseScenarioReference } from '../scenarios/reference.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { FileProblem } from '../yaml-with-locations.ts';
import { pageOfEntries, paging, route } from './route.ts';

export function scenariosOf(sandbox: SandboxContext, world: string): Promise<WorldScenarios> {
  return sandbox.store.transaction(world, (tx) => sandbox.scenarios.forWorld(overlaysOf(tx)));
}

export function serializeScenario(scenarios: WorldScenarios, scenario: Scenario) {
  const { source: _, bundled: _b, default: isDefault, ...shown } = scenario;
  return {
    ...shown,
    default: isDefault,
    origin: scenarios.origin(scenario.name),
    error: scenarios.error(scenario.name),
  };
}

function checkKind(kind: string): void {
  if (!scenarioKinds.includes(kind)) {
    throw new ApiError('not_found', { message: `There is no kind "${kind}"; one of ${scenarioKinds.join(', ')}.` });
  }
}

export const scenarioRoutes = [
  route({
    method: 'get',
    path: '/scenarios',
    summary: "The scenario library, with this world's own",
    query: z.strictObject({ ...paging, kind: z.enum(scenarioKinds as [string, ...string[]]).optional() }),
    async handle({ sandbox, world, query }) {
      const scenarios = await scenariosOf(sandbox, world);
      const playable = scenarios
        .all()
        .filter(({ kind }) => query.kind === undefined || kind === query.kind)
        .map((scenario) => ({ id: scenario.name, ...serializeScenario(scenarios, scenario) }));
      // Nobody can tell what kind a broken file is of.
      const broken = query.kind === undefined ? scenarios.broken().map((each) => ({ id: each.name, ...each })) : [];
      const listed = [...playable, ...broken].sort((a, b) => (a.id < b.id ? -1 : 1));
      const { page, meta } = pageOfEntries<(typeof listed)[number]>(listed, query);
      return { data: page.map(({ id: _, ...shown }) => shown), meta };
    },
  }),
  route({
    method: 'get',
    path: '/scenarios/:name',
    summary: 'One scenario',
    async handle({ sandbox, world, params: { name = '' } }) {
      const scenarios = await scenariosOf(sandbox, world);
      const scenario = scenarios.get(name);
      if (!scenario) {
        const broken = scenarios.broken().find((each) => each.name === name);
        if (broken) return { data: broken };
        throw unknownScenario(scenarios, name);
      }
      return { data: { ...serializeScenario(scenarios, scenario), source: scenario.source } };
    },
  }),
  route({
    method: 'put',
    path: '/scenarios/:name',
    summary: 'Lay a scenario over the library, for this world alone',
    body: z.record(z.string(), z.unknown()),
    bodyMayBeYaml: true,
    async handle({ sandbox, world, params: { name = '' }, body, text }) {
      const source = text ?? JSON.stringify(body);
      return sandbox.store.transaction(world, (tx) => {
        const overlays = overlaysOf(tx);
        refuseTooMuch(overlays, name, source);
        const scenario = readOr400(() => sandbox.scenarios.readForWorld(name, source, overlays));
        const isNew = !overlays.some(({ id }) => id === name);
        const row = {
          id: name,
          source,
          private: { organization_id: tx.world.organization_id, rank: tx.ordinal('scenario_overlays') },
        };
        tx.put('scenario_overlays', row);
        const scenarios = sandbox.scenarios.forWorld(overlaysOf(tx));
        return { status: isNew ? 201 : 200, data: serializeScenario(scenarios, scenario) };
      });
    },
  }),
  route({
    method: 'delete',
    path: '/scenarios/:name',
    summary: "Take this world's own scenario of that name away",
    async handle({ sandbox, world, params: { name = '' } }) {
      await sandbox.store.transaction(world, (tx) => {
        if (!tx.get('scenario_overlays', name)) {
          throw new ApiError('not_found', {
            message: `This world has no scenario of its own called "${name}".`,
            hint: 'Bundled scenarios, and those of --scenarios, cannot be deleted; lay another over them.',
          });
        }
        const dependents = sandbox.scenarios.dependents(name, overlaysOf(tx));
        if (dependents.length > 0) {
          throw new ApiError('conflict', {
            message: `The scenario ${name} is extended by ${dependents.join(', ')}, which would be broken without it.`,
            hint: 'Delete those first.',
          });
        }
        tx.remove('scenario_overlays', name);
      });
      return { status: 204 };
    },
  }),
  route({
    method: 'get',
    path: '/active-scenarios/:kind',
    summary: 'What this world plays for a kind unless a request says otherwise',
    async handle({ sandbox, world, params: { kind = '' } }) {
      checkKind(kind);
      return sandbox.store.transaction(world, (tx) => ({
        data: serializeActiveScenario(kind, tx.get('active_scenarios', kind)),
      }));
    },
  }),
  route({
    method: 'put',
    path: '/active-scenarios/:kind',
    summary: 'Play this scenario from now on, or these in turn',
    body: z.strictObject({ use: z.union([z.string(), z.array(z.string()).min(1).max(1000)]) }),
    async handle({ sandbox, world, params: { kind = '' }, body: { use } }) {
      checkKind(kind);
      return sandbox.store.transaction(world, (tx) => {
        const scenarios = sandbox.scenarios.forWorld(overlaysOf(tx));
        const uses = [use].flat().map((text) => checkUse(scenarios, kind, text));
        const active = {
          id: kind,
          use: uses,
          consumed: Array.isArray(use),
          private: { organization_id: tx.world.organization_id, rank: 0 },
        };
        tx.put('active_scenarios', active);
        return { data: serializeActiveScenario(kind, active) };
      });
    },
  }),
  route({
    method: 'delete',
    path: '/active-scenarios/:kind',
    summary: 'Let magic numbers and the default have their turn again',
    async handle({ sandbox, world, params: { kind = '' } }) {
      checkKind(kind);
      await sandbox.store.transaction(world, (tx) => tx.remove('active_scenarios', kind));
      return { status: 204 };
    },
  }),
];

function serializeActiveScenario(kind: string, active: Row<'active_scenarios'> | undefined) {
  if (!active) return { kind, use: null };
  return { kind, use: active.consumed ? active.use : (active.use[0] as string) };
}

function checkUse(scenarios: WorldScenarios, kind: string, text: string): string {
  const use = parseScenarioReference(text);
  if (typeof use === 'string') throw invalidField('use', use);
  const scenario = scenarios.get(use.name);
  if (scenario?.kind !== kind) {
    const names = scenarios
      .all()
      .filter((each) => each.kind === kind)
      .map(({ name }) => name);
    const what = scenario ? `is of the kind ${scenario.kind}` : 'is no scenario';
    throw invalidField('use', `"${use.name}" ${what}; one of ${names.join(', ')}${didYouMean(use.name, names)}`);
  }
  const problem = parameterProblem(scenario, use);
  if (problem) throw invalidField('use', problem);
  return formatScenarioReference(use);
}

function unknownScenario(scenarios: WorldScenarios, name: string): ApiError {
  const names = scenarios.all().map((each) => each.name);
  const error = notFound('scenario', name);
  return new ApiError('not_found', {
    message: `${error.message.replace(' in this organization.', '')}${didYouMean(name, names)}`,
  });
}

/** Reading is work that every world waits for, so that there is an end to what one may lay over the library. */
function refuseTooMuch(overlays: readonly Row<'scenario_overlays'>[], name: string, source: string): void {
  const { scenarios, charactersEach, characters } = overlayLimits;
  if (source.length > charactersEach) {
    throw new ApiError('payload_too_large', {
      message: `The scenario is longer than ${charactersEach} characters.`,
      hint: `Send at most ${charactersEach} characters, or give --scenarios a folder with it.`,
    });
  }
  const others = overlays.filter(({ id }) => id !== name);
  const hint = 'Delete some of them with DELETE /_sandbox/scenarios/{name}, or give --scenarios a folder of them.';
  if (others.length >= scenarios) {
    throw new ApiError('conflict', { message: `This world has ${scenarios} scenarios of its own already.`, hint });
  }
  if (others.reduce((sum, each) => sum + each.source.length, source.length) > characters) {
    const message = `This world's own scenarios would be longer than ${characters} characters together.`;
    throw new ApiError('conflict', { message, hint });
  }
}

function readOr400(read: () => Scenario): Scenario {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw invalidField(error.field || 'body', `line ${error.line}: ${error.reason}`);
  }
}
