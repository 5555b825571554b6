// The scenario library: the bundled files, a folder that overrides them, and the overlays of each world that override
// both.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileProblem } from '../file-problem.ts';
import type { Row } from '../model.ts';
import { packageFile } from '../package-files.ts';
import { preparedFrom, preparedKey } from '../prepared.ts';
import type { Tx } from '../store/store.ts';
import { type Layer, type ReadLayer, readLayer, type ScenarioSource } from './layer.ts';
import { MAX_SCENARIO_SIZE, type Scenario } from './scenario.ts';
import { ScenarioCache, type ScenarioText } from './scenario-cache.ts';
import { readFolder, scenarioNameOf } from './scenario-folder.ts';
import { type WorldScenarios, worldScenarios } from './world-scenarios.ts';

export type { BrokenScenario, ScenarioOrigin, WorldScenarios } from './world-scenarios.ts';

type Overlay = Row<'scenario_overlays'>;
/** An overlay, or what is to become one. */
type OverlayText = Pick<Overlay, 'id' | 'source'>;

/**
 * How many scenarios of its own a world may have, their size in characters, each and together, and the words, spaces,
 * line ends and marks that all are made of: the first access to a world after a start reads all of them while other
 * worlds wait.
 */
export const overlayLimits = {
  scenarios: 1000,
  charactersEach: 64 * 1024,
  characters: 256 * 1024,
  size: 8 * MAX_SCENARIO_SIZE,
} as const;

/** The scenarios that a world itself defines. */
export function overlaysOf(tx: Tx): Overlay[] {
  return tx.page('scenario_overlays', 'all', 'all');
}

const bundledFolder = fileURLToPath(packageFile('scenarios/'));

let bundled: Layer | undefined;

/** The files of the package do not change, so all sandboxes of the process share their scenarios. */
function bundledLayer(): Layer {
  if (!bundled) {
    const sources = bundledSources();
    const scenarios = preparedFrom<Scenario[]>(textsOf(sources)) ?? readBundled(sources);
    bundled = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  }
  return bundled;
}

const bundledSources = (): ScenarioSource[] => readFolder(bundledFolder, (file) => `scenarios/${file}`);

const textsOf = (sources: readonly ScenarioSource[]): string[] =>
  sources.flatMap(({ file, source }) => [file, source ?? '']);

function readBundled(sources: readonly ScenarioSource[]): Scenario[] {
  const layer = readOrThrow(new ScenarioCache(), sources, new Map());
  return [...layer.values()].map((scenario) => ({ ...scenario, bundled: true }));
}

/** What `build.js` prepares: the bundled scenarios, by the key under which the server finds them. */
export function prepareScenarios(): readonly [string, readonly Scenario[]] {
  const sources = bundledSources();
  return [preparedKey(textsOf(sources)), readBundled(sources)];
}

export class ScenarioLibrary {
  readonly #bundled: Layer;
  readonly #folder: string | undefined;
  readonly #cache = new ScenarioCache();
  #folderLayer: Layer = new Map();
  /** Why files of the folder are not accepted, by scenario name. */
  #errors: ReadonlyMap<string, string> = new Map();
  /** The problems of the last read of the folder, as one string. */
  #lastProblems = '';
  /** For worlds without overlays. */
  #view: WorldScenarios;
  /** For worlds with overlays, by the first of them; valid until the overlays or the folder change. */
  #views = new WeakMap<Overlay, { readonly overlays: readonly Overlay[]; readonly view: WorldScenarios }>();

  /** Reads the bundled scenarios and those of the folder. Throws FileProblem if one of them is broken. */
  constructor(folder?: string) {
    this.#folder = folder;
    this.#bundled = bundledLayer();
    if (folder !== undefined) this.#folderLayer = readOrThrow(this.#cache, readUserFolder(folder), this.#bundled);
    this.#view = this.#viewFor([]);
  }

  /** The library with a world's overlays. */
  forWorld(overlays: readonly Overlay[]): WorldScenarios {
    const [first] = overlays;
    if (!first) return this.#view;
    const cached = this.#views.get(first);
    if (cached && sameItems(cached.overlays, overlays)) return cached.view;
    const view = this.#viewFor(overlays);
    this.#views.set(first, { overlays, view });
    return view;
  }

  /**
   * Reads a scenario that is to become a world's overlay. Throws FileProblem, also if it claims a number that another
   * overlay of the world has.
   */
  readForWorld(name: string, source: string, overlays: readonly Overlay[]): Scenario {
    const others = overlays.filter(({ id }) => id !== name);
    const before = this.#readOverlays(others).layer;
    const { layer, problems } = this.#readOverlays([...others, { id: name, source }], before);
    const problem = problems.find(({ file }) => file === name);
    if (problem) throw problem;
    const scenario = layer.get(name);
    if (!scenario) throw new Error(`the scenario ${name} was not read`);
    return scenario;
  }

  /** Reads a text in pieces of work that is to become an overlay, or to be checked: `readForWorld` does not wait for it then. */
  readAhead(name: string, source: string): Generator<void, void> {
    return this.#cache.readAhead({ name, file: name, source });
  }

  /** How many words, spaces, line ends and marks scenarios are made of; broken ones count as none. */
  sizeOf(overlays: readonly OverlayText[]): number {
    let size = 0;
    for (const overlay of overlays) {
      try {
        size += this.#cache.sizeOf(textOf(overlay));
      } catch (problem) {
        if (!(problem instanceof FileProblem)) throw problem;
      }
    }
    return size;
  }

  /** The names of the world's overlays that extend this one, and would be broken without it. */
  dependents(name: string, overlays: readonly Overlay[]): string[] {
    const without = this.#readOverlays(overlays.filter(({ id }) => id !== name));
    return without.problems.map(({ file }) => file);
  }

  /**
   * Reads the folder again, by polling, since bind mounts send no events. Broken files keep their last valid version,
   * and so do all files if the folder itself is gone. Returns whether anything changed, and the problems.
   */
  refresh(): { changed: boolean; problems: readonly FileProblem[] } {
    const folder = this.#folder;
    if (folder === undefined) return { changed: false, problems: [] };
    const { layer, problems, errors } = this.#readFolderAgain(folder);
    const messages = problems.map(({ message }) => message).join('\n');
    const changed = messages !== this.#lastProblems || !sameSources(layer, this.#folderLayer);
    if (!changed) return { changed, problems };
    this.#folderLayer = layer;
    this.#errors = errors;
    this.#lastProblems = messages;
    this.#views = new WeakMap();
    this.#view = this.#viewFor([]);
    return { changed, problems };
  }

  #readFolderAgain(folder: string): ReadLayer & { errors: ReadonlyMap<string, string> } {
    let sources: readonly ScenarioSource[];
    try {
      sources = readUserFolder(folder);
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem;
      // The folder is gone or no longer readable, so all of its scenarios show that error.
      const names = [...this.#folderLayer.keys(), ...this.#errors.keys()];
      const errors = new Map(names.map((name) => [name, problem.message]));
      return { layer: this.#folderLayer, problems: [problem], errors };
    }
    const { layer, problems } = readLayer(this.#cache, sources, (name) => this.#bundled.get(name), this.#folderLayer);
    return { layer, problems, errors: new Map(problems.map(({ file, message }) => [scenarioNameOf(file), message])) };
  }

  /** A world's overlays; one that extends a missing scenario is left out. */
  #readOverlays(overlays: readonly OverlayText[], before?: Layer): ReadLayer {
    const sources = overlays.map(textOf);
    const below = (name: string): Scenario | undefined => this.#folderLayer.get(name) ?? this.#bundled.get(name);
    return readLayer(this.#cache, sources, below, before);
  }

  #viewFor(overlays: readonly Overlay[]): WorldScenarios {
    const { layer: world, problems } = this.#readOverlays(overlays);
    return worldScenarios({
      bundled: this.#bundled,
      folder: this.#folderLayer,
      world,
      errors: new Map([...this.#errors, ...problems.map(({ file, message }) => [file, message] as const)]),
      ownNames: new Set(overlays.map(({ id }) => id)),
    });
  }
}

const textOf = (overlay: OverlayText): ScenarioText => ({
  name: overlay.id,
  file: overlay.id,
  source: overlay.source,
  record: overlay,
});

/** All scenarios of a layer; throws what is wrong with its files. */
function readOrThrow(cache: ScenarioCache, sources: readonly ScenarioSource[], below: Layer): Layer {
  const { layer, problems } = readLayer(cache, sources, (name) => below.get(name));
  const problem = FileProblem.all(problems);
  if (problem) throw problem;
  return layer;
}

const readUserFolder = (folder: string): ScenarioSource[] => readFolder(folder, (file) => join(folder, file));

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function sameSources(a: Layer, b: Layer): boolean {
  return a.size === b.size && [...a].every(([name, { source }]) => b.get(name)?.source === source);
}
