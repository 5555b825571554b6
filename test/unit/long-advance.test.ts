// An advance over years: what it leaves behind, and how it shares the event loop. Time is the test's.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { type ClockSetting, newClock, parseClockSetting, systemNow } from '../../src/clock/clock.ts';
import type { Task } from '../../src/lifecycles/tasks.ts';
import { Interrupt } from '../../src/scheduler/advance.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { ownWork } from '../../src/store/work.ts';
import { base, ORGANIZATION } from '../store/setup.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { isTwice } from '../support/thorough.ts';
import { workPerRound } from '../support/work-per-round.ts';

const DAY_MS = 86_400_000;
const DAYS = 3650;
const looking: Task = { type: 'call_next_contact', subject: { table: 'jobs', id: 'job' } };

// Its tasks count how often they run.
describe.skipIf(isTwice)('an advance of ten years', () => {
  it('works for a slice at a time, however many instants are on its way', async () => {
    let now = 0;
    let ran = 0;
    const perRound = workPerRound();
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) });
    const scheduler = new Scheduler({
      store,
      work: ownWork(store),
      turns: new Turns({ now: () => now, afterRequests: perRound.afterRequests }),
      runTask(tx, { task, at }) {
        now += 0.1;
        ran += 1;
        perRound.count();
        if (ran < DAYS) tx.schedule(task, at + DAY_MS);
      },
      deliveriesIdle: async () => {},
      onError: (error) => {
        throw error;
      },
    });
    const clock = newClock(parseClockSetting('manual') as ClockSetting, 0, systemNow());
    const facts = { name: 'w', seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
    await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
    await store.transaction('w', (tx) => tx.schedule(looking, DAY_MS));
    const { complete } = await scheduler.advance('w', { to: DAYS * DAY_MS, timeoutMs: 60_000 });
    expect({ complete, ran }).toEqual({ complete: true, ran: DAYS });
    // A slice is 1 ms: ten tasks, and the one that uses it up.
    expect(perRound.most).toBeLessThanOrEqual(11);
  });

  it('leaves nothing of the waits at its instants, while it goes on', async () => {
    const interrupt = new Interrupt();
    const waits: WeakRef<Promise<boolean>>[] = [];
    for (let n = 0; n < 100; n++) {
      const wait = interrupt.wait(Promise.resolve());
      waits.push(new WeakRef(wait));
      await wait;
    }
    await sleep(0);
    bytesInUse();
    expect(waits.filter((wait) => wait.deref() !== undefined).length).toBeLessThanOrEqual(2);
    interrupt.interrupt();
    expect(await interrupt.wait(new Promise(() => {}))).toBe(false);
  });
});
