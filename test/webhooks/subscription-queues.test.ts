// Subscription queues: the order of deliveries, and slow receivers that delay no others (`interface.md` section 6).
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { SandboxWorld } from '../../src/index.ts';
import { type Receiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { CALL_EVENTS, deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { hook, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

/** A receiver that responds to nothing until `open()` is called, and one that responds at once. */
async function deadAndHealthy() {
  const [dead, healthy] = [await newReceiver(), await newReceiver()];
  const { opened, open } = gate();
  dead.onDelivery = () => opened;
  return { dead, healthy, open };
}

/** That a receiver gets so many deliveries before `open()` lets a world send those that are held up. */
async function expectBefore(open: () => void, world: SandboxWorld, receiver: Receiver, count: number): Promise<void> {
  try {
    await until(() => receiver.got.length).toBe(count);
  } finally {
    open();
    await world.clock.advance('0s');
  }
}

describe('a subscription queue', () => {
  it('sends its events in order and one at a time', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    let inFlight = 0;
    let most = 0;
    receiver.onDelivery = async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setTimeout(resolve, receiver.got.length % 3));
      inFlight -= 1;
    };
    // These events have no record, so only the subscription keeps them in order.
    await subscribe(client, hook(receiver), 'sms_sent');
    const names = Array.from({ length: 25 }, (_, index) => `provider ${index}`);
    await Promise.all(names.map((provider_id) => fire(client, 'sms_sent', { provider_id })));
    await world.clock.advance('0s');
    const emitted = (await world.events()).map(({ payload }) => (payload as { provider_id: string }).provider_id);
    expect(receiver.got.map(({ body }) => body.provider_id)).toEqual(emitted);
    expect(emitted.sort()).toEqual(names.sort());
    expect(most).toBe(1);
  });

  it('sends every event to a receiver that closes its connections without notice', async () => {
    const { client, world } = freshWorld(sandbox);
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await subscribe(client, `http://127.0.0.1:${port}/hook`, 'call_busy');
    for (let times = 0; times < 60; times++) await fire(client, 'call_busy');
    await world.clock.advance('0s');
    server.close();
    expect(await deliveriesOf(client, 'status=failed')).toEqual([]);
    expect(await deliveriesOf(client, 'status=delivered')).toHaveLength(60);
  });

  it('is not delayed by another receiver that never responds', async () => {
    const { client, world } = freshWorld(sandbox);
    const { dead, healthy, open } = await deadAndHealthy();
    await subscribe(client, hook(dead), ...CALL_EVENTS);
    await subscribe(client, hook(healthy), ...CALL_EVENTS);
    await world.clock.set('instant');
    await client.call('+12125550101');
    await client.call('+12125550100');
    await until(() => healthy.got.length).toBe(7);
    expect(dead.got.length).toBeLessThan(7);
    open();
    await world.clock.untilIdle();
    expect(dead.got).toHaveLength(7);
  });

  it('is not delayed by a receiver of another world that never responds', async () => {
    const [one, two] = [freshWorld(sandbox), freshWorld(sandbox)];
    const { dead, healthy, open } = await deadAndHealthy();
    await subscribe(one.client, hook(dead), 'call_busy');
    await subscribe(two.client, hook(healthy), 'call_busy');
    await fire(one.client, 'call_busy');
    await fire(two.client, 'call_busy');
    await two.world.clock.advance('1h');
    expect(healthy.got).toHaveLength(1);
    expect((await deliveriesOf(one.client))[0].status).toBe('in_flight');
    open();
    await one.world.clock.advance('0s');
  });

  it('is not delayed by hundreds of subscriptions of a receiver that never responds', async () => {
    const { client, world } = freshWorld(sandbox);
    const { dead, healthy, open } = await deadAndHealthy();
    await subscribe(client, hook(dead), ...Array.from({ length: runs(100, 300) }, () => 'call_busy'));
    await subscribe(client, hook(healthy), 'call_busy');
    await fire(client, 'call_busy');
    await expectBefore(open, world, healthy, 1);
  });

  it('is not delayed by another world that holds every place of the same receiver', async () => {
    const [hostile, good] = [freshWorld(sandbox), freshWorld(sandbox)];
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = ({ path }) => (path === '/hook' ? undefined : opened);
    await subscribe(hostile.client, `${receiver.url}/held`, ...Array.from({ length: 70 }, () => 'call_busy'));
    await subscribe(good.client, hook(receiver), 'call_busy');
    await fire(hostile.client, 'call_busy');
    await until(() => receiver.got.length).toBe(64);
    await fire(good.client, 'call_busy');
    await expectBefore(open, hostile.world, receiver, 65);
  });

  it('reaches a name below localhost without a DNS server', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver).replace('127.0.0.1', 'hooks.localhost'), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    expect(receiver.got).toHaveLength(1);
  });

  it('is not delayed after a reset by a receiver that never responds', async () => {
    const { client, world } = freshWorld(sandbox);
    const { dead, healthy, open } = await deadAndHealthy();
    await subscribe(client, hook(dead), 'call_busy');
    await fire(client, 'call_busy');
    await until(() => dead.got.length).toBe(1);
    await world.reset();
    await subscribe(client, hook(healthy), 'call_busy');
    await fire(client, 'call_busy');
    await expectBefore(open, world, healthy, 1);
  });
});
