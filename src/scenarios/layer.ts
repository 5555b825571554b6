// One layer of the scenario library: files by name, read into scenarios that may extend each other and those of the layers
// below.
import { FileProblem } from '../file-problem.ts';
import type { Scenario } from './scenario.ts';
import type { ScenarioCache, ScenarioText } from './scenario-cache.ts';

export type Layer = ReadonlyMap<string, Scenario>;

export interface ScenarioSource extends Omit<ScenarioText, 'source'> {
  /** The text; null if the file cannot be read. */
  readonly source: string | null;
}

export interface ReadLayer {
  readonly layer: Layer;
  readonly problems: readonly FileProblem[];
}

/** Finds a scenario by name in the layers below. */
type Below = (name: string) => Scenario | undefined;

/**
 * Reads all files of a layer. A broken file keeps its scenario from `before`, or is left out. Two files of one name are
 * both broken, because either could be the right one. If two files claim a number, the changed one is broken.
 */
export function readLayer(
  cache: ScenarioCache,
  sources: readonly ScenarioSource[],
  below: Below,
  before: Layer = new Map(),
): ReadLayer {
  return new LayerReader(cache, sources, below, before).read();
}

class LayerReader {
  readonly #cache: ScenarioCache;
  readonly #sources: readonly ScenarioSource[];
  readonly #byName: ReadonlyMap<string, ScenarioSource>;
  readonly #below: Below;
  readonly #before: Layer;
  readonly #layer = new Map<string, Scenario>();
  readonly #problems: FileProblem[] = [];
  /** Names that have been read, or are being read. */
  readonly #started = new Set<string>();

  constructor(cache: ScenarioCache, sources: readonly ScenarioSource[], below: Below, before: Layer) {
    this.#cache = cache;
    this.#sources = sources;
    this.#byName = new Map(sources.map((source) => [source.name, source]));
    this.#below = below;
    this.#before = before;
  }

  read(): ReadLayer {
    this.#refuseDuplicateNames();
    for (const { name } of this.#sources) this.#find(name, []);
    this.#refuseSharedNumbers();
    return { layer: this.#layer, problems: this.#problems };
  }

  #refuse(name: string, problem: FileProblem): void {
    this.#problems.push(problem);
    const last = this.#before.get(name);
    if (last) this.#layer.set(name, last);
    else this.#layer.delete(name);
  }

  #refuseDuplicateNames(): void {
    const first = new Map<string, string>();
    for (const { name, file } of this.#sources) {
      const other = first.get(name);
      if (other === undefined) {
        first.set(name, file);
        continue;
      }
      this.#started.add(name);
      this.#refuse(name, FileProblem.at(file, 1, '', `${other} has the same name; a scenario must be a single file`));
    }
  }

  /** The scenario of that name, read now if it has not been; `path` lists the names that extend it. */
  #find(name: string, path: readonly string[]): Scenario | undefined {
    const source = this.#byName.get(name);
    // A scenario that extends its own name means the one below.
    if (!source || path.includes(name)) return this.#below(name);
    if (!this.#started.has(name)) {
      this.#started.add(name);
      try {
        this.#layer.set(name, this.#makeScenario(source, path));
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        this.#refuse(name, error);
      }
    }
    return this.#layer.get(name) ?? this.#below(name);
  }

  #makeScenario({ source, ...rest }: ScenarioSource, path: readonly string[]): Scenario {
    const { name, file } = rest;
    if (source === null) throw FileProblem.at(file, 1, '', 'cannot be read');
    const scenario = this.#cache.make({ ...rest, source }, (parent) => this.#find(parent, [...path, name]));
    refuseOtherKind(scenario, this.#below(name), file);
    return scenario;
  }

  #refuseSharedNumbers(): void {
    const changed = (name: string): boolean => this.#before.get(name)?.source !== this.#byName.get(name)?.source;
    const unchangedFirst = [...this.#layer].sort(([a], [b]) => Number(changed(a)) - Number(changed(b)));
    const claims = new Map<string, Scenario>();
    for (const [name, scenario] of unchangedFirst) {
      const problem = sharedNumber(scenario, claims, this.#byName.get(name)?.file ?? name);
      if (problem) this.#refuse(name, problem);
      const kept = this.#layer.get(name);
      for (const digits of kept?.numbers ?? []) if (kept && !claims.has(digits)) claims.set(digits, kept);
    }
  }
}

/** Refuses a scenario whose name belongs to another kind below: it would take over that kind's default or number. */
function refuseOtherKind(scenario: Scenario, below: Scenario | undefined, file: string): void {
  if (!below || below.kind === scenario.kind) return;
  const reason = `"${scenario.name}" is a scenario of the kind ${below.kind} in the library; use another name`;
  throw FileProblem.at(file, lineOf(scenario, 'kind'), 'kind', reason);
}

function sharedNumber(
  scenario: Scenario,
  claims: ReadonlyMap<string, Scenario>,
  file: string,
): FileProblem | undefined {
  const shared = scenario.numbers.find((digits) => claims.has(digits));
  if (shared === undefined) return undefined;
  const reason = `"${shared}" is also claimed by ${claims.get(shared)?.name}`;
  return FileProblem.at(file, lineOf(scenario, 'numbers'), 'numbers', reason);
}

function lineOf({ source }: Scenario, field: string): number {
  const index = source.split('\n').findIndex((line) => new RegExp(`^\\s*"?${field}"?\\s*:`).test(line));
  return Math.max(0, index) + 1;
}
