// The fixtures that worlds can begin with: the bundled ones, and those of `--fixtures` in their place.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileProblem } from '../located-yaml.ts';
import { Fixture } from './fixture.ts';
import { readFixtureFile } from './fixture-file.ts';

const bundledFolder = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const fixtureFileName = /^([a-z0-9-]{1,40})\.(yaml|yml|json)$/;

/** The fixture that a world begins with unless it is told another. */
export const DEFAULT_FIXTURE = 'default';

/**
 * Reads the fixtures; throws FileProblem. A folder's files take the place of bundled ones of the same name, and each
 * is a world of its own; a single file takes the place of `default`.
 */
export function loadFixtures(setting: string | undefined, seed: number): ReadonlyMap<string, Fixture> {
  const fixtures = new Map<string, Fixture>();
  const read = (path: string, name: string, shown: string): void => {
    refuseUnreadable(path);
    fixtures.set(name, new Fixture(name, shown, readFixtureFile(shown, readFileSync(path, 'utf8')), seed));
  };
  const readFolder = (folder: string, shownAs: (file: string) => string): void => {
    for (const file of readdirSync(folder).sort()) {
      const name = fixtureFileName.exec(file)?.[1];
      if (name !== undefined) read(join(folder, file), name, shownAs(file));
    }
  };
  readFolder(bundledFolder, (file) => `fixtures/${file}`);
  if (setting !== undefined) readSetting(setting);
  refuseSharedKeys(fixtures);
  return fixtures;

  function readSetting(path: string): void {
    if (!existsSync(path)) throw new FileProblem(path, 1, '', 'there is no such file or folder');
    refuseUnreadable(path);
    if (statSync(path).isDirectory()) readFolder(path, (file) => join(path, file));
    else if (/\.(yaml|yml|json)$/.test(path)) read(path, DEFAULT_FIXTURE, path);
    else throw new FileProblem(path, 1, '', 'must be a folder, or a file that ends in .yaml, .yml or .json');
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
function refuseSharedKeys(fixtures: ReadonlyMap<string, Fixture>): void {
  const owners = new Map<string, string>();
  for (const { name, shownAs, file } of fixtures.values()) {
    for (const [index, { key }] of file.keys.entries()) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw new FileProblem(shownAs, 1, `keys.${index}.key`, `"${key}" is a key of the world ${owner} already`);
      }
      owners.set(key, name);
    }
  }
}
