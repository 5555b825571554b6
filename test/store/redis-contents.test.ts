// What a replica takes over of the journals of others in a Redis server: that there are entries at once, and what is in them
// when it is needed. And worlds that come in parts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { Connection, type ScriptName } from '../../src/store/redis/connection.ts';
import { RedisStore } from '../../src/store/redis/store.ts';
import type { Store, Tx } from '../../src/store/store.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { appendStep, base, contact, delivery, fail, kitFor, newWorld, WORLD } from './setup.ts';

const LIMIT = 600;

describe.runIf(hasRedis)('replicas on a Redis server', () => {
  let server: RedisServer;
  let connection: Connection;
  /** The scripts that were run. */
  const scripts: ScriptName[] = [];
  /** What happens before each script and after it. */
  let around: { readonly before?: (name: ScriptName) => unknown; readonly after?: (name: ScriptName) => unknown } = {};
  /** Does something around the next script of that name, and nothing around those that this runs. */
  const once = (place: 'before' | 'after', script: ScriptName, act: () => unknown): void => {
    around = {
      [place](name: ScriptName) {
        if (name !== script) return undefined;
        around = {};
        return act();
      },
    };
  };
  let prefix = '';
  let stores = 0;
  let a: Store;
  let b: Store;
  const open = async ({ socket }: RedisServer): Promise<Connection> => {
    const opened = await Connection.open(socket);
    const run = opened.run.bind(opened);
    opened.run = async (name, ...rest) => {
      scripts.push(name);
      await around.before?.(name);
      const reply = await run(name, ...rest);
      await around.after?.(name);
      return reply;
    };
    return opened;
  };
  const storeOn = (over = connection): RedisStore => {
    stores += 1;
    const budget = createBudget(1e9);
    return new RedisStore({
      connection: over,
      prefix,
      replica: `r${stores}`,
      fixtureView: () => base,
      journalLimit: LIMIT,
      budget,
    });
  };
  const { storeWithWorld, inWorld } = kitFor(() => storeOn());

  beforeAll(async () => {
    server = await startRedis();
    connection = await open(server);
  });
  beforeEach(async () => {
    prefix = `test-${stores}`;
    a = await storeWithWorld();
    b = storeOn();
    await inWorld(b, () => {});
    scripts.length = 0;
    around = {};
  });
  afterAll(async () => {
    connection?.close();
    await server?.stop();
  });

  const triggersIn = (tx: Tx): string[] => tx.journal('steps').entries.map(({ trigger }) => trigger);
  const count = (tx: Tx): void => tx.setCounter('n', tx.counter('n') + 1);

  it('take over that there are entries, and ask what is in them once somebody reads them', async () => {
    await inWorld(a, (tx) => {
      appendStep(tx, 'one', 'first');
      appendStep(tx, 'two', 'second');
    });
    const position = await inWorld(b, (tx) => {
      count(tx);
      return tx.history.positionOf('steps', 'two');
    });
    expect(position).toBe(2);
    expect(scripts).not.toContain('contents');
    expect(await inWorld(b, (tx) => tx.entry('steps', 'two')?.trigger)).toBe('second');
    expect(await inWorld(b, triggersIn)).toEqual(['first', 'second']);
    expect(await inWorld(b, triggersIn)).toEqual(['first', 'second']);
    expect(scripts.filter((name) => name === 'contents')).toHaveLength(2);
  });

  it('read an entry as it is, though it was amended after they asked what is in it', async () => {
    await inWorld(a, (tx) => tx.append('deliveries', delivery('dlv', 'failed', 'before')));
    const body = (tx: Tx) => tx.entry('deliveries', 'dlv')?.body;
    expect(await inWorld(b, body)).toBe('before');
    await inWorld(a, (tx) => tx.amend('deliveries', delivery('dlv', 'failed', 'after')));
    expect(await inWorld(b, body)).toBe('after');
  });

  it('ask for it in the middle of a body that goes on after errors, and undo what the body has done until then', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'one', 'first'));
    const read = await inWorld(b, (tx) => {
      count(tx);
      let found: string[] = [];
      tx.attempt(() => {
        found = triggersIn(tx);
      });
      return found;
    });
    expect(read).toEqual(['first']);
    expect(await inWorld(a, (tx) => tx.counter('n'))).toBe(1);
  });

  it('have all of a delivery that is still to be sent, as whoever sends it needs it', async () => {
    await inWorld(a, (tx) => {
      tx.append('deliveries', delivery('sent', 'delivered', 'sent'));
      tx.append('deliveries', delivery('waiting', 'pending', 'waiting'));
    });
    expect(await inWorld(b, (tx) => tx.history.open('deliveries').map(({ entry }) => entry.body))).toEqual(['waiting']);
    expect(scripts).not.toContain('contents');
    await inWorld(b, (tx) => tx.amend('deliveries', delivery('waiting', 'delivered', 'waiting')));
    expect(await inWorld(a, (tx) => tx.journal('deliveries').entries.map(({ status }) => status))).toEqual([
      'delivered',
      'delivered',
    ]);
  });

  it('undo what a body has done to entries whose contents they do not have', async () => {
    await inWorld(a, (tx) => {
      for (let n = 0; n < LIMIT; n++) appendStep(tx, `step-${n}`, `${n}`);
    });
    await inWorld(b, (tx) => {
      count(tx);
      appendStep(tx, 'late', 'late');
      throw fail;
    }).catch(() => {});
    await inWorld(b, count);
    expect(await inWorld(b, triggersIn)).toEqual(Array.from({ length: LIMIT }, (_, n) => `${n}`));
    expect(await inWorld(a, triggersIn)).toHaveLength(LIMIT);
  });

  it('drop the oldest entries first in a journal that they have loaded', async () => {
    await inWorld(a, (tx) => {
      for (let n = 0; n < LIMIT; n++) appendStep(tx, `step-${n}`, `${n}`);
    });
    const loaded = storeOn();
    await inWorld(loaded, (tx) => {
      for (let n = LIMIT; n < LIMIT + 5; n++) appendStep(tx, `step-${n}`, `${n}`);
    });
    const expected = Array.from({ length: LIMIT }, (_, n) => `${n + 5}`);
    expect(await inWorld(loaded, triggersIn)).toEqual(expected);
    expect(await inWorld(a, triggersIn)).toEqual(expected);
  });

  it('tell who begins to watch a world what is in the entries that come then', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'before', 'before'));
    await inWorld(b, count);
    const told: string[] = [];
    const stop = b.watch(WORLD, (commit) => {
      for (const each of commit?.appended ?? []) if (each.journal === 'steps') told.push(each.entry.trigger);
    });
    await inWorld(a, (tx) => appendStep(tx, 'then', 'then'));
    await inWorld(b, count);
    stop();
    expect(told).toEqual(['then']);
    expect(scripts).not.toContain('contents');
  });

  it('tell it what is in the entries that come just when it begins', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'one', 'first'));
    const told: string[] = [];
    // Its copy is behind, and is told so after somebody has begun to watch.
    once('after', 'commit', () =>
      b.watch(WORLD, (commit) => {
        for (const each of commit?.appended ?? []) if (each.journal === 'steps') told.push(each.entry.trigger);
      }),
    );
    await inWorld(b, count);
    expect(told).toEqual(['first']);
  });

  it('find that entries have gone before they could ask what is in them', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'one', 'first'));
    await inWorld(b, count);
    once('before', 'contents', () => inWorld(a, (tx) => tx.wipe([])));
    expect(await inWorld(b, triggersIn)).toEqual([]);
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
    expect(scripts.filter((name) => name === 'load').length).toBeGreaterThan(2);
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
      around = {};
      await inWorld(a, (tx) => {
        for (let n = 0; n < 20; n++) appendStep(tx, `step-${parts}-${n}`);
      });
      around = { after: onLoad };
    };
    const onLoad = (name: ScriptName) => (name === 'load' ? inPart() : undefined);
    around = { after: onLoad };
    await inWorld(b, () => {});
    around = {};
    await inWorld(b, () => {});
    stop();
    expect(parts).toBeGreaterThan(2);
    expect(told).toEqual([...new Set(told)]);
    expect(told).toHaveLength(20 * parts);
  });

  it('load a world again that came in parts from a server which has lost some of them', async () => {
    const size = 9000;
    const own = await startRedis();
    const toOwn = await open(own);
    const named = (name: string) => (tx: Tx) => {
      for (let n = 0; n < size; n++) tx.put('contacts', contact(`c-${n}`, n, name));
    };
    try {
      const writer = storeOn(toOwn);
      await writer.addWorld(newWorld);
      await inWorld(writer, named('kept'));
      await toOwn.command('SAVE', []);
      once('after', 'load', async () => {
        await inWorld(writer, named('lost'));
        once('after', 'load', () => own.restart());
      });
      const { rows } = await storeOn(toOwn).dump(WORLD, 0);
      expect(rows.contacts).toHaveLength(size);
      expect(new Set(rows.contacts?.map(({ name }) => name))).toEqual(new Set(['kept']));
    } finally {
      toOwn.close();
      await own.stop();
    }
  });

  it('do not write all of a world again that a body has emptied before it failed', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'one', 'first'));
    await inWorld(b, (tx) => {
      tx.wipe([]);
      throw fail;
    }).catch(() => {});
    await inWorld(b, count);
    expect(scripts).not.toContain('contents');
    expect(await inWorld(a, (tx) => tx.counter('n'))).toBe(1);
    expect(await inWorld(a, triggersIn)).toEqual(['first']);
  });
});
