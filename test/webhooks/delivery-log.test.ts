// The delivery log: `/_sandbox/deliveries` and redelivery (`interface.md` section 5).
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { type Received, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { stretched, until } from '../support/until.ts';
import { deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { hook, SIGNATURE, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

describe('the delivery log', () => {
  it('has subscription, event, exact bytes, headers, response, latency and error class of every attempt', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = async (_, res) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      res.writeHead(202, { 'X-Receiver': 'yes' }).end('thank you');
    };
    const [subscription_id] = await subscribe(client, hook(receiver), 'number_purchased');
    await world.clock.advance('5m');
    const event = await fire(client, 'number_purchased');
    await world.clock.advance('0s');
    const [delivery] = await deliveriesOf(client);
    const [{ raw, headers }] = receiver.got as [Received];
    const at = '2026-01-05T15:05:00.000Z';
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_/),
      event_id: event.id,
      event_type: 'number_purchased',
      subscription_id,
      url: hook(receiver),
      status: 'delivered',
      created_at: at,
      body: raw.toString(),
      schema_violations: [],
      cause: event.id,
      next_attempt_at: null,
      held_by: null,
      attempts: [
        {
          number: 1,
          attempted_at: at,
          reason: 'event',
          plan: [],
          signed_with: 'world_secret',
          latency_ms: expect.any(Number),
          error_class: null,
          error: null,
          hint: null,
          request: { headers: expect.any(Object), body: raw.toString() },
          response: { status: 202, headers: expect.objectContaining({ 'x-receiver': 'yes' }), body: 'thank you' },
        },
      ],
    });
    const [attempt] = delivery.attempts;
    expect(attempt.latency_ms).toBeGreaterThanOrEqual(55);
    expect(attempt.latency_ms).toBeLessThan(stretched(2000));
    const sentHeaders = Object.entries(attempt.request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(Object.fromEntries(sentHeaders)).toMatchObject({
      'content-type': 'application/json',
      [SIGNATURE]: headers[SIGNATURE],
    });
    expect((await client.get(`/_sandbox/deliveries/${delivery.id}`)).body.data).toEqual(delivery);
    expect((await world.deliveries())[0]).toEqual(delivery);
  });

  it('lists deliveries newest first, in pages, by status, event type and subscription', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = ({ path }, res) => (path === '/broken' ? res.writeHead(500).end() : undefined);
    await subscribe(client, hook(receiver), 'call_busy', 'call_failed');
    const [broken] = await subscribe(client, `${receiver.url}/broken`, 'call_busy');
    const events: { id: string }[] = [];
    for (const type of ['call_busy', 'call_failed', 'call_busy']) events.push(await fire(client, type));
    await world.clock.advance('0s');
    const list = async (query: string): Promise<string[]> => {
      const { data } = (await client.get(`/_sandbox/deliveries?${query}`)).body;
      return data.map((each: { event_type: string; status: string; event_id: string }) => {
        const nth = events.findIndex(({ id }) => id === each.event_id);
        return `${nth} ${each.event_type} ${each.status}`;
      });
    };
    const all = [
      '2 call_busy failed',
      '2 call_busy delivered',
      '1 call_failed delivered',
      '0 call_busy failed',
      '0 call_busy delivered',
    ];
    expect(await list('')).toEqual(all);
    expect(await list('status=failed')).toEqual([all[0], all[3]]);
    expect(await list('event_type=call_failed')).toEqual([all[2]]);
    expect(await list(`subscription_id=${broken}`)).toEqual([all[0], all[3]]);
    const first = await client.get('/_sandbox/deliveries?page_size=3');
    expect(first.body.meta).toEqual({ cursor: expect.any(String), total_results: 5, page_size: 3, dropped: 0 });
    expect(await list(`page_size=3&cursor=${first.body.meta.cursor}`)).toEqual(all.slice(3));
    expectError(await client.get('/_sandbox/deliveries?status=lost'), 400, 'validation_error');
    expectError(await client.get('/_sandbox/deliveries?nonsense=1'), 400, 'validation_error');
  });

  it('redelivers the same bytes as a second attempt', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => (receiver.got.length === 1 ? res.writeHead(500).end() : undefined);
    await client.put('/_sandbox/assumptions/event_payloads', { value: 'enveloped_and_signed' });
    await subscribe(client, hook(receiver), 'contact_created', 'call_busy');
    await fire(client, 'contact_created', { name: 'Zoë – 電話' });
    await world.clock.advance('10m');
    const [{ id }] = await deliveriesOf(client);
    const answer = await client.post(`/_sandbox/deliveries/${id}/redeliver`);
    expect([answer.status, answer.body.data.id]).toEqual([200, id]);
    await world.clock.advance('0s');
    const [first, second] = receiver.got as [Received, Received];
    expect(receiver.got).toHaveLength(2);
    expect(second.raw.equals(first.raw)).toBe(true);
    expect(second.headers).toEqual(first.headers);
    const [delivery, ...others] = await deliveriesOf(client);
    expect(others).toEqual([]);
    expect(delivery.status).toBe('delivered');
    expect(
      delivery.attempts.map(({ number, attempted_at, error_class }: Received['body']) => [
        number,
        attempted_at,
        error_class,
      ]),
    ).toEqual([
      [1, START, 'http_status'],
      [2, '2026-01-05T15:10:00.000Z', null],
    ]);
    expect((await world.events()).length).toBe(1);
  });

  it('does not redeliver a delivery from before a reset', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    const subscription = await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await fire(client, 'call_busy');
    await until(() => receiver.got.length).toBe(1);
    await world.reset();
    open();
    // Ids start over, so the same subscription exists again.
    expect(await subscribe(client, hook(receiver), 'call_busy')).toEqual(subscription);
    const canceled = await deliveriesOf(client, 'status=canceled');
    expect(canceled.length).toBeGreaterThan(0);
    for (const { id } of canceled) {
      const answer = await client.post(`/_sandbox/deliveries/${id}/redeliver`);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toContain('reset');
    }
    await world.clock.advance('0s');
    expect(receiver.got).toHaveLength(1);
  });

  it('does not redeliver a delivery that is queued or in flight', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await fire(client, 'call_busy');
    await until(() => receiver.got.length).toBe(1);
    for (const { id } of await deliveriesOf(client)) {
      expectError(await client.post(`/_sandbox/deliveries/${id}/redeliver`), 409, 'conflict');
    }
    open();
    await world.clock.advance('0s');
    expect(receiver.got).toHaveLength(2);
  });

  it('counts the dropped deliveries and events of every type', async () => {
    const own = await createSandbox({ clock: 'manual', journalLimit: 3 });
    const client = clientOf(own.url);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'call_busy');
    for (let times = 0; times < 5; times++) {
      await fire(client, 'call_busy');
      await own.clock.advance('0s');
    }
    for (const path of ['/_sandbox/deliveries?event_type=new_call', '/_sandbox/events?event_type=new_call']) {
      const { meta } = (await client.get(path)).body;
      expect(meta).toEqual({ cursor: null, total_results: 0, page_size: 100, dropped: 2 });
    }
    await own.close();
  });

  it('does not contain deliveries of another world', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ id }] = await deliveriesOf(client);
    const other = freshWorld(sandbox).client;
    expectError(await other.get(`/_sandbox/deliveries/${id}`), 404, 'not_found');
    expectError(await other.post(`/_sandbox/deliveries/${id}/redeliver`), 404, 'not_found');
    expectError(await client.get('/_sandbox/deliveries/dlv_nonsense'), 404, 'not_found');
    expect(receiver.got).toHaveLength(1);
  });
});
