// The store in Redis, held to what every driver is held to, and what several replicas do to one world.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { countedUsage } from '../../src/store/call-usage.ts';
import { Connection } from '../../src/store/redis/connection.ts';
import { RedisStore } from '../../src/store/redis/store.ts';
import { NoSuchWorld, type Store, type Tx } from '../../src/store/store.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { describeStore } from './conformance.ts';
import { appendStep, base, callOf, contact, fail, kitFor, newWorld, ORGANIZATION, START, WORLD } from './setup.ts';

describe.runIf(hasRedis)('in a Redis server', () => {
  let server: RedisServer;
  let connection: Connection;
  let stores = 0;
  beforeAll(async () => {
    server = await startRedis();
    connection = await Connection.open(server.socket);
  });
  afterAll(async () => {
    connection?.close();
    await server?.stop();
  });

  const storeOn = (prefix: string, maxCalls = 100_000): RedisStore => {
    stores += 1;
    const budget = createBudget(1e9);
    return new RedisStore({
      connection,
      prefix,
      replica: `r${stores}`,
      fixtureView: () => base,
      journalLimit: 10,
      maxCalls,
      budget,
    });
  };

  describeStore('Redis', () => storeOn(`test-${stores}`));

  describe('replicas of a store', () => {
    const { storeWithWorld, inWorld, idsOf } = kitFor(() => storeOn(`test-${stores}`));
    const replicas = async (): Promise<[Store, Store]> => {
      const prefix = `test-${stores}`;
      return [await storeWithWorld(), storeOn(prefix)];
    };
    /** With the rows of each table sorted: a dump has them in no order. */
    const dumpOf = async (store: Store) => {
      const { rows, ...rest } = await store.dump(WORLD, 0);
      const sorted = Object.entries(rows).map(([table, of]) => [table, of.map((row) => JSON.stringify(row)).sort()]);
      return { ...rest, rows: Object.fromEntries(sorted) };
    };
    const count = (tx: Tx): void => tx.setCounter('n', tx.counter('n') + 1);

    it('keep as many finished calls together as one, and count the usage of those that went', async () => {
      const prefix = `test-${stores}`;
      const a = storeOn(prefix, 2);
      await a.addWorld(newWorld);
      const b = storeOn(prefix, 2);
      for (let n = 1; n <= 5; n++) await inWorld(n % 2 === 0 ? a : b, (tx) => tx.put('calls', callOf(`c-${n}`, n)));
      for (const store of [a, b, storeOn(prefix, 2)]) {
        const kept = await inWorld(store, (tx) => tx.page('calls', 'organization', ORGANIZATION).map(({ id }) => id));
        expect(kept).toEqual(['c-4', 'c-5']);
        const gone = await inWorld(store, (tx) => countedUsage(tx, ORGANIZATION, '2026-01'));
        expect(gone).toEqual({ placed: 3, minutes: 6, seconds: 183 });
      }
    });

    it('see what the other has committed, whatever it is', async () => {
      const [a, b] = await replicas();
      await inWorld(b, idsOf);
      await inWorld(a, (tx) => {
        tx.put('contacts', contact('own', 1));
        tx.put('contacts', contact('base-2', -2, 'changed'));
        tx.remove('contacts', 'base-1');
        tx.schedule({ type: 'fire', subject: { table: 'calls', id: 'c' }, trigger: 'ring', input: {} }, START + 5);
        tx.setState('assumptions', { scope_missing_status: 401 });
        tx.ordinal('n');
        appendStep(tx, 'step');
      });
      expect(await dumpOf(b)).toEqual(await dumpOf(a));
      await inWorld(b, (tx) => {
        tx.remove('contacts', 'own');
        tx.takeTask(START + 5);
        tx.wipe([]);
        tx.put('contacts', contact('after', 2));
      });
      expect(await dumpOf(a)).toEqual(await dumpOf(b));
      expect(await inWorld(a, idsOf)).toEqual(['base-1', 'base-2', 'base-3', 'after']);
    });

    it('run a transaction again if the other was faster, so that none is lost', async () => {
      const [a, b] = await replicas();
      await Promise.all(Array.from({ length: 200 }, (_, n) => inWorld(n % 2 ? a : b, count)));
      expect(await inWorld(a, (tx) => tx.counter('n'))).toBe(200);
      expect(await inWorld(b, (tx) => tx.counter('n'))).toBe(200);
    });

    it('undo what a body that throws has done, and keep what others in its group have', async () => {
      const [a, b] = await replicas();
      const bodies = Array.from({ length: 20 }, (_, n) => (tx: Tx) => {
        count(tx);
        tx.put('contacts', contact(`own-${n}`, n + 1));
        if (n % 5 === 0) throw fail;
      });
      const ended = await Promise.allSettled(bodies.map((body, n) => inWorld(n % 2 ? a : b, body)));
      expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(4);
      for (const store of [a, b]) expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(16);
      expect((await inWorld(b, idsOf)).length).toBe(19);
    });

    it('find a unique value wherever it was written', async () => {
      const [a, b] = await replicas();
      const organization_id = '00000000-0000-4000-8000-00000000000a';
      await inWorld(a, (tx) => tx.put('control_keys', { id: 'k', hash: 'h', private: { organization_id, rank: 1 } }));
      expect(await b.locate('control_keys', 'h')).toEqual({ world: WORLD, id: 'k' });
      expect(await b.locate('control_keys', 'other')).toBeUndefined();
    });

    it('know when the world is gone, and find the one that has taken its name', async () => {
      const [a, b] = await replicas();
      await inWorld(b, count);
      const clock = await inWorld(a, (tx) => tx.state('clock'));
      const facts = await a.world(WORLD);
      await a.dropWorld(WORLD);
      await expect(inWorld(b, count)).rejects.toBeInstanceOf(NoSuchWorld);
      if (!facts) throw new Error('the world had no facts');
      expect(await b.addWorld({ ...facts, clock, assumptions: {}, epoch: 2 })).toBe(true);
      expect(await a.addWorld({ ...facts, clock, assumptions: {}, epoch: 3 })).toBe(false);
      expect(await inWorld(a, (tx) => [tx.state('epoch'), tx.counter('n')])).toEqual([2, 0]);
    });
  });
});
