// Who may use a state file, and who may read it: `interface.md` section 1, --state.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { temporaryFolders } from '../support/folders.ts';
import { thorough } from '../support/thorough.ts';
import { stretched, until } from '../support/until.ts';

const folderOf = temporaryFolders();
const running: Sandbox[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

async function start(state: string): Promise<Sandbox> {
  const sandbox = await createSandbox({ clock: 'manual', state });
  running.push(sandbox);
  return sandbox;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('a state file', () => {
  it('belongs to one sandbox, whatever path leads to it, until that one is closed', async () => {
    const folder = folderOf();
    const file = join(folder, 'state.json');
    const first = await start(file);
    symlinkSync(file, join(folder, 'link.json'));
    mkdirSync(join(folder, 'deep'));
    symlinkSync(folder, join(folder, 'deep', 'up'));
    const paths = [file, join(folder, 'link.json'), join(folder, 'deep', 'up', 'state.json'), `${folder}/./state.json`];
    for (const path of paths) {
      await expect(start(path), path).rejects.toThrow(
        `${file}: is in use by another sandbox of this process; stop it, or name another file with --state`,
      );
    }
    await first.close();
    await start(join(folder, 'link.json'));
    // The file took its place, not the link's.
    expect(statSync(file).isFile()).toBe(true);
    expect(readdirSync(folder)).toContain('link.json');
  });

  it('that a link leads to is created where the link leads', async () => {
    const [folder, other] = [folderOf(), folderOf()];
    symlinkSync(join(other, 'real.json'), join(folder, 'link.json'));
    await start(join(folder, 'link.json'));
    expect(readdirSync(other)).toContain('real.json');
  });

  it('is free again at once after its process was killed, even if another process has its id', async () => {
    const folder = folderOf();
    const file = join(folder, 'state.json');
    const lock = `${file}.lock`;
    await (await start(file)).close();
    running.pop();
    const owner = await ownerOf(file);
    const dead = [
      { ...owner, pid: 2 ** 22 + 1 },
      { ...owner, pid: process.ppid, started: '1' },
    ];
    for (const each of dead) {
      writeFileSync(lock, JSON.stringify(each));
      const began = performance.now();
      const sandbox = await start(file);
      expect(performance.now() - began).toBeLessThan(stretched(2000));
      await sandbox.close();
    }
  });

  it.runIf(existsSync('/proc/self/stat'))('is not free while its process lives, but when nobody reaps it', async () => {
    const file = join(folderOf(), 'state.json');
    const owner = await ownerOf(file);
    const startOf = (pid: number): string | undefined =>
      readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')[19];
    const lockFor = (pid: number): void =>
      writeFileSync(`${file}.lock`, JSON.stringify({ ...owner, pid, started: startOf(pid) }));
    lockFor(process.ppid);
    await expect(start(file)).rejects.toThrow(`is in use by another process (${process.ppid} on `);
    // The child ends at once, and its parent never asks how.
    const parent = spawn('bash', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [printed] = await once(parent.stdout, 'data');
    const child = Number(String(printed));
    await until(() => readFileSync(`/proc/${child}/stat`, 'utf8')).toContain(') Z ');
    lockFor(child);
    await start(file);
    parent.kill('SIGKILL');
  });

  it.runIf(thorough)('of a process elsewhere is free when its heartbeat stops, and not before', async () => {
    const file = join(folderOf(), 'state.json');
    const lock = `${file}.lock`;
    const owner = await ownerOf(file);
    for (const text of [JSON.stringify({ ...owner, place: 'another machine', host: 'elsewhere', pid: 7 }), '']) {
      writeFileSync(lock, text);
      const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), 1000);
      await expect(start(file)).rejects.toThrow(
        text === '' ? 'is in use by another process;' : 'is in use by another process (7 on elsewhere)',
      );
      clearInterval(beat);
      await (await start(file)).close();
    }
  });

  it('and what lies beside it can be read by its owner alone, even where it could be read by all', async () => {
    const folder = folderOf({ 'state.json': '' });
    const file = join(folder, 'state.json');
    await (await start(join(folder, 'other.json'))).close();
    writeFileSync(file, readFileSync(join(folder, 'other.json')));
    chmodSync(file, 0o666);
    const sandbox = await start(file);
    const files = readdirSync(folder).filter((name) => name.includes('state.json'));
    expect(files.map((name) => name.replace(/\d+$/, 'N')).sort()).toEqual([
      'state.json',
      'state.json.lock',
      'state.json.log.N',
    ]);
    for (const name of files) expect(modeOf(join(folder, name)), name).toBe('600');
    await sandbox.close();
    expect(modeOf(file)).toBe('600');
  });

  it('that is a folder, or whose folder does not exist, refuses the start', async () => {
    const folder = folderOf();
    await expect(start(folder)).rejects.toThrow('is a folder; --state takes the path of a file');
    await expect(start(join(folder, 'no', 'state.json'))).rejects.toThrow('its folder does not exist');
  });

  it('that cannot be a path of a file refuses the start in one line', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('loop', join(folder, 'loop'));
    for (const name of ['file/state.json', 'loop', 'x'.repeat(300)]) {
      await expect(start(join(folder, name)), name).rejects.toThrow(
        /^[^\n]*is no path of a file \(--state\): E[^\n]*$/,
      );
    }
  });

  it.skipIf(process.platform === 'win32')('that is no file refuses the start, and stays what it is', async () => {
    const path = join(folderOf(), 'socket');
    const server = createServer().listen(path);
    await once(server, 'listening');
    await expect(start(path)).rejects.toThrow('is a device, a pipe or a socket, not a file (--state)');
    expect(statSync(path).isSocket()).toBe(true);
    server.close();
  });

  // There, nobody can write to this folder, not even who can write everywhere else.
  it.runIf(process.platform === 'linux')('whose folder cannot be written to refuses the start', async () => {
    const refusal = expect(start('/sys/kernel/state.json')).rejects;
    await refusal.toThrow(/cannot be written: E\w+.*; the server needs to write to its folder \(--state\)$/);
  });

  /** What the lock says about this process. */
  async function ownerOf(file: string): Promise<object> {
    const sandbox = await createSandbox({ state: file });
    const owner: object = JSON.parse(readFileSync(`${file}.lock`, 'utf8'));
    await sandbox.close();
    return owner;
  }
});
