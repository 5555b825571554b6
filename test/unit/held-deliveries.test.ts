// When deliveries are sent that a plan delays, swaps or pauses, or that have failed: `interface.md` sections 5 and 6.
import { describe, expect, it } from 'vitest';
import { LATEST_INSTANT, timestamp } from '../../src/clock/clock.ts';
import type { DeliveryPlan, Subject } from '../../src/model.ts';
import { cancelDeliveries } from '../../src/webhooks/cancel-deliveries.ts';
import { followPlans, hold, place, sendDelivery, willSend, withRetry } from '../../src/webhooks/held-deliveries.ts';
import { setPlanOfWorld } from '../../src/webhooks/plans.ts';
import { type PlannedWorld, pendingOf, placed, plannedWorld, START, subscriptionOf } from './held-setup.ts';

interface Placing {
  readonly id: string;
  readonly plan?: DeliveryPlan;
  readonly subscription?: string;
  readonly subject?: Subject | null;
  readonly url?: string;
}

/** Places deliveries one after the other, each with the plan that its subscription has then. */
async function placeAll(world: PlannedWorld, ...placings: Placing[]): Promise<void> {
  for (const { id, plan, subscription = 'one', subject, url } of placings) {
    await world.transaction((tx) => {
      place(
        tx,
        pendingOf(id, subscription, subject, url === undefined ? {} : { url }),
        subscriptionOf(tx, subscription, plan),
      );
    });
  }
}

/** The task of a held delivery runs, as the scheduler does it. */
const runTaskOf = (world: PlannedWorld, id: string): Promise<void> =>
  world.transaction((tx) => sendDelivery(tx, { type: 'send_delivery', subject: { table: 'waiting_deliveries', id } }));

const tasksIn = (world: PlannedWorld): Promise<(number | undefined)[]> =>
  world.transaction((tx) => {
    const next = tx.nextTask();
    return next ? [(next.at - START) / 1000] : [];
  });

const other: Subject = { table: 'calls', id: 'call-2' };

describe('a delayed delivery', () => {
  it('is sent not before those ahead of it in its subscription, as far as its own plan allows', async () => {
    const world = await plannedWorld();
    await placeAll(
      world,
      { id: 'a', plan: { delay: '10s' } },
      { id: 'within', plan: { delay: '0s..10s' }, subject: other },
      { id: 'shorter', plan: { delay: '9s' }, subject: other },
      { id: 'longer', plan: { delay: '12s' }, subject: null },
    );
    expect(await world.transaction(placed)).toEqual({
      a: 'pending delay in 10 delay=10s',
      within: 'pending delay in 10 delay=10s',
      shorter: 'pending delay in 9 delay=9s',
      longer: 'pending delay in 12 delay=12s',
    });
    expect(await tasksIn(world)).toEqual([9]);
  });

  it('is sent not before those about its record to its receiver, whichever subscription they are for', async () => {
    const world = await plannedWorld();
    const plan = { delay: '1ms..10s' };
    await placeAll(
      world,
      { id: 'a', plan: { delay: '10s' } },
      { id: 'same', subscription: 'two', plan },
      { id: 'other-record', subscription: 'three', plan, subject: other },
      { id: 'other-receiver', subscription: 'four', plan, url: 'http://127.0.0.1:10/hook' },
      { id: 'of-none', subscription: 'five', plan, subject: null },
      { id: 'of-none-too', subscription: 'six', plan, subject: null },
    );
    const { same, ...rest } = await world.transaction(placed);
    expect(same).toBe('pending delay in 10 delay=10s');
    for (const [id, line] of Object.entries(rest)) if (id !== 'a') expect(line, id).not.toContain('in 10 ');
  });

  it('is pending when its instant has come, and paused if its plan is by then', async () => {
    const world = await plannedWorld();
    await placeAll(world, { id: 'a', plan: { delay: '10s' } }, { id: 'b', plan: { delay: '10s' }, subject: other });
    await runTaskOf(world, 'a');
    await world.transaction((tx) => subscriptionOf(tx, 'one', { paused: true }));
    await runTaskOf(world, 'b');
    // Nothing holds it any more.
    await runTaskOf(world, 'a');
    expect(await world.transaction(placed)).toEqual({
      a: 'pending delay=10s',
      b: 'pending paused delay=10s+paused',
    });
    expect(await tasksIn(world)).toEqual([]);
  });

  it('never waits for longer than clocks can go', async () => {
    const world = await plannedWorld();
    await world.transaction((tx) =>
      tx.append(
        'deliveries',
        hold(tx, pendingOf('a', 'one'), 'delay', LATEST_INSTANT + 1, { reason: 'event', effects: [] }),
      ),
    );
    const due = await world.transaction((tx) => tx.entry('deliveries', 'a')?.next_attempt_at);
    expect(due).toBe(timestamp(LATEST_INSTANT));
  });
});

describe('a swapped delivery', () => {
  const reorder = { reorder: 1 };

  it('waits a minute at most, and goes right after the next one of its subscription', async () => {
    const world = await plannedWorld();
    await placeAll(world, { id: 'a', plan: reorder });
    expect(await world.transaction(placed)).toEqual({ a: 'pending reorder in 60 reorder' });
    await world.at(5);
    await placeAll(world, { id: 'b', plan: reorder, subject: other });
    expect(await world.transaction(placed)).toEqual({ a: 'pending reorder', b: 'pending' });
    expect(await tasksIn(world)).toEqual([]);
    await placeAll(world, { id: 'c', plan: reorder });
    expect((await world.transaction(placed)).c).toBe('pending reorder in 65 reorder');
  });

  it('goes after the next one about its record to its receiver, and not after any other', async () => {
    const world = await plannedWorld();
    await placeAll(
      world,
      { id: 'a', plan: reorder },
      { id: 'about-another', subscription: 'two', subject: other },
      { id: 'about-none', subscription: 'three', subject: null },
      { id: 'elsewhere', subscription: 'four', url: 'http://127.0.0.1:10/hook' },
    );
    expect((await world.transaction(placed)).a).toBe('pending reorder in 60 reorder');
    await placeAll(world, { id: 'next', subscription: 'five' });
    expect((await world.transaction(placed)).a).toBe('pending reorder');
  });

  it('goes with the delay of the next one, and before others that have waited less', async () => {
    const world = await plannedWorld();
    await placeAll(
      world,
      { id: 'first', subscription: 'two', plan: reorder, subject: null },
      { id: 'second', plan: reorder },
      { id: 'third', subscription: 'two', plan: { delay: '3s' } },
    );
    const order = await world.transaction((tx) =>
      tx.page('waiting_deliveries', 'held_by', 'delay').map(({ id, due }) => [id, ((due ?? 0) - START) / 1000]),
    );
    expect(order).toEqual([
      ['third', 3],
      ['first', 3],
      ['second', 3],
    ]);
  });

  it('holds nothing up any more when its minute is over', async () => {
    const world = await plannedWorld();
    await placeAll(world, { id: 'a', plan: reorder });
    await runTaskOf(world, 'a');
    await placeAll(world, { id: 'b', plan: reorder });
    expect(await world.transaction(placed)).toEqual({ a: 'pending reorder', b: 'pending reorder in 60 reorder' });
  });
});

describe('a paused delivery', () => {
  it('is sent when no plan pauses it any more, and what is pending is held when one does', async () => {
    const world = await plannedWorld();
    await placeAll(world, { id: 'own', plan: { paused: true } }, { id: 'of-world', subscription: 'two' });
    const follow = (own: DeliveryPlan | undefined, ofWorld: DeliveryPlan | undefined) =>
      world.transaction((tx) => {
        subscriptionOf(tx, 'one', own);
        setPlanOfWorld(tx, ofWorld);
        followPlans(tx);
        return placed(tx);
      });
    expect(await follow({ paused: true }, { paused: true })).toEqual({
      own: 'pending paused paused',
      'of-world': 'pending paused paused',
    });
    expect(await follow({}, { paused: true })).toEqual({ own: 'pending paused', 'of-world': 'pending paused paused' });
    expect(await follow({}, undefined)).toEqual({ own: 'pending paused', 'of-world': 'pending paused' });
  });

  it('leaves what a plan delays where it is', async () => {
    const world = await plannedWorld();
    await placeAll(world, { id: 'a', plan: { delay: '10s' } });
    const after = await world.transaction((tx) => {
      subscriptionOf(tx, 'one', { paused: true });
      followPlans(tx);
      return placed(tx);
    });
    expect(after).toEqual({ a: 'pending delay in 10 delay=10s' });
  });
});

describe('time alone', () => {
  it.each(['delay', 'reorder', 'retry', 'paused'] as const)(
    'sends what is held by %s, unless that is a pause',
    async (held_by) => {
      const world = await plannedWorld();
      const sends = () => world.transaction(willSend);
      const runOn = (mode: 'real' | 'manual' | 'instant') =>
        world.transaction((tx) => tx.setState('clock', { ...tx.state('clock'), mode }));
      await runOn('real');
      expect(await sends()).toBe(false);
      await world.transaction((tx) =>
        tx.append('deliveries', hold(tx, pendingOf('a', 'one'), held_by, null, { reason: 'event', effects: [] })),
      );
      expect(await sends()).toBe(held_by !== 'paused');
      for (const stopped of ['manual', 'instant'] as const) {
        await runOn(stopped);
        expect(await sends(), stopped).toBe(false);
      }
    },
  );
});

describe('a held delivery of a deleted subscription', () => {
  it('is canceled if it was never sent, and stays failed without another attempt if it was', async () => {
    const world = await plannedWorld();
    await placeAll(
      world,
      { id: 'a', plan: { delay: '10s' } },
      { id: 'b', subscription: 'two', plan: { delay: '20s' } },
    );
    await world.transaction((tx) => {
      const failed = pendingOf('failed', 'one', null, { status: 'failed' });
      tx.append('deliveries', withRetry(tx, failed, 30_000));
    });
    expect((await world.transaction(placed)).failed).toBe('failed retry in 30 retry=30s');
    await world.transaction((tx) => cancelDeliveries(tx, 'one'));
    expect(await world.transaction(placed)).toMatchObject({
      a: expect.stringMatching(/^canceled/),
      b: 'pending delay in 20 delay=20s',
      failed: expect.stringMatching(/^failed(?! retry in)/),
    });
    expect(await tasksIn(world)).toEqual([20]);
  });

  it('that failed in an earlier epoch, or has no attempt left, is not tried again', async () => {
    const world = await plannedWorld();
    await world.transaction((tx) => {
      const failed = pendingOf('a', 'one', null, { status: 'failed' });
      expect(withRetry(tx, { ...failed, epoch: 0 }, 1000)).toEqual({ ...failed, epoch: 0 });
      expect(withRetry(tx, failed, undefined)).toEqual(failed);
    });
  });
});
