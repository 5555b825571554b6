// What every driver of the store port is held to. A driver's own test file calls `describeStore` with a way to make one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/model.ts';
import { type Commit, type FixtureView, NoSuchWorld, type Store, type Tx } from '../../src/store/store.ts';

export const ORGANIZATION = '00000000-0000-4000-8000-00000000000a';
const WORLD = 'w';
const START = 1_000_000;

const contact = (id: string, rank: number, name = id): Row<'contacts'> => ({
  id,
  name,
  phone_number: null,
  email: null,
  status: null,
  source: null,
  metadata: null,
  created_at: '2026-01-05T15:00:00.000Z',
  updated_at: '2026-01-05T15:00:00.000Z',
  private: { organization_id: ORGANIZATION, rank },
});

/** A fixture of three contacts, under every world of the stores that are tested. */
const fixture = ['base-1', 'base-2', 'base-3'].map((id, index) => contact(id, index - 3));
export const base: FixtureView = {
  get: (table, id) =>
    (table === 'contacts' ? fixture.find((row) => row.id === id) : undefined) as Row<typeof table> | undefined,
  list: (table, index, value) =>
    table === 'contacts' && index === 'organization' && value === ORGANIZATION
      ? fixture.map(({ id, private: { rank } }) => ({ id, rank }))
      : [],
};

export function describeStore(name: string, makeStore: () => Store | Promise<Store>): void {
  async function storeWithWorld(): Promise<Store> {
    const store = await makeStore();
    await store.addWorld({
      name: WORLD,
      seed: 1,
      origin: 'posted',
      organization_id: ORGANIZATION,
      fixture: 'default',
      clock: { mode: 'manual', speed: 0, systemTime: 0, at: START, frozen: false },
      assumptions: {},
      epoch: 1,
    });
    return store;
  }
  const inWorld = <T>(store: Store, body: (tx: Tx) => T | Promise<T>): Promise<T> => store.transaction(WORLD, body);
  const idsOf = async (tx: Tx, newestFirst = false): Promise<string[]> =>
    (await tx.page('contacts', 'organization', ORGANIZATION, { limit: 1000, newestFirst })).map(({ id }) => id);
  const fail = new Error('on purpose');
  const failing = async (store: Store, body: (tx: Tx) => Promise<void>): Promise<void> => {
    await expect(
      inWorld(store, async (tx) => {
        await body(tx);
        throw fail;
      }),
    ).rejects.toBe(fail);
  };

  describe(`the ${name} store`, () => {
    it('reads the fixture through what the world wrote, and hides what the world removed', async () => {
      const store = await storeWithWorld();
      await inWorld(store, async (tx) => {
        await tx.put('contacts', contact('own-1', 1));
        await tx.put('contacts', contact('base-2', -2, 'changed'));
        await tx.remove('contacts', 'base-3');
      });
      await inWorld(store, async (tx) => {
        expect(await idsOf(tx)).toEqual(['base-1', 'base-2', 'own-1']);
        expect((await tx.get('contacts', 'base-2'))?.name).toBe('changed');
        expect(await tx.get('contacts', 'base-3')).toBeUndefined();
        expect(await tx.count('contacts', 'organization', ORGANIZATION)).toBe(3);
      });
    });

    it('pages in both directions without repeating or leaving out a record while others are added', async () => {
      const store = await storeWithWorld();
      await inWorld(store, async (tx) => {
        for (let rank = 1; rank <= 20; rank++) await tx.put('contacts', contact(`own-${rank}`, rank));
      });
      const seen: string[] = [];
      let after: number | undefined;
      for (let added = 21; ; added++) {
        const page = await inWorld(store, async (tx) => {
          await tx.put('contacts', contact(`own-${added}`, added));
          const query = { limit: 4, newestFirst: true, ...(after === undefined ? {} : { after }) };
          return tx.page('contacts', 'organization', ORGANIZATION, query);
        });
        if (page.length === 0) break;
        seen.push(...page.map(({ id }) => id));
        after = page[page.length - 1]?.private.rank;
      }
      const expected = ['base-1', 'base-2', 'base-3', ...Array.from({ length: 21 }, (_, i) => `own-${i + 1}`)];
      expect(seen).toEqual(expected.reverse());
    });

    it('undoes everything that a transaction did when its body throws', async () => {
      const store = await storeWithWorld();
      await inWorld(store, async (tx) => {
        await tx.put('contacts', contact('kept', 1));
        await tx.schedule({
          at: START + 5,
          subject: { table: 'contacts', id: 'kept' },
          trigger: 't',
          with: {},
          cause: null,
        });
        await tx.setCounter('n', 7);
      });
      const before = await store.dump(WORLD, 0);
      await failing(store, async (tx) => {
        await tx.put('contacts', contact('new', 2));
        await tx.put('contacts', contact('kept', 1, 'changed'));
        await tx.remove('contacts', 'base-1');
        await tx.ordinal('n');
        await tx.setState('epoch', 9);
        await tx.setState('starts_at', 5);
        await tx.takeTask(START + 5);
        await tx.schedule({
          at: START,
          subject: { table: 'contacts', id: 'new' },
          trigger: 't',
          with: {},
          cause: null,
        });
        await tx.append('steps', {
          id: 's',
          at: '',
          subject: { table: 'contacts', id: 'x' },
          trigger: '',
          from: null,
          to: '',
          cause: null,
        });
        await tx.wipe([]);
        await tx.put('contacts', contact('after-wipe', 3));
      });
      expect(await store.dump(WORLD, 0)).toEqual(before);
    });

    it('runs transactions of one world one after the other, whatever their bodies await', async () => {
      const store = await storeWithWorld();
      await Promise.all(
        Array.from({ length: 50 }, () =>
          inWorld(store, async (tx) => {
            const before = await tx.counter('n');
            await Promise.resolve();
            await tx.setCounter('n', before + 1);
          }),
        ),
      );
      expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(50);
    });

    it('goes on after a transaction that threw', async () => {
      const store = await storeWithWorld();
      await failing(store, async () => {});
      expect(await inWorld(store, (tx) => tx.ordinal('n'))).toBe(1);
    });

    it('hands out agenda rows by instant, and by order of planning within one', async () => {
      const store = await storeWithWorld();
      const row = (at: number, trigger: string, id = 'x') => ({
        at,
        trigger,
        subject: { table: 'contacts', id } as const,
        with: {},
        cause: null,
      });
      await inWorld(store, async (tx) => {
        for (const [at, trigger] of [
          [3, 'c'],
          [1, 'a1'],
          [2, 'b'],
          [1, 'a2'],
        ] as const)
          await tx.schedule(row(at, trigger));
        await tx.schedule(row(1, 'gone', 'y'));
        await tx.unschedule({ table: 'contacts', id: 'y' });
      });
      await inWorld(store, async (tx) => {
        expect(await tx.taskCount()).toBe(4);
        expect((await tx.nextTask())?.trigger).toBe('a1');
        const taken: string[] = [];
        for (let next = await tx.takeTask(2); next; next = await tx.takeTask(2)) taken.push(next.trigger);
        expect(taken).toEqual(['a1', 'a2', 'b']);
        expect((await tx.nextTask())?.trigger).toBe('c');
      });
    });

    it('finds a world by a unique value, and forgets it with the row or the world', async () => {
      const store = await storeWithWorld();
      const key = (hash: string): Row<'keys'> => ({
        id: `key-${hash}`,
        hash,
        scopes: [],
        is_demo: false,
        requests_per_minute: 1,
        revoked: false,
        created_at: '',
        private: { organization_id: ORGANIZATION, rank: 1 },
      });
      await inWorld(store, async (tx) => {
        await tx.put('keys', key('one'));
        await tx.put('keys', key('two'));
      });
      expect(await store.locate('keys', 'one')).toEqual({ world: WORLD, id: 'key-one' });
      await failing(store, async (tx) => tx.remove('keys', 'key-one'));
      expect(await store.locate('keys', 'one')).toEqual({ world: WORLD, id: 'key-one' });
      await inWorld(store, (tx) => tx.remove('keys', 'key-one'));
      expect(await store.locate('keys', 'one')).toBeUndefined();
      await store.dropWorld(WORLD);
      expect(await store.locate('keys', 'two')).toBeUndefined();
    });

    it('keeps what an emptying is told to keep', async () => {
      const store = await storeWithWorld();
      await inWorld(store, async (tx) => {
        await tx.put('contacts', contact('own', 1));
        await tx.put('scenario_overlays', { id: 's', source: '', private: { organization_id: ORGANIZATION, rank: 1 } });
        await tx.ordinal('contacts');
      });
      await inWorld(store, (tx) => tx.wipe(['scenario_overlays']));
      await inWorld(store, async (tx) => {
        expect(await idsOf(tx)).toEqual(['base-1', 'base-2', 'base-3']);
        expect(await tx.get('scenario_overlays', 's')).toMatchObject({ id: 's' });
        expect(await tx.ordinal('contacts')).toBe(1);
      });
    });

    it('tells its listeners what a commit appended, and nothing of what was undone', async () => {
      const store = await storeWithWorld();
      const commits: Commit[] = [];
      const stop = store.onCommit((commit) => commits.push(commit));
      const step = (id: string) =>
        ({
          id,
          at: '',
          subject: { table: 'contacts', id: 'x' },
          trigger: '',
          from: null,
          to: '',
          cause: null,
        }) as const;
      await failing(store, async (tx) => tx.append('steps', step('undone')));
      await inWorld(store, (tx) => tx.append('steps', step('done')));
      stop();
      await inWorld(store, (tx) => tx.append('steps', step('unheard')));
      expect(commits.map(({ appended }) => appended.map(({ entry }) => entry.id))).toEqual([['done']]);
    });

    it('tells its listeners of every transaction that wrote, if only a record, and of none that read', async () => {
      const store = await storeWithWorld();
      const commits: Commit[] = [];
      store.onCommit((commit) => commits.push(commit));
      await inWorld(store, (tx) => tx.get('contacts', 'base-1'));
      expect(commits).toEqual([]);
      await inWorld(store, (tx) => tx.put('contacts', contact('a', 1)));
      await inWorld(store, (tx) => tx.remove('contacts', 'base-1'));
      await inWorld(store, (tx) => tx.setCounter('calls', 2));
      await inWorld(store, (tx) => tx.setState('assumptions', { scope_missing_status: 401 }));
      expect(commits).toEqual(Array(4).fill({ world: WORLD, appended: [], schedule: null }));
    });

    it('tells its listeners of a world that comes and of one that goes', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) =>
        tx.schedule({ at: 5, subject: { table: 'calls', id: 'c' }, trigger: 'ring', with: {}, cause: null }),
      );
      const commits: Commit[] = [];
      store.onCommit((commit) => commits.push(commit));
      const { clock } = (await store.dump(WORLD, 0)).state;
      await store.addWorld({ ...(await facts(store)), name: 'other', clock, assumptions: {}, epoch: 1 });
      await store.dropWorld(WORLD);
      const told = { appended: [], schedule: { nextAt: null, clock } };
      expect(commits).toEqual([
        { world: 'other', ...told },
        { world: WORLD, ...told },
      ]);
    });

    it('drops the oldest entries of a journal past its limit, and counts them, but never an open delivery', async () => {
      const store = await storeWithWorld();
      const delivery = (id: string, status: 'pending' | 'failed') => ({
        id,
        at: '',
        event_id: 'e',
        event_type: 'new_call' as const,
        subscription_id: 's',
        organization_id: ORGANIZATION,
        url: '',
        body: '',
        status,
        schema_violations: [],
        attempts: [],
        subject: null,
        epoch: 1,
        cause: '',
      });
      await inWorld(store, async (tx) => {
        await tx.append('deliveries', delivery('open', 'pending'));
        for (let n = 1; n <= 15; n++) await tx.append('deliveries', delivery(`closed-${n}`, 'failed'));
      });
      const kept = await inWorld(store, (tx) => tx.journal('deliveries'));
      expect(kept.entries.map(({ id }) => id)).toEqual([
        'open',
        ...Array.from({ length: 9 }, (_, n) => `closed-${n + 7}`),
      ]);
      expect(kept.dropped).toBe(6);
    });

    it('has no transaction on a world that is not there', async () => {
      const store = await storeWithWorld();
      await expect(store.transaction('nowhere', () => 1)).rejects.toBeInstanceOf(NoSuchWorld);
      expect(await store.dropWorld('nowhere')).toBe(false);
      expect(
        await store.addWorld({
          ...(await facts(store)),
          clock: (await store.dump(WORLD, 0)).state.clock,
          assumptions: {},
          epoch: 1,
        }),
      ).toBe(false);
    });

    it('behaves as a plain map with sorting would, over any run of changes and failures', async () => {
      const ids = ['base-1', 'base-2', 'base-3', 'a', 'b', 'c', 'd', 'e'];
      const change = fc.record({
        kind: fc.constantFrom('put', 'remove', 'fail-put', 'fail-remove'),
        id: fc.constantFrom(...ids),
        rank: fc.integer({ min: 1, max: 9 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
          const store = await storeWithWorld();
          const model = new Map(fixture.map((row) => [row.id, row.private.rank]));
          for (const { kind, id, rank } of changes) {
            // No two records of a world have one rank.
            const place = model.get(id) ?? rank * 100 + ids.indexOf(id);
            const body = async (tx: Tx): Promise<void> =>
              kind.endsWith('put') ? tx.put('contacts', contact(id, place)) : tx.remove('contacts', id);
            if (kind.startsWith('fail')) await failing(store, body);
            else {
              await inWorld(store, body);
              if (kind === 'put') model.set(id, place);
              else model.delete(id);
            }
          }
          const expected = [...model].sort((a, b) => a[1] - b[1]).map(([id]) => id);
          await inWorld(store, async (tx) => {
            expect(await idsOf(tx)).toEqual(expected);
            expect(await idsOf(tx, true)).toEqual(expected.reverse());
            expect(await tx.count('contacts', 'organization', ORGANIZATION)).toBe(expected.length);
          });
        }),
        { numRuns: 200 },
      );
    });

    async function facts(store: Store) {
      const world = await store.world(WORLD);
      if (!world) throw new Error('the world is gone');
      return world;
    }
  });
}
