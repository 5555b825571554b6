// A world with very many deliveries that are not sent is reset in one step, which is made ready in slices before. The event
// loop is the test's.
import { describe, expect, it, vi } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { bringBackWorld, resetWorld } from '../../src/engine/epochs.ts';
import type { DeliveryEntry } from '../../src/model.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryJournal } from '../../src/store/memory/journal.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Commit, Tx } from '../../src/store/store.ts';
import { base, kitFor, START, WORLD } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';
import { requestEntry } from '../support/journal-entries.ts';

const DELIVERIES = 600;

const delivery = (nth: number): DeliveryEntry => ({
  id: `dlv_${nth}`,
  at: '2026-01-05T15:00:00.000Z',
  event_id: 'evt_1',
  event_type: 'call_busy',
  subscription_id: 'whk_1',
  organization_id: 'org',
  url: 'http://127.0.0.1:9/hook',
  subject: null,
  body: '{}',
  status: 'pending',
  schema_violations: [],
  attempts: [],
  epoch: 1,
  next_attempt_at: null,
  cause: 'evt_1',
});

/** A world with many deliveries, and turns in which each piece of work takes a slice; `between` runs when requests may. */
async function busyWorld(journalLimit = 2 * DELIVERIES) {
  const limits = { journalLimit, budget: createBudget(1e9) };
  const store = await kitFor(() => new MemoryStore({ fixtureView: () => base, ...limits })).storeWithWorld();
  await store.transaction(WORLD, (tx) => {
    for (let n = 1; n <= DELIVERIES; n++) tx.append('deliveries', delivery(n));
  });
  const { loop, afterRequests } = watchedLoop();
  const heard: Commit[] = [];
  store.onCommit((commit) => heard.push(commit));
  return { store, turns: turnsOn(afterRequests, 1), loop, heard };
}

const deliveriesOf = (tx: Tx): readonly DeliveryEntry[] => tx.journal('deliveries').entries;
/** The epoch, how many deliveries there are, and the statuses that they have. */
const standOf = (tx: Tx): readonly unknown[] => {
  const deliveries = deliveriesOf(tx);
  return [tx.state('epoch'), deliveries.length, ...new Set(deliveries.map(({ status }) => status))];
};

describe('a reset of a world with many deliveries that are not sent', () => {
  it('is made ready in slices, and seen as one step, in which all are canceled in their order', async () => {
    const { store, turns, loop, heard } = await busyWorld();
    const seen = new Set<string>();
    loop.between = async () => {
      seen.add(JSON.stringify(await store.transaction(WORLD, standOf)));
    };
    expect(await resetWorld({ store, turns }, WORLD, START)).toBe(2);
    expect(loop.rounds).toBeGreaterThan(DELIVERIES / 4);
    expect([...seen]).toEqual([JSON.stringify([1, DELIVERIES, 'pending'])]);
    const entries = await store.transaction(WORLD, deliveriesOf);
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: DELIVERIES }, (_, n) => `dlv_${n + 1}_e1`));
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(['canceled']));
    // Listeners are told of each once.
    expect(heard.map(({ epoch, appended }) => [epoch, appended.length])).toEqual([[2, DELIVERIES]]);
  });

  it('drops those in slices too that their journal does not keep', async () => {
    const { store, turns, loop, heard } = await busyWorld(100);
    const dropping = vi.spyOn(MemoryJournal.prototype, 'dropOldest');
    loop.between = async () => void dropping.mockClear();
    await resetWorld({ store, turns }, WORLD, START);
    // Since the last slice.
    expect(dropping.mock.calls.length).toBeLessThan(10);
    dropping.mockRestore();
    const { entries, dropped } = await store.transaction(WORLD, (tx) => tx.journal('deliveries'));
    expect([entries[0]?.id, entries.length, dropped]).toEqual([`dlv_${DELIVERIES - 99}_e1`, 100, DELIVERIES - 100]);
    expect(heard.at(-1)?.appended).toHaveLength(DELIVERIES);
  });

  it('has what becomes of them until its step', async () => {
    const { store, turns, loop, heard } = await busyWorld();
    const changes: ((tx: Tx) => void)[] = [
      (tx) => tx.amend('deliveries', { ...delivery(1), status: 'delivered' }),
      (tx) => tx.amend('deliveries', { ...delivery(2), status: 'in_flight', schema_violations: ['late'] }),
      (tx) => tx.append('deliveries', delivery(DELIVERIES + 1)),
      (tx) => tx.append('requests', requestEntry()),
    ];
    loop.between = async () => {
      const change = changes.shift();
      if (change) await store.transaction(WORLD, change);
    };
    const position = await store.transaction(WORLD, (tx) => tx.history.position);
    await resetWorld({ store, turns }, WORLD, START);
    const entries = await store.transaction(WORLD, deliveriesOf);
    // The first was sent in time; the last is new.
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: DELIVERIES }, (_, n) => `dlv_${n + 2}_e1`));
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(['canceled']));
    expect(entries.filter(({ schema_violations }) => schema_violations.length > 0)).toEqual([entries[0]]);
    const { appended = [] } = heard.at(-1) ?? {};
    expect(appended.filter(({ entry }) => entry.id.startsWith('dlv_1_'))).toEqual([]);
    // A stream that goes on after anything that happened before finds all of it.
    const before = heard.slice(0, -1).flatMap((commit) => commit.appended.map((each) => each.position));
    expect(Math.max(position, ...before)).toBeLessThan(Math.min(...appended.map((each) => each.position)));
  });

  it('comes after another reset that is done meanwhile', async () => {
    const { store, turns, loop } = await busyWorld();
    let resets = 1;
    loop.between = async () => {
      if (resets-- > 0) await resetWorld({ store, turns: new Turns() }, WORLD, START);
    };
    expect(await resetWorld({ store, turns }, WORLD, START)).toBe(3);
    expect(await store.transaction(WORLD, standOf)).toEqual([3, 0]);
  });

  it('is as little work in its step when a snapshot is restored', async () => {
    const { store, turns, loop, heard } = await busyWorld();
    const dump = await store.dump(WORLD, 0);
    await bringBackWorld({ store, turns }, WORLD, { ...dump, journals: { ...dump.journals, deliveries: none } });
    // All are recorded before the step.
    expect(loop.rounds).toBeGreaterThan(DELIVERIES / 4);
    expect(await store.transaction(WORLD, standOf)).toEqual([2, DELIVERIES, 'canceled']);
    expect(heard.at(-1)?.appended).toHaveLength(DELIVERIES);
  });
});

const none = { entries: [], dropped: 0, droppedUpTo: null };
