// Large worlds in a Redis server, which replicas load in parts, while others write to them.
import { beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import type { ScriptName } from '../../src/store/redis/script-files.ts';
import type { Store, Tx } from '../../src/store/store.ts';
import { StoreAway } from '../../src/store/store-away.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { appendStep, contact, newWorld, WORLD } from './setup.ts';
import { useReplicas } from './watched-scripts.ts';

describe.runIf(hasRedis)('replicas on a Redis server', () => {
  const { scripts, storeOn, inWorld, replicas } = useReplicas();
  let a: Store;
  let b: Store;
  beforeEach(() => {
    [a, b] = replicas();
  });

  it('load a large world in parts while others write to it, and have all of it', async () => {
    const size = 9000;
    await inWorld(a, (tx) => {
      for (let n = 0; n < size; n++) tx.put('contacts', contact(`c-${n}`, n, 'old'));
    });
    const loading = storeOn();
    const names = inWorld(loading, (tx) =>
      tx.page('contacts', 'organization', contact('', 0).private.organization_id).map(({ name }) => name),
    );
    const written: Promise<void>[] = [];
    for (let n = 0; n < 20; n++) {
      written.push(
        inWorld(a, (tx) => {
          tx.put('contacts', contact(`c-${n * 400}`, n * 400, 'new'));
          tx.remove('contacts', `c-${n * 400 + 1}`);
        }),
      );
      await written.at(-1);
    }
    expect((await names).length).toBeGreaterThan(size - 20);
    expect(scripts.run.filter((name) => name === 'load').length).toBeGreaterThan(2);
    const rowsOf = async (store: Store) =>
      (await store.dump(WORLD, 0)).rows.contacts?.map(({ id, name }) => `${id} ${name}`).sort();
    const rows = await rowsOf(loading);
    expect(rows).toHaveLength(size - 20);
    expect(rows?.filter((row) => row.endsWith('new'))).toHaveLength(20);
    expect(await rowsOf(a)).toEqual(rows);
  });

  it('tell who watches a world once of what comes while it is loaded again in parts', async () => {
    const size = 9000;
    const told: string[] = [];
    const stop = b.watch(WORLD, (commit) => {
      for (const each of commit?.appended ?? []) if (each.journal === 'steps') told.push(each.entry.id);
    });
    await inWorld(b, () => {});
    await inWorld(a, (tx) => {
      tx.wipe([]);
      for (let n = 0; n < size; n++) tx.put('contacts', contact(`c-${n}`, n, 'new'));
    });
    let parts = 0;
    const inPart = async (): Promise<void> => {
      parts += 1;
      scripts.around = {};
      await inWorld(a, (tx) => {
        for (let n = 0; n < 20; n++) appendStep(tx, `step-${parts}-${n}`);
      });
      scripts.around = { after: onLoad };
    };
    const onLoad = (name: ScriptName) => (name === 'load' ? inPart() : undefined);
    scripts.around = { after: onLoad };
    await inWorld(b, () => {});
    scripts.around = {};
    await inWorld(b, () => {});
    stop();
    expect(parts).toBeGreaterThan(2);
    expect(told).toEqual([...new Set(told)]);
    expect(told).toHaveLength(20 * parts);
  });

  it('give back the memory of a large world that they have loaded, and of which Redis does not tell the latest commits', async () => {
    await inWorld(a, (tx) => {
      for (let n = 0; n < 9000; n++) tx.put('contacts', contact(`c-${n}`, n));
    });
    const away = new StoreAway('on purpose');
    const before = (name: ScriptName): void => {
      if (name === 'commit') throw away;
    };
    const budget = createBudget(1e9);
    scripts.around = { before };
    await expect(inWorld(storeOn(undefined, budget), () => {})).rejects.toBe(away);
    scripts.around = {};
    expect(budget.shares.records.used).toBe(0);
  });

  it('load a world again that is emptied and filled while it comes in parts', async () => {
    const size = 9000;
    const filled = (name: string) => (tx: Tx) => {
      tx.wipe([]);
      for (let n = 0; n < size; n++) tx.put('contacts', contact(`${name}-${n}`, n, name));
    };
    await inWorld(a, filled('first'));
    for (const name of ['second', 'third', 'fourth']) {
      scripts.once('after', 'load', () => inWorld(a, filled(name)));
      const { rows } = await storeOn().dump(WORLD, 0);
      expect(new Set(rows.contacts?.map((row) => row.name))).toEqual(new Set([name]));
      expect(rows.contacts).toHaveLength(size);
    }
  });

  it('load a world again that came in parts from a server which has lost some of them', async () => {
    const size = 9000;
    const own = await startRedis();
    const toOwn = await scripts.open(own);
    const named = (name: string) => (tx: Tx) => {
      for (let n = 0; n < size; n++) tx.put('contacts', contact(`c-${n}`, n, name));
    };
    try {
      const writer = storeOn(toOwn);
      await writer.addWorld(newWorld);
      await inWorld(writer, named('kept'));
      await toOwn.command('SAVE', []);
      scripts.once('after', 'load', async () => {
        await inWorld(writer, named('lost'));
        scripts.once('after', 'load', () => own.restart());
      });
      const { rows } = await storeOn(toOwn).dump(WORLD, 0);
      expect(rows.contacts).toHaveLength(size);
      expect(new Set(rows.contacts?.map(({ name }) => name))).toEqual(new Set(['kept']));
    } finally {
      toOwn.close();
      await own.stop();
    }
  });
});
