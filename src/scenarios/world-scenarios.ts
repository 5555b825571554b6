// The scenario library as one world sees it: the bundled scenarios, those of the folder and its own, in that order.
// Later layers override names and magic numbers of earlier ones.
import type { Layer } from './layer.ts';
import type { Scenario } from './scenario.ts';

export type ScenarioOrigin = 'bundled' | 'folder' | 'world';

export interface WorldScenarios {
  get(name: string): Scenario | undefined;
  /** The bundled scenario of that name, even if another layer overrides it. */
  bundled(name: string): Scenario | undefined;
  all(): readonly Scenario[];
  origin(name: string): ScenarioOrigin;
  /** Why the last edit of a file was not accepted. */
  error(name: string): string | null;
  /** Broken files without an earlier valid version. */
  broken(): readonly BrokenScenario[];
  /** The last two digits of every magic number, with the scenario that it plays. */
  numbers(): readonly (readonly [string, Scenario])[];
  /** The scenario of a magic number, of whatever kind. */
  byNumber(destination: string): Scenario | undefined;
  /** Throws for a kind that does not exist. */
  defaultOf(kind: string): Scenario;
}

export interface BrokenScenario {
  readonly name: string;
  readonly origin: ScenarioOrigin;
  readonly error: string;
}

export interface LibraryLayers {
  readonly bundled: Layer;
  readonly folder: Layer;
  readonly world: Layer;
  /** Why files are not accepted, by scenario name. */
  readonly errors: ReadonlyMap<string, string>;
  /** Names of all scenarios that the world itself defines, broken ones included. */
  readonly ownNames: ReadonlySet<string>;
}

/** The last two digits of `+1 NPA 555 01XX`, in any area code. */
const magicNumber = /^\+1\d{3}55501(\d\d)$/;

export function worldScenarios({ bundled, folder, world, errors, ownNames }: LibraryLayers): WorldScenarios {
  const effective = new Map([...bundled, ...folder, ...world]);
  const { numbers, defaults } = claimsOf([bundled, folder, world], effective);
  const sorted = [...effective.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const broken = [...errors]
    .filter(([name]) => !effective.has(name))
    .map(([name, error]) => ({ name, origin: ownNames.has(name) ? 'world' : 'folder', error }) as const);
  return {
    get: (name) => effective.get(name),
    bundled: (name) => bundled.get(name),
    all: () => sorted,
    origin: (name) => (world.has(name) ? 'world' : folder.has(name) ? 'folder' : 'bundled'),
    error: (name) => errors.get(name) ?? null,
    broken: () => broken,
    numbers: () => [...numbers].sort(([a], [b]) => (a < b ? -1 : 1)),
    byNumber(destination) {
      const digits = magicNumber.exec(destination)?.[1];
      return digits === undefined ? undefined : numbers.get(digits);
    },
    defaultOf(kind) {
      const scenario = defaults.get(kind);
      if (!scenario) throw new Error(`"${kind}" is not a kind of scenario`);
      return scenario;
    },
  };
}

/** The scenarios by magic number and the default of each kind; overridden scenarios claim nothing. */
function claimsOf(layers: readonly Layer[], effective: Layer) {
  const numbers = new Map<string, Scenario>();
  const defaults = new Map<string, Scenario>();
  for (const scenario of layers.flatMap((layer) => [...layer.values()])) {
    if (effective.get(scenario.name) !== scenario) continue;
    for (const digits of scenario.numbers) numbers.set(digits, scenario);
    if (scenario.default) defaults.set(scenario.kind, scenario);
  }
  // A scenario that overrides the default of a kind is the default even if it does not declare that.
  for (const { name, kind, default: isDefault } of layers.flatMap((layer) => [...layer.values()])) {
    const scenario = effective.get(name);
    if (isDefault && scenario && !defaults.has(kind)) defaults.set(kind, scenario);
  }
  return { numbers, defaults };
}
