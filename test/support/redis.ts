// A Redis server of a test's own, in a folder of its own, where one is installed; `TEST_REDIS_SERVER=valkey-server` takes
// another that speaks its protocol.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './program.ts';

export const redisProgram = process.env.TEST_REDIS_SERVER ?? 'redis-server';
export const hasRedis = spawnSync(redisProgram, ['--version']).status === 0;
if (!hasRedis) console.log(`Tests of the store in Redis are skipped: ${redisProgram} is not installed.`);

export interface RedisServer {
  readonly socket: string;
  /** The same by TCP. */
  readonly address: string;
  signal(name: NodeJS.Signals): void;
  /** Kills it and starts it again, with what it has on disk. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** With these options, such as `--appendonly`, `yes`; without them it has nothing on disk. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  // The path of a socket may have about 100 characters, and temporary folders have longer ones on some machines.
  const folder = mkdtempSync('/tmp/redis-');
  const socket = join(folder, 'socket');
  const port = String(await freePort());
  const usual = ['--port', port, '--bind', '127.0.0.1', '--unixsocket', socket, '--dir', folder, '--save', ''];
  const launch = (): Promise<ChildProcess> => whenReady([...usual, ...options]);
  const kill = async (): Promise<void> => {
    // A test may have killed it.
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  let server = await launch();
  return {
    socket,
    address: `redis://127.0.0.1:${port}`,
    signal: (name) => void server.kill(name),
    async restart() {
      await kill();
      server = await launch();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function whenReady(options: readonly string[]): Promise<ChildProcess> {
  const server = spawn(redisProgram, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await isReady(server);
  return server;
}

/** Resolves once a server that was spawned takes connections. */
export async function isReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('The server has no output.');
  let last = '';
  for await (const line of createInterface(stdout)) {
    last = line;
    if (!/ready to accept connections/i.test(line)) continue;
    stdout.resume();
    return;
  }
  throw new Error(`${redisProgram} has ended: ${last}`);
}
