// What coverage says of troubled deliveries and of retries: `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { useReceivers } from '../support/receiver.ts';
import { useCoveredWorlds } from './setup.ts';

const { newWorld } = useCoveredWorlds();
const startReceiver = useReceivers();

describe('delivery plans', () => {
  it('show which troubles receivers have had, and whether they accept what is forged or sent twice', async () => {
    const { client, coverage, untilIdle } = newWorld();
    const receiver = await startReceiver();
    const event_type = 'number_purchased';
    const subscribe = async (plan: object): Promise<void> => {
      const { body } = await client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type });
      const answer = await client.put(`/_sandbox/webhook-subscriptions/${body.id}`, { plan });
      expect(answer.status, answer.text).toBe(200);
    };
    await subscribe({ tamper: 1 });
    await subscribe({ wrong_secret: 1, delay: '1s' });
    await subscribe({ duplicate: 1 });
    await subscribe({ drop: 1 });
    const fire = () => client.post('/_sandbox/events', { event_type });
    receiver.onDelivery = ({ headers }, res) => res.writeHead(headers['x-service-signature-256'] ? 200 : 401).end();
    await fire();
    await untilIdle();
    receiver.onDelivery = (_, res) => res.writeHead(401).end();
    await fire();
    await untilIdle();
    const { delivery_troubles, signatures, duplicates, event_types } = await coverage();
    expect(delivery_troubles.counts).toEqual({ tamper: 2, wrong_secret: 2, delay: 2, duplicate: 1, drop: 2 });
    expect(delivery_troubles.not_met).toEqual(['reorder', 'paused', 'retry', 'redelivery']);
    expect(signatures).toEqual({ tampered: { sent: 2, accepted: 1 }, wrong_secret: { sent: 2, accepted: 1 } });
    expect(duplicates).toEqual({ sent: 1, accepted: 1 });
    expect(event_types.counts).toEqual({ number_purchased: 4 });
    const { text } = await client.get('/_sandbox/coverage?format=text');
    expect(text).toContain('signatures are not verified: 2 forged deliveries accepted');
    expect(text).toContain('duplicates: 1 sent, 1 accepted');
  });
});

describe('retries', () => {
  const failing = { 'X-Sandbox-Error': 'internal_error' };
  const key = (last: number) => ({ 'Idempotency-Key': `6f1b8f0e-4c8a-4a57-9d1e-0d3c1f6a2b1${last}` });

  it('are seen by the idempotency key where there is one, whatever else is sent', async () => {
    const { client, coverage } = newWorld();
    await client.dial('+12125550100', { ...failing, ...key(1) });
    await client.dial('+12125550100', key(2));
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 1, seen: 0 });
    await client.dial('+12125550100', key(1));
    await client.dial('+12125550100', key(1));
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 1, seen: 1 });
  });

  it('are seen by method, path, query and body without a key', async () => {
    const { client, coverage } = newWorld();
    await client.dial('+12125550100', failing);
    await client.dial('+12125550101');
    await client.get('/v1/calls?page_size=1', failing);
    await client.get('/v1/calls?page_size=2');
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 2, seen: 0 });
    await client.dial('+12125550100');
    await client.get('/v1/calls?page_size=1');
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 2, seen: 2 });
  });

  it('are seen after 429 and after a broken connection, and one that fails is expected again', async () => {
    const { client, coverage } = newWorld();
    const limited = { 'X-Sandbox-Error': 'rate_limited' };
    await client.get('/v1/me', limited);
    await client.get('/v1/me', limited);
    await client.get('/v1/me');
    await client.get('/v1/me', { 'X-Sandbox-Fault': 'reset' }).catch(() => {});
    await client.get('/v1/me');
    expect((await coverage()).retries).toEqual({
      after_429: { expected: 2, seen: 2 },
      after_5xx: { expected: 0, seen: 0 },
      after_broken: { expected: 1, seen: 1 },
    });
  });

  it('are looked for among the latest hundred requests, so that a world that fails a lot stays small', async () => {
    const { client, coverage } = newWorld();
    for (let number = 0; number <= 100; number++) await client.get(`/v1/calls?page_size=${number}`, failing);
    for (const number of [0, 1, 100]) await client.get(`/v1/calls?page_size=${number}`);
    expect((await coverage()).retries.after_5xx).toEqual({ expected: 101, seen: 2 });
  });
});
