// The store in this process's memory, held to what every driver is held to, and the bound of all journals together.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBudget, shareDefinitions } from '../../src/budget/budget.ts';
import type { Task } from '../../src/lifecycles/tasks.ts';
import type { StepEntry } from '../../src/model.ts';
import { applyDeltas, inOrder } from '../../src/store/apply-deltas.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx, WorldDelta, WorldDump } from '../../src/store/store.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { runTwice } from '../support/run-twice.ts';
import { isTwice, runs, thorough } from '../support/thorough.ts';
import { describeStore } from './conformance.ts';
import { base, contact, delivery, fail, finished, newWorld, ORGANIZATION, WORLD } from './setup.ts';

describeStore(
  'memory',
  () => new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) }),
);

describe('each body run twice', () => {
  let end: () => void;
  beforeAll(() => {
    end = runTwice();
  });
  afterAll(() => end());
  describeStore(
    'memory',
    () => new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) }),
  );
});

describe('the memory store', () => {
  it('adds up what worlds have met one world at a time, and one that goes meanwhile once', async () => {
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) });
    const names = ['gone', 'a', 'b', 'c'];
    for (const name of names) {
      await store.addWorld({ ...newWorld, name });
      await store.transaction(name, (tx) => tx.cover('met'));
    }
    await store.dropWorld('gone');
    const sum = store.coverage((name) => name !== 'c');
    expect(sum.next().done).toBe(false);
    await store.dropWorld('a');
    await store.dropWorld('b');
    expect([sum.next().done, sum.next().done]).toEqual([false, false]);
    const { worlds, counts } = finished(sum);
    expect([worlds, ...counts]).toEqual([
      ['a', 'b', 'gone'],
      ['met', 3],
    ]);
  });

  it('looks at no more open deliveries than are asked for, in their order, also after one was put back', async () => {
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) });
    await store.addWorld(newWorld);
    const ids = Array.from({ length: 100 }, (_, n) => `d-${n}`);
    await store.transaction(WORLD, (tx) => {
      for (const id of ids) tx.append('deliveries', delivery(id, 'pending'));
    });
    const undone = store.transaction(WORLD, (tx) => {
      tx.amend('deliveries', delivery('d-0', 'delivered'));
      throw fail;
    });
    await expect(undone).rejects.toBe(fail);
    const { first, looked, all } = await store.transaction(WORLD, ({ history }) => {
      const looked: string[] = [];
      const first = history.open('deliveries', ({ id }) => looked.push(id) > 0, 3).map(({ entry }) => entry.id);
      return { first, looked, all: history.allOpen('deliveries').map(({ entry }) => entry.id) };
    });
    expect(first).toEqual(['d-0', 'd-1', 'd-2']);
    expect(looked).toEqual(first);
    expect(all).toEqual(ids);
  });

  it.runIf(thorough)('holds nothing of what an entry was before it was amended, however often', async () => {
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) });
    const facts = { name: 'w', seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
    const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: false, waited: 0 } as const;
    await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
    const entry = (n: number): StepEntry => ({
      id: 'only',
      at: '',
      subject: { table: 'calls', id: Buffer.alloc(10_000, n).toString('latin1') },
      trigger: '',
      from: null,
      to: '',
      cause: null,
    });
    await store.transaction('w', (tx) => tx.append('steps', entry(0)));
    const before = bytesInUse();
    for (let n = 1; n <= 5000; n++) await store.transaction('w', (tx) => tx.amend('steps', entry(n)));
    // All of them are 50 MB; as many as a queue may hold before it is cut are 10.
    expect(bytesInUse() - before).toBeLessThan(20e6);
    expect((await store.transaction('w', (tx) => tx.journal('steps'))).entries).toHaveLength(1);
  });

  it.runIf(thorough)('holds nothing of an entry whose transaction was undone, however often', async () => {
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) });
    const facts = { name: 'w', seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
    const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: false, waited: 0 } as const;
    await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
    const before = bytesInUse();
    for (let n = 0; n < 500; n++) {
      const refused = store.transaction('w', (tx) => {
        const subject = { table: 'calls', id: Buffer.alloc(50_000, n).toString('latin1') } as const;
        tx.append('steps', { id: `${n}`, at: '', subject, trigger: '', from: null, to: '', cause: null });
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
    }
    // All of them are 25 MB.
    expect(bytesInUse() - before).toBeLessThan(5e6);
  });

  it("keeps the journals of all worlds together to their bytes, the largest world's oldest entries first", async () => {
    const budget = createBudget(200_000 / shareDefinitions.journals.part);
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget });
    const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: false, waited: 0 } as const;
    for (const name of ['small', 'large']) {
      const facts = { name, seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
      await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
    }
    const write = (world: string, id: string, bytes: number): Promise<void> =>
      store.transaction(world, (tx) =>
        tx.append('steps', {
          id,
          at: '',
          subject: { table: 'calls', id: 'x'.repeat(bytes) },
          trigger: '',
          from: null,
          to: '',
          cause: null,
        }),
      );
    await write('small', 'only', 100);
    for (let n = 1; n <= 300; n++) await write('large', `n-${n}`, 1000);
    const large = await store.transaction('large', (tx) => tx.journal('steps'));
    expect(large.entries.length).toBeLessThan(150);
    expect(large.entries.length).toBeGreaterThan(80);
    expect(large.entries.at(-1)?.id).toBe('n-300');
    expect(large.dropped).toBe(300 - large.entries.length);
    const small = await store.transaction('small', (tx) => tx.journal('steps'));
    expect(small.entries.map(({ id }) => id)).toEqual(['only']);
  });

  // Its bodies remember which ids they have given.
  it.skipIf(isTwice)(
    'tells what has changed such that a dump with all changes is the dump of now, whatever happened',
    async () => {
      const at = fc.integer({ min: 0, max: 5 });
      const action = fc.record({
        what: fc.constantFrom(
          'put',
          'remove',
          'schedule',
          'take',
          'append',
          'amend',
          'count',
          'wipe',
          'drop',
          'fail',
          'save',
        ),
        at,
        id: fc.constantFrom('base-1', 'base-2', 'a', 'b', 'c'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 40, size: 'max' }), async (actions) => {
          const store = new MemoryStore({
            fixtureView: () => base,
            journalLimit: 2,
            budget: createBudget(1e9),
            tracksChanges: true,
          });
          let saved: WorldDump | undefined;
          const deltas: WorldDelta[] = [];
          const given = new Set<string>();
          const save = (): void => {
            const change = store.takeChanges(0).get('w');
            if (change === null) saved = undefined;
            else if (change && 'dump' in change) saved = change.dump;
            if (!change || 'dump' in change) {
              if (change !== undefined) deltas.length = 0;
            } else deltas.push(change.delta);
          };
          for (const each of [...actions, { what: 'save', at: 0, id: 'a' }]) {
            const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: false, waited: 0 } as const;
            const facts = {
              name: 'w',
              seed: 1,
              origin: 'posted',
              organization_id: ORGANIZATION,
              fixture: 'default',
            } as const;
            await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
            if (each.what === 'save') save();
            else if (each.what === 'drop') await store.dropWorld('w');
            else await store.transaction('w', (tx) => change(tx, each, given)).catch(() => {});
          }
          if (!saved) throw new Error('the world was not told of');
          const now = await store.dump('w', 0);
          expect(withSortedLists(JSON.parse(JSON.stringify(applyDeltas(saved, deltas))))).toEqual(
            withSortedLists(JSON.parse(JSON.stringify(now))),
          );
        }),
        { numRuns: runs(60, 3000) },
      );
    },
  );
});

function change(tx: Tx, { what, at, id }: { what: string; at: number; id: string }, given: Set<string>): void {
  const ring: Task = { type: 'fire', subject: { table: 'calls', id }, trigger: 'ring', input: {} };
  const subject = { table: 'calls', id } as const;
  const step = { id: `${id}-${at}`, at: '', subject, trigger: '', from: null, to: id, cause: null };
  switch (what) {
    case 'put':
      tx.put('contacts', contact(id, at + 1));
      break;
    case 'remove':
      tx.remove('contacts', id);
      break;
    case 'schedule':
      tx.schedule(ring, at);
      break;
    case 'take':
      if (at < 3) tx.takeTask(at);
      else tx.unschedule(subject);
      break;
    case 'append':
      // The ids of entries are never given again, also not those of dropped ones.
      if (!given.has(step.id)) tx.append('steps', step);
      given.add(step.id);
      break;
    case 'amend':
      tx.amend('steps', { ...step, to: `${at}` });
      break;
    case 'count':
      tx.setCounter(id, at);
      tx.ordinal(id);
      tx.setState('epoch', at);
      break;
    case 'wipe':
      if (at === 0) tx.wipe(['contacts']);
      break;
    default:
      tx.put('contacts', contact(id, 9));
      tx.schedule(ring, at);
      tx.ordinal(id);
      throw new Error('on purpose');
  }
}

/** A dump whose lists without an order are sorted, and without tables that are empty. */
function withSortedLists(dump: WorldDump) {
  const tables = (lists: object): object =>
    Object.fromEntries(
      Object.entries(lists)
        .filter(([, list]) => list.length > 0)
        .map(([name, list]) => [name, [...list].map((each) => JSON.stringify(each)).sort()]),
    );
  return { ...dump, rows: tables(dump.rows), deleted: tables(dump.deleted), schedule: inOrder(dump.schedule) };
}
