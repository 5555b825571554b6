// Redis servers that belong together: a primary with replicas that a Sentinel watches, and a cluster.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Connection } from '../../src/store/redis/connection.ts';
import { freePort } from './program.ts';
import { type RedisServer, redisProgram, startRedis } from './redis.ts';
import { eventually } from './until.ts';

const portOf = ({ address }: RedisServer): string => address.split(':').at(-1) ?? '';

export interface WatchedServers {
  readonly primary: RedisServer;
  /** `redis+sentinel://…`. */
  readonly address: string;
  /** Has the Sentinel make another server the primary, while the one that was goes on for some seconds. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

/** A primary with two replicas, and a Sentinel that makes one of them the primary when it is gone for half a second. */
export async function startWatched(): Promise<WatchedServers> {
  const primary = await startRedis('--appendonly', 'yes');
  const follow = ['--replicaof', '127.0.0.1', portOf(primary), '--repl-diskless-sync-delay', '0'];
  const replicas = await Promise.all([startRedis(...follow), startRedis(...follow)]);
  const folder = mkdtempSync('/tmp/sentinel-');
  const file = join(folder, 'sentinel.conf');
  const port = await freePort();
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor primary 127.0.0.1 ${portOf(primary)} 1`,
    'sentinel down-after-milliseconds primary 500',
    'sentinel failover-timeout primary 3000',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const sentinel = spawn(redisProgram, [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'inherit'] });
  sentinel.stdout.resume();
  const address = `redis+sentinel://127.0.0.1:${port}/primary`;
  // It has to know the replicas before one of them can take over.
  const asked = new Redis(port, '127.0.0.1');
  asked.on('error', () => {});
  await eventually(async () => {
    const known = await asked.call('SENTINEL', ['REPLICAS', 'primary']);
    if (!Array.isArray(known) || known.length < 2) throw new Error('the Sentinel does not know the replicas yet');
  });
  const commands = await Connection.open(primary.socket);
  await eventually(async () => {
    const replication = String(await commands.command('INFO', ['replication']));
    if (replication.match(/state=online/g)?.length !== 2) throw new Error('the replicas have no copy yet');
  });
  commands.close();
  return {
    primary,
    address,
    async failOver() {
      const announced = new Redis(port, '127.0.0.1');
      await announced.subscribe('+switch-master');
      const switched = once(announced, 'message');
      await asked.call('SENTINEL', ['FAILOVER', 'primary']);
      await switched;
      announced.disconnect();
    },
    async stop() {
      asked.disconnect();
      const ended = once(sentinel, 'exit');
      sentinel.kill('SIGKILL');
      await ended;
      for (const each of [primary, ...replicas]) await each.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface RedisCluster {
  /** `redis+cluster://…`, of one of its nodes. */
  readonly address: string;
  /** Moves every slot that has keys to the node after its own, key by key. Resolves to how many slots it has moved. */
  moveSlots(): Promise<number>;
  stop(): Promise<void>;
}

const NODES = 3;
const SLOTS = 16_384;

interface Node {
  readonly server: RedisServer;
  readonly commands: Connection;
  readonly id: string;
}

/** Three nodes with a third of the slots each. */
export async function startCluster(): Promise<RedisCluster> {
  const nodes: Node[] = [];
  for (let n = 0; n < NODES; n++) {
    const ports = ['--cluster-port', String(await freePort())];
    const server = await startRedis('--cluster-enabled', 'yes', ...ports, '--cluster-node-timeout', '2000');
    const commands = await Connection.open(server.socket);
    nodes.push({ server, commands, id: String(await commands.command('CLUSTER', ['MYID'])) });
    const first = Math.ceil((n * SLOTS) / NODES);
    await commands.command('CLUSTER', ['ADDSLOTSRANGE', first, Math.ceil(((n + 1) * SLOTS) / NODES) - 1]);
    const [meeting] = nodes;
    if (meeting && n > 0)
      await meeting.commands.command('CLUSTER', ['MEET', '127.0.0.1', portOf(server), ports[1] ?? '']);
  }
  await eventually(async () => {
    for (const { commands } of nodes) {
      const info = String(await commands.command('CLUSTER', ['INFO']));
      if (!info.includes('cluster_state:ok') || !info.includes(`known_nodes:${NODES}`)) throw new Error(info);
    }
  });
  return {
    address: (nodes[0]?.server.address ?? '').replace('redis:', 'redis+cluster:'),
    async moveSlots() {
      const moves: (() => Promise<void>)[] = [];
      for (const [n, from] of nodes.entries()) {
        const to = nodes[(n + 1) % NODES];
        for (const slot of to ? await slotsWithKeys(from) : [])
          moves.push(() => moveSlot(slot, from, to as Node, nodes));
      }
      for (const move of moves) await move();
      return moves.length;
    },
    async stop() {
      for (const { server, commands } of nodes) {
        commands.close();
        await server.stop();
      }
    },
  };
}

async function slotsWithKeys({ commands }: Node): Promise<number[]> {
  const keys = await commands.command('KEYS', ['*']);
  const slots = (Array.isArray(keys) ? keys : []).map((key) => commands.command('CLUSTER', ['KEYSLOT', String(key)]));
  return [...new Set((await Promise.all(slots)).map(Number))];
}

/** As the tools of Redis do it. */
async function moveSlot(slot: number, from: Node, to: Node, nodes: readonly Node[]): Promise<void> {
  await to.commands.command('CLUSTER', ['SETSLOT', slot, 'IMPORTING', from.id]);
  await from.commands.command('CLUSTER', ['SETSLOT', slot, 'MIGRATING', to.id]);
  for (;;) {
    const keys = await from.commands.command('CLUSTER', ['GETKEYSINSLOT', slot, 1]);
    if (!Array.isArray(keys) || keys.length === 0) break;
    await from.commands.command('MIGRATE', ['127.0.0.1', portOf(to.server), '', 0, 5000, 'KEYS', ...keys.map(String)]);
  }
  for (const { commands } of [to, from, ...nodes.filter((each) => each !== to && each !== from)]) {
    await commands.command('CLUSTER', ['SETSLOT', slot, 'NODE', to.id]);
  }
}
