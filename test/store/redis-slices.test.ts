// A large world in a Redis server, of which a replica makes its copy in slices: the event loop goes round between them, and
// what others commit meanwhile is in the copy.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/store/redis/connection.ts';
import { type MachineTime, machineTime } from '../../src/store/redis/machine-time.ts';
import { Runs } from '../../src/store/redis/runs.ts';
import type { RedisStore } from '../../src/store/redis/store.ts';
import { NoSuchWorld, type Store } from '../../src/store/store.ts';
import { hasRedis } from '../support/redis.ts';
import { apiKey, appendStep, contact, delivery, newWorld, ORGANIZATION, ring, WORLD } from './setup.ts';
import { useReplicas } from './watched-scripts.ts';

const SIZE = 5000;

describe.runIf(hasRedis)('a large world that a replica loads from a Redis server in slices', () => {
  const { scripts, storeOn, connect, inWorld, replicas } = useReplicas();
  let writer: Store;
  let loading: RedisStore;
  let connection: Connection;
  /** What the replica that loads does again and again. */
  const beats: (() => void)[] = [];
  /** What is done between two slices. */
  let between: (round: number) => unknown;
  beforeEach(async () => {
    [writer] = replicas();
    let now = 0;
    let rounds = 0;
    beats.length = 0;
    between = () => {};
    const time: MachineTime = {
      ...machineTime,
      // Whoever looks at the time has spent some of it.
      elapsed: () => {
        now += 0.1;
        return now;
      },
      every(_, call) {
        beats.push(call);
        return () => {};
      },
      afterRequests: async (call) => {
        rounds += 1;
        await between(rounds);
        machineTime.afterRequests(call);
      },
    };
    connection = await connect({ time });
    loading = storeOn(connection);
    await inWorld(writer, (tx) => {
      for (let n = 0; n < SIZE; n++) {
        tx.put('contacts', contact(`c-${n}`, n, 'old'));
        if (n % 10 === 0) tx.append('deliveries', delivery(`d-${n}`, 'pending'));
        if (n % 10 === 0) tx.schedule(ring(`r-${n}`), n);
      }
    });
  });
  afterEach(() => connection?.close());

  const contentOf = async (store: Store) => {
    const { rows, journals, schedule, counters, ordinals } = await store.dump(WORLD, 0);
    const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
    return {
      contacts: rows.contacts?.toSorted(byId),
      keys: rows.keys?.toSorted(byId),
      journals,
      schedule: schedule.toSorted((a, b) => a.order - b.order),
      counters,
      ordinals,
    };
  };

  it('holds up no request of another world until it is loaded', async () => {
    await loading.addWorld({ ...newWorld, name: 'other' });
    const order: string[] = [];
    between = async (round) => {
      if (round > 5) return;
      await loading.transaction('other', (tx) => tx.setCounter('n', round));
      order.push(`other ${round}`);
    };
    await inWorld(loading, () => {});
    order.push('large');
    expect(order).toEqual(['other 1', 'other 2', 'other 3', 'other 4', 'other 5', 'large']);
  });

  it('runs transactions that wait together in several commits, where they take long', async () => {
    await inWorld(loading, () => {});
    scripts.reset();
    const order: string[] = [];
    const slow = (n: number) =>
      inWorld(loading, (tx) => {
        // Whoever looks at the time has spent some of it.
        for (let looks = 0; looks < 100; looks++) connection.time.elapsed();
        tx.setCounter('n', tx.counter('n') + 1);
        order.push(`ran ${n}`);
      }).then(() => order.push(`done ${n}`));
    await Promise.all([1, 2, 3, 4, 5, 6].map(slow));
    expect(order.indexOf('done 2')).toBeLessThan(order.indexOf('ran 6'));
    expect(order.filter((each) => each.startsWith('done'))).toHaveLength(6);
    expect(await inWorld(writer, (tx) => tx.counter('n'))).toBe(6);
  });

  it('has all that another replica commits between the slices', async () => {
    let written = 0;
    between = async (round) => {
      if (round > 20) return;
      await inWorld(writer, (tx) => {
        tx.put('contacts', contact(`c-${round * 200}`, round * 200, 'new'));
        tx.put('contacts', contact(`more-${round}`, SIZE + round));
        tx.remove('contacts', `c-${round * 200 + 1}`);
        tx.put('keys', apiKey(`k-${round}`, `hash-${round}`));
        tx.amend('deliveries', delivery(`d-${round * 50}`, 'delivered'));
        tx.setCounter('rounds', round);
        appendStep(tx, `step-${round}`);
        tx.schedule(ring(`late-${round}`), round);
        tx.unschedule({ table: 'calls', id: `r-${round * 50}` });
      });
      written = round;
    };
    await inWorld(loading, () => {});
    expect(written).toBe(20);
    const { contacts, counters, ...rest } = await contentOf(loading);
    expect(contacts).toHaveLength(SIZE);
    expect(contacts?.filter(({ name }) => name === 'new')).toHaveLength(20);
    expect(counters).toMatchObject({ rounds: 20 });
    expect({ contacts, counters, ...rest }).toEqual(await contentOf(writer));
    expect(await loading.locate('keys', 'hash-7')).toEqual({ world: WORLD, id: 'k-7' });
  });

  it('is loaded once for all who ask between the slices', async () => {
    const asked: Promise<number>[] = [];
    between = (round) => {
      if (round <= 5) asked.push(inWorld(loading, (tx) => tx.page('contacts', 'organization', ORGANIZATION).length));
    };
    await inWorld(loading, () => {});
    const loads = scripts.run.filter((name) => name === 'load').length;
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect(asked).toHaveLength(5);
    expect(scripts.run.filter((name) => name === 'load')).toHaveLength(loads);
  });

  it('is loaded once more after another replica has replaced it, though the replica looks for what it runs meanwhile', async () => {
    const runs = new Runs({ store: loading, connection, prefix: 'beats', replica: 'beats', onError: () => {} });
    await runs.start();
    await inWorld(loading, () => {});
    await inWorld(writer, (tx) => {
      tx.wipe([]);
      for (let n = 0; n < SIZE; n++) tx.put('contacts', contact(`c-${n}`, n, 'new'));
    });
    scripts.reset();
    between = (round) => {
      if (round % 5 === 0) for (const beat of beats) beat();
    };
    await inWorld(loading, (tx) => tx.setCounter('n', 1));
    const first = scripts.run.filter((name) => name === 'load').length;
    scripts.reset();
    await inWorld(storeOn(), () => {});
    expect(first).toBe(scripts.run.filter((name) => name === 'load').length);
  });

  it('is not found if it is deleted between the slices', async () => {
    between = (round) => (round === 3 ? writer.dropWorld(WORLD) : undefined);
    await expect(inWorld(loading, () => {})).rejects.toBeInstanceOf(NoSuchWorld);
  });

  it('is loaded at last though others commit more meanwhile than the log of the world keeps', async () => {
    let commits = 0;
    between = async () => {
      for (let n = 0; n < 4; n++) {
        commits += 1;
        await inWorld(writer, (tx) => tx.setCounter('n', commits));
      }
    };
    await inWorld(loading, () => {});
    // More than the log keeps, so that it was loaded more than once.
    expect(commits).toBeGreaterThan(512);
    expect((await contentOf(loading)).counters).toEqual({ n: commits });
  });
});
