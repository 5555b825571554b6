// Listing and deleting webhook subscriptions: `spec.md` "Webhook subscriptions".
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, clientOf, expectError } from '../support/client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { CUSTOMER_URL, expectField, SUBSCRIPTIONS, specTypes } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

describe('the list of subscriptions', () => {
  it('is newest first, in pages, and its last page has no cursor', async () => {
    const { client } = freshWorld(sandbox);
    const ids = await subscribe(client, CUSTOMER_URL, ...specTypes.slice(0, 7));
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await client.get(
        `${SUBSCRIPTIONS}?page_size=3${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.body.meta).toMatchObject({ total_results: 7, page_size: 3 });
      seen.push(...page.body.data.map(({ id }: { id: string }) => id));
      sizes.push(page.body.data.length);
      cursor = page.body.meta.cursor;
    } while (cursor !== null);
    expect(sizes).toEqual([3, 3, 1]);
    expect(seen).toEqual(ids.reverse());
  });

  it('continues after the previous page when subscriptions are created or deleted between pages', async () => {
    const { client } = freshWorld(sandbox);
    const ids = await subscribe(client, CUSTOMER_URL, ...specTypes.slice(0, 5));
    const first = await client.get(`${SUBSCRIPTIONS}?page_size=2`);
    await subscribe(client, CUSTOMER_URL, 'new_call');
    await client.delete(`${SUBSCRIPTIONS}/${ids[3]}`);
    const second = await client.get(`${SUBSCRIPTIONS}?page_size=2&cursor=${first.body.meta.cursor}`);
    expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
  });

  it('contains no secret', async () => {
    const { client } = freshWorld(sandbox);
    const [id] = await subscribe(client, CUSTOMER_URL, 'number_purchased');
    await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret: 'a secret' });
    expect((await client.get(SUBSCRIPTIONS)).body.data).toEqual([
      { id, webhook_url: CUSTOMER_URL, event_type: 'number_purchased' },
    ]);
  });

  it.each([
    ['page_size', 'page_size=0'],
    ['page_size', 'page_size=101'],
    ['page_size', 'page_size=ten'],
    ['cursor', 'cursor=nonsense'],
    ['event_type', 'event_type=new_call'],
  ])('rejects %s in ?%s', async (field, query) => {
    expectField(await clientOf(sandbox.url).get(`${SUBSCRIPTIONS}?${query}`), field);
  });
});

describe('deleting a subscription', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  it('responds with an empty 204 once, and with 404 afterwards', async () => {
    const { client } = freshWorld(sandbox);
    const [first, second] = await subscribe(client, CUSTOMER_URL, 'new_call', 'new_call');
    const answer = await client.delete(`${SUBSCRIPTIONS}/${first}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await client.get(SUBSCRIPTIONS)).body.data.map(({ id }: { id: string }) => id)).toEqual([second]);
    expectError(await client.delete(`${SUBSCRIPTIONS}/${first}`), 404, 'not_found');
  });

  it('responds with 404 for an id that names no subscription of this world', async () => {
    const here = freshWorld(sandbox).client;
    const there = freshWorld(sandbox).client;
    const [id] = await subscribe(there, CUSTOMER_URL, 'new_call');
    for (const each of [id, 'whk_', 'whk_000000000000000000000000', '7', '%20']) {
      expectError(await here.delete(`${SUBSCRIPTIONS}/${each}`), 404, 'not_found');
    }
    expect((await there.get(SUBSCRIPTIONS)).body.meta.total_results).toBe(1);
  });

  it('ends its deliveries: later events are not sent', async () => {
    const { client, world } = freshWorld(sandbox);
    const [id] = await subscribe(client, receiver.url, 'contact_created');
    await fire(client, 'contact_created');
    await world.clock.advance('0s');
    await client.delete(`${SUBSCRIPTIONS}/${id}`);
    await fire(client, 'contact_created');
    await world.clock.advance('0s');
    expect(await deliveriesOf(client)).toHaveLength(1);
  });

  it('has canceled all that is held when it responds, however much that is', async () => {
    const { client } = freshWorld(sandbox);
    const [id] = await subscribe(client, receiver.url, 'contact_created');
    await client.put(`/_sandbox/webhook-subscriptions/${id}`, { plan: { paused: true } });
    await Promise.all(Array.from({ length: 300 }, () => fire(client, 'contact_created')));
    expect(await deliveriesOf(client, 'status=pending')).toHaveLength(300);
    expect((await client.delete(`${SUBSCRIPTIONS}/${id}`)).status).toBe(204);
    expect(await deliveriesOf(client, 'status=pending')).toEqual([]);
    expect(await deliveriesOf(client, 'status=canceled')).toHaveLength(300);
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });

  it('cancels only its queued deliveries, and lets those in flight arrive', async () => {
    const { client, world } = freshWorld(sandbox);
    const { opened, open } = gate();
    const arrived: string[] = [];
    receiver.onDelivery = async ({ path, body }) => {
      arrived.push(`${body.provider_id} at ${path}`);
      await opened;
    };
    const [id] = await subscribe(client, `${receiver.url}/deleted`, 'sms_sent');
    const [other] = await subscribe(client, `${receiver.url}/kept`, 'sms_sent');
    for (const provider_id of ['first', 'second', 'third']) await fire(client, 'sms_sent', { provider_id });
    await until(() => [...arrived].sort()).toEqual(['first at /deleted', 'first at /kept']);
    expect((await client.delete(`${SUBSCRIPTIONS}/${id}`)).status).toBe(204);
    open();
    await world.clock.advance('1h');
    expect(arrived.filter((each) => each.endsWith('/deleted'))).toEqual(['first at /deleted']);
    expect(arrived.filter((each) => each.endsWith('/kept'))).toHaveLength(3);
    const statusesOf = async (subscription: unknown): Promise<unknown> =>
      (await deliveriesOf(client, `subscription_id=${subscription}`)).map(
        ({ status, attempts }: { status: string; attempts: unknown[] }) => `${status} ${attempts.length}`,
      );
    expect(await statusesOf(id)).toEqual(['delivered 1', 'canceled 0', 'canceled 0']);
    expect(await statusesOf(other)).toEqual(['delivered 1', 'delivered 1', 'delivered 1']);
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });
});

describe('the subscriptions of an organization', () => {
  it('are listed and deleted by that organization only, not by its parent or child', async () => {
    const { client: parent } = freshWorld(sandbox);
    // Number 4194 of the fixture belongs to the sub-entity.
    const { payload } = await fire(parent, 'number_purchased', { id: 4194 });
    const { organization_id } = payload.payload;
    const made = await parent.post('/_sandbox/keys', { organization_id });
    const child = clientOf(sandbox.url, made.body.data.api_key);
    const [ofParent] = await subscribe(parent, CUSTOMER_URL, 'new_call');
    const [ofChild] = await subscribe(child, CUSTOMER_URL, 'new_call');
    expectError(await parent.delete(`${SUBSCRIPTIONS}/${ofChild}`), 404, 'not_found');
    expectError(await child.delete(`${SUBSCRIPTIONS}/${ofParent}`), 404, 'not_found');
    expect((await parent.get(SUBSCRIPTIONS)).body.data.map(({ id }: { id: string }) => id)).toEqual([ofParent]);
    expect((await child.get(SUBSCRIPTIONS)).body.data.map(({ id }: { id: string }) => id)).toEqual([ofChild]);
  });
});
