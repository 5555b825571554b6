// A large snapshot is made and restored in slices, between which requests are answered. The event loop is the test's.
import { describe, expect, it } from 'vitest';
import { createSnapshot } from '../../src/admin/snapshots.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { bringBackWorld, resetWorld } from '../../src/engine/epochs.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { ownWork } from '../../src/store/work.ts';
import { base, contact, kitFor, ORGANIZATION, START, WORLD } from '../store/setup.ts';
import { watchedLoop } from '../support/event-loop.ts';

const RECORDS = 400;

/** A world with many contacts, and turns whose time passes with each piece of work; `between` runs when requests may. */
async function largeWorld() {
  const kit = kitFor(() => new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) }));
  const store = await kit.storeWithWorld();
  await store.transaction(WORLD, (tx) => {
    for (let n = 1; n <= RECORDS; n++) tx.put('contacts', contact(`c-${n}`, n));
  });
  let now = 0;
  const { loop, afterRequests } = watchedLoop();
  // Each piece of work takes a tenth of a millisecond.
  const turns = new Turns({ now: () => (now += 0.05), afterRequests });
  const onError = (error: unknown): void => {
    throw error;
  };
  const scheduler = new Scheduler({
    store,
    work: ownWork(store),
    turns,
    runTask: () => {},
    deliveriesIdle: async () => {},
    onError,
  });
  return { store, turns, loop, scheduler };
}

const contactsOf = (tx: Tx): number => tx.count('contacts', 'organization', ORGANIZATION);

describe('a large snapshot', () => {
  it('is measured in slices, while its world goes on, and has the world as it stood', async () => {
    const { store, turns, loop, scheduler } = await largeWorld();
    loop.between = () => store.transaction(WORLD, (tx) => tx.remove('contacts', `c-${loop.rounds}`));
    const { records, bytes } = await createSnapshot({ store, turns, scheduler }, WORLD, 'large');
    expect(loop.rounds).toBeGreaterThan(RECORDS / 40);
    expect(records).toBe(RECORDS);
    expect(bytes).toBeGreaterThan(RECORDS * 100);
    await expect(createSnapshot({ store, turns, scheduler }, WORLD, 'large')).rejects.toThrow('already has a snapshot');
  });

  it('is made and brought back in slices, while its world and others are served', async () => {
    const { store, turns, loop } = await largeWorld();
    const dump = await store.dump(WORLD, 0);
    await store.transaction(WORLD, (tx) => tx.remove('contacts', 'c-1'));
    const seen = new Set<number>();
    loop.between = async () => {
      seen.add(await store.transaction(WORLD, contactsOf));
    };
    await bringBackWorld({ store, turns }, WORLD, dump);
    // A slice is a millisecond long.
    expect(loop.rounds).toBeGreaterThan(RECORDS / 40);
    // Until it is back in one step, it is as it was.
    expect([...seen]).toEqual([RECORDS + 2]);
    expect(await store.transaction(WORLD, contactsOf)).toBe(RECORDS + 3);
  });

  it('is brought back as the epoch after that of a reset which comes first', async () => {
    const { store, turns, loop } = await largeWorld();
    const dump = await store.dump(WORLD, 0);
    let resets = 1;
    loop.between = async () => {
      if (resets-- > 0) await resetWorld({ store, turns }, WORLD, START);
    };
    expect(await bringBackWorld({ store, turns }, WORLD, dump)).toBe(3);
    const shown = await store.transaction(WORLD, (tx) => [tx.state('epoch'), contactsOf(tx)]);
    expect(shown).toEqual([3, RECORDS + 3]);
  });
});
