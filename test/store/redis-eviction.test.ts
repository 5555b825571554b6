// That a Redis server is told to delete keys while it is used, which takes parts of worlds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHealth } from '../../src/admin/health.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { Connection } from '../../src/store/redis/connection.ts';
import { EvictionWatch } from '../../src/store/redis/eviction.ts';
import { machineTime } from '../../src/store/redis/machine-time.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe.runIf(hasRedis)('a Redis server that is told to delete keys', () => {
  let server: RedisServer;
  let connection: Connection;
  const looks: (() => void)[] = [];
  beforeAll(async () => {
    server = await startRedis();
    const every = (_ms: number, call: () => void): (() => void) => {
      looks.push(call);
      return () => {};
    };
    const time = { ...machineTime, every };
    connection = await Connection.open(server.socket, { time });
  });
  afterAll(async () => {
    connection?.close();
    await server?.stop();
  });

  const look = (): void => {
    for (const each of looks) each();
  };
  const set = (name: string, value: string) => connection.command('CONFIG', ['SET', name, value]);

  it('is told of once, until it no longer does', async () => {
    const told: (string | null)[] = [];
    const watch = new EvictionWatch({ connection, onWarning: (warning) => told.push(warning) });
    look();
    await set('maxmemory-policy', 'allkeys-lru');
    look();
    // Where its memory has no limit, it deletes nothing.
    await connection.command('PING', []);
    expect(watch.warning).toBeNull();
    await set('maxmemory', '1gb');
    look();
    await until(() => watch.warning).toContain('(allkeys-lru); its maxmemory-policy must be noeviction');
    look();
    await connection.command('PING', []);
    await set('maxmemory-policy', 'volatile-lru');
    look();
    await until(() => watch.warning).toBeNull();
    expect(told).toEqual([expect.stringContaining('allkeys-lru'), null]);
  });

  it('is said in health, beside what it can be used for', () => {
    const parts = {
      version: '1',
      startedAt: 0,
      replica: 'r',
      storeProblem: () => null,
      storeWarning: () => 'it is in danger',
      work: {},
      budget: createBudget(1e9),
      log: { dropped: 0 },
    };
    expect(readHealth(parts as unknown as Parameters<typeof readHealth>[0]).store).toEqual({
      kind: 'redis',
      replica: 'r',
      runs: null,
      problem: null,
      warning: 'it is in danger',
    });
  });
});
