// Delivery plans: what goes wrong with deliveries, and when they are sent. `interface.md` sections 5 and 6.
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import type { Receiver } from '../support/receiver.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { advance, contacts, type Json, namesAt, plan, summary, usePlans } from './plans-setup.ts';
import { hook, SIGNATURE, SUBSCRIPTIONS, UNLIMITED } from './setup.ts';

const { sandbox, newReceiver, planned } = usePlans();

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
