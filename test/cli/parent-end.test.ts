// A server ends with the npm that runs it, and one that may be meant to stay does (`docs/ci-and-docker.md`).
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.ts';
import { build, freePort, root } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';

const folderOf = temporaryFolders();
const groups: number[] = [];

beforeAll(build);
afterEach(() => {
  for (const group of groups.splice(0)) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

/** Runs a line in a shell; `$PORT` is the server's port and `$LOG` its log. Resolves when the server is ready. */
async function start(line: string, cwd = root) {
  const port = await freePort();
  const log = join(folderOf(), 'log');
  const env = { ...process.env, PORT: String(port), LOG: log, MAIN: join(root, 'dist', 'main.js') };
  // A process group of its own, so that nothing is left behind whatever the test finds.
  const child = spawn('bash', ['-c', line], { cwd, env, stdio: 'ignore', detached: true });
  const pid = child.pid ?? 0;
  groups.push(pid);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/_sandbox/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(async () => expect(await isUp()).toBe(true));
  const reasons = (): string[] =>
    [...readFileSync(log, 'utf8').matchAll(/"reason":"([^"]*)"/g)].map(([, why = '']) => why);
  return { pid, ended, isUp, reasons };
}

// Bash becomes the last command of a line.
const NPX = 'exec npx ringback serve --port $PORT >$LOG 2>&1';

describe.skipIf(process.platform === 'win32')('a server whose parent ends', () => {
  const endings: [name: string, line: string, signal: NodeJS.Signals][] = [
    ['the SIGKILL of npx', NPX, 'SIGKILL'],
    ['the SIGTERM of npx', NPX, 'SIGTERM'],
    ['the SIGHUP of npx', NPX, 'SIGHUP'],
    ['the SIGKILL of npm start', 'exec npm start -- --port $PORT >$LOG 2>&1', 'SIGKILL'],
    ['the SIGKILL of a shell that waits for npx', `${NPX.replace('exec ', '')}; true`, 'SIGKILL'],
  ];

  it.each(thorough ? endings : endings.slice(0, 1))('stops cleanly after %s', async (_, line, signal) => {
    const server = await start(line);
    process.kill(server.pid, signal);
    await eventually(async () => expect(await server.isUp()).toBe(false));
    await eventually(() => expect(server.reasons()).toEqual(['parent ended']));
  });

  it.runIf(thorough).each([
    ['npx', "spawn('npx', ['ringback', ...args], { cwd })"],
    ['the program', 'spawn(process.execPath, [process.env.MAIN, ...args])'],
  ])('stops cleanly after the SIGKILL of a program that started %s with pipes', async (_, started) => {
    const script = `const { spawn } = require('child_process'), { createWriteStream } = require('fs');
      const cwd = '${root}', args = ['serve', '--port', process.env.PORT, '--log', 'info'];
      ${started}.stdout.pipe(createWriteStream(process.env.LOG))`;
    const server = await start(`exec node ${join(folderOf({ 'start.cjs': script }), 'start.cjs')}`);
    process.kill(server.pid, 'SIGKILL');
    await eventually(async () => expect(await server.isUp()).toBe(false));
  });

  it.runIf(thorough).each([
    ['a program that started npx detached', ''],
    ['a program that shared its own input with npx', 'inherit'],
  ])('outlives %s', async (_, stdio) => {
    const options = stdio === '' ? "{ cwd, stdio: 'ignore', detached: true }" : "{ cwd, stdio: 'inherit' }";
    const script = `const { spawn } = require('child_process'), { writeFileSync } = require('fs');
      const cwd = '${root}', args = ['ringback', 'serve', '--port', process.env.PORT];
      const child = spawn('npx', args, ${options});
      child.unref();
      writeFileSync('pid', String(child.pid));
      setTimeout(() => {}, 3000);`;
    const folder = folderOf({ 'start.cjs': script });
    const server = await start('exec node start.cjs', folder);
    groups.push(Number(readFileSync(join(folder, 'pid'), 'utf8')));
    await server.ended;
    await sleep(1500);
    expect(await server.isUp()).toBe(true);
  });

  it.runIf(thorough).each([
    ['the shell that started npx in the background', 'npx ringback serve --port $PORT >$LOG 2>&1 & sleep 3'],
    ['the shell that started npx with nohup', 'nohup npx ringback serve --port $PORT >$LOG 2>&1 & sleep 3'],
    ['a script of npm that started it in the background', 'npm run background'],
    ['a pipe that was its input', 'echo y | npx ringback serve --port $PORT >$LOG 2>&1 & sleep 3'],
    ['the shell that started it without npm', 'node $MAIN serve --port $PORT >$LOG 2>&1 & sleep 3'],
  ])('outlives %s', async (_, line) => {
    const background = 'node $MAIN serve --port $PORT >$LOG 2>&1 & sleep 3';
    const project = { 'package.json': JSON.stringify({ name: 'project', scripts: { background } }) };
    const server = await start(line, line.startsWith('npm') ? folderOf(project) : root);
    await server.ended;
    await sleep(1500);
    expect(await server.isUp()).toBe(true);
    expect(server.reasons()).toEqual([]);
  });
});
