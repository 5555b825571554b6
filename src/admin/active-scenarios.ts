// Active scenarios: what a world plays for a kind when a request names no scenario. `interface.md` section 3, rule 2.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { scenarioKinds } from '../lifecycles/index.ts';
import type { Row } from '../model.ts';
import { overlaysOf, type WorldScenarios } from '../scenarios/library.ts';
import { formatScenarioReference, parameterProblem, parseScenarioReference } from '../scenarios/reference.ts';

type Parts = Pick<SandboxContext, 'store' | 'scenarios'>;

export interface ActiveScenarioView {
  readonly kind: string;
  /** One reference that stays, a list of which each request consumes one, or null if none is set. */
  readonly use: string | readonly string[] | null;
}

function serializeActiveScenario(kind: string, active: Row<'active_scenarios'> | undefined): ActiveScenarioView {
  if (!active) return { kind, use: null };
  return { kind, use: active.consumed ? active.references : (active.references[0] ?? null) };
}

export async function readActiveScenario(
  { store }: Pick<Parts, 'store'>,
  world: string,
  kind: string,
): Promise<ActiveScenarioView> {
  checkKind(kind);
  return store.transaction(world, (tx) => serializeActiveScenario(kind, tx.get('active_scenarios', kind)));
}

/** Sets one scenario reference (`busy;ring=2s`), or a list of them that requests consume in turn. */
export async function setActiveScenario(
  { store, scenarios }: Parts,
  world: string,
  kind: string,
  use: string | readonly string[],
): Promise<ActiveScenarioView> {
  checkKind(kind);
  return store.transaction(world, (tx) => {
    const library = scenarios.forWorld(overlaysOf(tx));
    const active = {
      id: kind,
      references: [use].flat().map((reference) => checkReference(library, kind, reference)),
      consumed: Array.isArray(use),
      private: { organization_id: tx.world.organization_id, rank: 0 },
    };
    tx.withinBounds(() => tx.put('active_scenarios', active));
    return serializeActiveScenario(kind, active);
  });
}

/** Magic numbers and the default scenario apply again. */
export async function clearActiveScenario({ store }: Pick<Parts, 'store'>, world: string, kind: string): Promise<void> {
  checkKind(kind);
  await store.transaction(world, (tx) => tx.remove('active_scenarios', kind));
}

function checkKind(kind: string): void {
  if (scenarioKinds.includes(kind)) return;
  throw new ApiError('not_found', {
    message: `No scenario kind named ${quote(kind)} exists; must be one of ${scenarioKinds.join(', ')}${didYouMean(kind, scenarioKinds) || '.'}`,
    hint: 'Name an existing kind in the path.',
  });
}

/** The reference in its canonical form; `validation_error` if no such scenario of that kind exists. */
function checkReference(library: WorldScenarios, kind: string, text: string): string {
  const reference = parseScenarioReference(text);
  if (typeof reference === 'string') throw invalidField('use', reference);
  const scenario = library.get(reference.name);
  if (scenario?.kind !== kind) {
    const names = library
      .all()
      .filter((other) => other.kind === kind)
      .map(({ name }) => name);
    const problem = scenario ? `is a scenario of kind ${scenario.kind}, not ${kind}` : 'is not a known scenario';
    const suggestion = didYouMean(reference.name, names);
    throw invalidField('use', `"${reference.name}" ${problem}; must be one of ${names.join(', ')}${suggestion}`);
  }
  const problem = parameterProblem(scenario, reference);
  if (problem) throw invalidField('use', problem);
  return formatScenarioReference(reference);
}
