// The scheduler on a store in memory: which task runs when, and when an advance ends. Tasks do what a test says.
import { describe, expect, it } from 'vitest';
import { systemNow, timestamp } from '../../src/clock/clock.ts';
import type { DeliveryAttempt, DeliveryEntry, DeliveryStatus, StepEntry } from '../../src/model.ts';
import { AlreadyAdvancing, NeverIdle } from '../../src/scheduler/advance.ts';
import { Alarms } from '../../src/scheduler/alarms.ts';
import { MAX_LISTED, Recording } from '../../src/scheduler/recording.ts';
import { NoSuchWorld } from '../../src/store/store.ts';
import { ORGANIZATION } from '../store/setup.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { isTwice, thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';
import { START, schedulerWith, subjectOf, taskFor, WORLD } from './scheduler-setup.ts';

// Its tasks count how often they run.
describe.skipIf(isTwice)('an advance', () => {
  it('runs what is due by its goal in order, the clock at the instant of each, and ends at the goal', async () => {
    const { scheduler, ran, schedule } = await schedulerWith();
    await schedule('b', START + 20);
    await schedule('a', START + 10);
    await schedule('c', START + 20);
    await schedule('later', START + 31);
    const { now, complete } = await scheduler.advance(WORLD, { to: START + 30, timeoutMs: 5000 });
    expect({ now, complete }).toEqual({ now: START + 30, complete: true });
    expect(ran).toEqual([
      ['a', START + 10, START + 10],
      ['b', START + 20, START + 20],
      ['c', START + 20, START + 20],
    ]);
  });

  it('runs an overdue task at its own instant, without moving the clock back', async () => {
    const { scheduler, ran, schedule } = await schedulerWith();
    await schedule('overdue', START - 10);
    await scheduler.advance(WORLD, { to: START, timeoutMs: 5000 });
    expect(ran).toEqual([['overdue', START - 10, START]]);
  });

  it('leaves an instant only when the deliveries that it has caused are done', async () => {
    const order: string[] = [];
    const { scheduler, schedule } = await schedulerWith({
      runTask: (_, scheduled) => order.push(subjectOf(scheduled)),
      deliveriesIdle: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push('delivered');
      },
    });
    await schedule('a', START + 1);
    await schedule('b', START + 2);
    await scheduler.advance(WORLD, { to: 'idle', timeoutMs: 5000 });
    expect(order).toEqual(['delivered', 'a', 'delivered', 'b', 'delivered']);
  });

  it('runs what its own tasks schedule within reach', async () => {
    const { scheduler, ran, schedule } = await schedulerWith({
      runTask: (tx, scheduled) => subjectOf(scheduled) === 'a' && tx.schedule(taskFor('b'), scheduled.at + 5),
    });
    await schedule('a', START + 1);
    await scheduler.advance(WORLD, { to: START + 10, timeoutMs: 5000 });
    expect(ran.map(([subject]) => subject)).toEqual(['a', 'b']);
  });

  it('is incomplete when its time is up, the world is reset, or the scheduler stops', async () => {
    const stuck = await schedulerWith({ deliveriesIdle: () => new Promise(() => {}) });
    const goal = { to: START + 10, timeoutMs: 20 };
    expect(await stuck.scheduler.advance(WORLD, goal)).toMatchObject({ complete: false, now: START });

    const reset = await schedulerWith({ runTask: (tx) => tx.setState('epoch', 2) });
    await reset.schedule('a', START + 1);
    const ended = await reset.scheduler.advance(WORLD, { to: START + 10, timeoutMs: 5000 });
    expect(ended).toMatchObject({ complete: false, now: START + 1 });

    const stopped = await schedulerWith({ deliveriesIdle: () => new Promise(() => {}) });
    const advance = stopped.scheduler.advance(WORLD, { to: START + 10, timeoutMs: 60_000 });
    setTimeout(() => stopped.scheduler.stop(), 10);
    expect(await advance).toMatchObject({ complete: false });
  });

  it('refuses another one of the same world, and leaves the clock as it was for the next', async () => {
    const { scheduler, store } = await schedulerWith({ mode: 'real' });
    const first = scheduler.advance(WORLD, { to: 'idle', timeoutMs: 5000 });
    expect(scheduler.isAdvancing(WORLD)).toBe(true);
    await expect(scheduler.advance(WORLD, { to: 'idle', timeoutMs: 5000 })).rejects.toBeInstanceOf(AlreadyAdvancing);
    await first;
    expect(scheduler.isAdvancing(WORLD)).toBe(false);
    expect((await store.transaction(WORLD, (tx) => tx.state('clock'))).frozen).toBe(false);
  });

  it.runIf(thorough)('until idle names the task that is scheduled again and again without a step', async () => {
    const { scheduler, schedule } = await schedulerWith({
      runTask: (tx, scheduled) => tx.schedule(scheduled.task, scheduled.at + 1),
    });
    await schedule('again', START);
    const error = await scheduler.advance(WORLD, { to: 'idle', timeoutMs: 60_000 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NeverIdle);
    expect(error.evidence).toMatchObject({ task: taskFor('again') });
  });

  it.runIf(thorough)(
    'holds nothing of the instants that it has left, nor more steps than it lists, however long it is',
    async () => {
      const instants = 10_000;
      const inUse: number[] = [];
      const { scheduler, schedule } = await schedulerWith({
        runTask(tx, { task, at }) {
          const count = at - START;
          tx.append('steps', stepOf(count, tx.at));
          if (count === MAX_LISTED || count === instants) inUse.push(bytesInUse());
          if (count < instants) tx.schedule(task, at + 1);
        },
      });
      await schedule('again', START + 1);
      const { steps, totals } = await scheduler.advance(WORLD, { to: START + instants, timeoutMs: 60_000 });
      expect([steps.length, totals.steps]).toEqual([MAX_LISTED, instants]);
      expect(steps.at(-1)).toMatchObject({ id: `step-${MAX_LISTED}` });
      // A reaction of each instant alone would be 4 MB.
      expect((inUse[1] ?? Number.NaN) - (inUse[0] ?? Number.NaN)).toBeLessThan(2e6);
    },
  );

  it('of a world that is not there is refused', async () => {
    const { scheduler } = await schedulerWith();
    await expect(scheduler.advance('nowhere', { to: 'idle', timeoutMs: 100 })).rejects.toBeInstanceOf(NoSuchWorld);
  });
});

const stepOf = (n: number, at: number): StepEntry => ({
  id: `step-${n}`,
  at: timestamp(at),
  subject: { table: 'calls', id: 'c'.repeat(200) + n },
  trigger: 'ring',
  from: null,
  to: 'RINGING',
  cause: null,
});

describe('the recording of an advance', () => {
  const attempt = (at: number): DeliveryAttempt => ({
    number: 1,
    at: timestamp(at),
    request_headers: {},
    status: 200,
    response_headers: {},
    response_body: '',
    latency_ms: 0,
    error_class: null,
    error: null,
  });
  const delivery = (id: string, status: DeliveryStatus, attempts: readonly DeliveryAttempt[] = []): DeliveryEntry => ({
    id,
    at: timestamp(START),
    event_id: 'evt',
    event_type: 'new_call',
    subscription_id: 'whk',
    organization_id: ORGANIZATION,
    url: 'http://127.0.0.1:1/',
    body: '{}',
    status,
    schema_violations: [],
    attempts,
    next_attempt_at: null,
    subject: null,
    epoch: 1,
    cause: 'evt',
  });

  it('counts each delivery that was attempted once, in the order of creation, whenever its receiver answers', async () => {
    const { store } = await schedulerWith();
    const old = attempt(START - 1);
    const now = attempt(START);
    const later = attempt(START + 1);
    await store.transaction(WORLD, (tx) => tx.append('deliveries', delivery('before', 'failed', [old])));
    const recording = new Recording(store, WORLD);
    recording.startedAt = timestamp(START);
    const happens = (...entries: DeliveryEntry[]): Promise<void> =>
      store.transaction(WORLD, (tx) => {
        for (const entry of entries) {
          if (tx.entry('deliveries', entry.id)) tx.amend('deliveries', entry);
          else tx.append('deliveries', entry);
        }
      });
    await happens(delivery('a', 'pending'), delivery('b', 'pending'), delivery('never', 'pending'));
    await happens(delivery('b', 'in_flight'), delivery('b', 'delivered', [later]));
    await happens(delivery('a', 'in_flight'), delivery('a', 'failed', [now]));
    await happens(delivery('a', 'pending', [now]), delivery('a', 'in_flight', [now]));
    await happens(delivery('a', 'delivered', [now, later]));
    await happens(delivery('never', 'canceled'));
    await happens(delivery('before', 'pending', [old]), delivery('before', 'failed', [old, later]));
    await happens(delivery('before', 'pending', [old, later]), delivery('before', 'failed', [old, later, later]));
    for (let n = 0; n < MAX_LISTED; n++) {
      const id = `many-${n}`;
      await happens(delivery(id, 'pending'), delivery(id, 'failed', [later]), delivery(id, 'pending', [later]));
      await happens(delivery(id, 'in_flight', [later]), delivery(id, 'delivered', [later, later]));
    }
    recording.end();
    const listed = recording.deliveries().map(({ id, attempts }) => [id, attempts.length]);
    expect(listed.slice(0, 4)).toEqual([
      ['a', 2],
      ['b', 1],
      ['before', 3],
      ['many-0', 2],
    ]);
    expect([listed.length, recording.totals.deliveries]).toEqual([MAX_LISTED, 3 + MAX_LISTED]);
  });
});

describe('the alarms of running clocks', () => {
  it.runIf(thorough)('hold one alarm for each world, however often it changes', () => {
    const alarms = new Alarms(systemNow, () => {});
    const distant = systemNow() + 1e9;
    const change = (): void => {
      for (let n = 0; n < 100_000; n++) alarms.set(WORLD, distant + (n % 2));
    };
    change();
    const before = bytesInUse();
    change();
    alarms.stop();
    // 100,000 alarms are 4 MB.
    expect(bytesInUse() - before).toBeLessThan(1e6);
  });
});

// Its tasks count how often they run.
describe.skipIf(isTwice)('an instant clock', () => {
  it('jumps from task to task until nothing is scheduled', async () => {
    const { scheduler, store, ran, schedule } = await schedulerWith({ mode: 'instant' });
    await schedule('a', START + 10);
    await schedule('b', START + 86_400_000);
    await scheduler.runUntilIdle(WORLD);
    expect(ran.map(([subject, at, clock]) => [subject, at === clock])).toEqual([
      ['a', true],
      ['b', true],
    ]);
    expect(await store.transaction(WORLD, (tx) => tx.at)).toBe(START + 86_400_000);
  });
});

// Its tasks count how often they run.
describe.skipIf(isTwice)('a running clock', () => {
  it('wakes the scheduler when its earliest task is due', async () => {
    const { ran, schedule } = await schedulerWith({ mode: 'real' });
    const now = systemNow();
    await schedule('far', now + 3_600_000);
    await schedule('soon', now + 40);
    expect(ran).toEqual([]);
    await eventually(() => expect(ran.map(([subject]) => subject)).toEqual(['soon']));
    expect(systemNow()).toBeGreaterThanOrEqual(now + 40);
  });

  it('wakes nobody for a task that was canceled, or for a world that was deleted', async () => {
    const { store, ran, schedule } = await schedulerWith({ mode: 'real' });
    await schedule('canceled', systemNow() + 20);
    await store.transaction(WORLD, (tx) => tx.unschedule({ table: 'calls', id: 'canceled' }));
    await schedule('deleted', systemNow() + 30);
    await store.dropWorld(WORLD);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(ran).toEqual([]);
  });
});
