// The scripts that are shipped, with something broken on purpose.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../src/store/redis/scripts/', import.meta.url);
const shippedScripts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));

/** The text of a script that is shipped, with parts of it replaced. */
export function brokenScript(
  ...changes: readonly (readonly [part: string, by: string])[]
): ReadonlyMap<string, string> {
  const text = shippedScripts.find((each) => changes.every(([part]) => each.includes(part)));
  if (text === undefined) throw new Error(`No script has ${changes.map(([part]) => part).join(' and ')}.`);
  return new Map([[text, changes.reduce((broken, [part, by]) => broken.replace(part, by), text)]]);
}
