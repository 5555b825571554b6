// How worlds share the event loop: a slice for all background work, and requests beside it. Time and the event loop are
// the test's.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { type ClockSetting, newClock, parseClockSetting, systemNow } from '../../src/clock/clock.ts';
import { transact } from '../../src/engine/transact.ts';
import type { Task } from '../../src/lifecycles/tasks.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { ownWork } from '../../src/store/work.ts';
import { base, ORGANIZATION } from '../store/setup.ts';
import { isTwice } from '../support/thorough.ts';
import { workPerRound } from '../support/work-per-round.ts';
import { ownLoop, settled } from './own-loop.ts';

const looking = (id: string): Task => ({ type: 'call_next_contact', subject: { table: 'jobs', id } });
const ringing = (id: string): Task => ({ type: 'fire', subject: { table: 'calls', id }, trigger: 'ring', input: {} });

async function worldsWith(names: readonly string[], mode: string) {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) });
  const clock = newClock(parseClockSetting(mode) as ClockSetting, 0, systemNow());
  const facts = { seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  for (const name of names) await store.addWorld({ ...facts, name, clock, assumptions: {}, epoch: 1 });
  return store;
}

/** A scheduler each of whose tasks is scheduled again a millisecond later. */
function repeating(store: MemoryStore) {
  let ran = 0;
  const scheduler = new Scheduler({
    store,
    work: ownWork(store),
    turns: new Turns(),
    runTask(tx, { task, at }) {
      ran += 1;
      tx.schedule(task, at + 1);
    },
    deliveriesIdle: async () => {},
    onError: (error) => {
      throw error;
    },
  });
  return { scheduler, ran: () => ran };
}

describe('the background work of all worlds', () => {
  // Its tasks count how often they run.
  it.skipIf(isTwice)(
    'shares one slice between two rounds of the event loop, and every world gets its part',
    async () => {
      const names = Array.from({ length: 10 }, (_, n) => `w${n}`);
      const store = await worldsWith(names, '1000000x');
      const { turns, spend, goRound } = ownLoop();
      const ran = new Map<string, number>();
      const scheduler = new Scheduler({
        store,
        work: ownWork(store),
        turns,
        runTask(tx, { task, at }) {
          ran.set(tx.world.name, (ran.get(tx.world.name) ?? 0) + 1);
          spend(1);
          tx.schedule(task, at + 1);
        },
        deliveriesIdle: async () => {},
        onError: (error) => {
          throw error;
        },
      });
      const total = (): number => [...ran.values()].reduce((sum, count) => sum + count, 0);
      for (const name of names) await store.transaction(name, (tx) => tx.schedule(ringing(name), 0));
      for (const name of names) void scheduler.catchUp(name);
      await settled();
      const rounds: number[] = [];
      for (let round = 0; round < 50; round++) {
        const before = total();
        await goRound();
        rounds.push(total() - before);
      }
      scheduler.stop();
      // A slice is one of these tasks.
      expect(Math.max(...rounds)).toBeLessThanOrEqual(1);
      expect(Math.min(...names.map((name) => ran.get(name) ?? 0))).toBeGreaterThanOrEqual(4);
    },
  );

  it('counts what goes on after something awaited, though nobody tells how long it takes', async () => {
    const { turns, spend, goRound } = ownLoop();
    const done: number[] = [];
    for (let n = 0; n < 10; n++) {
      void turns.next(`w${n}`).then(async () => {
        await Promise.resolve();
        spend(0.6);
        done.push(n);
      });
    }
    await goRound();
    expect(done).toEqual([0, 1]);
    for (let round = 0; round < 4; round++) await goRound();
    expect(done).toHaveLength(10);
  });

  it('has a part of the time where requests take long, so that a flood of them stops no deliveries', async () => {
    const { turns, spend, goRound } = ownLoop();
    let done = 0;
    const deliver = async (): Promise<void> => {
      for (;;) {
        await turns.next('good');
        turns.work(() => spend(0.5));
        done += 1;
      }
    };
    void deliver();
    await goRound();
    const perRound = async (requestsMs: number): Promise<number> => {
      spend(requestsMs);
      const before = done;
      await goRound();
      return done - before;
    };
    expect(await perRound(0)).toBe(2);
    expect(await perRound(20)).toBe(10);
    expect(await perRound(1000)).toBe(20);
    expect(await perRound(0)).toBe(2);
  });

  it('lets a world whose turn comes rarely go before those that always work', async () => {
    const { turns, spend, goRound } = ownLoop();
    const order: string[] = [];
    const busy = async (world: string): Promise<void> => {
      while (order.length < 60) {
        await turns.next(world);
        turns.work(() => spend(1));
        order.push(world);
      }
    };
    for (let n = 0; n < 20; n++) void busy(`busy ${n}`);
    for (let round = 0; round < 20; round++) await goRound();
    const before = order.length;
    void turns.next('quiet').then(() => order.push('quiet'));
    for (let round = 0; round < 3; round++) await goRound();
    expect(order.slice(before)).toContain('quiet');
    for (let round = 0; round < 40; round++) await goRound();
  });

  it('goes before work on much data, which has every fourth turn all the same', async () => {
    const { turns, spend, goRound } = ownLoop();
    const did: string[] = [];
    const pieces = function* (): Generator<void, string> {
      for (let n = 0; n < 10; n++) {
        spend(0.5);
        did.push('bulk');
        yield;
      }
      return 'done';
    };
    const tasks = async (): Promise<void> => {
      for (let n = 0; n < 30; n++) {
        await turns.next('tasks');
        turns.work(() => spend(0.5));
        did.push('task');
      }
    };
    turns.work(() => spend(5));
    const bulk = turns.workThrough('bulk', pieces());
    void tasks();
    for (let round = 0; round < 12; round++) await goRound();
    const count = did.filter((kind) => kind === 'bulk').length;
    expect(count).toBeGreaterThanOrEqual(4);
    expect(count).toBeLessThanOrEqual(8);
    for (let round = 0; round < 20; round++) await goRound();
    expect(await bulk).toBe('done');
  });
});

describe('a request of a world', () => {
  it('is answered although more falls due all the time, and sees all that was due when it came', async () => {
    const store = await worldsWith(['w'], '1000000x');
    const turns = new Turns();
    let runs = 0;
    const runTask = (tx: Tx, { task, at }: { task: Task; at: number }): void => {
      runs += 1;
      // Faster than any machine: the world's time passes a million times faster than the real one.
      tx.schedule(task, at + 1000);
    };
    const came = await store.transaction('w', (tx) => {
      tx.schedule(ringing('endless'), tx.at - 5000);
      return tx.at;
    });
    const [at, next] = await transact({ store, turns, runTask }, 'w', null, (tx) => [tx.at, tx.nextTask()?.at ?? 0]);
    expect(at).toBeGreaterThanOrEqual(came);
    expect(next).toBeGreaterThan(at);
    expect(runs).toBeGreaterThan(4);
  });

  // Its tasks count how often they run.
  it.skipIf(isTwice)('runs what is due a slice at a time, however much that is', async () => {
    const store = await worldsWith(['w'], 'manual');
    let now = 0;
    let ran = 0;
    const perRound = workPerRound();
    const turns = new Turns({ now: () => now, afterRequests: perRound.afterRequests });
    const runTask = (): void => {
      now += 0.1;
      ran += 1;
      perRound.count();
    };
    await store.transaction('w', (tx) => {
      for (let n = 0; n < 1000; n++) tx.schedule(ringing(`c-${n}`), tx.at - 1000 + n);
    });
    expect(await transact({ store, turns, runTask }, 'w', null, () => ran)).toBe(1000);
    // A slice is 1 ms, which the second transaction of 8 tasks uses up.
    expect(perRound.most).toBeLessThanOrEqual(16);
  });

  // Its tasks count how often they run.
  it.skipIf(isTwice)(
    'on an instant clock ends when nothing is left but jobs that look for a line in vain',
    async () => {
      const store = await worldsWith(['w'], 'instant');
      const { scheduler, ran } = repeating(store);
      await store.transaction('w', (tx) => tx.schedule(looking('job'), 1));
      await scheduler.runUntilIdle('w');
      await settled();
      expect(ran()).toBe(100);
    },
  );
});
