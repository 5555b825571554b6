// A layer of the scenario library: texts by name, read into scenarios that may extend one another and those below.
import { FileProblem } from '../yaml-with-locations.ts';
import type { ScenarioFileCache } from './file-cache.ts';
import { makeScenario, type Scenario } from './scenario.ts';

export type Layer = ReadonlyMap<string, Scenario>;

export interface Text {
  readonly name: string;
  /** What it is called in messages. */
  readonly file: string;
  /** Null where it may not be read. */
  readonly source: string | null;
}

export interface ReadLayer {
  readonly layer: Layer;
  readonly problems: readonly FileProblem[];
}

/**
 * Reads every text of a layer. A broken one keeps the form that `before` has of it, or is left out, and so do two of
 * one name, since neither can be said to be the one that is meant; where two claim one number, the one that has changed
 * is the broken one.
 */
export function readLayer(
  known: ScenarioFileCache,
  texts: readonly Text[],
  below: (name: string) => Scenario | undefined,
  before: Layer = new Map(),
): ReadLayer {
  const byName = new Map(texts.map((text) => [text.name, text]));
  const layer = new Map<string, Scenario>();
  const problems: FileProblem[] = [];
  const broken = (name: string, problem: FileProblem): void => {
    problems.push(problem);
    const last = before.get(name);
    if (last) layer.set(name, last);
    else layer.delete(name);
  };
  const done = new Set<string>();
  const firstFiles = new Map<string, string>();
  for (const { name, file } of texts) {
    const first = firstFiles.get(name);
    if (first === undefined) {
      firstFiles.set(name, file);
      continue;
    }
    done.add(name);
    broken(name, new FileProblem(file, 1, '', `${first} has the same name; a scenario has one file`));
  }
  const read = (name: string, path: readonly string[]): Scenario | undefined => {
    const text = byName.get(name);
    // A scenario that extends its own name means the one below.
    if (!text || path.includes(name)) return below(name);
    if (!done.has(name)) {
      done.add(name);
      try {
        if (text.source === null) throw new FileProblem(text.file, 1, '', 'may not be read');
        const parse = known.read.bind(known);
        const scenario = makeScenario(name, text.file, text.source, parse, (base) => read(base, [...path, name]));
        refuseOtherKind(scenario, below(name), text.file);
        layer.set(name, scenario);
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        broken(name, error);
      }
    }
    return layer.get(name) ?? below(name);
  };
  for (const { name } of texts) read(name, []);

  const changed = (name: string): boolean => before.get(name)?.source !== byName.get(name)?.source;
  const inOrder = [...layer.keys()].sort((a, b) => Number(changed(a)) - Number(changed(b)));
  const claims = new Map<string, Scenario>();
  for (const name of inOrder) {
    const scenario = layer.get(name) as Scenario;
    const problem = sharedNumber(scenario, claims, byName.get(name)?.file ?? name);
    if (problem) broken(name, problem);
    const effective = layer.get(name);
    for (const digits of effective?.numbers ?? []) if (!claims.has(digits)) claims.set(digits, effective as Scenario);
  }
  return { layer, problems };
}

/** A kind must keep its default; a scenario of another kind under a name that is taken would take it away. */
function refuseOtherKind(scenario: Scenario, below: Scenario | undefined, file: string): void {
  if (!below || below.kind === scenario.kind) return;
  const reason = `"${scenario.name}" is of the kind ${below.kind} in the library; take another name`;
  throw new FileProblem(file, lineOf(scenario, 'kind'), 'kind', reason);
}

/** What is wrong where a scenario claims a number that another of its layer has. */
function sharedNumber(
  scenario: Scenario,
  claims: ReadonlyMap<string, Scenario>,
  file: string,
): FileProblem | undefined {
  const shared = scenario.numbers.find((digits) => claims.has(digits));
  if (shared === undefined) return undefined;
  const reason = `"${shared}" is claimed by ${claims.get(shared)?.name} too`;
  return new FileProblem(file, lineOf(scenario, 'numbers'), 'numbers', reason);
}

function lineOf({ source }: Scenario, field: string): number {
  return (
    Math.max(
      0,
      source.split('\n').findIndex((line) => new RegExp(`^\\s*"?${field}"?\\s*:`).test(line)),
    ) + 1
  );
}
