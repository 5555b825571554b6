// The scenario library: the bundled files, a folder laid over them, and what each world lays over both. Later layers
// take over names and the magic numbers that they claim.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { FileProblem } from '../yaml-with-locations.ts';
import { ScenarioFileCache } from './file-cache.ts';
import { type Layer, readLayer, type Text } from './layer.ts';
import type { Scenario } from './scenario.ts';

export type ScenarioOrigin = 'bundled' | 'folder' | 'world';

/** The library as one world sees it. */
export interface WorldScenarios {
  get(name: string): Scenario | undefined;
  /** The bundled one of that name, whatever is laid over it. */
  bundled(name: string): Scenario | undefined;
  all(): readonly Scenario[];
  origin(name: string): ScenarioOrigin;
  /** Why the last edit of a file was not taken over. */
  error(name: string): string | null;
  /** Files that have no good form to keep, by name: there is nothing to play, only something to mend. */
  broken(): readonly BrokenScenario[];
  /** The two digits of every magic number, and the scenario that plays. */
  numbers(): readonly (readonly [string, Scenario])[];
  /** The scenario of a magic number, where it is of that kind. */
  byNumber(kind: string, destination: string): Scenario | undefined;
  defaultOf(kind: string): Scenario;
}

export interface BrokenScenario {
  readonly name: string;
  readonly origin: ScenarioOrigin;
  readonly error: string;
}

type Overlay = Row<'scenario_overlays'>;

/**
 * How many scenarios of its own a world may have, and how many characters of text one of them and all of them: whoever
 * looks at the world first reads them all, while the other worlds wait.
 */
export const overlayLimits = { scenarios: 1000, charactersEach: 64 * 1024, characters: 256 * 1024 } as const;

/** A world's own scenarios. */
export function overlaysOf(tx: Tx): Overlay[] {
  return tx.page('scenario_overlays', 'all', 'all');
}

const bundledFolder = fileURLToPath(new URL('../../scenarios/', import.meta.url));
const scenarioFile = /^[^.].*\.(yaml|yml|json)$/;

/** The last two digits of `+1 NPA 555 01XX`, in any area code. */
const magicNumber = /^\+1\d{3}55501(\d\d)$/;

export class ScenarioLibrary {
  readonly #bundled: Layer;
  readonly #folder: string | undefined;
  readonly #read = new ScenarioFileCache();
  #overlay: Layer = new Map();
  /** By name, why a file of the folder is not what it says now. */
  #errors: ReadonlyMap<string, string> = new Map();
  /** What was wrong when the folder was last read, as one text. */
  #told = '';
  #view: WorldScenarios;
  /** Views of worlds with overlays, by the first of them; good as long as neither they nor the folder change. */
  #views = new WeakMap<Overlay, { readonly overlays: readonly Overlay[]; readonly view: WorldScenarios }>();

  /** Reads the bundled scenarios and those of the folder; throws FileProblem where one of them is broken. */
  constructor(folder?: string) {
    this.#folder = folder;
    const texts = textsOf(bundledFolder, (file) => `scenarios/${file}`);
    const bundled = [...readWhole(this.#read, texts, new Map()).values()];
    this.#bundled = new Map(bundled.map((scenario) => [scenario.name, { ...scenario, bundled: true }]));
    if (folder !== undefined)
      this.#overlay = readWhole(
        this.#read,
        textsOf(folder, (file) => join(folder, file)),
        this.#bundled,
      );
    this.#view = this.#look([]);
  }

  /** The library with a world's own scenarios laid over it. */
  forWorld(overlays: readonly Overlay[]): WorldScenarios {
    const [first] = overlays;
    if (!first) return this.#view;
    const known = this.#views.get(first);
    if (known && sameItems(known.overlays, overlays)) return known.view;
    const view = this.#look(overlays);
    this.#views.set(first, { overlays, view });
    return view;
  }

  /**
   * Reads a scenario that a world wants to lay over the library; throws FileProblem, also where it claims a number
   * that another of the world's own has.
   */
  readForWorld(name: string, source: string, overlays: readonly Overlay[]): Scenario {
    const others = overlays.filter(({ id }) => id !== name);
    const before = this.#readWorld(others).layer;
    const { layer, problems } = this.#readWorld([...others, { id: name, source }], before);
    const problem = problems.find(({ file }) => file === name);
    if (problem) throw problem;
    return layer.get(name) as Scenario;
  }

  /** The world's own scenarios that extend this one, and would be broken without it. */
  dependents(name: string, overlays: readonly Overlay[]): string[] {
    const without = this.#readWorld(overlays.filter(({ id }) => id !== name));
    return without.problems.map(({ file }) => file);
  }

  /**
   * Reads the folder again, by polling: bind mounts send no events. What is broken keeps its last good form, all of it
   * where the folder itself is gone. Answers whether anything changed, and what is wrong.
   */
  refresh(): { changed: boolean; problems: readonly FileProblem[] } {
    const folder = this.#folder;
    if (folder === undefined) return { changed: false, problems: [] };
    const { layer, problems, errors } = this.#readAgain(folder);
    const told = problems.map(({ message }) => message).join('\n');
    const changed = told !== this.#told || !sameSources(layer, this.#overlay);
    if (!changed) return { changed, problems };
    this.#overlay = layer;
    this.#errors = errors;
    this.#told = told;
    this.#views = new WeakMap();
    this.#view = this.#look([]);
    return { changed, problems };
  }

  #readAgain(folder: string): ReturnType<typeof readLayer> & { errors: ReadonlyMap<string, string> } {
    let texts: readonly Text[];
    try {
      texts = textsOf(folder, (file) => join(folder, file));
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem;
      // The folder is gone, or may not be read any more: whatever was in it shows that.
      const names = [...this.#overlay.keys(), ...this.#errors.keys()];
      const errors = new Map(names.map((name) => [name, problem.message]));
      return { layer: this.#overlay, problems: [problem], errors };
    }
    const { layer, problems } = readLayer(this.#read, texts, (name) => this.#bundled.get(name), this.#overlay);
    return { layer, problems, errors: new Map(problems.map(({ file, message }) => [nameOf(file), message])) };
  }

  /** A world's own scenarios; one that extends what is gone is left out. */
  #readWorld(overlays: readonly { id: string; source: string }[], before?: Layer): ReturnType<typeof readLayer> {
    const texts = overlays.map(({ id, source }) => ({ name: id, file: id, source }));
    return readLayer(this.#read, texts, (name) => this.#overlay.get(name) ?? this.#bundled.get(name), before);
  }

  #look(overlays: readonly Overlay[]): WorldScenarios {
    const { layer: world, problems } = this.#readWorld(overlays);
    const errors = new Map([...this.#errors, ...problems.map(({ file, message }) => [file, message] as const)]);
    const layers = [this.#bundled, this.#overlay, world];
    const effective = new Map(layers.flatMap((layer) => [...layer]));
    const numbers = new Map<string, Scenario>();
    const defaults = new Map<string, Scenario>();
    for (const layer of layers) {
      for (const scenario of layer.values()) {
        if (effective.get(scenario.name) !== scenario) continue;
        for (const digits of scenario.numbers) numbers.set(digits, scenario);
        if (scenario.default) defaults.set(scenario.kind, scenario);
      }
    }
    // Whoever lays a scenario over the default of a kind need not say again that it is one.
    for (const { name, kind, default: isDefault } of this.#bundled.values()) {
      if (isDefault && !defaults.has(kind)) defaults.set(kind, effective.get(name) as Scenario);
    }
    const sorted = [...effective.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const overlay = this.#overlay;
    const inWorld = new Set(overlays.map(({ id }) => id));
    const broken = [...errors]
      .filter(([name]) => !effective.has(name))
      .map(([name, error]) => ({ name, origin: inWorld.has(name) ? 'world' : 'folder', error }) as const);
    return {
      get: (name) => effective.get(name),
      bundled: (name) => this.#bundled.get(name),
      all: () => sorted,
      origin: (name) => (world.has(name) ? 'world' : overlay.has(name) ? 'folder' : 'bundled'),
      error: (name) => errors.get(name) ?? null,
      broken: () => broken,
      numbers: () => [...numbers].sort(([a], [b]) => (a < b ? -1 : 1)),
      byNumber(kind, destination) {
        const digits = magicNumber.exec(destination)?.[1];
        const scenario = digits === undefined ? undefined : numbers.get(digits);
        return scenario?.kind === kind ? scenario : undefined;
      },
      defaultOf: (kind) => defaults.get(kind) as Scenario,
    };
  }
}

/** All scenarios of a folder, or the first problem with one of them. */
function readWhole(known: ScenarioFileCache, texts: readonly Text[], below: Layer): Layer {
  const { layer, problems } = readLayer(known, texts, (name) => below.get(name));
  const [problem] = problems;
  if (problem) throw problem;
  return layer;
}

/** The scenario files of a folder; what editors leave beside them is passed over. */
function textsOf(folder: string, shown: (file: string) => string): Text[] {
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => scenarioFile.test(file));
  } catch {
    throw new FileProblem(folder, 0, '', 'is no folder that can be read (--scenarios)');
  }
  return files.sort().flatMap((file) => {
    const path = join(folder, file);
    try {
      if (!statSync(path).isFile()) return [];
      return { name: nameOf(file), file: shown(file), source: readFileSync(path, 'utf8') };
    } catch (error) {
      // Passed over, it would be missed without a word: a container's user is seldom the one who owns what is mounted.
      const isForbidden = (error as NodeJS.ErrnoException).code === 'EACCES';
      if (isForbidden) return { name: nameOf(file), file: shown(file), source: null };
      // It went between the listing and the reading, or leads nowhere.
      return [];
    }
  });
}

function nameOf(file: string): string {
  return basename(file).replace(/\.\w+$/, '');
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function sameSources(a: Layer, b: Layer): boolean {
  return a.size === b.size && [...a].every(([name, { source }]) => b.get(name)?.source === source);
}
