// What a replica takes over of the journals of others in a Redis server: that there are entries at once, and what is in them
// when it is needed.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store, Tx } from '../../src/store/store.ts';
import { hasRedis } from '../support/redis.ts';
import { appendStep, delivery, fail, WORLD } from './setup.ts';
import { LIMIT, useReplicas } from './watched-scripts.ts';

describe.runIf(hasRedis)('replicas on a Redis server', () => {
  const { scripts, storeOn, inWorld, replicas } = useReplicas();
  let a: Store;
  let b: Store;
  beforeEach(() => {
    [a, b] = replicas();
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
    expect(scripts.run).not.toContain('contents');
    expect(await inWorld(b, (tx) => tx.entry('steps', 'two')?.trigger)).toBe('second');
    expect(await inWorld(b, triggersIn)).toEqual(['first', 'second']);
    expect(await inWorld(b, triggersIn)).toEqual(['first', 'second']);
    expect(scripts.run.filter((name) => name === 'contents')).toHaveLength(2);
  });

  it('read an entry as it is, though it was amended after they asked what is in it', async () => {
    await inWorld(a, (tx) => tx.append('deliveries', delivery('dlv', 'failed', 'before')));
    const body = (tx: Tx) => tx.entry('deliveries', 'dlv')?.body;
    expect(await inWorld(b, body)).toBe('before');
    await inWorld(a, (tx) => tx.amend('deliveries', delivery('dlv', 'failed', 'after')));
    expect(await inWorld(b, body)).toBe('after');
  });

  it('read an entry though others write to the world each time that they ask what is in it, some ten times', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'one', 'first'));
    await inWorld(b, count);
    let writes = 0;
    scripts.around = {
      before: (name) => {
        if (name !== 'contents' || writes >= 10) return undefined;
        writes += 1;
        return inWorld(a, count);
      },
    };
    expect(await inWorld(b, triggersIn)).toEqual(['first']);
    expect(writes).toBe(10);
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
    expect(scripts.run).not.toContain('contents');
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
    expect(scripts.run).not.toContain('contents');
  });

  it('tell it what is in the entries that come just when it begins', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'one', 'first'));
    const told: string[] = [];
    // Its copy is behind, and is told so after somebody has begun to watch.
    scripts.once('after', 'commit', () =>
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
    scripts.once('before', 'contents', () => inWorld(a, (tx) => tx.wipe([])));
    expect(await inWorld(b, triggersIn)).toEqual([]);
  });

  it('do not write all of a world again that a body has emptied before it failed', async () => {
    await inWorld(a, (tx) => appendStep(tx, 'one', 'first'));
    await inWorld(b, (tx) => {
      tx.wipe([]);
      throw fail;
    }).catch(() => {});
    await inWorld(b, count);
    expect(scripts.run).not.toContain('contents');
    expect(await inWorld(a, (tx) => tx.counter('n'))).toBe(1);
    expect(await inWorld(a, triggersIn)).toEqual(['first']);
  });
});
