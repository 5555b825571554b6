// What a replica hears of the commits of others in a Redis server: who watches a world there learns of them as of its own.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitForEvent } from '../../src/admin/wait.ts';
import { createBudget } from '../../src/budget/budget.ts';
import type { EventEntry } from '../../src/model.ts';
import { OneAtATime } from '../../src/one-at-a-time.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { Connection } from '../../src/store/redis/connection.ts';
import { RedisStore } from '../../src/store/redis/store.ts';
import type { Commit, Store } from '../../src/store/store.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { linkTo } from '../support/redis-link.ts';
import { until } from '../support/until.ts';
import { appendStep, base, factsOf, kitFor, ORGANIZATION, WORLD } from './setup.ts';

const event: EventEntry = {
  id: 'evt',
  at: '2026-01-05T15:00:00.000Z',
  event_type: 'new_call',
  subject: null,
  organization_id: ORGANIZATION,
  body: '{}',
  schema_violations: [],
  deliveries: 0,
  unheard: [],
  cause: null,
};

describe.runIf(hasRedis)('replicas on a Redis server', () => {
  let server: RedisServer;
  const connections: Connection[] = [];
  let prefix = '';
  let stores = 0;
  const connect = async (socket = server.socket): Promise<Connection> => {
    const connection = await Connection.open(socket);
    connections.push(connection);
    return connection;
  };
  const storeOn = (connection: Connection): RedisStore => {
    stores += 1;
    const budget = createBudget(1e9);
    return new RedisStore({
      connection,
      prefix,
      replica: `r${stores}`,
      fixtureView: () => base,
      journalLimit: 5,
      budget,
    });
  };
  let a: Store;
  let b: Store;
  const { storeWithWorld, inWorld } = kitFor(async () => storeOn(connections[0] ?? (await connect())));

  beforeAll(async () => {
    server = await startRedis();
    await connect();
  });
  beforeEach(async () => {
    prefix = `test-${stores}`;
    a = await storeWithWorld();
    b = storeOn(await connect());
  });
  afterAll(async () => {
    for (const connection of connections) connection.close();
    await server?.stop();
  });

  /** The ids that a watcher of the world was told of; `gone` if it was told that the world is. */
  const heardBy = (store: Store): string[] => {
    const heard: string[] = [];
    const hear = (commit: Commit | null) =>
      heard.push(...(commit?.appended.map(({ entry, amended }) => `${entry.id}${amended ? '*' : ''}`) ?? ['gone']));
    store.watch(WORLD, hear);
    return heard;
  };

  it('tell their watchers of every entry once and in order, whoever has appended it', async () => {
    await inWorld(b, (tx) => tx.counter('n'));
    const heard = [heardBy(a), heardBy(b)];
    for (let n = 0; n < 4; n += 2) {
      await inWorld(a, (tx) => appendStep(tx, `s${n}`));
      await inWorld(b, (tx) => appendStep(tx, `s${n + 1}`));
    }
    await inWorld(a, (tx) => {
      const [first] = tx.journal('steps').entries;
      if (first) tx.amend('steps', { ...first, to: 'x' });
    });
    for (const ids of heard) await until(() => ids).toEqual(['s0', 's1', 's2', 's3', 's0*']);
  });

  it('tell a watcher of a world that they had not loaded, and of one that was emptied or has lost entries', async () => {
    const heard = heardBy(b);
    await inWorld(b, (tx) => tx.counter('n'));
    await inWorld(a, (tx) => {
      tx.wipe([]);
      appendStep(tx, 'after');
    });
    await until(() => heard).toEqual(['after']);
    await inWorld(a, (tx) => {
      for (let n = 0; n < 7; n++) appendStep(tx, `s${n}`);
    });
    await until(() => heard).toEqual(['after', 's2', 's3', 's4', 's5', 's6']);
  });

  it('tell a watcher that the world is gone, and of the one that takes its name', async () => {
    await inWorld(b, (tx) => tx.counter('n'));
    const heard = heardBy(b);
    const again = { ...(await factsOf(a)), assumptions: {}, epoch: 2 };
    const clock = await inWorld(a, (tx) => tx.state('clock'));
    await a.dropWorld(WORLD);
    await until(() => heard).toEqual(['gone']);
    await a.addWorld({ ...again, clock });
    await until(() => b.world(WORLD)).toBeDefined();
    await inWorld(b, (tx) => tx.counter('n'));
    await inWorld(a, (tx) => appendStep(tx, 'again'));
    await until(() => heard).toEqual(['gone', 'again']);
  });

  it('tell a watcher what was committed while the link was broken', async () => {
    const link = await linkTo(server.socket);
    const far = storeOn(await connect(link.socket));
    await inWorld(far, (tx) => tx.counter('n'));
    const heard = heardBy(far);
    await inWorld(a, (tx) => appendStep(tx, 'before'));
    await until(() => heard).toEqual(['before']);
    link.cut();
    await inWorld(a, (tx) => appendStep(tx, 'meanwhile'));
    link.mend();
    await until(() => heard).toEqual(['before', 'meanwhile']);
    await link.close();
  });

  it('end a wait on one for an event that another has emitted', async () => {
    const parts = { store: b, turns: new Turns(), reads: new OneAtATime(), waits: new Set<() => void>() };
    const waiting = waitForEvent(parts, WORLD, { event_type: 'new_call' }, 100_000);
    await inWorld(a, (tx) => tx.append('events', event));
    expect((await waiting).id).toBe('evt');
  });
});
