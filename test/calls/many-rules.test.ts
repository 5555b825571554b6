// Calling rules can have thousands of numbers. They are judged in slices, between which requests are answered.
import { expect, it } from 'vitest';
import { setCallingRules } from '../../src/admin/calling-rules.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { openCallingRules } from '../../src/model.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, kitFor, WORLD } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';

it('judges some numbers at a time, and names those that nobody can be called on', async () => {
  const kit = kitFor(() => new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) }));
  const store = await kit.storeWithWorld();
  const { loop, afterRequests } = watchedLoop();
  const parts = { store, turns: turnsOn(afterRequests, 1), runTask: () => {} };
  const do_not_call = Array.from({ length: 1000 }, (_, n) => `+4930${1_000_000 + n}`);
  const rules = { ...openCallingRules, do_not_call, paused: ['+12125550171', '+12125550171', '+19005550100'] };
  await expect(setCallingRules(parts, WORLD, rules)).rejects.toMatchObject({
    detail: { fields: { 'paused.2': expect.stringContaining('can be called') } },
  });
  expect(loop.rounds).toBeGreaterThanOrEqual(20);
});
