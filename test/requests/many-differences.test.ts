// A verification that compares much is done in slices, between which requests are answered, and keeps no more than it
// shows. The event loop is the test's.
import { expect, it } from 'vitest';
import { verifyRequests } from '../../src/admin/verify/verify-requests.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, kitFor, WORLD } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';
import { recorded, requestEntry } from '../support/journal-entries.ts';

const REQUESTS = 200;

it('is done in slices, and lists the first differences of the nearest requests', async () => {
  const kit = kitFor(() => new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) }));
  const store = await kit.storeWithWorld();
  await store.transaction(WORLD, (tx) => {
    for (let n = 0; n < REQUESTS; n++)
      tx.append('requests', requestEntry({ id: `req_${n}`, request: recorded(`{"n":${n}}`) }));
  });
  let rounds = 0;
  let now = 0;
  const afterRequests = (callback: () => void): void => {
    rounds += 1;
    setImmediate(callback);
  };
  // Each piece of work takes a tenth of a millisecond, and a slice a whole one.
  const turns = new Turns({ now: () => (now += 0.05), afterRequests });
  const fields = Array.from({ length: 3000 }, (_, index) => `f${index}`);
  const body = { ...Object.fromEntries(fields.map((name) => [name, 1])), n: 7 };
  const { passed, actual, misses = [] } = await verifyRequests({ store, turns }, WORLD, { match: { body } });
  expect([passed, actual]).toEqual([false, 0]);
  expect(rounds).toBeGreaterThan(REQUESTS / 40);
  expect(misses.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((n) => `req_${REQUESTS - n}`));
  const shown = fields.slice(0, 20).map((name) => ({ field: `body.${name}`, expected: 1 }));
  for (const { differences } of misses) expect(differences).toEqual(shown);
});

it('searches what is matched for secrets in slices too, level by level', async () => {
  const kit = kitFor(() => new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) }));
  const store = await kit.storeWithWorld();
  const { loop, afterRequests } = watchedLoop();
  const levels = 60;
  let body: object = { token: 'abcdefgh', other: 1 };
  for (let level = 0; level < levels; level++) body = { a: body };
  // Each piece fills a slice.
  const verification = verifyRequests({ store, turns: turnsOn(afterRequests, 1) }, WORLD, { match: { body } });
  const field = `match.body.${'a.'.repeat(levels)}token`;
  await expect(verification).rejects.toMatchObject({ detail: { fields: { [field]: expect.any(String) } } });
  expect(loop.rounds).toBeGreaterThanOrEqual(levels);
});
