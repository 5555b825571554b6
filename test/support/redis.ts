// A Redis server of a test's own, in a folder of its own and without a port, where one is installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.log('Tests of the store in Redis are skipped: redis-server is not installed.');

export interface RedisServer {
  readonly socket: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  // The path of a socket may have about 100 characters, and temporary folders have longer ones on some machines.
  const folder = mkdtempSync('/tmp/redis-');
  const socket = join(folder, 'socket');
  const options = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await isReady(server);
  return {
    socket,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves once a server that was spawned takes connections. */
export async function isReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('The server has no output.');
  for await (const line of createInterface(stdout)) {
    if (!/ready to accept connections/i.test(line)) continue;
    stdout.resume();
    return;
  }
  throw new Error('redis-server has ended.');
}
