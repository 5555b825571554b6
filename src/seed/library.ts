// The fixtures that worlds can begin with: the bundled ones, and those of `--fixtures` in their place.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileProblem, type LocatedFile } from '../located-yaml.ts';
import { Fixture } from './fixture.ts';
import { type FixtureFile, readFixtureFile } from './fixture-file.ts';
import { worldName, worldNameForm } from './keys.ts';

const bundledFolder = fileURLToPath(new URL('../../fixtures/', import.meta.url));
/** What editors leave beside a file is passed over. */
const fixtureFileName = /^([^.].*)\.(yaml|yml|json)$/;

/** The fixture that a world begins with unless it is told another. */
export const DEFAULT_FIXTURE = 'default';

/**
 * Reads the fixtures; throws FileProblem. A folder's files take the place of bundled ones of the same name, and each
 * is a world of its own; a single file takes the place of `default`. Their calls may name those scenarios.
 */
export function loadFixtures(
  setting: string | undefined,
  seed: number,
  callScenarios: readonly string[],
): ReadonlyMap<string, Fixture> {
  const fixtures = new Map<string, Fixture>();
  /** In the order in which they were read: whoever comes later is at fault where two are at odds. */
  const files = new Map<string, LocatedFile<FixtureFile>>();
  const read = (path: string, name: string, shown: string): void => {
    refuseUnreadable(path);
    const located = readFixtureFile(shown, readFileSync(path, 'utf8'), callScenarios);
    fixtures.set(name, new Fixture(name, located.data, seed));
    files.delete(name);
    files.set(name, located);
  };
  const readFolder = (folder: string, shownAs: (file: string) => string): void => {
    const seen = new Map<string, string>();
    for (const file of readdirSync(folder).sort()) {
      const name = fixtureFileName.exec(file)?.[1];
      if (name === undefined || !statSync(join(folder, file), { throwIfNoEntry: false })?.isFile()) continue;
      const shown = shownAs(file);
      if (!worldName.test(name))
        throw new FileProblem(shown, 1, '', `"${name}" is no name of a world: ${worldNameForm}`);
      const other = seen.get(name);
      if (other !== undefined) throw new FileProblem(shown, 1, '', `${other} is the world ${name} already`);
      seen.set(name, file);
      read(join(folder, file), name, shown);
    }
  };
  readFolder(bundledFolder, (file) => `fixtures/${file}`);
  if (setting !== undefined) readSetting(setting);
  refuseSharedKeys(files);
  return fixtures;

  function readSetting(path: string): void {
    if (!existsSync(path)) throw new FileProblem(path, 0, '', 'there is no such file or folder (--fixtures)');
    refuseUnreadable(path);
    if (statSync(path).isDirectory()) readFolder(path, (file) => join(path, file));
    else if (/\.(yaml|yml|json)$/.test(path)) read(path, DEFAULT_FIXTURE, path);
    else
      throw new FileProblem(path, 0, '', 'must be a folder, or a file that ends in .yaml, .yml or .json (--fixtures)');
  }
}

/** A container's user is seldom the one who owns what is mounted; that deserves a sentence. */
function refuseUnreadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new FileProblem(path, 1, '', 'may not be read');
  }
}

/** A key decides the world, so that it can belong to one only. */
function refuseSharedKeys(files: ReadonlyMap<string, LocatedFile<FixtureFile>>): void {
  const owners = new Map<string, string>();
  for (const [name, { data, problem }] of files) {
    for (const [index, { key }] of data.keys.entries()) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw problem(['keys', index, 'key'], `"${key}" is a key of the world ${owner} already`);
      }
      owners.set(key, name);
    }
  }
}
