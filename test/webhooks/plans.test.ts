// Delivery plans: what goes wrong with deliveries, and when they are sent. `interface.md` sections 5 and 6.
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Receiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { hook, SIGNATURE, SUBSCRIPTIONS, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
type Json = any;

interface Planned {
  readonly client: Client;
  readonly receiver: Receiver;
  readonly id: string;
}

async function plan(client: Client, id: string, given: object | null): Promise<void> {
  const answer = await client.put(`/_sandbox/webhook-subscriptions/${id}`, { plan: given });
  expect(answer.status, answer.text).toBe(200);
}

/** A world with one subscription to `contact_created` that has that plan. */
async function planned(given: object, type = 'contact_created'): Promise<Planned> {
  const { client } = freshWorld(sandbox);
  const receiver = await newReceiver();
  const [id = ''] = await subscribe(client, hook(receiver), type);
  await plan(client, id, given);
  return { client, receiver, id };
}

async function advance(client: Client, goal: string): Promise<Json> {
  const body = goal === 'idle' ? { until: 'idle' } : { by: goal };
  const answer = await client.post('/_sandbox/clock/advance', body);
  expect([answer.status, answer.body.data?.complete], answer.text).toEqual([200, true]);
  return answer.body.data;
}

async function contacts(client: Client, ...names: string[]): Promise<void> {
  for (const name of names) await fire(client, 'contact_created', { name });
}

const namesAt = ({ got }: Receiver): string[] => got.map(({ body }) => body.name);
const seconds = (at: string): number => (Date.parse(at) - Date.parse(START)) / 1000;
const summary = ({ status, held_by, attempts }: Json) => ({
  status,
  held_by,
  attempts: attempts.map(({ attempted_at, reason, plan }: Json) => `${seconds(attempted_at)} ${reason} ${plan.join()}`),
});

describe('a delivery plan', () => {
  it('is shown as it was set, replaced as a whole, and removed by null', async () => {
    const { client, id } = await planned({ retries: 'short', delay: '1s..5s', timeout: { answer: '2s' } });
    const read = async (): Promise<Json> => (await client.get(`/_sandbox/webhook-subscriptions/${id}`)).body.data;
    expect((await read()).plan).toEqual({ retries: 'short', delay: '1s..5s', timeout: { answer: '2s' } });
    await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret: 'own' });
    expect(await read()).toMatchObject({ signing_secret: 'own', plan: { retries: 'short' } });
    await plan(client, id, { paused: false });
    expect(await read()).toMatchObject({ signing_secret: 'own', plan: { paused: false } });
    expect((await read()).plan).toEqual({ paused: false });
    await plan(client, id, null);
    expect((await read()).plan).toBeNull();
    expect((await client.get(SUBSCRIPTIONS)).text).not.toContain('plan');
  });

  it('of the world applies to subscriptions without one, until it is deleted or the world is reset', async () => {
    const { client, receiver, id } = await planned({});
    const [other] = await subscribe(client, hook(receiver), 'contact_created');
    expect((await client.get('/_sandbox/webhook-plan')).body.data).toEqual({});
    const set = await client.put('/_sandbox/webhook-plan', { drop: 1 });
    expect([set.status, set.body.data]).toEqual([200, { drop: 1 }]);
    expect((await client.get('/_sandbox/webhook-plan')).body.data).toEqual({ drop: 1 });
    await contacts(client, 'a');
    await advance(client, '0s');
    const statusOf = Object.fromEntries(
      (await deliveriesOf(client)).map(({ subscription_id, status }: Json) => [subscription_id, status]),
    );
    expect(statusOf).toEqual({ [id]: 'delivered', [other as string]: 'dropped' });
    expect((await client.delete('/_sandbox/webhook-plan')).status).toBe(204);
    await contacts(client, 'b');
    await advance(client, '0s');
    expect(namesAt(receiver)).toEqual(['a', 'b', 'b']);
    await client.put('/_sandbox/webhook-plan', { plan: { drop: 1 } });
    await client.post('/_sandbox/reset');
    expect((await client.get('/_sandbox/webhook-plan')).body.data).toEqual({});
    const both = await client.put('/_sandbox/webhook-plan', { plan: { drop: 1 }, retries: 'short' });
    expect([both.status, both.body.error.fields]).toEqual([400, { plan: expect.stringContaining('retries') }]);
  });

  it.each([
    [{ duplicate: 2 }, 'duplicate', 'must be at most 1'],
    [{ drop: -0.1 }, 'drop', 'must be at least 0'],
    [{ tamper: 'often' }, 'tamper', 'must be a number'],
    [{ delay: '5s..1s' }, 'delay', 'the shorter one first'],
    [{ delay: 'soon' }, 'delay', 'must be a duration'],
    [{ retries: 'forever' }, 'retries', 'none, short, standard'],
    [{ retries: Array.from({ length: 1000 }, () => '1s') }, 'retries', 'at most 100 durations'],
    [{ retries: ['1s', 'x'] }, 'retries.1', 'must be a duration'],
    [{ timeout: { answer: '0s' } }, 'timeout.answer', 'more than 0'],
    [{ timeout: { total: '2h' } }, 'timeout.total', 'at most 60s'],
    [{ timeout: { read: '1s' } }, 'timeout.read', 'is not a known field'],
    [{ paused: 'yes' }, 'paused', 'must be a boolean'],
    [{ retrys: 'short' }, 'retrys', 'retries'],
  ])('that cannot happen is refused with its field (case %#)', async (given, field, reason) => {
    const { client, id } = await planned({ drop: 1 });
    for (const [path, body, at] of [
      [`webhook-subscriptions/${id}`, { plan: given }, `plan.${field}`],
      ['webhook-plan', given, field],
    ] as const) {
      const answer = await client.put(`/_sandbox/${path}`, body);
      expect([answer.status, answer.body.error.code], answer.text).toEqual([400, 'validation_error']);
      expect(answer.body.error.fields).toEqual({ [at]: expect.stringContaining(reason) });
    }
    expect((await client.get(`/_sandbox/webhook-subscriptions/${id}`)).body.data.plan).toEqual({ drop: 1 });
  });
});

describe('a plan with', () => {
  it('duplicate sends an accepted delivery twice, as one delivery with two attempts', async () => {
    const { client, receiver } = await planned({ duplicate: 1, retries: ['10s'] });
    receiver.onDelivery = (_, res) => res.writeHead([500, 200, 409][receiver.got.length - 1] ?? 200).end();
    await contacts(client, 'a', 'b');
    const { totals } = await advance(client, '1m');
    expect(totals.deliveries).toBe(2);
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
    const { client, receiver } = await planned({ delay: '1s..5s' });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await contacts(client, name);
      await advance(client, '200ms');
    }
    const [first] = await deliveriesOf(client);
    expect(first).toMatchObject({ status: 'pending', held_by: 'delay', attempts: [] });
    expect(Date.parse(first.next_attempt_at)).toBeGreaterThan(Date.parse(START) + 1000);
    await advance(client, 'idle');
    expect(namesAt(receiver)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const times = (await deliveriesOf(client)).map(({ created_at, attempts }: Json) => [
      seconds(attempts[0].attempted_at) - seconds(created_at),
      attempts[0].plan[0],
    ]);
    for (const [late, effect] of times) {
      expect(late).toBeGreaterThanOrEqual(1);
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
    expect(totals.deliveries).toBe(1);
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
      receiver.onDelivery = (_, res) => res.writeHead(receiver.got.length === 1 ? 500 : 200).end();
      await contacts(client, 'a');
      await advance(client, '1s');
      const [failed] = await deliveriesOf(client);
      if (end === 'delete') await client.delete(`${SUBSCRIPTIONS}/${id}`);
      else if (end === 'reset') await client.post('/_sandbox/reset');
      else await client.post(`/_sandbox/deliveries/${failed.id}/redeliver`);
      expect((await client.get('/_sandbox/clock')).body.data.pending, end).toBe(end === 'redeliver' ? 1 : 0);
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
});

it('two worlds of one name, seed and order of requests see the same troubles at the same deliveries', async () => {
  const { createSandbox } = await import('../../src/index.ts');
  const run = async (): Promise<Json[]> => {
    const own = await createSandbox({ ...UNLIMITED, seed: 7 });
    const receiver = await newReceiver();
    receiver.onDelivery = ({ body }, res) => res.writeHead(body.name.length % 3 === 0 ? 500 : 200).end();
    const client = clientOf(own.url);
    const [id = ''] = await subscribe(client, hook(receiver), 'contact_created');
    const half = { duplicate: 0.5, reorder: 0.5, drop: 0.3, tamper: 0.5, wrong_secret: 0.5 };
    await plan(client, id, { ...half, delay: '0s..9s', retries: 'short' });
    for (let n = 0; n < 20; n++) await contacts(client, 'x'.repeat(n + 1));
    await advance(client, 'idle');
    const seen = (await deliveriesOf(client)).map((each: Json) => [each.id, each.body, summary(each)]);
    await own.close();
    return [seen, receiver.got.map(({ raw }) => raw.toString())];
  };
  const [one, other] = [await run(), await run()];
  expect(one).toEqual(other);
  const effects = new Set(
    one[0]
      .flatMap(([, , { attempts }]: Json) => attempts.join())
      .join()
      .match(/[a-z]+(?==|,|$)/g),
  );
  expect([...effects].sort()).toEqual(expect.arrayContaining(['delay', 'drop', 'duplicate', 'reorder', 'tamper']));
});

it('what is held is canceled by a reset, and comes again when the world goes back to a snapshot', async () => {
  for (const path of ['/_sandbox/reset', '/_sandbox/snapshots/held/restore']) {
    const { client, receiver, id } = await planned({ retries: ['5s'] });
    receiver.onDelivery = (_, res) => res.writeHead(500).end();
    await contacts(client, 'failed');
    await advance(client, '0s');
    await plan(client, id, { delay: '5s' });
    await contacts(client, 'delayed');
    await plan(client, id, { reorder: 1 });
    await contacts(client, 'swapped');
    await plan(client, id, { paused: true });
    await contacts(client, 'paused');
    expect((await client.post('/_sandbox/snapshots', { name: 'held' })).status).toBe(201);
    expect((await client.post(path)).status).toBeLessThan(300);
    await advance(client, '10m');
    if (path.endsWith('/restore')) await plan(client, id, {});
    await advance(client, 'idle');
    const isReset = path.endsWith('/reset');
    expect(namesAt(receiver), path).toEqual(['failed', ...(isReset ? [] : ['paused', 'failed', 'delayed', 'swapped'])]);
    const kept = (await deliveriesOf(client)).filter(({ attempts }: Json) => attempts.length === 0);
    expect(kept.map(summary), path).toEqual(Array(3).fill({ status: 'canceled', held_by: null, attempts: [] }));
  }
});

describe('the library', () => {
  it('subscribes an address to event types, with a plan for each', async () => {
    const { world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const made = await world.subscribe(hook(receiver), ['call_busy', 'call_completed'], { drop: 1 });
    expect(made).toMatchObject([
      { event_type: 'call_busy', webhook_url: hook(receiver), plan: { drop: 1 } },
      { event_type: 'call_completed', plan: { drop: 1 } },
    ]);
    expect(await world.subscribe(hook(receiver), 'new_call')).toMatchObject([{ event_type: 'new_call', plan: null }]);
    await clientOf(sandbox.url, world.apiKey).call('+12125550101');
    await world.clock.untilIdle();
    expect(receiver.got.map(({ body }) => body.status)).toEqual(['QUEUED']);
    expect((await world.deliveries()).map(({ status }) => status).sort()).toEqual(['delivered', 'dropped', 'dropped']);
  });

  it.each([
    ['ftp://example.com', 'call_busy', {}, 'webhook_url must be an HTTPS URL'],
    ['https://example.com', 'call_bussy', {}, 'did you mean call_busy'],
    ['https://example.com', 'call_busy', { drop: 2 }, 'plan.drop must be at most 1'],
  ])('refuses what cannot be subscribed (case %#)', async (url, type, given, message) => {
    const { world } = freshWorld(sandbox);
    await expect(world.subscribe(url, type as 'call_busy', given)).rejects.toThrow(message);
  });
});

it('redelivery signs with the present secret, says with which, and ignores the plan', async () => {
  const { client, receiver, id } = await planned({ tamper: 1, wrong_secret: 1, drop: 0 }, 'number_purchased');
  await fire(client, 'number_purchased');
  await advance(client, '0s');
  const [{ id: delivery }] = await deliveriesOf(client);
  const signed: unknown[] = ['wrong_secret'];
  for (const [signing_secret, name] of [
    ['sandbox_signing_secret', 'world_secret'],
    ['mine', 'own_secret'],
    [null, 'none'],
  ]) {
    await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret });
    await client.post(`/_sandbox/deliveries/${delivery}/redeliver`);
    await advance(client, '0s');
    const { raw, headers } = receiver.got.at(-1) as Receiver['got'][number];
    if (signing_secret) expect(verifySignature(raw, headers[SIGNATURE], signing_secret)).toBe(true);
    signed.push(name);
  }
  const [{ attempts }] = await deliveriesOf(client);
  expect(attempts.map(({ signed_with }: Json) => signed_with)).toEqual(signed);
  expect(attempts.slice(1).map(({ reason, plan: effects }: Json) => `${reason}${effects}`)).toEqual(
    Array(3).fill('redelivery'),
  );
});
