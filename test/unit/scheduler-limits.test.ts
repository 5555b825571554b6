// What ends an advance besides its goal, and what a request does to one that is under way.
import { describe, expect, it } from 'vitest';
import { timestamp } from '../../src/clock/clock.ts';
import type { StepEntry } from '../../src/model.ts';
import { Interrupt, NeverIdle, TooManyTicks } from '../../src/scheduler/advance.ts';
import { MAX_STEPS, MAX_TICKS } from '../../src/scheduler/scheduler.ts';
import type { Appended } from '../../src/store/history.ts';
import { countPeriodic } from '../../src/store/periodic-tasks.ts';
import type { Store, Tx, WorldListener } from '../../src/store/store.ts';
import { isTwice } from '../support/thorough.ts';
import { START, schedulerWith, subjectOf, taskFor, WORLD } from './scheduler-setup.ts';

const step: StepEntry = {
  id: 'step',
  at: timestamp(START),
  subject: { table: 'calls', id: 'c' },
  trigger: 'ring',
  from: null,
  to: 'RINGING',
  cause: null,
};
const place = { amended: false, position: 0 };
const aStep: Appended = { journal: 'steps', entry: step, ...place };
const aTick: Appended = { journal: 'ticks', entry: {} as never, ...place };

/** Lets watchers of the store hear of entries that are not stored: 100,000 of them take a while to store. */
function telling(store: Store): (appended: readonly Appended[]) => void {
  const listeners: WorldListener[] = [];
  const { watch } = store;
  Object.assign(store, {
    watch(world: string, listener: WorldListener) {
      listeners.push(listener);
      return Reflect.apply(watch, store, [world, listener]);
    },
  });
  return (appended) => {
    for (const each of listeners) each({ world: WORLD, epoch: 1, appended, schedule: null });
  };
}

/** A scheduler whose tasks have that many entries each, as given by their names: `3 steps`. */
async function withEntries() {
  const parts = await schedulerWith({
    runTask(_, scheduled) {
      const [count, kind] = subjectOf(scheduled).split(' ');
      tell(Array(Number(count)).fill(kind === 'steps' ? aStep : aTick));
    },
  });
  const tell = telling(parts.store);
  return parts;
}

/** Calls back after each transaction of a world with what it has returned. */
function afterEach(store: Store, hear: (tx: Tx, returned: unknown) => void): void {
  const { transaction } = store;
  const heard = (world: string, body: (tx: Tx) => unknown): unknown =>
    Reflect.apply(transaction, store, [
      world,
      (tx: Tx) => {
        const returned = body(tx);
        hear(tx, returned);
        return returned;
      },
    ]);
  Object.assign(store, { transaction: heard });
}

// Its tasks count how often they run.
describe.skipIf(isTwice)('an advance', () => {
  it('until idle ends with the latest steps after 100,000 of them, and not before', async () => {
    const { scheduler, schedule } = await withEntries();
    await schedule(`${MAX_STEPS - 1} steps`, START + 1);
    expect(await scheduler.advance(WORLD, { to: 'idle', timeoutMs: 60_000 })).toMatchObject({
      complete: true,
      totals: { steps: MAX_STEPS - 1 },
    });
    await schedule(`${MAX_STEPS} steps`, START + 2);
    const error = await scheduler.advance(WORLD, { to: 'idle', timeoutMs: 60_000 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NeverIdle);
    expect(error.message).toMatch(/schedule/);
    expect(error.evidence[0]).toBe(step);
    await schedule(`${2 * MAX_STEPS} steps`, START + 3);
    const toGoal = { to: START + 4, timeoutMs: 60_000 };
    expect(await scheduler.advance(WORLD, toGoal)).toMatchObject({ complete: true, now: START + 4 });
  });

  it('has 100,000 ticks at most, whatever its goal', async () => {
    const { scheduler, schedule } = await withEntries();
    await schedule(`${MAX_TICKS} ticks`, START + 1);
    const toGoal = { to: START + 1, timeoutMs: 60_000 };
    expect(await scheduler.advance(WORLD, toGoal)).toMatchObject({ totals: { ticks: MAX_TICKS } });
    await schedule(`${MAX_TICKS + 1} ticks`, START + 1);
    await expect(scheduler.advance(WORLD, toGoal)).rejects.toBeInstanceOf(TooManyTicks);
  });

  it('until idle leaves periodic tasks alone after its last instant, and one to an instant runs them', async () => {
    const { store, scheduler, ran, schedule } = await schedulerWith({
      runTask: (tx, { task, at }) => task.subject.id === 'periodic' && tx.schedule(task, at + 10),
    });
    await schedule('once', START + 20);
    await store.transaction(WORLD, (tx) => countPeriodic(tx, 1));
    await schedule('periodic', START + 10);
    const untilIdle = { to: 'idle', timeoutMs: 5000 } as const;
    for (let time = 0; time < 2; time++) {
      expect(await scheduler.advance(WORLD, untilIdle)).toMatchObject({ complete: true, now: START + 20 });
    }
    expect(ran.map(([subject]) => subject)).toEqual(['periodic', 'once', 'periodic']);
    await scheduler.advance(WORLD, { to: START + 39, timeoutMs: 5000 });
    expect(ran.slice(3)).toEqual([['periodic', START + 30, START + 30]]);
  });

  it('that may take no time stops where it is', async () => {
    const { scheduler, ran, schedule } = await schedulerWith();
    await schedule('a', START + 1);
    const result = await scheduler.advance(WORLD, { to: START + 10, timeoutMs: 0 });
    expect([result.complete, result.now, ran]).toEqual([false, START, []]);
  });

  it.each(['idle' as const, START + 100])('to %s runs what a request schedules as it arrives', async (to) => {
    const { store, scheduler, ran, schedule } = await schedulerWith();
    await schedule('a', START + 10);
    let isScheduled = false;
    afterEach(store, (tx, returned) => {
      // It has looked for a task, and found none.
      const hasNone = typeof returned === 'object' && returned !== null && 'ran' in returned && !returned.ran;
      if (!hasNone || isScheduled) return;
      isScheduled = true;
      tx.schedule(taskFor('late'), START + 50);
    });
    const { now, complete } = await scheduler.advance(WORLD, { to, timeoutMs: 5000 });
    expect([ran.map(([subject]) => subject), complete]).toEqual([['a', 'late'], true]);
    expect(now).toBe(to === 'idle' ? START + 50 : to);
  });

  it('does not wait for what a request schedules beyond its goal', async () => {
    const { scheduler, ran, schedule } = await schedulerWith();
    await schedule('beyond', START + 11);
    expect(await scheduler.advance(WORLD, { to: START + 10, timeoutMs: 5000 })).toMatchObject({
      complete: true,
      now: START + 10,
    });
    expect(ran).toEqual([]);
  });

  it('is incomplete where a reset comes between its last task and its arrival', async () => {
    const { store, scheduler } = await schedulerWith();
    afterEach(store, (tx, returned) => {
      if (typeof returned === 'object' && returned !== null && 'isMore' in returned) tx.setState('epoch', 2);
    });
    const { complete, now } = await scheduler.advance(WORLD, { to: START + 10, timeoutMs: 5000 });
    expect([complete, now]).toEqual([false, START]);
  });
});

describe('a wait of an advance', () => {
  it('ends with what it waits for, or when it is interrupted, and one that begins later at once', async () => {
    const interrupt = new Interrupt();
    const never = new Promise<void>(() => {});
    expect(await interrupt.wait(Promise.resolve())).toBe(true);
    await expect(interrupt.wait(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const waiting = interrupt.wait(never);
    interrupt.interrupt();
    expect([await waiting, await interrupt.wait(never)]).toEqual([false, false]);
  });
});
