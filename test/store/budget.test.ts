// The memory budget in the store: what is counted is what is there, whatever happened, and what gives way to what.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBudget, type MemoryBudget, type ShareName, shareDefinitions } from '../../src/budget/budget.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { Row } from '../../src/model.ts';
import { bounds } from '../../src/store/bounds.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { restore } from '../../src/store/restore.ts';
import type { Tx } from '../../src/store/store.ts';
import { StoredBytes } from '../../src/stored-bytes.ts';
import { keysOf } from '../../src/typed-keys.ts';
import { runs } from '../support/thorough.ts';
import { base, callOf, contact, delivery, ORGANIZATION } from './setup.ts';

const MB = 1024 ** 2;
const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: false, waited: 0 } as const;
const factsOf = (name: string) =>
  ({ name, seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' }) as const;
const worldOf = (name: string) => ({ ...factsOf(name), clock, assumptions: {}, epoch: 1 });

async function storeWith(budget: MemoryBudget, worlds: readonly string[], maxCalls = 3): Promise<MemoryStore> {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 3, maxCalls, budget });
  for (const name of worlds) await store.addWorld(worldOf(name));
  return store;
}

const usedOf = ({ shares }: MemoryBudget): Partial<Record<ShareName, number>> =>
  Object.fromEntries(keysOf(shares).map((name) => [name, shares[name].used]));

const owned = (rank: number) => ({ organization_id: ORGANIZATION, rank });
const key = (id: string, rank: number, revoked: boolean): Row<'keys'> => ({
  id,
  hash: `hash of ${id}`,
  scopes: [],
  is_demo: false,
  requests_per_minute: 1,
  revoked,
  created_at: '',
  private: owned(rank),
});
/** A record that may go at once. */
const ended = (id: string, rank: number): Row<'rate_windows'> => ({ id, began: 0, count: 1, private: owned(rank) });

const actions: Record<string, (tx: Tx, id: string, n: number) => void> = {
  contact: (tx, id, n) => tx.put('contacts', contact(id, n, 'é'.repeat(n * 100) + '漢'.repeat(n * 100))),
  key: (tx, id, n) => tx.put('keys', key(id, n, n % 2 === 0)),
  call: (tx, id, n) => tx.put('calls', callOf(id, n, n % 2 === 0 ? 'QUEUED' : 'COMPLETED')),
  window: (tx, id, n) => tx.put('rate_windows', ended(id, n)),
  document: (tx, id, n) =>
    tx.put('document_contents', { id, content: new StoredBytes(Buffer.alloc(n * 1000)), private: owned(n) }),
  remove: (tx, id, n) => {
    for (const table of ['contacts', 'keys', 'calls', 'document_contents'] as const) if (n > 2) tx.remove(table, id);
  },
  schedule: (tx, id, n) =>
    tx.schedule({ type: 'fire', subject: { table: 'calls', id }, trigger: 'ring', input: {} }, n),
  unschedule: (tx, id) => tx.unschedule({ table: 'calls', id }),
  take: (tx, _, n) => tx.takeTask(n),
  count: (tx, id, n) => tx.setCounter(id, n % 3),
  deliver(tx, id, n) {
    const status = (['pending', 'failed', 'delivered', 'canceled'] as const)[n % 4] ?? 'pending';
    const entry = delivery(id, status, 'b'.repeat(n * 300));
    if (tx.entry('deliveries', id)) tx.amend('deliveries', entry);
    else tx.append('deliveries', entry);
  },
  wipe: (tx) => tx.wipe(['keys', 'document_contents']),
};

describe('what worlds take of the memory budget', () => {
  it('is what a store takes that restores them, whatever was written, undone, wiped or deleted before', async () => {
    const step = fc.record({
      world: fc.constantFrom('one', 'two'),
      what: fc.constantFrom(...Object.keys(actions), 'fail', 'drop', 'bounded'),
      id: fc.constantFrom('base-1', 'base-2', 'a', 'b', 'c', 'd', 'e'),
      n: fc.integer({ min: 0, max: 6 }),
    });
    const writes = fc.array(step, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(writes, { maxLength: 30, size: 'max' }), async (transactions) => {
        const budget = createBudget(100 * MB);
        const store = await storeWith(budget, ['one', 'two']);
        for (const steps of transactions) {
          const world = steps[0]?.world ?? 'one';
          const run = (tx: Tx): void => {
            for (const { what, id, n } of steps) {
              actions[what]?.(tx, id, n);
              if (what === 'fail') throw new Error('on purpose');
              if (what === 'bounded') tx.withinBounds(() => actions.contact?.(tx, id, n));
            }
          };
          await store.transaction(world, run).catch(() => {});
          if (steps.some(({ what }) => what === 'drop')) {
            await store.dropWorld(world);
            await store.addWorld(worldOf(world));
          }
        }
        const again = createBudget(100 * MB);
        const copy = await storeWith(again, ['one', 'two']);
        for (const name of ['one', 'two']) {
          const dump = await store.dump(name, 0);
          await copy.transaction(name, (tx) => restore(tx, dump));
        }
        expect(usedOf(budget)).toEqual(usedOf(again));
        await store.dropWorld('one');
        await store.dropWorld('two');
        expect(Object.values(usedOf(budget))).toEqual([0, 0, 0, 0, 0]);
      }),
      { numRuns: runs(60, 3000) },
    );
  });

  it('is refused to a world past what is left, so that there is always room for another one', async () => {
    const budget = createBudget(16 * MB);
    const store = await storeWith(budget, ['greedy', 'second', 'third']);
    const fill = async (world: string): Promise<{ added: number; error: ApiError }> => {
      for (let n = 1; ; n++) {
        const put = (tx: Tx): void =>
          tx.withinBounds(() => tx.put('contacts', contact(`own-${n}`, n, 'n'.repeat(5000))));
        const error = await store.transaction(world, put).then(
          () => undefined,
          (thrown: ApiError) => thrown,
        );
        if (error) return { added: n - 1, error };
      }
    };
    const [first, second, third] = [await fill('greedy'), await fill('second'), await fill('third')];
    expect([first, second, third].map(({ error }) => [error.code, error.status])).toEqual(
      Array(3).fill(['rate_limited', 429]),
    );
    const all = (16 * MB * shareDefinitions.records.part) / 6000;
    expect(first.added / all).toBeCloseTo(1 / 2, 1);
    expect(second.added / all).toBeCloseTo(1 / 4, 1);
    expect(third.added / all).toBeCloseTo(1 / 8, 1);
    expect(first.error.message).toMatch(
      /^The server's memory for records has no room: 2 MB of 4 MB are used, 2 MB by this world, and a world may use/,
    );
    expect(budget.shares.records).toMatchObject({ refused: 3, dropped: 0 });
    // What nothing was added to still changes, and a scheduled task still adds.
    await store.transaction('greedy', (tx) =>
      tx.withinBounds(() => tx.put('contacts', contact('own-1', 1, 'changed'))),
    );
    await store.transaction('greedy', (tx) => tx.put('contacts', contact('of a task', 1e6)));
    await store.transaction('greedy', (tx) => tx.wipe([]));
    expect((await fill('greedy')).added).toBeGreaterThan(second.added);
  });

  it('is refused to a request that adds many records once it has added too many, not when it has added all', async () => {
    const store = await storeWith(createBudget(16 * MB), ['w']);
    let added = 0;
    const addMany = (tx: Tx): void =>
      tx.withinBounds(() => {
        for (let n = 1; n <= 10_000; n++) {
          tx.put('contacts', contact(`own-${n}`, n, 'n'.repeat(5000)));
          added = n;
        }
      });
    await expect(store.transaction('w', addMany)).rejects.toMatchObject({ status: 429 });
    expect(added).toBeLessThan(1000);
    expect(await store.transaction('w', (tx) => tx.get('contacts', 'own-1'))).toBeUndefined();
  });

  it('gives way where it has ended: the oldest records of the world that has most of them go', async () => {
    const budget = createBudget(16 * MB);
    const store = await storeWith(budget, ['small', 'large'], 1e6);
    const put = (world: string, n: number): Promise<void> =>
      store.transaction(world, (tx) =>
        tx.put('calls', { ...callOf(`call-${n}`, n), disconnection_reason: 'r'.repeat(5000) }),
      );
    await put('small', 1);
    for (let n = 1; n <= 1000; n++) await put('large', n);
    const { limit, used, dropped } = budget.shares.records;
    expect(used).toBeLessThanOrEqual(limit);
    expect(used).toBeGreaterThan(limit * 0.9);
    const kept = await store.transaction('large', (tx) => tx.page('calls', 'organization', ORGANIZATION));
    expect(dropped).toBe(1000 - kept.length);
    expect(kept.map(({ id }) => id)).toEqual(kept.map((_, index) => `call-${dropped + index + 1}`));
    expect(await store.transaction('small', (tx) => tx.count('calls', 'organization', ORGANIZATION))).toBe(1);
    // Records that have ended leave no less room for others.
    await store.transaction('small', (tx) =>
      tx.withinBounds(() => tx.put('contacts', contact('new', 1, 'n'.repeat(MB)))),
    );
    expect(budget.shares.records.used).toBeLessThanOrEqual(limit);
  });
});

describe('the bounds of a world', () => {
  it('refuse a record past its kind, naming it, and let a task add one', async () => {
    const budget = createBudget(1024 * MB);
    const store = await storeWith(budget, ['w']);
    const { max } = bounds.remediations;
    const remediation = (n: number): Row<'remediations'> =>
      // Only what the table reads.
      ({ request_id: `r-${n}`, status: 'completed', private: owned(n) }) as Row<'remediations'>;
    const add = (n: number): Promise<void> =>
      store.transaction('w', (tx) => tx.withinBounds(() => tx.put('remediations', remediation(n))));
    await store.transaction('w', (tx) => {
      for (let n = 1; n < max; n++) tx.put('remediations', remediation(n));
    });
    await add(max);
    await expect(add(max + 1)).rejects.toMatchObject({
      code: 'conflict',
      message: 'This world has 10000 remediation requests, the most that a world can have.',
    });
    await add(max);
    await store.transaction('w', (tx) => tx.put('remediations', remediation(max + 1)));
  });

  /** Only what the tables read. */
  const flooded: readonly [string, number, 'is refused' | 'replaces the oldest', (tx: Tx, n: number) => void][] = [
    ['contacts', 100_000, 'is refused', (tx, n) => tx.put('contacts', contact(`c-${n}`, n))],
    ['keys', 10_000, 'is refused', (tx, n) => tx.put('keys', key(`k-${n}`, n, false))],
    [
      'organizations',
      10_000,
      'is refused',
      (tx, n) => tx.put('organizations', { id: `o-${n}`, slug: `o-${n}`, private: owned(n) } as Row<'organizations'>),
    ],
    [
      'rooms',
      10_000,
      'replaces the oldest',
      (tx, n) => tx.put('rooms', { id: `r-${n}`, private: owned(n) } as Row<'rooms'>),
    ],
    [
      'messages',
      100_000,
      'replaces the oldest',
      (tx, n) => tx.put('messages', { id: `m-${n}`, status: 'delivered', private: owned(n) } as Row<'messages'>),
    ],
  ];

  it.each(flooded)('hold for a flood of %s: %i of them, and one more %s', async (table, max, past, put) => {
    const store = await storeWith(createBudget(1024 * MB), ['w']);
    await store.transaction('w', (tx) => {
      for (let n = 1; n <= max; n++) put(tx, n);
    });
    const more = store.transaction('w', (tx) => tx.withinBounds(() => put(tx, max + 1)));
    if (past === 'is refused') await expect(more).rejects.toMatchObject({ code: 'conflict', status: 409 });
    else await more;
    const { rows } = (await store.dump('w', 0)) as unknown as { rows: Record<string, { length: number }> };
    expect(rows[table]).toHaveLength(max);
  });

  it('delete the oldest record that has ended, with its unique value and its tasks, and nothing that has not', async () => {
    const budget = createBudget(100 * MB);
    const store = await storeWith(budget, ['w'], 2);
    await store.transaction('w', (tx) => tx.put('calls', callOf('live', 1, 'QUEUED')));
    for (let n = 2; n <= 5; n++) {
      await store.transaction('w', (tx) => {
        tx.schedule({ type: 'fire', subject: { table: 'calls', id: `c-${n}` }, trigger: 'ring', input: {} }, n);
        tx.put('calls', callOf(`c-${n}`, n));
      });
    }
    const { kept, tasks } = await store.transaction('w', (tx) => ({
      kept: tx.page('calls', 'organization', ORGANIZATION).map(({ id }) => id),
      tasks: tx.taskCount(),
    }));
    expect({ kept, tasks }).toEqual({ kept: ['live', 'c-4', 'c-5'], tasks: 2 });
    expect(budget.shares.records.dropped).toBe(2);
  });

  it('delete the oldest revoked key before they refuse a new one', async () => {
    const store = await storeWith(createBudget(1024 * MB), ['w']);
    const { max } = bounds.keys;
    await store.transaction('w', (tx) => {
      for (let n = 1; n <= max; n++) tx.put('keys', key(`k-${n}`, n, n === 7));
    });
    const add = (n: number): Promise<void> =>
      store.transaction('w', (tx) => tx.withinBounds(() => tx.put('keys', key(`k-${n}`, n, false))));
    await add(max + 1);
    expect(await store.transaction('w', (tx) => tx.get('keys', 'k-7'))).toBeUndefined();
    expect(store.locate('keys', 'hash of k-7')).toBeUndefined();
    await expect(add(max + 2)).rejects.toMatchObject({ code: 'conflict' });
  });
});
