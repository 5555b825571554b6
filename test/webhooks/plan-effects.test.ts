// What a delivery plan does to deliveries: `interface.md` section 6.
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { advance, contacts, type Json, namesAt, plan, seconds, summary, usePlans } from './plans-setup.ts';
import { hook, SIGNATURE } from './setup.ts';

const { sandbox, newReceiver, planned } = usePlans();

describe('a plan with', () => {
  it('duplicate sends an accepted delivery twice, as one delivery with two attempts', async () => {
    const { client, receiver } = await planned({ duplicate: 1, retries: ['10s'] });
    receiver.onDelivery = (_, res) => res.writeHead([500, 200, 409][receiver.got.length - 1] ?? 200).end();
    await contacts(client, 'a', 'b');
    const { totals } = await advance(client, '1m');
    // On Redis, some have ended when the requests that caused them are answered.
    if (!isOnRedis) expect(totals.deliveries).toBe(2);
    expect(namesAt(receiver)).toEqual(['a', 'b', 'b', 'a', 'a']);
    expect(receiver.got[3]?.raw.equals(receiver.got[4]?.raw as Buffer)).toBe(true);
    expect((await deliveriesOf(client)).map(summary)).toEqual([
      { status: 'delivered', held_by: null, attempts: ['0 event ', '10 retry retry=10s', '10 duplicate duplicate'] },
      { status: 'delivered', held_by: null, attempts: ['0 event ', '0 duplicate duplicate'] },
    ]);
  });

  it('drop records a delivery and never sends it, unless by hand', async () => {
    const { client, receiver } = await planned({ drop: 1, retries: 'short' });
    await contacts(client, 'a');
    await advance(client, 'idle');
    expect(receiver.got).toEqual([]);
    const [delivery] = await deliveriesOf(client, 'status=dropped');
    expect(delivery.attempts).toMatchObject([{ plan: ['drop'], error_class: 'dropped', response: null }]);
    expect((await client.post(`/_sandbox/deliveries/${delivery.id}/redeliver`)).status).toBe(200);
    await advance(client, '0s');
    expect(namesAt(receiver)).toEqual(['a']);
    expect((await deliveriesOf(client)).map(summary)).toMatchObject([
      { status: 'delivered', attempts: ['0 event drop', '0 redelivery '] },
    ]);
  });

  it('a delay sends a delivery that much later on the clock of the world, in order', async () => {
    const { client, receiver } = await planned({ delay: '2s..5s' });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await contacts(client, name);
      await advance(client, '200ms');
    }
    const [first] = await deliveriesOf(client);
    expect(first).toMatchObject({ status: 'pending', held_by: 'delay', attempts: [] });
    expect(Date.parse(first.next_attempt_at)).toBeGreaterThan(Date.parse(START) + 2000);
    await advance(client, 'idle');
    expect(namesAt(receiver)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const times = (await deliveriesOf(client)).map(({ created_at, attempts }: Json) => [
      seconds(attempts[0].attempted_at) - seconds(created_at),
      attempts[0].plan[0],
    ]);
    for (const [late, effect] of times) {
      expect(late).toBeGreaterThanOrEqual(2);
      expect(late).toBeLessThanOrEqual(5);
      expect(effect).toMatch(/^delay=[\d.]+m?s$/);
    }
    expect(new Set(times.map(([late]: [number]) => late)).size).toBeGreaterThan(2);
  });

  it('reorder swaps a delivery with the next one of its subscription; the last one goes after a minute', async () => {
    const { client, receiver } = await planned({ reorder: 1 });
    await contacts(client, 'a', 'b', 'c', 'd', 'e');
    await advance(client, '59s');
    expect(namesAt(receiver)).toEqual(['b', 'a', 'd', 'c']);
    expect((await deliveriesOf(client, 'status=pending'))[0]).toMatchObject({ held_by: 'reorder' });
    await advance(client, '1s');
    expect(namesAt(receiver)).toEqual(['b', 'a', 'd', 'c', 'e']);
    expect((await deliveriesOf(client)).map((each: Json) => each.attempts[0].plan)).toEqual([
      ['reorder'],
      [],
      ['reorder'],
      [],
      ['reorder'],
    ]);
  });

  it('reorder swaps a delivery with the next one about its record, through whichever subscription', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    for (const type of ['new_call', 'call_completed', 'call_busy', 'phone_call.ended'])
      await subscribe(client, `${receiver.url}/${type}`, type);
    await client.put('/_sandbox/webhook-plan', { reorder: 1 });
    await client.call('+12125550101');
    await advance(client, 'idle');
    expect(receiver.got.map(({ path }) => path)).toEqual([
      '/call_completed',
      '/new_call',
      '/phone_call.ended',
      '/call_busy',
    ]);
  });

  it('tamper changes one byte of the body after it was signed, which stays valid JSON', async () => {
    const { client, receiver } = await planned({ tamper: 1 }, 'number_purchased');
    await fire(client, 'number_purchased');
    await advance(client, '0s');
    const [{ body, attempts }] = await deliveriesOf(client);
    const [got] = receiver.got;
    expect(got?.raw.toString()).toBe(attempts[0].request.body);
    expect(got?.raw.length).toBe(Buffer.byteLength(body));
    expect([...(got?.raw.toString() ?? '')].filter((char, at) => char !== body[at])).toHaveLength(1);
    expect(verifySignature(got?.raw as Buffer, got?.headers[SIGNATURE], 'sandbox_signing_secret')).toBe(false);
    expect(verifySignature(body, got?.headers[SIGNATURE], 'sandbox_signing_secret')).toBe(true);
    expect(attempts[0]).toMatchObject({ plan: ['tamper'], signed_with: 'world_secret' });
  });

  it('wrong_secret signs with another secret, and does nothing to events without a signature', async () => {
    const { client, receiver } = await planned({ wrong_secret: 1 }, 'number_purchased');
    const [flat = ''] = await subscribe(client, hook(receiver), 'contact_created');
    await plan(client, flat, { wrong_secret: 1 });
    await fire(client, 'number_purchased');
    await contacts(client, 'a');
    await advance(client, '0s');
    const [signed, unsigned] = await deliveriesOf(client);
    const { request, plan: effects, signed_with } = signed.attempts[0];
    expect([effects, signed_with]).toEqual([['wrong_secret'], 'wrong_secret']);
    expect(request.headers['X-service-Signature-256']).toMatch(/^[0-9a-f]{64}$/);
    expect(verifySignature(request.body, request.headers['X-service-Signature-256'], 'sandbox_signing_secret')).toBe(
      false,
    );
    expect([unsigned.attempts[0].plan, unsigned.attempts[0].signed_with]).toEqual([[], null]);
  });

  it('a time limit gives up a receiver that does not answer, over fresh and kept connections', async () => {
    const { client, receiver } = await planned({ timeout: { answer: '50ms' } });
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await contacts(client, 'a');
    await advance(client, '0s');
    open();
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts[0]).toMatchObject({ error_class: 'headers_timeout', error: 'no response within 0.05 s' });
    expect(attempts[0].latency_ms).toBeLessThan(2000);
  });

  it('a pause holds what is queued and what is new, holds up no advance, and sends all in order afterwards', async () => {
    const { client, receiver, id } = await planned({});
    const { opened, open } = gate();
    receiver.onDelivery = ({ body }) => (body.name === 'a' ? opened : undefined);
    await contacts(client, 'a', 'b', 'c');
    await plan(client, id, { paused: true });
    open();
    await contacts(client, 'd');
    await advance(client, '1h');
    expect(namesAt(receiver)).toEqual(['a']);
    expect((await deliveriesOf(client, 'status=pending')).map(({ held_by }: Json) => held_by)).toEqual([
      'paused',
      'paused',
      'paused',
    ]);
    await advance(client, 'idle');
    const again = await client.post(`/_sandbox/deliveries/${(await deliveriesOf(client))[1].id}/redeliver`);
    expect([again.status, again.body.error.resolution_hint]).toEqual([409, 'Unpause the plan.']);
    await plan(client, id, { paused: false });
    await advance(client, '0s');
    expect(namesAt(receiver)).toEqual(['a', 'b', 'c', 'd']);
    expect((await deliveriesOf(client)).map(({ attempts }: Json) => attempts[0].plan)).toEqual([
      [],
      ['paused'],
      ['paused'],
      ['paused'],
    ]);
  });

  it('a pause holds retries too; the plan of the world pauses and unpauses all that follow it', async () => {
    const { client, receiver, id } = await planned({});
    await plan(client, id, null);
    await client.put('/_sandbox/webhook-plan', { retries: ['5s'] });
    receiver.onDelivery = (_, res) => res.writeHead(receiver.got.length === 1 ? 500 : 200).end();
    await contacts(client, 'a');
    await advance(client, '1s');
    await client.put('/_sandbox/webhook-plan', { retries: ['5s'], paused: true });
    await contacts(client, 'b');
    await advance(client, '1m');
    expect(namesAt(receiver)).toEqual(['a']);
    await client.delete('/_sandbox/webhook-plan');
    await advance(client, '0s');
    expect(namesAt(receiver)).toEqual(['a', 'b', 'a']);
  });
});
