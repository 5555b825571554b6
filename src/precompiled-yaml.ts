// YAML that the package ships (the contract, scenarios, fixtures), parsed when the package was built: reading it anew
// was half of every start. Found by the hash of its text, so that an edited file is simply not found and is parsed.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** What `build.js` writes beside the compiled program: JSON texts by the SHA-256 of the YAML they were made from. */
const file = new URL('./precompiled-yaml.json', import.meta.url);
const prepared: ReadonlyMap<string, string> = new Map(
  existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [],
);

/** The data of a YAML text that was parsed when the package was built, a copy for each call; undefined for others. */
export function precompiledYaml(text: string): unknown {
  const json = prepared.get(hash('sha256', text, 'hex'));
  return json === undefined ? undefined : JSON.parse(json);
}
