// The scheduler when the store fails or is slow, a world is deleted or the server stops: what is reported, and what is
// tried again.
import { describe, expect, it } from 'vitest';
import { NoSuchWorld, type Store } from '../../src/store/store.ts';
import { isTwice } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';
import { START, schedulerWith, WORLD } from './scheduler-setup.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Lets the next transactions of the world fail, one for each error; null lets one pass. */
function failing(store: Store): (Error | null)[] {
  const errors: (Error | null)[] = [];
  const { transaction } = store;
  const failingOnce = async (name: string, ...rest: unknown[]): Promise<unknown> => {
    const error = name === WORLD ? errors.shift() : undefined;
    if (error) throw error;
    return Reflect.apply(transaction, store, [name, ...rest]);
  };
  Object.assign(store, { transaction: failingOnce });
  return errors;
}

/** Runs the next transaction of the world, whose result it has only when the function that this returns is called. */
function late(store: Store): () => void {
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { transaction } = store;
  let isNext = true;
  const answeredLate = async (name: string, ...rest: unknown[]): Promise<unknown> => {
    const isLate = name === WORLD && isNext;
    if (isLate) isNext = false;
    const result = await Reflect.apply(transaction, store, [name, ...rest]);
    if (isLate) await answered;
    return result;
  };
  Object.assign(store, { transaction: answeredLate });
  return answer;
}

/** A scheduler of running clocks in a system time of the test's, with what is reported. */
async function running(start = 5000) {
  const time = { now: start };
  const reported: [unknown, string][] = [];
  const parts = await schedulerWith({
    mode: 'real',
    systemTime: () => time.now,
    onError: (error, world) => reported.push([error, world]),
  });
  await parts.addWorld('other');
  /** Lets everything ring that is due. */
  const ring = async (): Promise<void> => {
    const before = parts.ran.length;
    await parts.schedule('bell', 0, 'other');
    await eventually(() => expect(parts.ran.slice(before).map(([subject]) => subject)).toContain('bell'), 1);
    await settled();
  };
  const runs = (): string[] => parts.ran.map(([subject]) => subject).filter((subject) => subject !== 'bell');
  return { ...parts, time, reported, ring, runs };
}

// Its tasks count how often they run.
describe.skipIf(isTwice)('a running clock', () => {
  it('whose store fails is reported with its world, and what was due runs a second later', async () => {
    const { store, scheduler, schedule, time, reported, ring, runs } = await running();
    await schedule('due', START + 10);
    const error = new Error('the store is away');
    failing(store).push(error);
    time.now += 10;
    await ring();
    expect([runs(), reported]).toEqual([[], [[error, WORLD]]]);
    time.now += 999;
    await ring();
    expect(runs()).toEqual([]);
    time.now += 1;
    await ring();
    expect([runs(), reported.length]).toEqual([['due'], 1]);
    scheduler.stop();
  });

  it('of a world that is gone when its task is due reports nothing and is not tried again', async () => {
    const { store, scheduler, schedule, time, reported, ring, runs } = await running();
    await schedule('due', START + 10);
    failing(store).push(new NoSuchWorld(WORLD));
    time.now += 10;
    await ring();
    time.now += 5000;
    await ring();
    expect([runs(), reported]).toEqual([[], []]);
    scheduler.stop();
  });

  it('runs what falls due while the store has yet to answer that nothing was', async () => {
    const { store, scheduler, schedule, time, ring, runs } = await running();
    await schedule('due', time.now + 10);
    const answer = late(store);
    const looked = scheduler.catchUp(WORLD);
    await settled();
    time.now += 10;
    await ring();
    expect(runs()).toEqual([]);
    answer();
    await looked;
    expect(runs()).toEqual(['due']);
    scheduler.stop();
  });

  it('does nothing more after a stop, whatever is scheduled or has failed', async () => {
    const { store, scheduler, schedule, time, reported, runs } = await running();
    await schedule('due', START + 10);
    failing(store).push(new Error('the store is away'));
    time.now += 10;
    const failed = scheduler.catchUp(WORLD);
    scheduler.stop();
    await expect(failed).rejects.toThrow('the store is away');
    await schedule('later', START + 10);
    await scheduler.catchUp(WORLD);
    await settled();
    expect([runs(), reported]).toEqual([[], []]);
    expect((await scheduler.advance(WORLD, { to: START + 60_000, timeoutMs: 5000 })).complete).toBe(false);
  });

  it('runs what is due once, however many wait for it, and again for who asks afterwards', async () => {
    const { store, scheduler, schedule, ran } = await schedulerWith({ mode: 'real', systemTime: () => 5000 });
    let transactions = 0;
    const { transaction } = store;
    Object.assign(store, {
      transaction: (...args: unknown[]) => {
        transactions += 1;
        return Reflect.apply(transaction, store, args);
      },
    });
    await schedule('a', START);
    transactions = 0;
    await Promise.all([scheduler.catchUp(WORLD), scheduler.catchUp(WORLD), scheduler.catchUp(WORLD)]);
    expect([ran.length, transactions]).toEqual([1, 2]);
    await schedule('b', START);
    await scheduler.catchUp(WORLD);
    expect(ran.length).toBe(2);
    scheduler.stop();
  });
});

// Its tasks count how often they run.
describe.skipIf(isTwice)('an instant clock', () => {
  it('of a world that is deleted meanwhile stops, and one whose store fails says so', async () => {
    const { store, scheduler, ran, schedule } = await schedulerWith({ mode: 'instant' });
    await schedule('a', START + 10);
    const errors = failing(store);
    errors.push(new Error('the store is away'));
    await expect(scheduler.runUntilIdle(WORLD)).rejects.toThrow('the store is away');
    expect(ran).toEqual([]);
    await scheduler.runUntilIdle(WORLD);
    expect(ran).toHaveLength(1);
    await store.dropWorld(WORLD);
    await expect(scheduler.runUntilIdle(WORLD)).resolves.toBeUndefined();
  });

  it('waits for 10,000 tasks at most; the rest goes on without it, and what fails then is reported', async () => {
    const reported: [unknown, string][] = [];
    const { store, scheduler, ran, schedule } = await schedulerWith({
      mode: 'instant',
      runTask: (tx, { task, at }) => ran.length < 10_010 && tx.schedule(task, at + 1),
      onError: (...args) => reported.push(args),
    });
    const error = new Error('the store is away');
    await schedule('again', START);
    await scheduler.runUntilIdle(WORLD);
    expect(ran).toHaveLength(10_000);
    failing(store).push(null, null, null, error);
    await eventually(() => expect(reported).toEqual([[error, WORLD]]), 1);
    expect(ran).toHaveLength(10_003);
    await scheduler.runUntilIdle(WORLD);
    expect(ran).toHaveLength(10_010);
  });
});

// Its tasks count how often they run.
describe.skipIf(isTwice)('an advance', () => {
  it('lets the clock run again although the store fails as it ends', async () => {
    const { store, scheduler, clockOf } = await schedulerWith({ mode: 'real' });
    // Before its end it stops the clock, looks for a task, arrives, and reads the time.
    failing(store).push(null, null, null, null, new Error('the store is away'));
    expect(await scheduler.advance(WORLD, { to: 'idle', timeoutMs: 5000 })).toMatchObject({ complete: true });
    expect((await clockOf()).frozen).toBe(false);
    expect(scheduler.isAdvancing(WORLD)).toBe(false);
  });
});
