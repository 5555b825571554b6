// The bounds of the store in Redis: what copies of worlds take of the memory of a replica, and worlds of that of Redis.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget, type MemoryBudget } from '../../src/budget/budget.ts';
import { ifGone } from '../../src/store/if-gone.ts';
import { Connection } from '../../src/store/redis/connection.ts';
import { type MachineTime, machineTime } from '../../src/store/redis/machine-time.ts';
import { Runs } from '../../src/store/redis/runs.ts';
import { RedisStore } from '../../src/store/redis/store.ts';
import { NoSuchWorld } from '../../src/store/store.ts';
import { StoreAway } from '../../src/store/store-away.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { linkTo, type RedisLink } from '../support/redis-link.ts';
import { until } from '../support/until.ts';
import { appendStep, base, callOf, contact, finished, newWorld } from './setup.ts';

const MB = 1024 ** 2;
const worldOf = (name: string) => ({ ...newWorld, name });

describe.runIf(hasRedis)('the Redis store', () => {
  let server: RedisServer;
  let link: RedisLink;
  let direct: Connection;
  let linked: Connection;
  let prefixes = 0;
  let stores = 0;
  beforeAll(async () => {
    server = await startRedis();
    link = await linkTo(server.socket);
    direct = await Connection.open(server.socket);
    linked = await Connection.open(link.socket);
  });
  beforeEach(() => {
    prefixes += 1;
  });
  afterAll(async () => {
    linked?.close();
    direct?.close();
    await link?.close();
    await server?.stop();
  });

  interface Given {
    readonly budget?: MemoryBudget;
    readonly connection?: Connection;
    readonly systemTime?: () => number;
  }
  function storeOn({ budget = createBudget(1e9), connection = direct, ...time }: Given = {}): RedisStore {
    stores += 1;
    const names = { prefix: `bounds-${prefixes}`, replica: `r${stores}`, shards: 1 };
    return new RedisStore({ connection, ...names, fixtureView: () => base, journalLimit: 100_000, budget, ...time });
  }

  it('deletes a world while the memory of the server is full, which frees some', async () => {
    const store = storeOn();
    await store.addWorld(worldOf('full'));
    await direct.command('CONFIG', ['SET', 'maxmemory', '1']);
    await expect(store.transaction('full', (tx) => tx.setCounter('n', 1))).rejects.toBeInstanceOf(StoreAway);
    expect(await store.dropWorld('full')).toBe(true);
    await direct.command('CONFIG', ['SET', 'maxmemory', '0']);
    expect(await store.world('full')).toBeUndefined();
  });

  it('empties a world while the memory of the server is full', async () => {
    const store = storeOn();
    await store.addWorld(worldOf('full'), (tx) => tx.put('contacts', contact('c', 1)));
    await direct.command('CONFIG', ['SET', 'maxmemory', '1']);
    await store.transaction('full', (tx) => tx.wipe([]));
    await direct.command('CONFIG', ['SET', 'maxmemory', '0']);
    expect(await storeOn().transaction('full', (tx) => tx.get('contacts', 'c'))).toBeUndefined();
  });

  it('forgets what worlds have met once 64 others of their shard have gone after them, and says how many', async () => {
    const store = storeOn();
    const name = (n: number): string => `w${String(n).padStart(3, '0')}`;
    const add = (n: number): Promise<boolean> => store.addWorld(worldOf(name(n)), (tx) => tx.cover('fact'));
    for (let n = 1; n <= 64; n++) {
      await add(n);
      await store.dropWorld(name(n));
    }
    // One that is there again is not forgotten.
    await add(1);
    for (const n of [65, 66]) {
      await add(n);
      await store.dropWorld(name(n));
    }
    const { worlds, forgotten, counts } = finished(await store.coverage(() => true));
    expect(worlds).toEqual([1, ...Array.from({ length: 64 }, (_, n) => n + 3)].map(name));
    expect([forgotten, counts.get('fact')]).toEqual([1, 66]);
    expect(await direct.command('KEYS', [`bounds-${prefixes}:*:K:${name(2)}`])).toEqual([]);
  });

  it('takes a world whose key is gone for gone, though it is listed, and creates it again', async () => {
    const store = storeOn();
    await store.addWorld(worldOf('lost'));
    const keys = [await direct.command('KEYS', [`bounds-${prefixes}:*:W:lost`])].flat().map(String);
    await direct.command('DEL', keys);
    await expect(store.transaction('lost', () => true)).rejects.toThrow(NoSuchWorld);
    expect(
      await storeOn()
        .transaction('lost', () => true)
        .catch(ifGone('gone')),
    ).toBe('gone');
    expect(await store.world('lost')).toBeUndefined();
    expect(await store.addWorld(worldOf('lost'))).toBe(true);
  });

  it('is away for a world that is listed with what it has not written, and lists the others', async () => {
    const store = storeOn();
    await store.addWorld(worldOf('ours'));
    await direct.command('HSET', [`bounds-${prefixes}:{0}:worlds`, 'theirs', '{"na', 'nothing', 'null']);
    await expect(store.world('theirs')).rejects.toThrow('another application');
    expect((await store.worlds()).map(({ name }) => name)).toEqual(['ours']);
  });

  it.each([
    ['W', 'r:contacts:x'],
    ['W', 's:clock'],
    ['W', 'version'],
    ['J', 'j:steps:x'],
  ])(
    'is away for a world whose key %s has a field %s that is not its own, and serves the others',
    async (key, field) => {
      const store = storeOn();
      for (const name of ['theirs', 'ours']) await store.addWorld(worldOf(name));
      const value = key === 'J' ? 'o 1 1 1 1 1\n{"na' : '{"na';
      await direct.command('HSET', [`bounds-${prefixes}:{0}:${key}:theirs`, field, value]);
      const other = storeOn();
      await expect(other.transaction('theirs', () => true)).rejects.toThrow('another application');
      expect(await other.transaction('ours', () => true)).toBe(true);
    },
  );

  it.each([
    ['journal entries', 'journals'],
    ['records that have ended', 'records'],
  ] as const)('drops the oldest %s of the world that has most where they exceed their share', async (_, share) => {
    const budget = createBudget(100 * MB, { total: 100 * MB, heap: 20 * MB });
    const store = storeOn({ budget });
    for (const name of ['small', 'large']) await store.addWorld(worldOf(name));
    const write = (world: string, id: string, rank: number): Promise<void> =>
      store.transaction(world, (tx) => {
        if (share === 'journals') appendStep(tx, id, 'x'.repeat(9000));
        else tx.put('calls', { ...callOf(id, rank), summary: 'x'.repeat(9000) } as ReturnType<typeof callOf>);
      });
    const has = (world: string, id: string): Promise<boolean> =>
      storeOn().transaction(world, (tx) =>
        share === 'journals' ? tx.history.positionOf('steps', id) !== undefined : tx.get('calls', id) !== undefined,
      );
    await write('small', 'first', 1);
    for (let n = 0; n < 1000; n++) await write('large', `n${n}`, n);
    await until(() => budget.shares[share].used <= budget.shares[share].limit).toBe(true);
    expect(budget.shares[share].dropped).toBeGreaterThan(0);
    expect([await has('small', 'first'), await has('large', 'n0'), await has('large', 'n999')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('refuses the copy of a world for which there is no memory as long as others are in use', async () => {
    const fill = storeOn();
    for (const name of ['one', 'two']) {
      await fill.addWorld(worldOf(name), (tx) => {
        for (let n = 0; n < 400; n++) tx.put('contacts', contact(`c${n}`, n, 'x'.repeat(9000)));
      });
    }
    const budget = createBudget(100 * MB, { total: 100 * MB, heap: 20 * MB });
    const store = storeOn({ budget });
    const count = (world: string): Promise<number> =>
      store.transaction(world, (tx) => tx.count('contacts', 'organization', newWorld.organization_id));
    expect(await count('one')).toBe(403);
    const unwatch = store.watch('one', () => {});
    await expect(count('two')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(budget.shares.records.used).toBeLessThan(budget.shares.records.limit);
    unwatch();
    expect(await count('two')).toBe(403);
  });

  it.each([
    ['a text', '+OK\r\n'],
    ['nothing', '$-1\r\n'],
    ['no time', '*2\r\n$2\r\nok\r\n$3\r\nnow\r\n'],
    ['a time that is none', '*3\r\n$2\r\nok\r\n:9007199254740991\r\n:1\r\n'],
  ])('is away where a server answers %s, and goes on by the right time', async (_, answer) => {
    const store = storeOn({ connection: linked });
    await store.addWorld(worldOf('garbled'));
    link.garble(answer);
    await expect(store.transaction('garbled', (tx) => tx.setCounter('n', 1))).rejects.toBeInstanceOf(StoreAway);
    link.mend();
    expect(await store.transaction('garbled', (tx) => tx.counter('n'))).toBe(0);
    expect(Math.abs(store.systemTime() - Date.now())).toBeLessThan(60_000);
  });

  it('is away where a server that stood alone has become part of a cluster', async () => {
    const store = storeOn({ connection: linked });
    await store.addWorld(worldOf('moved'));
    link.garble('-MOVED 3999 127.0.0.1:6381\r\n');
    await expect(store.transaction('moved', (tx) => tx.setCounter('n', 1))).rejects.toThrow('part of a cluster');
    link.mend();
    expect(await store.transaction('moved', (tx) => tx.counter('n'))).toBe(0);
  });

  it.each([
    ['-ERR max number of clients reached\r\n', 'Redis has as many clients as it may have (maxclients)', 0],
    ['-ERR of another kind\r\n', 'Redis answers with errors, which the log has', 1],
  ])('has a problem while %s answers its beats, and reports it once', async (answer, problem, reports) => {
    const beats: (() => void)[] = [];
    const every: MachineTime['every'] = (_, call) => {
      beats.push(call);
      return () => {};
    };
    const connection = await Connection.open(link.socket, { time: { ...machineTime, every } });
    const store = storeOn({ connection });
    const reported: unknown[] = [];
    const onError = (error: unknown): void => void reported.push(error);
    const runs = new Runs({ store, connection, prefix: `bounds-${prefixes}`, replica: 'beats', onError });
    const beat = async (): Promise<void> => {
      for (const call of beats) call();
      // In a piece of its own, since each piece has one answer, which comes after that to the beat.
      for (let round = 0; round < 3; round++) await new Promise((next) => setImmediate(next));
      await connection.command('PING', []).catch(() => {});
    };
    await runs.start();
    link.garble(answer);
    await beat();
    await until(() => runs.problem).toBe(problem);
    await beat();
    await beat();
    expect(reported).toHaveLength(reports);
    link.mend();
    await beat();
    await until(() => runs.problem).toBe(null);
    connection.close();
  });

  it('ends nothing where a server answers what nobody has asked', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.prependListener('uncaughtException', note);
    const store = storeOn({ connection: linked });
    await store.addWorld(worldOf('odd'));
    const count = (by: number) => store.transaction('odd', (tx) => tx.setCounter('n', by));
    link.garble('$-1\r\n$-1\r\n$-1\r\n');
    await expect(count(1)).rejects.toBeInstanceOf(StoreAway);
    link.mend();
    await until(() => count(2).then(() => 'done', String)).toBe('done');
    process.off('uncaughtException', note);
    expect(uncaught).toEqual([]);
  });

  it.each(['facts', 'incarnation'])('does not look without end for a world that has lost its %s', async (field) => {
    const store = storeOn();
    await store.addWorld(worldOf('nameless'));
    await direct.command('HDEL', [`bounds-${prefixes}:{0}:W:nameless`, field]);
    await expect(storeOn().transaction('nameless', () => true)).rejects.toThrow('another application');
  });

  it('connects anew where an answer has not ended after five seconds, though more of it comes', async () => {
    let now = 0;
    const beats: (() => void)[] = [];
    const every: MachineTime['every'] = (_, call) => {
      beats.push(call);
      return () => {};
    };
    const time = { ...machineTime, elapsed: () => now, every };
    const connection = await Connection.open(link.socket, { time });
    const store = storeOn({ connection });
    const runs = new Runs({ store, connection, prefix: `bounds-${prefixes}`, replica: 'beats', onError: () => {} });
    await runs.start();
    link.garble('$1000000\r\n');
    for (const beat of beats) beat();
    now += 5001;
    for (const beat of beats) beat();
    // Sooner than the silence of a server is noticed.
    for (let round = 0; round < 5; round++) await new Promise((next) => setImmediate(next));
    expect(connection.isOpen).toBe(false);
    link.mend();
    await until(() => connection.isOpen).toBe(true);
    connection.close();
  });
});
