// Subscriptions, idempotent responses, journals and assumptions over a restart: `interface.md` section 1, --state.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { advance, useRestarts } from './setup.ts';

const { startServer, openReceiver } = useRestarts();

describe('a restart', () => {
  it('keeps subscriptions with their secrets, and does not restore deleted ones', async () => {
    const receiver = await openReceiver();
    const server = await startServer();
    const subscribe = async (path: string): Promise<string> => {
      const body = { webhook_url: receiver.url + path, event_type: 'number_purchased' };
      return (await server.client.post('/api/v1/webhook_subscriptions', body)).body.id;
    };
    const kept = await subscribe('/kept');
    const deleted = await subscribe('/deleted');
    await server.client.put(`/_sandbox/webhook-subscriptions/${kept}`, { signing_secret: 'our own secret' });
    await server.client.delete(`/api/v1/webhook_subscriptions/${deleted}`);
    await server.restart();
    const listed = (await server.client.get('/api/v1/webhook_subscriptions')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([kept]);
    const { data } = (await server.client.get(`/_sandbox/webhook-subscriptions/${kept}`)).body;
    expect(data.signing_secret).toBe('our own secret');
    await server.client.post('/_sandbox/events', { event_type: 'number_purchased' });
    await advance(server.client, '0s');
    expect(receiver.got.map(({ path }) => path)).toEqual(['/kept']);
  });

  it('keeps plans, what they hold, retries that are to come and the tick, and repeats no attempt', async () => {
    const receiver = await openReceiver({ checks: false });
    const server = await startServer();
    const [first] = await server.sandbox.subscribe(receiver.url, 'contact_created', { retries: ['10s', '20s'] });
    await server.client.put('/_sandbox/webhook-plan', { drop: 1 });
    receiver.onDelivery = (_, res) => res.writeHead(receiver.got.length < 3 ? 503 : 200).end();
    const created = () => server.client.post('/_sandbox/simulate/new-contact', {});
    const hold = (plan: object) => server.client.put(`/_sandbox/webhook-subscriptions/${first?.id}`, { plan });
    await created();
    await advance(server.client, '10s');
    await hold({ delay: '1h', retries: ['10s', '20s'] });
    await created();
    await hold({ paused: true, retries: ['10s', '20s'] });
    await created();
    await server.sandbox.clock.tick('1h', `${receiver.url}/tick`);
    const before = await server.sandbox.deliveries();
    expect(before.map(({ held_by, attempts }) => [held_by, attempts.length])).toEqual([
      ['retry', 2],
      ['delay', 0],
      ['paused', 0],
    ]);
    await server.restart();
    expect(await server.sandbox.deliveries()).toEqual(before);
    expect((await server.client.get('/_sandbox/webhook-plan')).body.data).toEqual({ drop: 1 });
    await hold({ retries: ['10s', '20s'] });
    await advance(server.client, '2h');
    expect((await server.sandbox.deliveries()).map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ['delivered', 3],
      ['delivered', 1],
      ['delivered', 1],
    ]);
    expect(receiver.got.map(({ path }) => path)).toEqual(['/', '/', '/', '/', '/', '/tick', '/tick']);
    expect((await server.client.get('/_sandbox/clock/tick')).body.data).toMatchObject({ every: '1h', sent: 2 });
  });

  it('keeps idempotent responses: a repeat is a replay, and another body a conflict', async () => {
    const server = await startServer();
    const header = { 'Idempotency-Key': '6f1d7c9e-4a3b-4f0e-9d2c-1b5a7e8f9c0d' };
    const first = await server.client.dial('+12125550101', header);
    await server.restart();
    const again = await server.client.dial('+12125550101', header);
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers['x-sandbox-scenario']).toBe('busy');
    expect(await server.sandbox.events()).toHaveLength(1);
    expectError(await server.client.dial('+12125550102', header), 409, 'idempotency_conflict');
  });

  it('keeps the journals of requests, events and deliveries', async () => {
    const receiver = await openReceiver();
    const server = await startServer();
    for (const event_type of ['call_busy', 'new_call']) {
      await server.client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type });
    }
    await server.client.call('+12125550101');
    await server.client.dial('+12125550111');
    await server.sandbox.clock.untilIdle();
    const read = async () => [
      await server.sandbox.requests(),
      await server.sandbox.events(),
      await server.sandbox.deliveries(),
    ];
    const before = await read();
    expect(before.map((entries) => entries.length)).toEqual([4, 4, 2]);
    await server.restart();
    expect(await read()).toEqual(before);
    // Nothing is sent a second time.
    await advance(server.client, '0s');
    expect(receiver.got).toHaveLength(2);
  });

  it('keeps the number of entries that a journal has dropped', async () => {
    const server = await startServer({ journalLimit: 2 });
    for (let n = 0; n < 4; n++) await server.client.post('/_sandbox/events', { event_type: 'contact_created' });
    const wait = (): Promise<{ status: number; text: string }> =>
      server.client.get('/_sandbox/wait?event_type=new_appointment&timeout=50ms');
    const before = await wait();
    expect(before.status).toBe(409);
    expect(before.text).toContain('dropped 2');
    await server.restart();
    const after = await wait();
    expect(after.status).toBe(409);
    expect(after.text).toContain('dropped 2');
  });

  it('keeps assumptions that were set', async () => {
    const server = await startServer();
    await server.client.put('/_sandbox/assumptions/dial_response_envelope', { value: 'data' });
    await server.restart();
    expect((await server.client.dial('+12125550147')).body).toEqual({
      data: { call_id: expect.any(String), status: 'QUEUED' },
    });
  });

  it('keeps the state after a reset', async () => {
    const server = await startServer();
    const before = (await server.client.get('/v1/calls')).text;
    await server.client.call('+12125550101');
    await advance(server.client, '1h');
    await server.restart();
    await server.sandbox.reset();
    await server.restart();
    expect((await server.client.get('/v1/calls')).text.replaceAll(server.sandbox.url, '')).toBe(
      before.replace(/http:\/\/127\.0\.0\.1:\d+/g, ''),
    );
    expect(await server.sandbox.clock.now()).toBe('2026-01-05T15:00:00.000Z');
  });
});
