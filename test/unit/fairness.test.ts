// How worlds share the event loop: lanes that take turns, a slice for all background work, and requests in turns. Time
// and the event loop are the test's.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { type ClockSetting, newClock, parseClockSetting, systemNow } from '../../src/clock/clock.ts';
import { problemsInList } from '../../src/domain/jobs/list.ts';
import { transact } from '../../src/engine/transact.ts';
import { FairQueue } from '../../src/fair-queue.ts';
import { callerOf, createTickBarrier } from '../../src/http/tick-barrier.ts';
import type { Task } from '../../src/lifecycles/tasks.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { base, ORGANIZATION } from '../store/setup.ts';
import { FROM } from '../support/client.ts';
import { eventually } from '../support/until.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Turns whose time passes with the work, one millisecond each, and whose event loop goes round when it is told to. */
function ownLoop() {
  let now = 0;
  let callbacks: (() => void)[] = [];
  const turns = new Turns({ now: () => now, afterRequests: (callback) => callbacks.push(callback) });
  return {
    turns,
    spend: (ms: number) => {
      now += ms;
    },
    async goRound() {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
      await settled();
    },
  };
}

const looking = (id: string): Task => ({ type: 'call_next_contact', subject: { table: 'jobs', id } });
const ringing = (id: string): Task => ({ type: 'fire', subject: { table: 'calls', id }, trigger: 'ring', input: {} });

async function worldsWith(names: readonly string[], mode: string) {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) });
  const clock = newClock(parseClockSetting(mode) as ClockSetting, 0, systemNow());
  const facts = { seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  for (const name of names) await store.addWorld({ ...facts, name, clock, assumptions: {}, epoch: 1 });
  return store;
}

/** A scheduler each of whose tasks is scheduled again a millisecond later, until so many have run. */
function repeating(store: MemoryStore, most = Number.POSITIVE_INFINITY) {
  let ran = 0;
  const scheduler = new Scheduler({
    store,
    turns: new Turns(),
    runTask(tx, { task, at }) {
      ran += 1;
      if (ran < most) tx.schedule(task, at + 1);
    },
    deliveriesIdle: async () => {},
    onError: (error) => {
      throw error;
    },
  });
  return { scheduler, ran: () => ran };
}

describe('a fair queue', () => {
  it('takes one of each lane after another', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(item.charAt(0), item);
    const taken = Array.from({ length: 7 }, () => queue.take());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('keeps no lane from its turn by fresh lanes without end', () => {
    const queue = new FairQueue<string>();
    for (let n = 0; n < 3; n++) queue.add('mine', 'mine');
    const taken = Array.from({ length: 20 }, (_, n) => {
      queue.add(`fresh ${n}`, 'fresh');
      return queue.take();
    });
    expect(taken.filter((item) => item === 'mine')).toHaveLength(3);
  });

  it('lets lanes pay for what they have had, so that who asks for little goes before who asks for much', () => {
    const queue = new FairQueue<string>();
    const had = new Map<string, number>();
    const take = (): string => {
      const lane = queue.take(0) ?? '';
      const cost = lane === 'small' ? 1 : 8;
      queue.charge(lane, cost);
      had.set(lane, (had.get(lane) ?? 0) + cost);
      queue.add(lane, lane);
      return lane;
    };
    for (const lane of ['large 1', 'large 2', 'small', 'large 3']) queue.add(lane, lane);
    for (let n = 0; n < 400; n++) take();
    const amounts = [...had.values()];
    expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(16);
    queue.add('new', 'new');
    expect([take(), take(), take()]).toContain('new');
  });

  it('takes everything that was added, in the order of its lane, whatever comes when', () => {
    const action = fc.oneof(fc.constant(null), fc.constantFrom('a', 'b', 'c', 'd'));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const queue = new FairQueue<[lane: string, number: number]>();
        const taken: [string, number][] = [];
        let added = 0;
        const take = (): void => {
          const item = queue.take();
          if (item) taken.push(item);
        };
        for (const lane of actions) {
          if (lane === null) take();
          else queue.add(lane, [lane, added++]);
        }
        while (queue.size > 0) take();
        expect(taken).toHaveLength(added);
        for (const lane of ['a', 'b', 'c', 'd']) {
          const numbers = taken.filter(([of]) => of === lane).map(([, number]) => number);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});

describe('the background work of all worlds', () => {
  it('shares one slice between two rounds of the event loop, and every world gets its part', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `w${n}`);
    const store = await worldsWith(names, '1000000x');
    const { turns, spend, goRound } = ownLoop();
    const ran = new Map<string, number>();
    const scheduler = new Scheduler({
      store,
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
    expect(order.indexOf('quiet') - before).toBeLessThanOrEqual(3);
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

  it('on an instant clock waits for 10,000 tasks at most, and the rest goes on without it', async () => {
    const store = await worldsWith(['w'], 'instant');
    const { scheduler, ran } = repeating(store, 12_000);
    await store.transaction('w', (tx) => tx.schedule(ringing('long'), 1));
    await scheduler.runUntilIdle('w');
    expect(ran()).toBe(10_000);
    await eventually(() => expect(ran()).toBe(12_000));
  });

  it('on an instant clock ends when nothing is left but jobs that look for a line in vain', async () => {
    const store = await worldsWith(['w'], 'instant');
    const { scheduler, ran } = repeating(store);
    await store.transaction('w', (tx) => tx.schedule(looking('job'), 1));
    await scheduler.runUntilIdle('w');
    await settled();
    expect(ran()).toBe(100);
  });
});

describe('requests that arrive together', () => {
  /** A barrier whose time passes with the work of requests, and whose event loop goes round when it is told to. */
  function ownBarrier() {
    let now = 0;
    let serve = (): void => {};
    const afterReading = (callback: () => void): void => {
      serve = callback;
    };
    const everyRequestRead = createTickBarrier({ now: () => now, afterReading });
    const served: string[] = [];
    const ask = (caller: string, ms = 0): void => {
      void everyRequestRead(caller).then(() => {
        now += ms;
        served.push(caller);
      });
    };
    const goRound = async (): Promise<void> => {
      serve();
      await settled();
    };
    return { ask, goRound, served };
  }

  it('are served 32 in a tick, the callers in turns, so that a flood of one delays no other', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 200; n++) ask('flood');
    ask('quiet');
    await goRound();
    expect(served).toHaveLength(32);
    expect(served.indexOf('quiet')).toBeLessThan(4);
    for (let tick = 0; tick < 6; tick++) await goRound();
    expect(served).toHaveLength(201);
  });

  it('are served for a millisecond in a tick where callers wait for one another', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 20; n++) ask(`caller ${n % 4}`, 0.6);
    await goRound();
    expect(served).toHaveLength(2);
    for (let tick = 0; tick < 9; tick++) await goRound();
    expect(served).toHaveLength(20);
  });

  it('take turns by the time that they take, so that slow ones of others hardly delay quick ones', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 100; n++) ask(`slow ${n % 10}`, 1);
    for (let tick = 0; tick < 10; tick++) await goRound();
    for (let n = 0; n < 5; n++) ask('quick', 0.1);
    for (let tick = 0; tick < 8; tick++) await goRound();
    expect(served.filter((caller) => caller === 'quick')).toHaveLength(5);
  });
});

describe('the caller of a request', () => {
  const callerWith = (headers: Record<string, string>): string =>
    callerOf(Object.assign(new IncomingMessage(new Socket()), { headers }), '/v1/calls');

  it.each([
    ['all keys of a test world', 'Bearer svc_test_w.readonly', undefined, 'Bearer svc_test_w'],
    ['a key', 'Bearer svc_live_x', undefined, 'Bearer svc_live_x'],
    ['the world that the control token names', 'Bearer secret', 'w', 'Bearer secret w'],
  ])('is %s', (_, authorization, world, caller) => {
    expect(callerWith({ authorization, ...(world && { 'x-sandbox-world': world }) })).toBe(caller);
  });

  it('is its path without a key', () => {
    expect(callerWith({})).toBe('/v1/calls');
  });
});

describe('a long list of numbers', () => {
  it('is checked in parts, between which the event loop goes round', async () => {
    let rounds = 0;
    let checking = true;
    const goRound = () => {
      rounds += 1;
      if (checking) setImmediate(goRound);
    };
    setImmediate(goRound);
    await problemsInList({ to_numbers: Array.from({ length: 1000 }, () => FROM) });
    checking = false;
    expect(rounds).toBeGreaterThanOrEqual(9);
  });
});
