// What is made of the package's own files (scenarios, fixtures) and then checked, made when the package is built: checking
// it at the start took a third of its time. It is found by the hash of the files' texts, so edited files are read anew.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dataFile } from './package-files.ts';

/** Written by `build.js`, which copies nothing of it to `src`: there, code that changed is to read the files itself. */
const file = dataFile('prepared.json');
const prepared: Readonly<Record<string, unknown>> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

/** By what `build.js` and `preparedFrom` find the same thing. */
export const preparedKey = (texts: readonly string[]): string => hash('sha256', JSON.stringify(texts), 'hex');

/** What was made of these texts, in JSON; the caller says of which type, and does not change it. */
export function preparedFrom<Value>(texts: readonly string[]): Value | undefined {
  // The build wrote what the same caller made.
  return prepared[preparedKey(texts)] as Value | undefined;
}
