// Whatever reads a whole journal does so in slices, between which requests are answered. The event loop is the test's.
import { expect, it } from 'vitest';
import { listRequests } from '../../src/admin/requests.ts';
import { timelineOf } from '../../src/admin/timeline/timeline.ts';
import { verifyRequests } from '../../src/admin/verify/verify-requests.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { resetWorld } from '../../src/engine/epochs.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, kitFor, START, WORLD } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';
import { requestEntry } from '../support/journal-entries.ts';

const ENTRIES = 3000;
const at = '2026-01-05T15:00:00.000Z';

/** A world with a long request journal, and turns in which each piece of work takes a slice; `between` runs when requests may. */
async function longJournal() {
  const limits = { journalLimit: ENTRIES, budget: createBudget(1e9) };
  const store = await kitFor(() => new MemoryStore({ fixtureView: () => base, ...limits })).storeWithWorld();
  await store.transaction(WORLD, (tx) => {
    for (let n = 1; n <= ENTRIES; n++) {
      const path = `/v1/calls/${n % 2 === 0 ? 'even' : 'odd'}`;
      tx.append('requests', requestEntry({ id: `req_${n}`, at, path, operation: 'getCall', status: 404 }));
    }
  });
  const { loop, afterRequests } = watchedLoop();
  return { parts: { store, turns: turnsOn(afterRequests, 1) }, loop };
}

it('a long journal is filtered in slices', async () => {
  const { parts, loop } = await longJournal();
  const { data, meta } = await listRequests(parts, WORLD, { path: '/v1/calls/even', page_size: 10 });
  expect([data.length, data[0]?.id, meta.total_results]).toEqual([10, `req_${ENTRIES}`, ENTRIES / 2]);
  expect(loop.rounds).toBeGreaterThan(ENTRIES / 400);
});

it('verifying reads a long journal in slices', async () => {
  const { parts, loop } = await longJournal();
  const match = { path: '/v1/calls/odd' };
  expect(await verifyRequests(parts, WORLD, { match, exactly: ENTRIES / 2 })).toEqual({
    passed: true,
    actual: ENTRIES / 2,
  });
  // Comparing alone takes a round for each entry.
  expect(loop.rounds).toBeGreaterThan(ENTRIES + ENTRIES / 400);
});

it('a timeline is found in long journals in slices', async () => {
  const { parts, loop } = await longJournal();
  const { entries } = await timelineOf(parts, WORLD, { subject_id: 'req_7' });
  expect(entries.map(({ id }) => id)).toEqual(['req_7']);
  // Reading the journal, then two looks at each entry.
  expect(loop.rounds).toBeGreaterThan(2 * ENTRIES);
});

it('a reset in between begins a list again, so that no entry of the old journal is in it', async () => {
  const { parts, loop } = await longJournal();
  let resets = 1;
  loop.between = async () => {
    if (resets-- > 0) await resetWorld(parts, WORLD, START);
  };
  expect((await listRequests(parts, WORLD, { page_size: 10 })).meta.total_results).toBe(0);
});
