// The deletion of a subscription cancels tens of thousands of deliveries in slices, none of which is sent meanwhile.
import { expect, it } from 'vitest';
import type { DeliveryEntry, DeliveryPlan, Subject } from '../../src/model.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { ownWork } from '../../src/store/work.ts';
import { startAttempt } from '../../src/webhooks/attempts.ts';
import { cancelDeliveries, goOnCanceling } from '../../src/webhooks/cancel-deliveries.ts';
import { place } from '../../src/webhooks/held-deliveries.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';
import { pendingOf, plannedWorld, subscriptionOf, WORLD } from './held-setup.ts';

const DELIVERIES = 1000;

/** A world with many deliveries of one subscription, some of another, and a scheduler whose work takes slices. */
async function longQueue(plan: DeliveryPlan | undefined) {
  const { store, transaction } = await plannedWorld();
  const add = (id: string, subscription: string, own?: DeliveryPlan, subject?: Subject): Promise<void> =>
    transaction((tx) => place(tx, pendingOf(id, subscription, subject), subscriptionOf(tx, subscription, own)));
  for (let n = 0; n < DELIVERIES; n++) await add(`d${n}`, 'one', plan);
  await add('other', 'two', plan, { table: 'calls', id: 'call-2' });
  /** How many deliveries the largest transaction has changed. */
  let largest = 0;
  store.onCommit(({ appended }) => {
    largest = Math.max(largest, appended.length);
  });
  const { loop, afterRequests } = watchedLoop();
  const scheduler = new Scheduler({
    store,
    work: ownWork(store),
    turns: turnsOn(afterRequests, 1),
    runTask: (tx, { task }) => {
      if (task.type === 'cancel_deliveries') goOnCanceling(tx, task);
    },
    deliveriesIdle: async () => {},
    onError: (error) => {
      throw error;
    },
  });
  const remove = (): Promise<void> =>
    transaction((tx) => {
      tx.remove('subscriptions', 'one');
      cancelDeliveries(tx, 'one');
    });
  const deliveries = (): Promise<readonly DeliveryEntry[]> => transaction((tx) => tx.journal('deliveries').entries);
  const pending = async (): Promise<string[]> =>
    (await deliveries()).filter(({ status }) => status === 'pending').map(({ id }) => id);
  return { transaction, add, remove, pending, loop, scheduler, largest: () => largest };
}

it.each<[string, DeliveryPlan | undefined]>([
  ['held by a pause', { paused: true }],
  ['delayed', { delay: '10s' }],
  ['about to be sent', undefined],
])('deliveries that are %s are canceled some hundred at a time', async (_, plan) => {
  const { remove, pending, loop, scheduler, largest, transaction } = await longQueue(plan);
  await remove();
  expect(await pending()).toHaveLength(DELIVERIES - 250 + 1);
  await scheduler.catchUp(WORLD);
  expect(await pending()).toEqual(['other']);
  expect(largest()).toBeLessThan(400);
  expect(loop.rounds).toBeGreaterThan(1);
  // What was left to do is done.
  expect(await transaction((tx) => tx.takeTask(tx.at))).toBeUndefined();
});

it('what is not canceled yet is not sent any more', async () => {
  const { remove, pending, transaction } = await longQueue(undefined);
  await remove();
  const [next = ''] = await pending();
  expect(await transaction((tx) => startAttempt(tx, { id: next, epoch: 1 }))).toBeUndefined();
  expect(await pending()).not.toContain(next);
});

it('new deliveries of other subscriptions do not wait behind what is not canceled yet', async () => {
  const { remove, add, transaction } = await longQueue({ paused: true });
  await remove();
  await add('new', 'three');
  expect(await transaction((tx) => tx.entry('deliveries', 'new')?.held_by)).toBeUndefined();
});
