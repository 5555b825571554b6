// Checks scenario files without a server, as a server would load their folder: each file can extend those next to it
// and the bundled scenarios.
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDataFile } from '../data-folder.ts';
import { type Fault, FileProblem } from '../file-problem.ts';
import { readLayer, type ScenarioSource } from '../scenarios/layer.ts';
import { ScenarioLibrary } from '../scenarios/library.ts';
import { ScenarioCache } from '../scenarios/scenario-cache.ts';
import { readFolder } from '../scenarios/scenario-folder.ts';

export interface Validation {
  /** The files that were checked. */
  readonly files: readonly string[];
  /** Everything that is wrong with them, by file and place. */
  readonly faults: readonly Fault[];
}

/** Checks files, and all the files directly in folders. */
export function validateScenarios(paths: readonly string[]): Validation {
  const wanted = new Map<string, Set<string> | 'all'>();
  const faults: Fault[] = [];
  for (const path of paths) {
    const kind = kindOf(path);
    if (kind === 'folder') wanted.set(path, 'all');
    else if (kind === 'file') want(wanted, dirname(path), basename(path));
    else faults.push({ file: path, line: 0, column: 0, field: '', reason: kind });
  }
  const files: string[] = [];
  for (const [folder, names] of wanted) {
    const checked = checkFolder(folder, names);
    files.push(...checked.files);
    faults.push(...checked.faults);
  }
  return { files, faults };
}

/** What a path leads to, or why it cannot be checked. */
function kindOf(path: string): 'folder' | 'file' | (string & {}) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 'this file or folder does not exist';
  if (stat.isDirectory()) return 'folder';
  return isDataFile(path) ? 'file' : 'is not a scenario file; its name must end in .yaml, .yml or .json';
}

function want(wanted: Map<string, Set<string> | 'all'>, folder: string, name: string): void {
  const names = wanted.get(folder) ?? new Set();
  wanted.set(folder, names);
  if (names !== 'all') names.add(name);
}

function checkFolder(folder: string, names: ReadonlySet<string> | 'all'): Validation {
  const isWanted = (file: string): boolean => names === 'all' || names.has(basename(file));
  let sources: ScenarioSource[];
  try {
    sources = readFolder(folder, (file) => join(folder, file));
  } catch (problem) {
    if (!(problem instanceof FileProblem)) throw problem;
    return { files: [], faults: problem.faults };
  }
  const bundled = new ScenarioLibrary().forWorld([]);
  const { problems } = readLayer(new ScenarioCache(), sources, (name) => bundled.get(name));
  return {
    files: sources.map(({ file }) => file).filter(isWanted),
    faults: problems.flatMap(({ faults }) => faults.filter(({ file }) => isWanted(file))),
  };
}
