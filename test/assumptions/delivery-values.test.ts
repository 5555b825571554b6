// The values of the ledger that receivers see: the form of events, retries and timeouts (`interface.md` sections 6 and 9).
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { verifySignature } from '../../src/index.ts';
import type { Client } from '../support/client.ts';
import { type Received, type Receiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, gate, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { advance, type Json, type Value, worldWith } from './setup.ts';

const SIGNATURE = 'x-service-signature-256';

describe('the assumptions about deliveries', () => {
  const { sandbox } = useSandbox({ clock: 'manual' });
  const newReceiver = useReceivers();

  async function subscribed(values: Record<string, Value>, ...types: string[]): Promise<[Client, Receiver, string[]]> {
    const [client, receiver] = [await worldWith(sandbox as Sandbox, values), await newReceiver()];
    return [client, receiver, await subscribe(client, receiver.url, ...types)];
  }

  /** What a receiver gets of a new contact, a busy call and a new number. */
  async function received(values: Record<string, Value>): Promise<Map<string, Received>> {
    const [client, receiver] = await subscribed(values, 'contact_created', 'call_busy', 'number_purchased');
    await client.post('/_sandbox/simulate/new-contact', {});
    await client.call('+12125550101');
    await client.post('/v1/phone-numbers', {});
    await advance(client, '10s');
    const bodies = (await deliveriesOf(client)).map(({ event_type, body }: Json) => [event_type, body]);
    return new Map(
      bodies.map(([type, body]: [string, string]) => [type, receiver.got.find(({ raw }) => raw.toString() === body)]),
    );
  }

  it('event_payloads: flat and unsigned by default, in an envelope where it is set, and signed where asked for', async () => {
    const flat = await received({});
    const enveloped = await received({ event_payloads: 'enveloped' });
    const signed = await received({ event_payloads: 'enveloped_and_signed' });
    const contact = { name: 'Simulated contact', created_at: START };
    expect(flat.get('contact_created')?.body).toMatchObject(contact);
    const envelope = { triggerEvent: 'contact_created', createdAt: START, payload: expect.objectContaining(contact) };
    expect(enveloped.get('contact_created')?.body).toEqual(envelope);
    expect(signed.get('contact_created')?.body).toEqual(envelope);
    for (const [events, isSigned] of [
      [flat, false],
      [enveloped, false],
      [signed, true],
    ] as const) {
      const { headers, raw } = events.get('contact_created') as Received;
      const signature = headers[SIGNATURE];
      expect(signature !== undefined).toBe(isSigned);
      if (isSigned) expect(verifySignature(raw, signature, 'sandbox_signing_secret')).toBe(true);
      // What the specification shows stays as it is.
      expect(events.get('call_busy')?.body.status).toBe('BUSY');
      expect(events.get('call_busy')?.headers[SIGNATURE]).toBeUndefined();
      expect(events.get('number_purchased')?.headers[SIGNATURE]).toBeDefined();
    }
  });

  it('timestamps: an envelope has the same form of time as its payload', async () => {
    const { body } = (await received({ event_payloads: 'enveloped', timestamps: 'seconds' })).get(
      'contact_created',
    ) as Received;
    expect([body.createdAt, body.payload.created_at]).toEqual(['2026-01-05T15:00:00Z', '2026-01-05T15:00:00Z']);
  });

  it.each([
    ['once', '1m', [0]],
    ['short', '1m', [0, 5, 20, 60]],
    ['short', '30s', [0, 5, 20]],
    ['standard', '40m', [0, 5, 305, 2105]],
  ])('delivery_policy %s: within %s, a failing receiver is tried after %j s', async (policy, time, seconds) => {
    const [client, receiver] = await subscribed({ delivery_policy: policy }, 'contact_created');
    receiver.onDelivery = (_, res) => res.writeHead(500).end();
    await client.post('/_sandbox/simulate/new-contact', {});
    await advance(client, time);
    const [{ attempts, status }] = await deliveriesOf(client);
    const since = (at: string): number => (Date.parse(at) - Date.parse(START)) / 1000;
    expect(attempts.map(({ attempted_at }: Json) => since(attempted_at))).toEqual(seconds);
    expect([status, receiver.got.length]).toEqual(['failed', seconds.length]);
  });

  it('delivery_policy: a retry that is accepted is the last, and shows no next attempt', async () => {
    const [client, receiver] = await subscribed({ delivery_policy: 'short' }, 'contact_created');
    receiver.onDelivery = (_, res) => res.writeHead(receiver.got.length < 2 ? 500 : 200).end();
    await client.post('/_sandbox/simulate/new-contact', {});
    await advance(client, '1s');
    expect((await deliveriesOf(client))[0].next_attempt_at).toBe('2026-01-05T15:00:05.000Z');
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    const [{ attempts, status, next_attempt_at }] = await deliveriesOf(client);
    expect([attempts.length, status, next_attempt_at]).toEqual([2, 'delivered', null]);
  });

  it('delivery_policy: deleting the subscription, or a reset, cancels the retries', async () => {
    for (const cancel of ['delete', 'reset']) {
      const [client, receiver, [id]] = await subscribed({ delivery_policy: 'short' }, 'contact_created');
      receiver.onDelivery = (_, res) => res.writeHead(500).end();
      await client.post('/_sandbox/simulate/new-contact', {});
      await advance(client, '1s');
      if (cancel === 'delete') await client.delete(`/api/v1/webhook_subscriptions/${id}`);
      else await client.post('/_sandbox/reset');
      await advance(client, '10m');
      expect(receiver.got.length, cancel).toBe(1);
    }
  });

  it('delivery_timeout: after a second, a receiver that does not respond is given up only where it is set', async () => {
    const [patient, slow] = await subscribed({}, 'contact_created');
    const [impatient, silent] = await subscribed({ delivery_timeout: 1000 }, 'contact_created');
    const { opened, open } = gate();
    slow.onDelivery = () => opened;
    silent.onDelivery = () => opened;
    for (const client of [patient, impatient]) await client.post('/_sandbox/simulate/new-contact', {});
    await advance(impatient, '0s');
    const [given] = await deliveriesOf(impatient);
    expect([given.status, given.attempts[0].error_class]).toEqual(['failed', 'headers_timeout']);
    expect((await deliveriesOf(patient))[0].status).toBe('in_flight');
    open();
    await advance(patient, '0s');
    expect((await deliveriesOf(patient))[0].status).toBe('delivered');
  });
});
