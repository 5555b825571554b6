// Which commits a wait looks at: `src/admin/wait.ts`.
import { expect, it } from 'vitest';
import { waitForEvent } from '../../src/admin/wait.ts';
import { createBudget } from '../../src/budget/budget.ts';
import type { EventEntry } from '../../src/model.ts';
import { OneAtATime } from '../../src/one-at-a-time.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { appendStep, base, delivery, kitFor, ORGANIZATION, WORLD } from '../store/setup.ts';
import { settled } from './own-loop.ts';

const event = (id: string, event_type: EventEntry['event_type']): EventEntry => ({
  id,
  at: '2026-01-05T15:00:00.000Z',
  event_type,
  subject: { table: 'calls', id: 'c' },
  organization_id: ORGANIZATION,
  body: '{}',
  schema_violations: [],
  deliveries: 1,
  unheard: [],
  cause: null,
});

/** A store that tells how many transactions it has had. */
async function countingStore() {
  const kit = kitFor(() => new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) }));
  const inner = await kit.storeWithWorld();
  const counted = { transactions: 0 };
  const transaction: typeof inner.transaction = (world, body) => {
    counted.transactions += 1;
    return inner.transaction(world, body);
  };
  const store = new Proxy(inner, {
    get(target, name) {
      const value: unknown = name === 'transaction' ? transaction : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const commit = (body: (tx: Tx) => void): Promise<void> => inner.transaction(WORLD, body);
  return { store, counted, commit };
}

it.each([true, false])('a wait looks again at what may end it alone (delivered: %s)', async (delivered) => {
  const { store, counted, commit } = await countingStore();
  const match = { event_type: 'call_busy', delivered } as const;
  const waiting = waitForEvent(
    { store, turns: new Turns(), reads: new OneAtATime(), waits: new Set() },
    WORLD,
    match,
    60_000,
  );
  await settled();
  const perLook = delivered ? 2 : 1;
  expect(counted.transactions).toBe(1 + perLook);
  for (let n = 0; n < 20; n++) {
    await commit((tx) => {
      appendStep(tx, `stp_${n}`);
      tx.append('events', event(`evt_${n}`, 'new_call'));
      tx.append('deliveries', { ...delivery(`dlv_${n}`, 'failed'), event_type: 'call_busy' });
    });
  }
  expect(counted.transactions).toBe(1 + perLook);
  await commit((tx) => {
    tx.append('events', event('evt_busy', 'call_busy'));
    tx.append('deliveries', { ...delivery('dlv_busy', 'delivered'), event_type: 'call_busy', event_id: 'evt_busy' });
  });
  expect(await waiting).toMatchObject({ id: 'evt_busy' });
  expect(counted.transactions).toBe(1 + 2 * perLook);
});

it.each([true, false])('a wait reads a long journal in slices (delivered: %s)', async (delivered) => {
  const { store, counted, commit } = await countingStore();
  await commit((tx) => {
    for (let n = 0; n < 1000; n++) {
      tx.append('events', event(`evt_${n}`, n === 999 ? 'call_busy' : 'new_call'));
      tx.append('deliveries', { ...delivery(`dlv_${n}`, 'delivered'), event_id: `evt_${n}` });
    }
  });
  const match = { event_type: 'call_busy', delivered } as const;
  const waiting = waitForEvent(
    { store, turns: new Turns(), reads: new OneAtATime(), waits: new Set() },
    WORLD,
    match,
    60_000,
  );
  expect(await waiting).toMatchObject({ id: 'evt_999' });
  expect(counted.transactions).toBe(delivered ? 9 : 5);
});

it('a wait reads no further than what it waits for', async () => {
  const { store, counted, commit } = await countingStore();
  await commit((tx) => {
    for (let n = 0; n < 1000; n++) tx.append('events', event(`evt_${n}`, 'call_busy'));
  });
  const match = { event_type: 'call_busy' } as const;
  const waiting = waitForEvent(
    { store, turns: new Turns(), reads: new OneAtATime(), waits: new Set() },
    WORLD,
    match,
    60_000,
  );
  expect(await waiting).toMatchObject({ id: 'evt_0' });
  expect(counted.transactions).toBe(2);
});
