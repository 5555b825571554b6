// The folder of `--scenarios`, which `serve` watches for changes.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.ts';
import { programs } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';

const folderOf = temporaryFolders();
const { serve } = programs();

describe.runIf(thorough)('a watched folder of scenarios', () => {
  it('does not stop the server when an editor leaves a lock file in it', async () => {
    const folder = folderOf();
    const server = await serve(['--scenarios', folder]);
    // Emacs locks an open file with a dangling link that is named like the file.
    symlinkSync('someone@somewhere.1', join(folder, '.#own_line.yaml'));
    await sleep(1500);
    writeFileSync(join(folder, 'own_line.yaml'), 'kind: call\nsummary: Our own.\nextends: busy\n');
    await eventually(async () => {
      expect((await fetch(`${server.url}/_sandbox/scenarios/own_line`)).status).toBe(200);
    });
    expect((await server.stop()).code).toBe(0);
  });

  it('is read without its subfolders and other files, and the log names them', async () => {
    const folder = folderOf({ 'notes.txt': 'x', '.hidden': 'x' });
    mkdirSync(join(folder, 'drafts'));
    const server = await serve(['--scenarios', folder]);
    expect((await server.stop()).stdout).toMatch(/"ignored":\["drafts\/","notes.txt"\]/);
  });

  it('keeps its scenarios when it is removed, and logs that once', async () => {
    const folder = folderOf({ 'own_line.yaml': 'kind: call\nsummary: Our own.\nextends: busy\n' });
    const server = await serve(['--scenarios', folder]);
    rmSync(folder, { recursive: true });
    await eventually(() => expect(server.stdout()).toContain('is not a folder that can be read'));
    await sleep(1500);
    expect((await fetch(`${server.url}/_sandbox/scenarios/own_line`)).status).toBe(200);
    const { code, stdout } = await server.stop();
    expect(code).toBe(0);
    expect(stdout.split('is not a folder that can be read')).toHaveLength(2);
  });
});
