// A Redis server of a bench's own, which writes every command to its disk and has that flushed every second.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { ringback } from './processes.mjs';

export async function redis() {
  const folder = mkdtempSync('/tmp/redis-bench-');
  const port = await freePort();
  const persistence = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...persistence],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: server.stdout })) if (/ready to accept/i.test(line)) break;
  server.stdout.resume();
  const address = `redis://127.0.0.1:${port}`;
  return {
    address,
    pid: server.pid,
    client: new Redis(address),
    async stop() {
      this.client.disconnect();
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
}

/** A server that shares its worlds with others; each may have any core. */
export const replica = (address, flags = []) => ringback(['--store', address, ...flags], { core: null });

const TICKS_A_SECOND = 100;

/** The seconds of processor time that a process has used. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
