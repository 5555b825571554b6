// What is left of deliveries to a receiver that never answers when their world is reset or deleted, or when they are canceled.
import { queryObjects } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { resetWorld } from '../../src/engine/epochs.ts';
import { DeliveryQueue } from '../../src/webhooks/delivery-queue.ts';
import { silentReceiver } from './deliverer-setup.ts';

/** As many as are sent to one receiver at once. */
const IN_FLIGHT = 64;
const SUBSCRIPTIONS = 100;
const TIMES = 20;

type Sending = Awaited<ReturnType<typeof silentReceiver>>;

const ends: readonly (readonly [how: string, end: (sending: Sending, time: number) => Promise<unknown>])[] = [
  ['a reset of its world', ({ store, turns }) => resetWorld({ store, turns }, 'w', 0)],
  [
    'the end of its world',
    async ({ store, addWorld }, time) => {
      await store.dropWorld('w');
      await addWorld(time + 2);
    },
  ],
  [
    'its cancellation',
    ({ store }) =>
      store.transaction('w', (tx) => {
        const pending = tx.journal('deliveries').entries.filter(({ status }) => status === 'pending');
        for (const entry of pending) tx.amend('deliveries', { ...entry, status: 'canceled' });
      }),
  ],
];

describe('a delivery that waits for a receiver that never answers', () => {
  it.each(ends)('leaves nothing behind after %s', async (_, end) => {
    const sending = await silentReceiver();
    for (let time = 0; time < TIMES; time++) {
      await sending.send(
        Array.from({ length: 2 * SUBSCRIPTIONS }, (_, n) => ({
          id: `${time} ${n}`,
          subscription_id: `${time} ${n % SUBSCRIPTIONS}`,
        })),
      );
      // Of the first ones, as many as may be sent at once.
      while (sending.posted.length < IN_FLIGHT) await sending.turns.next('w');
      await end(sending, time);
    }
    // Those of an epoch that has ended are given up in turns.
    do await sending.turns.next('w');
    while (sending.openWork.total > IN_FLIGHT);
    expect(queryObjects(DeliveryQueue)).toBeLessThanOrEqual(IN_FLIGHT);
    await sending.deliverer.stop();
    expect(sending.openWork.any).toBe(false);
  });
});

describe('a tick that waits for a receiver that never answers', () => {
  it.each(ends.slice(0, 2))('is given up after %s', async (_, end) => {
    const sending = await silentReceiver();
    await sending.send(Array.from({ length: IN_FLIGHT }, (_, n) => ({ id: `${n}`, subscription_id: `${n}` })));
    while (sending.posted.length < IN_FLIGHT) await sending.turns.next('w');
    await sending.sendTick('one');
    await sending.sendTick('two');
    expect(sending.openWork.total).toBe(IN_FLIGHT + 2);
    await end(sending, 0);
    await sending.turns.next('w');
    expect(sending.openWork.total).toBe(IN_FLIGHT);
    await sending.deliverer.stop();
    expect(sending.posted).toHaveLength(IN_FLIGHT);
  });
});

describe('a world whose deliveries are told anew', () => {
  it('sends none of a subscription before the one that is on its way has ended', async () => {
    const { turns, posted, send, endRun, deliverer } = await silentReceiver();
    await send([{ id: 'one', url: 'http://x.test/one' }]);
    while (posted.length === 0) await turns.next('w');
    endRun();
    await send([{ id: 'two', url: 'http://x.test/two' }]);
    for (let n = 0; n < 5; n++) await turns.next('w');
    expect(posted).toEqual(['http://x.test/one']);
    await deliverer.stop();
  });
});
