// Replaces a function of node:fs/promises for a test, in the modules that have imported it already, too.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

type Replaceable = Pick<typeof fs.promises, 'rename' | 'rm'>;

/** Until the test ends, files are renamed by that function. */
export function renameBy(rename: (original: Replaceable['rename']) => Replaceable['rename']): void {
  replace('rename', rename(fs.promises.rename));
}

/** Until the test ends, files are removed by that function, where they are not removed synchronously. */
export function removeBy(remove: (original: Replaceable['rm']) => Replaceable['rm']): void {
  replace('rm', remove(fs.promises.rm));
}

function replace<Name extends keyof Replaceable>(name: Name, by: Replaceable[Name]): void {
  const files: Replaceable = fs.promises;
  const original = files[name];
  const set = (value: Replaceable[Name]): void => {
    files[name] = value;
    syncBuiltinESMExports();
  };
  set(by);
  onTestFinished(() => set(original));
}
