// Replaces a function of node:fs/promises for a test, in the modules that have imported it already, too.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

type Rename = typeof fs.promises.rename;

/** Until the test ends, files are renamed by that function. */
export function renameBy(rename: (original: Rename) => Rename): void {
  const original = fs.promises.rename;
  replace(rename(original));
  onTestFinished(() => replace(original));
}

function replace(rename: Rename): void {
  fs.promises.rename = rename;
  syncBuiltinESMExports();
}
