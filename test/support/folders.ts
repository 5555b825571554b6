// Temporary folders of files, for what a sandbox reads and writes. Gone when the test file has run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** To be called once, at the top of a test file; what it answers makes a folder with those files in it. */
export function temporaryFolders(): (files?: Readonly<Record<string, string>>) => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return (files = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'ringback-test-'));
    made.push(folder);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return folder;
  };
}
