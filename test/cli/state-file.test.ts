// The file of `--state`, as `serve` writes it while it runs.
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { programs } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';

const folderOf = temporaryFolders();
const { run, serve } = programs();

describe('the file of --state', () => {
  it('is refused to a second process with exit code 2 and one line, and free when the first was killed', async () => {
    const state = join(folderOf(), 'state.json');
    const first = await serve(['--clock', 'manual', '--state', state]);
    const second = await run(['serve', '--port', '0', '--state', state]);
    expect([second.code, second.stdout]).toEqual([2, '']);
    expect(second.stderr).toMatch(
      /^ringback: .*state\.json: is in use by another process \(\d+ on \S+\); stop it, or name another file with --state\n$/,
    );
    first.signal('SIGKILL');
    await first.ended;
    const third = await serve(['--clock', 'manual', '--state', state]);
    expect((await third.stop()).code).toBe(0);
  });
});

describe.runIf(thorough)('the file of --state', () => {
  it('is written again after a write failed, and the log reports the failure', async () => {
    const folder = folderOf();
    const movedFolder = `${folder}-away`;
    const state = join(folder, 'state.json');
    const server = await serve(['--clock', 'manual', '--state', state]);
    const client = clientOf(server.url);
    const savedCalls = (): number => JSON.parse(readFileSync(state, 'utf8')).worlds.default.rows.calls.length;
    await client.call('+12125550100');
    await eventually(() => expect(savedCalls()).toBe(1));
    renameSync(folder, movedFolder);
    await client.call('+12125550100');
    await eventually(() => expect(server.log().map(({ msg }) => msg)).toContain('the state could not be written'));
    renameSync(movedFolder, folder);
    await client.call('+12125550100');
    await eventually(() => expect(savedCalls()).toBe(3));
    expect((await server.stop()).code).toBe(0);
  });
});
