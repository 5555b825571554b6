import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../src/webhooks/sign.ts';
import { type Client, clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { inboxUrl } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false, webhookHttp: 'any' });

interface Message {
  readonly id: string;
  readonly received_at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly encoding: string;
  readonly body_bytes: number;
  readonly signature: string;
  readonly signed_with: string | null;
  readonly status: number;
}

async function messagesOf(client: Client, name: string): Promise<Message[]> {
  const answer = await client.get(`/_sandbox/inbox/${name}/messages?page_size=1000`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** A world that exists, as those do that have had a request. */
async function madeWorld(): Promise<ReturnType<typeof freshWorld>> {
  const made = freshWorld(sandbox);
  await made.world.events();
  return made;
}

/** Sends a request to an inbox, as someone without a key would. */
const send = (world: string, init: RequestInit = {}, name = 'orders'): Promise<Response> =>
  fetch(inboxUrl(sandbox, world, name), { method: 'POST', ...init });

describe('an inbox', () => {
  it('receives deliveries within an advance on a manual clock, at the instant at which they were sent', async () => {
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, inboxUrl(sandbox, world.name), 'new_call', 'call_completed', 'phone_call.ended');
    await client.call('+12125550100');
    expect((await world.clock.untilIdle()).complete).toBe(true);
    const deliveries = await deliveriesOf(client);
    expect(deliveries).toHaveLength(3);
    const messages = (await messagesOf(client, 'orders')).reverse();
    expect(messages.map(({ body, received_at, status }) => ({ body, received_at, status }))).toEqual(
      deliveries.map((each: { body: string; attempts: { attempted_at: string }[] }) => ({
        body: each.body,
        received_at: each.attempts[0]?.attempted_at,
        status: 200,
      })),
    );
    expect(deliveries.every(({ status }: { status: string }) => status === 'delivered')).toBe(true);
  });

  it('answers what it was told, in order and then 200, and shows each answer', async () => {
    const { client, world } = freshWorld(sandbox);
    const set = await client.put('/_sandbox/inbox/orders', { respond: [500, 503, 204] });
    expect(set.body.data).toEqual({ name: 'orders', respond: [500, 503, 204], delay: null });
    const statuses = [];
    for (let nth = 0; nth < 5; nth++) statuses.push((await send(world.name)).status);
    expect(statuses).toEqual([500, 503, 204, 200, 200]);
    expect((await messagesOf(client, 'orders')).map(({ status }) => status)).toEqual([200, 200, 204, 503, 500]);
  });

  it('keeps to one status until another is set', async () => {
    const { client, world } = freshWorld(sandbox);
    await client.put('/_sandbox/inbox/orders', { respond: 503 });
    expect([(await send(world.name)).status, (await send(world.name)).status]).toEqual([503, 503]);
    expect((await client.put('/_sandbox/inbox/orders', {})).body.data).toMatchObject({ respond: null });
    expect((await send(world.name)).status).toBe(200);
  });

  it('answers after its delay, in real time, and records the message before', async () => {
    const { client, world } = freshWorld(sandbox);
    await client.put('/_sandbox/inbox/orders', { respond: 200, delay: '60s' });
    const abort = new AbortController();
    const answer = send(world.name, { signal: abort.signal }).catch(() => 'left');
    while ((await messagesOf(client, 'orders')).length === 0);
    abort.abort();
    expect(await answer).toBe('left');
    await client.put('/_sandbox/inbox/orders', { delay: '20ms' });
    const began = performance.now();
    expect((await send(world.name)).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(18);
  });

  it('records the exact bytes, the method, the path and the headers, and no credentials', async () => {
    const { client, world } = await madeWorld();
    const authorization = 'Bearer svc_live_someone_else';
    await send(world.name, { body: 'né\r\n {"a": 1}', headers: { authorization, 'x-mine': 'yes' } });
    await send(world.name, { method: 'PATCH', body: Buffer.from([0xff, 0x00, 0x80]) });
    await send(world.name, { method: 'GET' });
    const [got, patched, posted] = await messagesOf(client, 'orders');
    expect(posted).toMatchObject({
      method: 'POST',
      path: '/_sandbox/inbox/orders',
      query: `world=${world.name}`,
      body: 'né\r\n {"a": 1}',
      encoding: 'utf8',
      body_bytes: 14,
      signature: 'absent',
      signed_with: null,
    });
    expect(posted?.headers).toMatchObject({ authorization: '[redacted]', 'x-mine': 'yes' });
    expect(patched).toMatchObject({ method: 'PATCH', body: '/wCA', encoding: 'base64', body_bytes: 3 });
    expect(got).toMatchObject({ method: 'GET', body: '', body_bytes: 0 });
  });

  it('tells which secret signed a message', async () => {
    const { client, world } = freshWorld(sandbox);
    const [own, removed] = await subscribe(
      client,
      inboxUrl(sandbox, world.name),
      'number_purchased',
      'number_purchased',
    );
    await client.put(`/_sandbox/webhook-subscriptions/${own}`, { signing_secret: 'mine' });
    await client.put(`/_sandbox/webhook-subscriptions/${removed}`, { signing_secret: null });
    await subscribe(client, inboxUrl(sandbox, world.name), 'number_purchased');
    await fire(client, 'number_purchased');
    await world.clock.untilIdle();
    const forged = { 'X-service-Signature-256': signatureOf('a', 'sandbox_signing_secret') };
    await send(world.name, { body: 'b', headers: forged });
    const shown = (await messagesOf(client, 'orders')).map(
      ({ signature, signed_with }) => `${signature} ${signed_with}`,
    );
    expect(shown.sort()).toEqual(['absent null', 'invalid null', `valid ${own}`, 'valid world']);
  });

  it('keeps to its name and its world, and is emptied by a reset', async () => {
    const [one, other] = [await madeWorld(), await madeWorld()];
    await one.client.put('/_sandbox/inbox/orders', { respond: 500 });
    await send(one.world.name);
    expect((await send(other.world.name)).status).toBe(200);
    expect(await messagesOf(one.client, 'orders')).toHaveLength(1);
    expect(await messagesOf(one.client, 'Orders')).toEqual([]);
    await one.world.reset();
    expect(await messagesOf(one.client, 'orders')).toEqual([]);
    expect((await send(one.world.name)).status).toBe(200);
    expect(await messagesOf(other.client, 'orders')).toHaveLength(1);
  });

  it('pages its messages, newest first, with what the journal has dropped', async () => {
    const { client, world } = await madeWorld();
    for (const body of ['1', '2', '3']) await send(world.name, { body });
    const first = await client.get('/_sandbox/inbox/orders/messages?page_size=2');
    expect(first.body.data.map(({ body }: Message) => body)).toEqual(['3', '2']);
    expect(first.body.meta).toEqual({ cursor: first.body.data[1].id, total_results: 3, page_size: 2, dropped: 0 });
    const next = await client.get(`/_sandbox/inbox/orders/messages?page_size=2&cursor=${first.body.meta.cursor}`);
    expect(next.body.data.map(({ body }: Message) => body)).toEqual(['1']);
    expect(next.body.meta.cursor).toBeNull();
  });

  it('is not a request of the platform: verify and the request journal do not count it', async () => {
    const { client, world } = await madeWorld();
    await send(world.name);
    expect((await client.get('/_sandbox/requests')).body.meta.total_results).toBe(0);
  });
});

describe('receiving at an inbox', () => {
  it('needs no key and takes requests of any page, for the world in its query or `default`', async () => {
    const headers = { origin: 'https://example.com', 'sec-fetch-site': 'cross-site' };
    const plain = await fetch(`${sandbox.url}/_sandbox/inbox/plain`, { method: 'POST', headers });
    expect([plain.status, plain.headers.get('x-sandbox-world')]).toEqual([200, 'default']);
    expect(await messagesOf(clientOf(sandbox.url), 'plain')).toHaveLength(1);
    const folded = await fetch(inboxUrl(sandbox, 'DEFAULT', 'plain'), { method: 'DELETE', headers });
    expect(folded.status).toBe(200);
    expect(await messagesOf(clientOf(sandbox.url), 'plain')).toHaveLength(2);
  });

  it('refuses a world that does not exist, and does not make it', async () => {
    const client = clientOf(sandbox.url);
    expectError(await client.post('/_sandbox/inbox/orders?world=never-made'), 404, 'not_found');
    const worlds = (await client.get('/_sandbox/worlds?page_size=1000')).body.data;
    expect(worlds.map(({ name }: { name: string }) => name)).not.toContain('never-made');
  });

  it.each([
    ['a malformed world', '/_sandbox/inbox/orders?world=a%20b', 400],
    ['two worlds', '/_sandbox/inbox/orders?world=default&world=other', 400],
    ['a malformed name', '/_sandbox/inbox/or.ders', 400],
    ['a name that is too long', `/_sandbox/inbox/${'x'.repeat(65)}`, 400],
    ['a path below it', '/_sandbox/inbox/orders/other', 404],
  ])('refuses %s', async (_, path, status) => {
    expect((await clientOf(sandbox.url).post(path)).status).toBe(status);
  });

  it('refuses a body past 256 KiB, and records nothing', async () => {
    const { client, world } = await madeWorld();
    expect((await send(world.name, { body: 'x'.repeat(256 * 1024) })).status).toBe(200);
    expect((await send(world.name, { body: 'x'.repeat(256 * 1024 + 1) })).status).toBe(413);
    expect((await messagesOf(client, 'orders')).map((each) => each.body_bytes)).toEqual([256 * 1024]);
  });
});

describe('setting what an inbox answers', () => {
  it.each([
    [{ respond: 199 }, 'respond'],
    [{ respond: 600 }, 'respond'],
    [{ respond: [200, 'x'] }, 'respond.1'],
    [{ delay: '61s' }, 'delay'],
    [{ delay: '-1s' }, 'delay'],
    [{ delay: 5 }, 'delay'],
    [{ answer: 500 }, 'answer'],
  ])('refuses %j and names the field', async (body, field) => {
    const { client } = freshWorld(sandbox);
    const answer = await client.put('/_sandbox/inbox/orders', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields).join()).toContain(field.split('.')[0]);
  });

  it('takes the world of the credentials in its query, and no other', async () => {
    const { client, world } = freshWorld(sandbox);
    expect((await client.put(`/_sandbox/inbox/orders?world=${world.name}`, { respond: 500 })).status).toBe(200);
    expectError(await client.put('/_sandbox/inbox/orders?world=other', { respond: 500 }), 400, 'validation_error');
    expectError(await client.get('/_sandbox/inbox/orders/messages?world=other'), 400, 'validation_error');
  });

  it('needs a valid key, as reading the messages does', async () => {
    const client = clientOf(sandbox.url, 'svc_live_unknown');
    expectError(await client.put('/_sandbox/inbox/orders', {}), 401, 'unauthorized');
    expectError(await client.get('/_sandbox/inbox/orders/messages'), 401, 'unauthorized');
  });
});

describe('an inbox with a control token', () => {
  const { sandbox: shared } = useSandbox({ clock: 'manual', controlToken: 'the-token' });
  const post = (headers: Record<string, string>): Promise<Response> =>
    fetch(inboxUrl(shared, 'other'), { method: 'POST', headers });

  it('receives whatever Authorization a request carries, and shows its messages to the token alone', async () => {
    for (const authorization of ['Bearer the-token', 'Bearer svc_sandbox_default', 'Basic eA==', 'nonsense']) {
      expect((await post({ authorization })).status).toBe(200);
    }
    const path = '/_sandbox/inbox/orders/messages';
    const byToken = clientOf(shared.url, 'the-token');
    expect((await byToken.get(path, { 'X-Sandbox-World': 'other' })).body.meta.total_results).toBe(4);
    expect((await byToken.get(path)).body.meta.total_results).toBe(0);
    expectError(await clientOf(shared.url).get(path), 401, 'unauthorized');
    expectError(await clientOf(shared.url).put('/_sandbox/inbox/orders', {}), 401, 'unauthorized');
  });
});
