// The scenario library as a world sees it, and the overlays that the world adds to it. `interface.md` section 3.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, faultsOf, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { FileProblem } from '../file-problem.ts';
import type { Row } from '../model.ts';
import { drawingOf } from '../scenarios/drawing.ts';
import { overlayLimits, overlaysOf, type WorldScenarios } from '../scenarios/library.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type PageRequest, pageOf } from './pages.ts';

type Parts = Pick<SandboxContext, 'store' | 'scenarios'>;
type Turning = Pick<SandboxContext, 'turns'>;

/** The library with the overlays of a world. */
export function scenariosOf({ store, scenarios }: Parts, world: string): Promise<WorldScenarios> {
  return store.transaction(world, (tx) => scenarios.forWorld(overlaysOf(tx)));
}

export function serializeScenario(scenarios: WorldScenarios, scenario: Scenario) {
  const { source: _, bundled: _b, default: isDefault, ...rest } = scenario;
  return {
    ...rest,
    default: isDefault,
    origin: scenarios.origin(scenario.name),
    error: scenarios.error(scenario.name),
  };
}

/** By name; broken files, whose kind cannot be known, are listed unless a kind is requested. */
export async function listScenarios(
  parts: Parts,
  world: string,
  { kind: requested, ...page }: PageRequest & { readonly kind?: string | undefined },
) {
  const scenarios = await scenariosOf(parts, world);
  const playable = scenarios
    .all()
    .filter(({ kind }) => requested === undefined || kind === requested)
    .map((scenario) => ({ id: scenario.name, view: serializeScenario(scenarios, scenario) }));
  const broken = requested === undefined ? scenarios.broken().map((view) => ({ id: view.name, view })) : [];
  const sorted = [...playable, ...broken].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { data, meta } = pageOf<(typeof sorted)[number]>(sorted, page);
  return { data: data.map(({ view }) => view), meta };
}

/** A scenario with its source; a broken file shows its error; `not_found` for an unknown name. */
export async function findScenario(parts: Parts, world: string, name: string) {
  const scenarios = await scenariosOf(parts, world);
  const scenario = scenarios.get(name);
  if (scenario)
    return { ...serializeScenario(scenarios, scenario), source: scenario.source, drawing: drawingOf(scenario) };
  const broken = scenarios.broken().find((file) => file.name === name);
  if (broken) return broken;
  const names = scenarios.all().map((existing) => existing.name);
  throw new ApiError('not_found', {
    message: `No scenario named ${quote(name)} exists${didYouMean(name, names) || '.'}`,
    hint: 'List the scenarios with GET /_sandbox/scenarios.',
  });
}

/**
 * Adds a scenario to this world only; it overrides one of the library with its name. `source` is YAML or JSON and is
 * checked like a file: `validation_error` with field and line; `payload_too_large` and `conflict` past the limits.
 */
export async function putOverlay(parts: Parts & Turning, world: string, name: string, source: string) {
  const { store, scenarios } = parts;
  await readAhead(parts, world, name, source);
  return store.transaction(world, (tx) => {
    const overlays = overlaysOf(tx);
    refuseTooLarge(overlays, name, source);
    const scenario = readOverlay(() => scenarios.readForWorld(name, source, overlays));
    refuseTooSlow(scenarios, overlays, name, source);
    tx.withinBounds(() =>
      tx.put('scenario_overlays', {
        id: name,
        source,
        private: { organization_id: tx.world.organization_id, rank: tx.ordinal('scenario_overlays') },
      }),
    );
    return {
      created: !overlays.some(({ id }) => id === name),
      scenario: serializeScenario(scenarios.forWorld(overlaysOf(tx)), scenario),
    };
  });
}

/**
 * What is wrong with a scenario of this world that is being written, and what it would be if nothing is. Nothing is
 * stored. `payload_too_large` past the limit.
 */
export async function checkOverlay(parts: Parts & Turning, world: string, name: string, source: string) {
  const { store, scenarios } = parts;
  await readAhead(parts, world, name, source);
  return store.transaction(world, (tx) => {
    const overlays = overlaysOf(tx);
    refuseTooLarge(overlays, name, source);
    try {
      const { bundled: _, ...scenario } = scenarios.readForWorld(name, source, overlays);
      refuseTooSlow(scenarios, overlays, name, source);
      const drawing = drawingOf({ ...scenario, bundled: false });
      return { faults: [], scenario: { ...scenario, origin: 'world' as const, error: null, drawing } };
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const faults = error.faults.map(({ line, column, field, reason }) => ({ line, column, field, reason }));
      return { faults, scenario: null };
    }
  });
}

/** Reads a text in turns of the world; one that is too long is refused unread. */
async function readAhead(
  { scenarios, turns }: Parts & Turning,
  world: string,
  name: string,
  source: string,
): Promise<void> {
  if (source.length <= overlayLimits.charactersEach) await turns.workThrough(world, scenarios.readAhead(name, source));
}

/** Removes an overlay of this world; `conflict` while others of its overlays extend it. */
export function deleteOverlay({ store, scenarios }: Parts, world: string, name: string): Promise<void> {
  return store.transaction(world, (tx) => {
    if (!tx.get('scenario_overlays', name)) {
      throw new ApiError('not_found', {
        message: `This world has no scenario of its own named ${quote(name)}.`,
        hint: 'Override bundled scenarios and those of --scenarios with PUT /_sandbox/scenarios/{name}; they cannot be deleted.',
      });
    }
    const dependents = scenarios.dependents(name, overlaysOf(tx));
    if (dependents.length > 0) {
      throw new ApiError('conflict', {
        message: `The scenario ${name} is extended by ${dependents.join(', ')}, which would break without it.`,
        hint: `Delete ${dependents.join(', ')} first.`,
      });
    }
    tx.remove('scenario_overlays', name);
  });
}

const MAKE_ROOM =
  'Delete some with DELETE /_sandbox/scenarios/{name}, or put them into a folder and start with --scenarios.';

/** Overlays are limited because parsing them blocks every world. */
function refuseTooLarge(overlays: readonly Row<'scenario_overlays'>[], name: string, source: string): void {
  const { scenarios, charactersEach, characters } = overlayLimits;
  if (source.length > charactersEach) {
    throw new ApiError('payload_too_large', {
      message: `The scenario is longer than ${charactersEach} characters.`,
      hint: `Send at most ${charactersEach} characters, or put it into a folder and start with --scenarios.`,
    });
  }
  const others = overlays.filter(({ id }) => id !== name);
  if (others.length >= scenarios) {
    const message = `This world already has ${scenarios} scenarios of its own.`;
    throw new ApiError('conflict', { message, hint: MAKE_ROOM });
  }
  if (others.reduce((sum, other) => sum + other.source.length, source.length) > characters) {
    const message = `This world's own scenarios would be longer than ${characters} characters together.`;
    throw new ApiError('conflict', { message, hint: MAKE_ROOM });
  }
}

/** Short text can be slow to read too. */
function refuseTooSlow(
  scenarios: SandboxContext['scenarios'],
  overlays: readonly Row<'scenario_overlays'>[],
  name: string,
  source: string,
): void {
  const others = overlays.filter(({ id }) => id !== name);
  const size = scenarios.sizeOf(others) + scenarios.sizeOf([{ id: name, source }]);
  if (size <= overlayLimits.size) return;
  const message = `This world's own scenarios would be made of ${size} words, spaces, line ends and marks together; at most ${overlayLimits.size} are allowed.`;
  throw new ApiError('conflict', { message, hint: MAKE_ROOM });
}

function readOverlay(read: () => Scenario): Scenario {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const faults = faultsOf(
      error.faults,
      ({ field }) => field || 'body',
      ({ line, column, reason }) => `line ${line}${column > 0 ? `, column ${column}` : ''}: ${reason}`,
    );
    throw new ApiError('validation_error', faults);
  }
}
