// The example of replicas, tried as far as it can be without containers: three processes with the settings of its Compose
// file, a Redis server with the options of its Valkey, and nginx with its configuration.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { watch } from '../stream/setup.ts';
import { FROM } from '../support/client.ts';
import { hasNginx, type Nginx, startNginx } from '../support/nginx.ts';
import { freePort, type Program, programs } from '../support/program.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { eventually, until } from '../support/until.ts';

const { services } = parse(readFileSync('examples/replicas/compose.yaml', 'utf8'), { merge: true });
const body = JSON.stringify({ from_number: FROM, to_number: '+14155550102' });

describe.runIf(hasRedis && hasNginx)('the example of replicas', () => {
  const { serve } = programs();
  let server: RedisServer;
  let nginx: Nginx;
  let ports: number[];
  let replicas: Program[];
  const stops: (() => Promise<unknown>)[] = [];

  const start = (port: number): Promise<Program> => {
    const environment = {
      ...services['replica-1'].environment,
      RINGBACK_STORE: server.address,
      // Here, nginx is on the same machine.
      RINGBACK_TRUST_PROXY: 'loopback',
      RINGBACK_CONTROL_TOKEN: '',
    };
    return serve(
      ['--port', String(port), '--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off'],
      environment,
    );
  };
  beforeAll(async () => {
    const [, ...options] = services.valkey.command;
    server = await startRedis(...options);
    ports = await Promise.all([1, 2, 3].map(freePort));
    replicas = await Promise.all(ports.map(start));
    nginx = await startNginx(ports.map((port) => `127.0.0.1:${port}`));
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(async () => {
    await nginx?.stop();
    for (const each of replicas ?? []) await each.stop();
    await server?.stop();
  });

  /** A request through nginx, whose headers are not all those of the contract. */
  async function ask(world: string, path: string, dial = false) {
    const headers = { Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json' };
    const answer = await fetch(nginx.url + path, { headers, ...(dial ? { method: 'POST', body } : {}) });
    const text = await answer.text();
    return { status: answer.status, json: answer.ok ? JSON.parse(text) : undefined };
  }
  const replicaOf = async (world: string): Promise<string> =>
    (await ask(world, '/_sandbox/health')).json.data.store.replica;
  const total = async (world: string): Promise<number> => (await ask(world, '/v1/calls')).json.meta.total_results;

  /** Dials again and again through nginx, in these worlds at once; counts the answers by status. */
  function load(worlds: readonly string[]) {
    const counts = new Map<number, number>();
    let isOver = false;
    const loops = worlds.map(async (world) => {
      while (!isOver) {
        const { status } = await ask(world, '/v1/calls/dial', true);
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    });
    const stop = (): Promise<unknown> => {
      isOver = true;
      return Promise.all(loops);
    };
    stops.push(stop);
    return { counts, accepted: () => counts.get(202) ?? 0, stop };
  }

  it('sends the requests of a key to one replica, and those of many keys to all', async () => {
    const worlds = Array.from({ length: 30 }, (_, n) => `sticky-${n}`);
    const first = await Promise.all(worlds.map(replicaOf));
    expect(new Set(first).size).toBe(3);
    expect(await Promise.all(worlds.map(replicaOf))).toEqual(first);
  });

  it('passes on the stream of a world', async () => {
    const watcher = await watch(nginx.url, 'svc_test_stream');
    const id = (await ask('stream', '/v1/calls/dial', true)).json.call_id;
    await watcher.until(({ type, data }) => type === 'event' && data.subject?.id === id);
    await watcher.leave();
  });

  it('drops no request while its replicas are replaced one after the other', async () => {
    const worlds = ['rolling-1', 'rolling-2', 'rolling-3', 'rolling-4'];
    const before = await Promise.all(worlds.map(total));
    const { counts, accepted, stop } = load(worlds);
    for (const [n, old] of replicas.entries()) {
      const mark = accepted();
      await until(accepted).toBeGreaterThan(mark + 20);
      expect((await old.stop()).code).toBe(0);
      const between = accepted();
      await until(accepted).toBeGreaterThan(between + 20);
      replicas[n] = await start(ports[n] as number);
    }
    await stop();
    expect([...counts.keys()]).toEqual([202]);
    const after = await Promise.all(worlds.map(total));
    const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
    expect(sum(after) - sum(before)).toBe(accepted());
  });

  it('goes on when a replica is killed, with every call that was acknowledged', async () => {
    const worlds = Array.from({ length: 6 }, (_, n) => `killed-${n}`);
    const before = await Promise.all(worlds.map(total));
    const { counts, accepted, stop } = load(worlds);
    await until(accepted).toBeGreaterThan(30);
    replicas[0]?.signal('SIGKILL');
    const mark = accepted();
    await until(accepted).toBeGreaterThan(mark + 60);
    await stop();
    // What it was answering then is lost to its clients, who repeat it.
    expect([...counts.keys()].filter((status) => status !== 502)).toEqual([202]);
    expect(counts.get(502) ?? 0).toBeLessThanOrEqual(worlds.length);
    await eventually(async () => {
      const after = await Promise.all(worlds.map(total));
      const made = after.reduce((sum, each, n) => sum + each - (before[n] ?? 0), 0);
      expect(made).toBeGreaterThanOrEqual(accepted());
      expect(made).toBeLessThanOrEqual(accepted() + worlds.length);
    });
    replicas[0] = await start(ports[0] as number);
  });
});
