// The tests that every driver of the store port must pass. A driver's own test file calls `describeStore` with a way to make one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/lifecycles/tasks.ts';
import type { DeliveryEntry, DeliveryStatus, Row } from '../../src/model.ts';
import { type Commit, type FixtureView, NoSuchWorld, type Store, type Tx } from '../../src/store/store.ts';
import { runs } from '../support/thorough.ts';

export const ORGANIZATION = '00000000-0000-4000-8000-00000000000a';

/** A delivery of `new_call`. */
export const delivery = (id: string, status: DeliveryStatus, body = ''): DeliveryEntry => ({
  id,
  at: '',
  event_id: 'evt',
  event_type: 'new_call',
  subscription_id: 'whk',
  organization_id: ORGANIZATION,
  url: '',
  body,
  status,
  schema_violations: [],
  attempts: [],
  next_attempt_at: null,
  subject: null,
  epoch: 1,
  cause: 'evt',
});
const WORLD = 'w';
const START = 1_000_000;

export const contact = (id: string, rank: number, name = id): Row<'contacts'> => ({
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

const ring = (id: string): Task => ({
  type: 'fire',
  subject: { table: 'calls', id },
  trigger: 'ring',
  input: {},
});

/** A fixture of three contacts, under every world of the stores that are tested. */
const fixture = ['base-1', 'base-2', 'base-3'].map((id, index) => contact(id, index - 3));
export const base: FixtureView = {
  bytes: 0,
  get: (table, id) =>
    (table === 'contacts' ? fixture.find((row) => row.id === id) : undefined) as Row<typeof table> | undefined,
  list: (table, index, value) =>
    table === 'contacts' && index === 'organization' && value === ORGANIZATION
      ? fixture.map(({ id, private: { rank } }) => ({ id, rank }))
      : [],
};

const appendStep = (tx: Tx, id: string): void =>
  tx.append('steps', {
    id,
    at: '',
    subject: { table: 'contacts', id: 'x' },
    trigger: '',
    from: null,
    to: '',
    cause: null,
  });

export function describeStore(name: string, makeStore: () => Store | Promise<Store>): void {
  async function storeWithWorld(): Promise<Store> {
    const store = await makeStore();
    await store.addWorld({
      name: WORLD,
      seed: 1,
      origin: 'posted',
      organization_id: ORGANIZATION,
      fixture: 'default',
      clock: { mode: 'manual', speed: 0, systemTime: 0, at: START, frozen: false, waited: 0 },
      assumptions: {},
      epoch: 1,
    });
    return store;
  }
  const inWorld = <T>(store: Store, body: (tx: Tx) => T): Promise<T> => store.transaction(WORLD, body);
  const idsOf = (tx: Tx, newestFirst = false): string[] =>
    tx.page('contacts', 'organization', ORGANIZATION, { limit: 1000, newestFirst }).map(({ id }) => id);
  const fail = new Error('on purpose');
  const failing = async (store: Store, body: (tx: Tx) => void): Promise<void> => {
    await expect(
      inWorld(store, (tx) => {
        body(tx);
        throw fail;
      }),
    ).rejects.toBe(fail);
  };

  describe(`the ${name} store`, () => {
    it('reads the fixture through what the world wrote, and hides what the world removed', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) => {
        tx.put('contacts', contact('own-1', 1));
        tx.put('contacts', contact('base-2', -2, 'changed'));
        tx.remove('contacts', 'base-3');
      });
      await inWorld(store, (tx) => {
        expect(idsOf(tx)).toEqual(['base-1', 'base-2', 'own-1']);
        expect(tx.get('contacts', 'base-2')?.name).toBe('changed');
        expect(tx.get('contacts', 'base-3')).toBeUndefined();
        expect(tx.count('contacts', 'organization', ORGANIZATION)).toBe(3);
      });
    });

    it('pages in both directions without repeating or leaving out a record while others are added', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) => {
        for (let rank = 1; rank <= 20; rank++) tx.put('contacts', contact(`own-${rank}`, rank));
      });
      const seen: string[] = [];
      let after: number | undefined;
      for (let added = 21; ; added++) {
        const page = await inWorld(store, (tx) => {
          tx.put('contacts', contact(`own-${added}`, added));
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

    it('tells what its journals got after a position, in order and in its latest form, over a reset too', async () => {
      const store = await storeWithWorld();
      const news = (position: number) =>
        inWorld(store, (tx) =>
          tx.history.appendedAfter(position)?.map(({ entry, amended }) => `${entry.id} ${amended}`),
        );
      const before = await inWorld(store, (tx) => tx.history.position);
      await inWorld(store, (tx) => {
        appendStep(tx, 'a');
        appendStep(tx, 'b');
      });
      await failing(store, (tx) => appendStep(tx, 'undone'));
      const between = await inWorld(store, (tx) => tx.history.position);
      await inWorld(store, (tx) => {
        appendStep(tx, 'c');
        const [a] = tx.journal('steps').entries;
        if (a) tx.amend('steps', { ...a, to: 'x' });
      });
      expect(await news(before)).toEqual(['b false', 'c false', 'a true']);
      expect(await news(between)).toEqual(['c false', 'a true']);
      expect(await inWorld(store, (tx) => tx.history.droppedSince('steps', 'a'))).toBe(0);
      const last = await inWorld(store, (tx) => tx.history.position);
      await inWorld(store, (tx) => {
        tx.wipe([]);
        appendStep(tx, 'd');
      });
      expect(await news(last)).toEqual(['d false']);
    });

    it('undoes everything that a transaction did when its body throws', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) => {
        tx.put('contacts', contact('kept', 1));
        tx.schedule(ring('kept'), START + 5);
        tx.setCounter('n', 7);
      });
      const before = await store.dump(WORLD, 0);
      await failing(store, (tx) => {
        tx.put('contacts', contact('new', 2));
        tx.put('contacts', contact('kept', 1, 'changed'));
        tx.remove('contacts', 'base-1');
        tx.ordinal('n');
        tx.setState('epoch', 9);
        tx.setState('starts_at', 5);
        tx.takeTask(START + 5);
        tx.schedule(ring('new'), START);
        appendStep(tx, 's');
        tx.wipe([]);
        tx.put('contacts', contact('after-wipe', 3));
      });
      expect(await store.dump(WORLD, 0)).toEqual(before);
    });

    it('undoes an attempt that throws, and keeps what the transaction did before and after it', async () => {
      const store = await storeWithWorld();
      const commits: Commit[] = [];
      store.onCommit((commit) => commits.push(commit));
      const results = await inWorld(store, (tx) => {
        tx.schedule(ring('a'), START);
        tx.takeTask(START);
        appendStep(tx, 'before');
        const failed = tx.attempt(() => {
          tx.put('contacts', contact('new', 2));
          tx.remove('contacts', 'base-1');
          tx.schedule(ring('b'), START);
          tx.setState('epoch', 9);
          appendStep(tx, 'undone');
          throw new Error('no');
        });
        appendStep(tx, 'after');
        return [failed, tx.attempt(() => tx.setCounter('n', 1)), tx.taskCount(), tx.state('epoch'), idsOf(tx)];
      });
      expect(results).toEqual([{ error: new Error('no') }, undefined, 0, 1, ['base-1', 'base-2', 'base-3']]);
      expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(1);
      expect(commits[0]?.appended.map(({ entry }) => entry.id)).toEqual(['before', 'after']);
      expect(await inWorld(store, (tx) => tx.journal('steps').entries.map(({ id }) => id))).toEqual([
        'before',
        'after',
      ]);
    });

    it('runs transactions of one world one after the other, each on what the one before has written', async () => {
      const store = await storeWithWorld();
      await Promise.all(
        Array.from({ length: 50 }, () => inWorld(store, (tx) => tx.setCounter('n', tx.counter('n') + 1))),
      );
      expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(50);
    });

    it('refuses a body that returns a promise, and undoes what it did', async () => {
      const store = await storeWithWorld();
      const body = async (tx: Tx): Promise<void> => tx.setCounter('n', 1);
      await expect(inWorld(store, body)).rejects.toThrow('must be synchronous');
      expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(0);
    });

    it("begins a transaction at the instant of the world's clock, with the cause that it is given", async () => {
      const store = await storeWithWorld();
      const momentOf = (tx: Tx) => [tx.at, tx.cause];
      expect(await store.transaction(WORLD, momentOf, 'req_1')).toEqual([START, 'req_1']);
      expect(await store.transaction(WORLD, momentOf)).toEqual([START, null]);
    });

    it('runs a part of a transaction at another instant or with another cause, and goes back to its own', async () => {
      const store = await storeWithWorld();
      const seen = await store.transaction(
        WORLD,
        (tx) => {
          const inner = tx.asOf(5, () => tx.causedBy('stp_1', () => [tx.at, tx.cause]));
          expect(() =>
            tx.causedBy('stp_2', () => {
              throw fail;
            }),
          ).toThrow(fail);
          return [inner, [tx.at, tx.cause]];
        },
        'req_1',
      );
      expect(seen).toEqual([
        [5, 'stp_1'],
        [START, 'req_1'],
      ]);
    });

    it('goes on after a transaction that threw', async () => {
      const store = await storeWithWorld();
      await failing(store, async () => {});
      expect(await inWorld(store, (tx) => tx.ordinal('n'))).toBe(1);
    });

    it('hands out tasks by instant, and in the order of scheduling within one', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) => {
        for (const [at, id] of [
          [3, 'c'],
          [1, 'a1'],
          [2, 'b'],
          [1, 'a2'],
        ] as const)
          tx.schedule(ring(id), at);
        tx.schedule(ring('canceled'), 1);
        tx.unschedule({ table: 'calls', id: 'canceled' });
      });
      await inWorld(store, (tx) => {
        expect(tx.taskCount()).toBe(4);
        expect(tx.nextTask()?.task.subject.id).toBe('a1');
        const taken: string[] = [];
        for (let next = tx.takeTask(2); next; next = tx.takeTask(2)) taken.push(next.task.subject.id);
        expect(taken).toEqual(['a1', 'a2', 'b']);
        expect(tx.nextTask()?.task.subject.id).toBe('c');
      });
    });

    it('schedules a task with the cause of the moment', async () => {
      const store = await storeWithWorld();
      const scheduled = await store.transaction(
        WORLD,
        (tx) => {
          tx.causedBy('stp_1', () => tx.schedule(ring('a'), 1));
          tx.schedule(ring('b'), 2);
          return [tx.takeTask(2), tx.takeTask(2)];
        },
        'req_1',
      );
      expect(scheduled.map((each) => [each?.task, each?.at, each?.cause])).toEqual([
        [ring('a'), 1, 'stp_1'],
        [ring('b'), 2, 'req_1'],
      ]);
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
      await inWorld(store, (tx) => {
        tx.put('keys', key('one'));
        tx.put('keys', key('two'));
      });
      expect(await store.locate('keys', 'one')).toEqual({ world: WORLD, id: 'key-one' });
      await failing(store, (tx) => tx.remove('keys', 'key-one'));
      expect(await store.locate('keys', 'one')).toEqual({ world: WORLD, id: 'key-one' });
      await inWorld(store, (tx) => tx.remove('keys', 'key-one'));
      expect(await store.locate('keys', 'one')).toBeUndefined();
      await store.dropWorld(WORLD);
      expect(await store.locate('keys', 'two')).toBeUndefined();
    });

    it('keeps the tables that a wipe is asked to keep', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) => {
        tx.put('contacts', contact('own', 1));
        tx.put('scenario_overlays', { id: 's', source: '', private: { organization_id: ORGANIZATION, rank: 1 } });
        tx.ordinal('contacts');
      });
      await inWorld(store, (tx) => tx.wipe(['scenario_overlays']));
      await inWorld(store, (tx) => {
        expect(idsOf(tx)).toEqual(['base-1', 'base-2', 'base-3']);
        expect(tx.get('scenario_overlays', 's')).toMatchObject({ id: 's' });
        expect(tx.ordinal('contacts')).toBe(1);
      });
    });

    it('reports to listeners what a commit appended, and nothing that was undone', async () => {
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
      await failing(store, (tx) => tx.append('steps', step('undone')));
      await inWorld(store, (tx) => tx.append('steps', step('done')));
      stop();
      await inWorld(store, (tx) => tx.append('steps', step('unheard')));
      expect(commits.map(({ appended }) => appended.map(({ entry }) => entry.id))).toEqual([['done']]);
    });

    it('reports to listeners every transaction that wrote, even if only a record, and none that read', async () => {
      const store = await storeWithWorld();
      const commits: Commit[] = [];
      store.onCommit((commit) => commits.push(commit));
      await inWorld(store, (tx) => tx.get('contacts', 'base-1'));
      expect(commits).toEqual([]);
      await inWorld(store, (tx) => tx.put('contacts', contact('a', 1)));
      await inWorld(store, (tx) => tx.remove('contacts', 'base-1'));
      await inWorld(store, (tx) => tx.setCounter('calls', 2));
      await inWorld(store, (tx) => tx.setState('assumptions', { scope_missing_status: 401 }));
      expect(commits).toEqual(Array(4).fill({ world: WORLD, epoch: 1, appended: [], schedule: null }));
    });

    it('reports to listeners a world that is created and one that is deleted', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) => tx.schedule(ring('c'), 5));
      const commits: Commit[] = [];
      store.onCommit((commit) => commits.push(commit));
      const { clock } = (await store.dump(WORLD, 0)).state;
      await store.addWorld({ ...(await facts(store)), name: 'other', clock, assumptions: {}, epoch: 1 });
      await store.dropWorld(WORLD);
      const told = { epoch: 1, appended: [], schedule: { nextAt: null, clock } };
      expect(commits).toEqual([
        { world: 'other', ...told },
        { world: WORLD, ...told },
      ]);
    });

    it('drops the oldest entries of a journal past its limit, and counts them, but never an open delivery', async () => {
      const store = await storeWithWorld();
      await inWorld(store, (tx) => {
        tx.append('deliveries', delivery('open', 'pending'));
        for (let n = 1; n <= 15; n++) tx.append('deliveries', delivery(`closed-${n}`, 'failed'));
      });
      const kept = await inWorld(store, (tx) => tx.journal('deliveries'));
      expect(kept.entries.map(({ id }) => id)).toEqual([
        'open',
        ...Array.from({ length: 9 }, (_, n) => `closed-${n + 7}`),
      ]);
      expect(kept.dropped).toBe(6);
    });

    it('counts what transactions have met when they commit, and keeps it over wipes and the end of the world', async () => {
      const store = await storeWithWorld();
      const counts = async () => Object.fromEntries((await store.coverage((world) => world === WORLD)).counts);
      await inWorld(store, (tx) => {
        tx.cover('a');
        tx.cover('a');
        tx.attempt(() => {
          tx.cover('undone');
          throw fail;
        });
        tx.cover('b');
      });
      await failing(store, (tx) => tx.cover('undone'));
      await inWorld(store, (tx) => tx.wipe([]));
      expect(await counts()).toEqual({ a: 2, b: 1 });
      await store.dropWorld(WORLD);
      expect(await counts()).toEqual({ a: 2, b: 1 });
      expect(await store.coverage(() => true)).toMatchObject({ worlds: [WORLD], forgotten: 0 });
      expect((await store.coverage(() => false)).worlds).toEqual([]);
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
            const body = (tx: Tx): void =>
              kind.endsWith('put') ? tx.put('contacts', contact(id, place)) : tx.remove('contacts', id);
            if (kind.startsWith('fail')) await failing(store, body);
            else {
              await inWorld(store, body);
              if (kind === 'put') model.set(id, place);
              else model.delete(id);
            }
          }
          const expected = [...model].sort((a, b) => a[1] - b[1]).map(([id]) => id);
          await inWorld(store, (tx) => {
            expect(idsOf(tx)).toEqual(expected);
            expect(idsOf(tx, true)).toEqual(expected.reverse());
            expect(tx.count('contacts', 'organization', ORGANIZATION)).toBe(expected.length);
          });
        }),
        { numRuns: runs(30, 200) },
      );
    });

    async function facts(store: Store) {
      const world = await store.world(WORLD);
      if (!world) throw new Error('the world is gone');
      return world;
    }
  });
}
