// The package's own YAML files (contract, scenarios, fixtures), parsed at build time because parsing them took half of
// the start. They are looked up by the hash of their text, so an edited file is not found and is parsed.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { packageFile } from './package-files.ts';

/**
 * Written by `build.js`: JSON by the SHA-256 of the YAML that it was parsed from. The path is valid from `src` too, so
 * that tests start sandboxes as fast as the program does.
 */
const file = packageFile('dist/precompiled-yaml.json');
const precompiled: ReadonlyMap<string, string> = new Map(
  existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [],
);

/** The data of a YAML text that was parsed at build time, a new copy for each call; undefined for any other text. */
export function precompiledYaml(text: string): unknown {
  const json = precompiled.get(hash('sha256', text, 'hex'));
  return json === undefined ? undefined : JSON.parse(json);
}
