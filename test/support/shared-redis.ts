// Starts the Redis server of `vitest run --mode redis`, before any test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReady, redisProgram } from './redis.ts';

/** As many as the address of a database can name. */
const DATABASES = 10_000;

export default async function startSharedRedis(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-redis-'));
  const port = await freePort();
  const options = ['--port', port, '--bind', '127.0.0.1', '--databases', DATABASES, '--dir', folder, '--save', ''];
  const server: ChildProcess = spawn(redisProgram, options.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  await isReady(server);
  process.env.TEST_REDIS_PORT = String(port);
  return async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Redis cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
}
