// Retries of deliveries, as a plan says: `interface.md` section 6.
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { until } from '../support/until.ts';
import { deliveriesOf, fire, gate, subscribe } from '../support/webhooks.ts';
import { advance, contacts, type Json, namesAt, plan, seconds, summary, usePlans } from './plans-setup.ts';
import { hook, SUBSCRIPTIONS, UNLIMITED } from './setup.ts';

const { newReceiver, planned } = usePlans();

describe('retries', () => {
  it.each([
    ['none', [0]],
    ['short', [0, 5, 20, 60]],
    ['standard', [0, 5, 305, 2105, 9305, 20105, 34505, 56105, 84905]],
    [
      ['0s', '2h', '10ms'],
      [0, 0, 7200, 7200.01],
    ],
    [[], [0]],
  ])('%j attempt a delivery that fails after %j s, whatever the world assumes', async (retries, expected) => {
    const { client, receiver } = await planned({ retries });
    await client.put('/_sandbox/assumptions/delivery_policy', { value: 'short' });
    receiver.onDelivery = (_, res) => res.writeHead(500).end();
    await contacts(client, 'a');
    const { totals } = await advance(client, 'idle');
    // On Redis, it has ended when the request that caused it is answered.
    if (!isOnRedis) expect(totals.deliveries).toBe(1);
    const [{ attempts, status, next_attempt_at }] = await deliveriesOf(client);
    expect(attempts.map(({ attempted_at }: Json) => seconds(attempted_at))).toEqual(expected);
    expect([status, next_attempt_at, receiver.got.length]).toEqual(['failed', null, expected.length]);
  });

  it.each([
    [301, 3],
    [404, 3],
    [410, 3],
    [429, 3],
    [503, 3],
    [204, 1],
  ])('follow every answer but a 2xx: %i is attempted %i times', async (status, times) => {
    const { client, receiver } = await planned({ retries: ['1s', '1s'] });
    receiver.onDelivery = (_, res) => res.writeHead(status, { 'Retry-After': '3600' }).end();
    await contacts(client, 'a');
    await advance(client, '2s');
    expect(receiver.got).toHaveLength(times);
  });

  it('do not hold up later events, and are waited for by the advance that reaches them', async () => {
    const { client, receiver } = await planned({ retries: ['5s'] });
    receiver.onDelivery = (_, res) => res.writeHead(receiver.got.length === 1 ? 500 : 200).end();
    await contacts(client, 'a', 'b');
    await advance(client, '4s');
    expect(namesAt(receiver)).toEqual(['a', 'b']);
    expect((await deliveriesOf(client)).map(summary)[0]).toMatchObject({ status: 'failed', held_by: 'retry' });
    await advance(client, '1s');
    expect(namesAt(receiver)).toEqual(['a', 'b', 'a']);
  });

  it('end when their subscription is deleted, the world is reset, or the delivery is sent again by hand', async () => {
    for (const end of ['delete', 'reset', 'redeliver']) {
      const { client, receiver, id } = await planned({ retries: ['5s'] });
      const { opened, open } = gate();
      receiver.onDelivery = async (_, res) => {
        if (receiver.got.length > 1) await opened;
        res.writeHead(receiver.got.length === 1 ? 500 : 200).end();
      };
      await contacts(client, 'a');
      await advance(client, '1s');
      const [failed] = await deliveriesOf(client);
      if (end === 'delete') await client.delete(`${SUBSCRIPTIONS}/${id}`);
      else if (end === 'reset') await client.post('/_sandbox/reset');
      else await client.post(`/_sandbox/deliveries/${failed.id}/redeliver`);
      expect((await client.get('/_sandbox/clock')).body.data.pending, end).toBe(end === 'redeliver' ? 1 : 0);
      open();
      await advance(client, '10m');
      expect(receiver.got, end).toHaveLength(end === 'redeliver' ? 2 : 1);
      const after = await deliveriesOf(client);
      if (end !== 'reset') expect(after[0], end).toMatchObject({ next_attempt_at: null, held_by: null });
    }
  });

  it('outlive the limit of the journal', async () => {
    const { createSandbox } = await import('../../src/index.ts');
    const small = await createSandbox({ ...UNLIMITED, journalLimit: 3 });
    try {
      const client = clientOf(small.url);
      const receiver = await newReceiver();
      receiver.onDelivery = ({ body }, res) => res.writeHead(receiver.got.length > 10 ? 200 : 500).end(body.name);
      const [id = ''] = await subscribe(client, hook(receiver), 'contact_created');
      await plan(client, id, { retries: ['5s'] });
      await contacts(client, ...'abcdefghij');
      await advance(client, '5s');
      expect(namesAt(receiver)).toEqual([...'abcdefghijabcdefghij']);
      expect((await deliveriesOf(client)).map(({ status }: Json) => status)).toEqual(Array(3).fill('delivered'));
    } finally {
      await small.close();
    }
  });

  it('on an instant clock follow at once, the clock jumping along', async () => {
    const { client, receiver } = await planned({ retries: ['1h', '1h'], delay: '30m' });
    receiver.onDelivery = (_, res) => res.writeHead(500).end();
    await client.put('/_sandbox/clock', { mode: 'instant' });
    await contacts(client, 'a');
    await until(() => receiver.got.length).toBe(3);
    await advance(client, 'idle');
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts.map(({ attempted_at }: Json) => seconds(attempted_at))).toEqual([1800, 5400, 9000]);
  });

  it('on an instant clock wait for the events of the same record that came meanwhile', async () => {
    const { client, receiver } = await planned({ retries: ['1s'] }, 'call_busy');
    const call = await client.call('+12125550101');
    await advance(client, 'idle');
    await client.put('/_sandbox/clock', { mode: 'instant' });
    const { opened, open } = gate();
    const before = receiver.got.length;
    receiver.onDelivery = async (_, res) => {
      await opened;
      res.writeHead(receiver.got.length === before + 1 ? 500 : 200).end();
    };
    await fire(client, 'call_busy', { id: call });
    await until(() => receiver.got.length).toBe(before + 1);
    await fire(client, 'call_busy', { id: call });
    open();
    const ends = async () =>
      (await deliveriesOf(client)).slice(-2).map(({ status, attempts }: Json) => [status, attempts.length]);
    await until(ends).toEqual([
      ['delivered', 2],
      ['delivered', 1],
    ]);
  });
});
