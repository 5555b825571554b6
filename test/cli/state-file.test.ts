// The file of `--state`, as `serve` writes it while it runs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { commandLines, freePort, programs } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';

const folderOf = temporaryFolders();
const { bash, run, serve } = programs();

const inUse =
  /^ringback: .*state\.json: is in use by another process \(\d+ on \S+\); stop it, or name another file with --state\n$/;

describe('the file of --state', () => {
  const state = join(folderOf(), 'state.json');
  let first: Sandbox;
  beforeAll(async () => {
    first = await createSandbox({ clock: 'manual', state });
  });
  afterAll(() => first.close());
  const second = commandLines()(['serve', '--port', '0', '--state', state]);

  it('is refused to a second process with exit code 2 and one line', () => {
    const { code, stdout, stderr } = second();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(inUse);
  });
});

describe.runIf(thorough)('the file of --state', () => {
  it('is refused while a server runs, and free when that was killed', async () => {
    const state = join(folderOf(), 'state.json');
    const first = await serve(['--clock', 'manual', '--state', state]);
    const second = await run(['serve', '--port', '0', '--state', state]);
    expect([second.code, second.stdout]).toEqual([2, '']);
    expect(second.stderr).toMatch(inUse);
    first.signal('SIGKILL');
    await first.ended;
    const third = await createSandbox({ clock: 'manual', state });
    await third.close();
  });

  it('does not stop a server whose disk is full: the log says so once, and the stop says what is lost', async () => {
    const folder = folderOf();
    const state = join(folder, 'state.json');
    const port = await freePort();
    // No file may be larger than 60 KiB, which the state soon is.
    const line = `ulimit -f 60; exec ${process.execPath} dist/main.js serve --clock manual --port ${port} --state ${state}`;
    const ended = bash(`${line} & echo $! > ${folder}/pid; wait $!`);
    const client = clientOf(`http://127.0.0.1:${port}`);
    await eventually(async () => expect((await client.get('/_sandbox/ready')).status).toBe(200));
    const saved = await client.call('+12125550100');
    const written = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    await eventually(() => expect(written().join()).toContain(saved));
    for (let n = 0; n < 60; n++) await client.call('+12125550100');
    await eventually(() => expect(readdirSync(folder)).not.toContain('.state.json.tmp'));
    await setTimeout(1500);
    expect((await client.get('/v1/me')).status).toBe(200);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(1);
    expect(stdout.match(/the state could not be written/g)).toHaveLength(1);
    expect(stdout).toContain('EFBIG');
    expect(stderr).toMatch(/^ringback: .*state\.json: the last changes could not be saved, and are lost: EFBIG.*\n$/);
    // What was saved before is there.
    const again = await serve(['--clock', 'manual', '--state', state]);
    expect((await clientOf(again.url).get(`/v1/calls/${saved}`)).status).toBe(200);
    await again.stop();
  });

  it.runIf(process.platform === 'linux')('gets all changes by itself once its disk has space again', async () => {
    const state = join(folderOf(), 'state.json');
    const server = await serve(['--clock', 'manual', '--state', state]);
    const client = clientOf(server.url);
    const savedCalls = (): number => JSON.parse(readFileSync(state, 'utf8')).worlds.default.rows.calls?.length ?? 0;
    const limitFiles = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
    limitFiles(1000);
    for (let n = 0; n < 3; n++) await client.call('+12125550100');
    await eventually(() => expect(server.log().map(({ msg }) => msg)).toContain('the state could not be written'));
    limitFiles('unlimited');
    await eventually(() => expect(savedCalls()).toBe(3));
    expect((await server.stop()).code).toBe(0);
  });

  it('for which there is no space refuses the start', async () => {
    const state = join(folderOf(), 'state.json');
    const line = `ulimit -f 1; exec ${process.execPath} dist/main.js serve --port 0 --state ${state}`;
    const { code, stderr } = await bash(line);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ringback: .*state\.json: cannot be written \(--state\): EFBIG.*\n$/);
  });

  it('whose lock has no space either refuses the start, and leaves nothing', async () => {
    const folder = folderOf();
    const line = `ulimit -f 0; exec ${process.execPath} dist/main.js serve --port 0 --state ${join(folder, 'state.json')}`;
    const { code, stderr } = await bash(line);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ringback: .*state\.json\.lock: the lock of the state file cannot be written: EFBIG.*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<[string, (state: string) => void]>([
    ['whose folder is deleted', (state) => rmSync(dirname(state), { recursive: true })],
    [
      'in whose place there is a folder',
      (state) => {
        rmSync(state);
        mkdirSync(state);
      },
    ],
  ])('%s under the server ends a stop with exit code 1 and what it lost', async (_, change) => {
    const state = join(folderOf(), 'state.json');
    const server = await serve(['--clock', 'manual', '--state', state]);
    change(state);
    await clientOf(server.url).call('+12125550100');
    const { code, stderr } = await server.stop();
    expect(stderr).toMatch(/^ringback: .*state\.json: the last changes could not be saved, and are lost: E.*\n$/);
    expect(code).toBe(1);
  });

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
    // By itself: nothing else happens.
    await eventually(() => expect(savedCalls()).toBe(2));
    expect((await server.stop()).code).toBe(0);
  });
});
