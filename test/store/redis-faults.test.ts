// The store in Redis when the link to the server breaks, when the server refuses, and when replicas come in each other's way.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { Connection } from '../../src/store/redis/connection.ts';
import { createKeys } from '../../src/store/redis/keys.ts';
import { RemoteWorlds } from '../../src/store/redis/remote-worlds.ts';
import { RedisStore } from '../../src/store/redis/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { StoreAway } from '../../src/store/store-away.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { linkTo, type RedisLink } from '../support/redis-link.ts';
import { apiKey, appendedAfter, appendStep, base, kitFor, newWorld, WORLD } from './setup.ts';

const count = (tx: Tx): void => tx.setCounter('n', tx.counter('n') + 1);
const counted = (tx: Tx): number => tx.counter('n');

describe.runIf(hasRedis)('the Redis store', () => {
  let server: RedisServer;
  let link: RedisLink;
  let direct: Connection;
  let linked: Connection;
  let prefixes = 0;
  let stores = 0;
  beforeAll(async () => {
    server = await startRedis();
    direct = await Connection.open(server.socket);
  });
  beforeEach(async () => {
    prefixes += 1;
    link = await linkTo(server.socket);
    linked = await Connection.open(link.socket);
  });
  afterEach(async () => {
    linked.close();
    await link.close();
  });
  afterAll(async () => {
    direct?.close();
    await server?.stop();
  });

  const storeOn = (connection: Connection, systemTime?: () => number, budget = createBudget(1e9)): RedisStore => {
    stores += 1;
    const names = { prefix: `test-${prefixes}`, replica: `r${stores}` };
    const time = systemTime && { systemTime };
    return new RedisStore({ connection, ...names, fixtureView: () => base, journalLimit: 10, budget, ...time });
  };
  const { storeWithWorld, inWorld } = kitFor(() => storeOn(linked));

  it.each(['command', 'reply'] as const)('commits once when the link breaks in place of a %s', async (what) => {
    const store = await storeWithWorld();
    await inWorld(store, count);
    const isCut = link.cutAtNext(what);
    const counting = inWorld(store, count);
    await isCut;
    link.mend();
    await counting;
    expect(await inWorld(store, counted)).toBe(2);
    expect(await inWorld(storeOn(direct), counted)).toBe(2);
  });

  it('commits once when the link breaks in place of a reply and another replica commits meanwhile', async () => {
    const store = await storeWithWorld();
    const other = storeOn(direct);
    const isCut = link.cutAtNext('reply');
    const counting = inWorld(store, count);
    await isCut;
    await inWorld(other, count);
    link.mend();
    await counting;
    expect(await inWorld(store, counted)).toBe(2);
  });

  it.each(['the replica that gave them out', 'another', 'a new one'])(
    'gives out no ordinal again that the server has lost, if the first to go on is %s',
    async (who) => {
      const own = await startRedis();
      const connection = await Connection.open(own.socket);
      const next = (tx: Tx): number => tx.ordinal('n');
      try {
        const a = storeOn(connection);
        const b = storeOn(connection);
        await a.addWorld(newWorld);
        const given = [await inWorld(a, next), await inWorld(b, next)];
        await connection.command('SAVE', []);
        given.push(await inWorld(a, next), await inWorld(a, next));
        await own.restart();
        const first = who === 'another' ? b : who === 'a new one' ? storeOn(connection) : a;
        for (const store of [first, a, b]) given.push(await inWorld(store, next));
        expect(new Set(given).size).toBe(given.length);
        expect(await inWorld(b, (tx) => tx.ordinal('of another kind'))).toBeGreaterThan(100_000);
      } finally {
        connection.close();
        await own.stop();
      }
    },
  );

  it('gives no position again to entries that the server has lost, so that whoever has read them misses no others', async () => {
    const own = await startRedis();
    const connection = await Connection.open(own.socket);
    try {
      const a = storeOn(connection);
      const b = storeOn(connection);
      await a.addWorld(newWorld);
      await inWorld(a, (tx) => appendStep(tx, 'kept'));
      await connection.command('SAVE', []);
      for (const id of ['lost-1', 'lost-2']) await inWorld(a, (tx) => appendStep(tx, id));
      const read = await inWorld(b, (tx) => tx.history.position);
      await own.restart();
      for (const id of ['new-1', 'new-2', 'new-3']) await inWorld(a, (tx) => appendStep(tx, id));
      const after = await inWorld(b, (tx) => appendedAfter(tx, read).map(({ entry }) => entry.id));
      expect(after).toEqual(['new-1', 'new-2', 'new-3']);
      expect(await inWorld(b, (tx) => appendedAfter(tx, 0).map(({ entry }) => entry.id))).toEqual(['kept', ...after]);
    } finally {
      connection.close();
      await own.stop();
    }
  });

  it('does not run a transaction again where it cannot know whether that has happened', async () => {
    const store = await storeWithWorld();
    const isCut = link.cutAtNext('reply');
    const counting = inWorld(store, count);
    const refused = expect(counting).rejects.toThrow(new StoreAway('it is not known whether a commit has happened'));
    await isCut;
    // The log goes with what it replaces.
    await inWorld(storeOn(direct), (tx) => tx.wipe([]));
    link.mend();
    await refused;
    expect(await inWorld(store, counted)).toBe(0);
  });

  it('deletes a world once when the reply to that is lost', async () => {
    const store = await storeWithWorld();
    // So that the server knows the script.
    const nothing = Array.from({ length: 12 }, (_, n) => `none:${n}`);
    await direct.run('drop', nothing, ['nowhere', 'none', 'parts:']);
    // The first reply is that of a look at the world.
    const isCut = link.cutAtNext('reply', 1);
    const dropping = store.dropWorld(WORLD);
    await isCut;
    link.mend();
    expect(await dropping).toBe(true);
    expect(await storeOn(direct).world(WORLD)).toBeUndefined();
  });

  it('says that it is away while there is no connection, and goes on with the next one', async () => {
    await storeWithWorld();
    const impatient = await Connection.open(link.socket, { patience: 50 });
    const store = storeOn(impatient);
    await inWorld(store, count);
    link.cut();
    await expect(inWorld(store, count)).rejects.toThrow(new StoreAway('there is no connection to Redis'));
    link.mend();
    let isBack = false;
    while (!isBack) isBack = await inWorld(store, () => true).catch(() => false);
    expect(await inWorld(store, counted)).toBe(1);
    impatient.close();
    await expect(inWorld(store, count)).rejects.toBeInstanceOf(StoreAway);
  });

  it('says that the memory of the server is full, and loses nothing', async () => {
    const store = await storeWithWorld();
    await inWorld(store, count);
    await direct.command('CONFIG', ['SET', 'maxmemory', '1']);
    await expect(inWorld(store, count)).rejects.toThrow(new StoreAway('Redis has reached its maxmemory'));
    await direct.command('CONFIG', ['SET', 'maxmemory', '0']);
    await inWorld(store, count);
    expect(await inWorld(store, counted)).toBe(2);
  });

  it('goes on when the server has forgotten its scripts', async () => {
    const store = await storeWithWorld();
    await inWorld(store, count);
    await direct.command('SCRIPT', ['FLUSH']);
    await inWorld(store, count);
    expect(await inWorld(store, counted)).toBe(2);
  });

  it('loads a copy again whose latest commit a failover has lost, also when another commit has taken its version', async () => {
    const { world, journals, log } = createKeys(`test-${prefixes}`).of(WORLD);
    const store = await storeWithWorld();
    const other = storeOn(direct);
    const losing = async (commit: () => Promise<unknown>): Promise<void> => {
      for (const key of [world, journals, log]) await direct.command('COPY', [key, `${key}:before`, 'REPLACE']);
      await commit();
      for (const key of [world, journals, log]) await direct.command('COPY', [`${key}:before`, key, 'REPLACE']);
    };
    await inWorld(store, count);
    await losing(() => inWorld(store, (tx) => tx.setCounter('lost', 1)));
    await inWorld(other, count);
    const numbers = (tx: Tx) => [tx.counter('n'), tx.counter('lost')];
    expect(await inWorld(store, numbers)).toEqual([2, 0]);
    await losing(() => inWorld(store, (tx) => tx.setCounter('lost', 1)));
    await inWorld(other, count);
    await inWorld(other, count);
    expect(await inWorld(store, numbers)).toEqual([4, 0]);
  });

  it('leaves a unique value to the world or the commit that has claimed it since it was released', async () => {
    const remote = new RemoteWorlds(direct, createKeys(`test-${prefixes}`));
    const unique = { table: 'keys', value: 'h' } as const;
    const owner = { world: WORLD, id: 'k' };
    const first = { incarnation: 'first', version: 7 };
    const second = { incarnation: 'second', version: 2 };
    await remote.claim([{ ...unique, owner }], first);
    await remote.claim([{ ...unique, owner }], second);
    await remote.release([unique], first);
    await remote.release([unique], { ...second, version: 1 });
    expect(await remote.owner('keys', 'h')).toEqual(owner);
    await remote.release([unique], second);
    expect(await remote.owner('keys', 'h')).toBeUndefined();
  });

  it('finds a unique value after a replica has deleted a world that another adds again', async () => {
    const store = await storeWithWorld();
    const other = storeOn(direct);
    await inWorld(store, (tx) => tx.put('keys', apiKey('k', 'h')));
    await inWorld(other, (tx) => tx.put('keys', apiKey('l', 'i')));
    const facts = await store.world(WORLD);
    if (!facts) throw new Error('the world had no facts');
    const [clock, assumptions] = await inWorld(store, (tx) => [tx.state('clock'), tx.state('assumptions')] as const);
    expect(await store.dropWorld(WORLD)).toBe(true);
    expect([await other.locate('keys', 'nobody'), await storeOn(direct).locate('keys', 'i')]).toEqual([
      undefined,
      undefined,
    ]);
    const again = { ...facts, clock, assumptions, epoch: 2 };
    expect(await other.addWorld(again, (tx) => tx.put('keys', apiKey('k', 'h')))).toBe(true);
    expect(await storeOn(direct).locate('keys', 'h')).toEqual({ world: WORLD, id: 'k' });
  });

  it('goes by the time of the server, and never back from the time of a commit of another replica', async () => {
    const before = Number(((await direct.command('TIME', [])) as readonly string[])[0]) * 1000;
    expect(storeOn(direct).systemTime()).toBeGreaterThanOrEqual(before);
    const time = (tx: Tx): number => {
      count(tx);
      return tx.systemTime;
    };
    const ahead = storeOn(linked, () => 5000);
    const { storeWithWorld: storeBehind } = kitFor(() => storeOn(direct, () => 3000));
    const behind = await storeBehind();
    expect(await inWorld(behind, time)).toBe(3000);
    expect(await inWorld(ahead, time)).toBe(5000);
    expect(await inWorld(behind, time)).toBe(5000);
  });

  it('lets go of the copies of worlds that are not used, and loads them again', async () => {
    let now = 1_000_000;
    const budget = createBudget(1e9);
    const store = storeOn(direct, () => now, budget);
    const { storeWithWorld: fill } = kitFor(() => store);
    await fill();
    await inWorld(store, count);
    const facts = await store.world(WORLD);
    if (!facts) throw new Error('the world had no facts');
    const one = budget.shares.records.used;
    const [clock, assumptions] = await inWorld(store, (tx) => [tx.state('clock'), tx.state('assumptions')] as const);
    const add = (name: string) => store.addWorld({ ...facts, name, clock, assumptions, epoch: 1 });
    await add('second');
    const two = budget.shares.records.used;
    now += 60_000;
    await add('third');
    expect([two > one, budget.shares.records.used < two]).toEqual([true, true]);
    expect(await inWorld(store, counted)).toBe(1);
  });

  it('lets go of copies where they leave no memory for another world, so that no world has to go for it', async () => {
    const store = storeOn(direct, undefined, createBudget(1e8));
    const { storeWithWorld: fill } = kitFor(() => store);
    await fill();
    const facts = await store.world(WORLD);
    if (!facts) throw new Error('the world had no facts');
    const [clock, assumptions] = await inWorld(store, (tx) => [tx.state('clock'), tx.state('assumptions')] as const);
    const unwatch: (() => void)[] = [];
    for (let world = 0; !(await store.isFull()); world += 1) {
      const addKeys = (tx: Tx): void => {
        for (let n = 0; n < 2000; n += 1) tx.put('keys', apiKey(`key-${world}-${n}`, `hash-${world}-${n}`));
      };
      const name = `world-${world}`;
      await store.addWorld({ ...facts, name, clock, assumptions, epoch: 1 }, addKeys);
      unwatch.push(store.watch(name, () => {}));
    }
    expect(await store.isFull()).toBe(true);
    for (const stop of unwatch) stop();
    expect(await store.isFull()).toBe(false);
    expect(await store.transaction('world-0', (tx) => tx.get('keys', 'key-0-0'))).toBeDefined();
  });
});
