// A large snapshot is made and restored in slices, between which requests are answered. The event loop is the test's.
import { describe, expect, it, vi } from 'vitest';
import { createSnapshot } from '../../src/admin/snapshots.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { bringBackWorld, resetWorld } from '../../src/engine/epochs.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { EntryRing } from '../../src/store/memory/entry-ring.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx, WorldDump } from '../../src/store/store.ts';
import { ownWork } from '../../src/store/work.ts';
import { appendStep, base, contact, kitFor, ORGANIZATION, START, WORLD } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';

const RECORDS = 400;
/** As many as a journal keeps. */
const ENTRIES = 3000;

/** Each piece of work takes a tenth of a millisecond. */
function slowTurns(afterRequests: (callback: () => void) => void): Turns {
  let now = 0;
  return new Turns({ now: () => (now += 0.05), afterRequests });
}

/** A world with many contacts, and turns whose time passes with each piece of work; `between` runs when requests may. */
async function largeWorld(turnsOver = slowTurns) {
  const kit = kitFor(
    () => new MemoryStore({ fixtureView: () => base, journalLimit: ENTRIES, budget: createBudget(1e9) }),
  );
  const store = await kit.storeWithWorld();
  await store.transaction(WORLD, (tx) => {
    for (let n = 1; n <= RECORDS; n++) tx.put('contacts', contact(`c-${n}`, n));
  });
  const { loop, afterRequests } = watchedLoop();
  const turns = turnsOver(afterRequests);
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

  it('has long journals as they were at one moment, though they are read in slices while its world goes on', async () => {
    const { store, turns, loop, scheduler } = await largeWorld((afterRequests) => turnsOn(afterRequests, 1));
    await store.transaction(WORLD, (tx) => {
      for (let n = 1; n <= ENTRIES; n++) appendStep(tx, `step-${n}`, '0');
    });
    const reading = vi.spyOn(EntryRing.prototype, 'entryAt');
    let most = 0;
    loop.between = async () => {
      most = Math.max(most, reading.mock.calls.length);
      // Its journal is full, so each entry drops another. One that has been read is amended, and one that has not.
      await store.transaction(WORLD, (tx) => {
        const trigger = String(loop.rounds);
        appendStep(tx, `new-${trigger}`, trigger);
        for (const id of ['step-900', 'step-3000']) {
          const step = tx.entry('steps', id);
          if (step) tx.amend('steps', { ...step, trigger });
        }
      });
      reading.mockClear();
    };
    await createSnapshot({ store, turns, scheduler }, WORLD, 'long');
    reading.mockRestore();
    const snapshot = await store.transaction(WORLD, (tx) => tx.get('snapshots', 'long'));
    // That is what it has.
    const content = snapshot?.content as WorldDump | undefined;
    const steps = content?.journals.steps.entries ?? [];
    const news = steps.filter(({ id }) => id.startsWith('new-'));
    expect([steps.length, new Set(steps.map(({ id }) => id)).size]).toEqual([ENTRIES, ENTRIES]);
    const latest = String(news.length);
    expect(news.at(-1)?.trigger).toBe(latest);
    expect(steps.filter(({ id }) => id.startsWith('step-')).map(({ id }) => id)).toEqual(
      Array.from({ length: ENTRIES }, (_, n) => `step-${n + 1}`).slice(news.length),
    );
    for (const id of ['step-900', 'step-3000']) expect(steps.find((step) => step.id === id)?.trigger).toBe(latest);
    // Each slice has 250.
    expect(most).toBeLessThan(600);
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
