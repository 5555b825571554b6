// A server can have ten thousand worlds. The one that was meant by a wrong name is looked for in slices, between which requests
// are answered.
import { expect, it } from 'vitest';
import { noSuchWorld } from '../../src/admin/worlds.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, newWorld } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';

it('compares some names at a time, and finds the nearest', async () => {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) });
  for (let n = 0; n < 1000; n++) await store.addWorld({ ...newWorld, name: `suite-${n}` });
  await store.addWorld({ ...newWorld, name: 'billing' });
  const { loop, afterRequests } = watchedLoop();
  const parts = { store, turns: turnsOn(afterRequests, 1) };
  expect((await noSuchWorld(parts, 'biling', 'default')).message).toBe(
    'No world named "biling" exists; did you mean billing?',
  );
  expect(loop.rounds).toBeGreaterThanOrEqual(20);
  expect((await noSuchWorld(parts, 'elsewhere', 'default')).message).toBe('No world named "elsewhere" exists.');
});
