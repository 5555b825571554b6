// The scenario files of a folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FileProblem } from '../yaml-with-locations.ts';
import type { ScenarioSource } from './layer.ts';

/** Excludes the backup and swap files of editors. */
const scenarioFile = /^[^.].*\.(yaml|yml|json)$/;

/** Reads the files of a folder; `label` makes the name that messages use. Throws FileProblem. */
export function readFolder(folder: string, label: (file: string) => string): ScenarioSource[] {
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => scenarioFile.test(file));
  } catch {
    throw new FileProblem(folder, 0, '', 'is not a folder that can be read (--scenarios)');
  }
  return files.sort().flatMap((file) => readSource(join(folder, file), label(file)) ?? []);
}

/** Undefined for what is not a file, and for a file that was deleted after the folder was listed. */
function readSource(path: string, file: string): ScenarioSource | undefined {
  const name = scenarioNameOf(path);
  try {
    return statSync(path).isFile() ? { name, file, source: readFileSync(path, 'utf8') } : undefined;
  } catch (error) {
    // A mounted file often belongs to another user than the container's; ignoring it would hide that.
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return isForbidden ? { name, file, source: null } : undefined;
  }
}

export function scenarioNameOf(file: string): string {
  return basename(file).replace(/\.\w+$/, '');
}
