// Rules that limit the calls of a day, set where there are many: those of today are counted in slices, between which
// requests are answered. The event loop is the test's.
import { expect, it } from 'vitest';
import { setCallingRules } from '../../src/admin/calling-rules.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { callsToday } from '../../src/domain/calls/calls-today.ts';
import { resetWorld } from '../../src/engine/epochs.ts';
import { type CallingRules, openCallingRules, type Row } from '../../src/model.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { FixtureView, Tx } from '../../src/store/store.ts';
import { base, callOf, kitFor, ORGANIZATION, START, WORLD } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';

const CALLS = 3000;
const TO = '+12125550199';
const daily = (time_zone: string): CallingRules => ({ ...openCallingRules, calls_per_day: 5, time_zone });

const organization = { id: ORGANIZATION, private: { organization_id: ORGANIZATION, rank: 1 } } as Row<'organizations'>;
const fixtureView: FixtureView = {
  ...base,
  get: (table, id) =>
    (table === 'organizations' && id === ORGANIZATION ? organization : base.get(table, id)) as
      | Row<typeof table>
      | undefined,
};

const place = (tx: Tx): void => {
  const rank = tx.ordinal('records');
  const started_at = new Date(START - 1000).toISOString();
  tx.put('calls', { ...callOf(`call-${rank}`, rank), to_number: rank % 3 === 0 ? TO : '+14155550123', started_at });
};

/** A world with many calls, and turns in which each piece of work takes a slice; `between` runs when requests may. */
async function busyWorld() {
  const limits = { journalLimit: 10, budget: createBudget(1e9) };
  const store = await kitFor(() => new MemoryStore({ fixtureView: () => fixtureView, ...limits })).storeWithWorld();
  await store.transaction(WORLD, (tx) => {
    for (let n = 0; n < CALLS; n++) place(tx);
  });
  const { loop, afterRequests } = watchedLoop();
  const parts = { store, turns: turnsOn(afterRequests, 1), runTask: () => {} };
  const counted = (rules: CallingRules) => store.transaction(WORLD, (tx) => callsToday(tx, rules, ORGANIZATION, TO));
  return { parts, loop, counted };
}

it('many calls are counted in slices, with those that are placed meanwhile', async () => {
  const { parts, loop, counted } = await busyWorld();
  let calls = 9;
  loop.between = async () => {
    if (calls-- > 0) await parts.store.transaction(WORLD, place);
  };
  await setCallingRules(parts, WORLD, daily('UTC'));
  expect(loop.rounds).toBeGreaterThan(CALLS / 400);
  expect(await counted(daily('UTC'))).toBe(CALLS / 3 + 3);
});

it('a reset in between leaves what is there after it to be counted', async () => {
  const { parts, loop, counted } = await busyWorld();
  let resets = 1;
  loop.between = async () => {
    if (resets-- > 0) await resetWorld(parts, WORLD, START);
  };
  await setCallingRules(parts, WORLD, daily('UTC'));
  expect(await counted(daily('UTC'))).toBe(0);
});

it('rules that others set in between do not keep the calls from being counted', async () => {
  const { parts, loop, counted } = await busyWorld();
  await setCallingRules(parts, WORLD, daily('Asia/Tokyo'));
  const open = parts.store.transaction.bind(parts.store);
  let reads = 0;
  // Others open the rules right after these have been read, and calls are placed that nobody counts.
  const store = Object.assign(Object.create(parts.store), {
    transaction: async <T>(world: string, body: (tx: Tx) => T): Promise<T> => {
      const value = await open(world, body);
      if (reads++ > 0) return value;
      await setCallingRules(parts, WORLD, openCallingRules);
      for (let n = 0; n < 3; n++) await open(world, place);
      return value;
    },
  });
  await setCallingRules({ ...parts, store }, WORLD, daily('Asia/Tokyo'));
  expect(await counted(daily('Asia/Tokyo'))).toBe(CALLS / 3 + 1);
  expect(loop.rounds).toBeGreaterThan(2 * (CALLS / 400));
});
