// The scenario files of a folder.
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DataFile, dataFilesIn } from '../data-folder.ts';
import { FileProblem } from '../file-problem.ts';
import { hasCode } from '../system-errors.ts';
import type { ScenarioSource } from './layer.ts';

/** Reads the files of a folder; `label` makes the name that messages use. Throws FileProblem. */
export function readFolder(folder: string, label: (file: string) => string): ScenarioSource[] {
  let files: DataFile[];
  try {
    files = dataFilesIn(folder);
  } catch {
    throw FileProblem.at(folder, 0, '', 'is not a folder that can be read (--scenarios)');
  }
  return files.flatMap(({ name, file }) => readSource(join(folder, file), name, label(file)) ?? []);
}

/** Undefined for what is not a file, and for a file that was deleted after the folder was listed. */
function readSource(path: string, name: string, file: string): ScenarioSource | undefined {
  try {
    return statSync(path).isFile() ? { name, file, source: readFileSync(path, 'utf8') } : undefined;
  } catch (error) {
    // A mounted file often belongs to another user than the container's; ignoring it would hide that.
    return hasCode(error, 'EACCES') ? { name, file, source: null } : undefined;
  }
}

export function scenarioNameOf(file: string): string {
  return basename(file).replace(/\.\w+$/, '');
}
