// Webhooks: `spec.md` "Events" and `interface.md` section 6, with the ledger's event_order, event_payloads,
// subscription_filters and delivery_policy.
import crypto, { createHmac } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Sandbox, verifySignature } from '../src/index.ts';
import { type Client, clientOf, expectError } from './support/client.ts';
import { type Received, type Receiver, startReceiver } from './support/receiver.ts';
import { runs } from './support/thorough.ts';
import { until } from './support/until.ts';
import { CALL_EVENTS, deliveriesOf, fire, freshWorld, gate, subscribe, typeUnderWay } from './support/webhooks.ts';

const SIGNATURE = 'x-service-signature-256';
const START = '2026-01-05T15:00:00.000Z';

let sandbox: Sandbox;
const receivers: Receiver[] = [];

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: false, concurrentCalls: 'off' });
});
afterEach(() => Promise.all(receivers.splice(0).map((each) => each.close())));
afterAll(() => sandbox.close());

async function newReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

/** Lets a receiver ask, before it answers, which events are under way to that URL with the bytes that it got. */
function hearTypes(client: Client, receiver: Receiver, url: string): { call: string; type: string }[] {
  const heard: { call: string; type: string }[] = [];
  receiver.onDelivery = async ({ raw, body }) => {
    heard.push({ call: body.id, type: await typeUnderWay(client, url, raw) });
  };
  return heard;
}

const hmac = (raw: Buffer, secret: string): string => createHmac('sha256', secret).update(raw).digest('hex');
const hook = (receiver: Receiver): string => `${receiver.url}/hook`;
const playing = (scenario: string): Record<string, string> => ({ 'X-Sandbox-Scenario': scenario });

describe('the events of a call', () => {
  it('are none where the dial was refused by a scenario', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    const { data: library } = (await client.get('/_sandbox/scenarios?kind=call&page_size=100')).body;
    const refusals = library.filter((each: { timeline: unknown[] }) => each.timeline.length === 0);
    expect(refusals).toHaveLength(21);
    for (const { name } of refusals) {
      expect((await client.dial('+12125550142', playing(name))).status, name).toBeGreaterThanOrEqual(400);
    }
    await world.clock.advance('7d');
    expect(receiver.got).toEqual([]);
    expect(await world.events()).toEqual([]);
  });

  it.each([
    ['before it rings', '0s', 'CANCELED'],
    ['while it rings', '1s', 'CANCELED'],
    ['once it was answered', '5s', 'COMPLETED'],
  ])('have no disposition among them when the caller hangs up %s', async (_, after, status) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const heard = hearTypes(client, receiver, hook(receiver));
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    const call = await client.call('+12125550142', playing('answered;ring=2s;talk=60s'));
    await world.clock.advance(after);
    expect((await client.post(`/v1/calls/${call}/hangup`)).body.data).toEqual({ call_id: call, status });
    expect((await client.post(`/v1/calls/${call}/hangup`)).body.data).toEqual({ call_id: call, status });
    await world.clock.advance('1d');
    expect(heard.map(({ type }) => type)).toEqual(['new_call', 'call_completed', 'phone_call.ended']);
    expect(receiver.got.map(({ body }) => body.status)).toEqual(['QUEUED', status, status]);
  });

  it('come in order for every call when one URL has several subscriptions and many calls are under way', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const heard = hearTypes(client, receiver, hook(receiver));
    const ask = receiver.onDelivery;
    let turn = 0;
    receiver.onDelivery = async (delivery, res) => {
      await ask(delivery, res);
      turn += 1;
      await new Promise((resolve) => setTimeout(resolve, (turn * 7) % 5));
    };
    await subscribe(client, hook(receiver), ...[...CALL_EVENTS].reverse(), ...CALL_EVENTS);
    const calls: string[] = [];
    for (const scenario of ['busy;ring=1s', 'busy;ring=1s', 'no_answer', 'answered', 'voicemail', 'call_declined']) {
      calls.push(await client.call('+12125550142', playing(scenario)));
    }
    await world.clock.untilIdle();
    const dispositions = ['call_busy', 'call_busy', 'call_no_answer', null, 'call_voicemail', 'call_failed'];
    for (const [index, call] of calls.entries()) {
      const types = ['new_call', 'call_completed', dispositions[index], 'phone_call.ended'].filter(Boolean);
      const twice = types.flatMap((type) => [type, type]);
      expect(heard.filter((each) => each.call === call).map(({ type }) => type)).toEqual(twice);
    }
  });

  it('put the disposition first in a world whose ledger says so', async () => {
    const made = await clientOf(sandbox.url).post('/_sandbox/worlds', {
      clock: 'manual',
      assumptions: { event_order: 'disposition_first' },
    });
    const client = clientOf(sandbox.url, made.body.data.api_key);
    const receiver = await newReceiver();
    const heard = hearTypes(client, receiver, hook(receiver));
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    await client.call('+12125550101');
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect(heard.map(({ type }) => type)).toEqual(['new_call', 'call_busy', 'call_completed', 'phone_call.ended']);
  });

  it.each<[string, Receiver['onDelivery']]>([
    ['refuses them all with 500', (_, res) => res.writeHead(500).end()],
    ['says that it is gone', (_, res) => res.writeHead(410).end()],
    ['leads elsewhere', (_, res) => res.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end()],
    ['breaks every connection without an answer', (_, res) => res.socket?.resetAndDestroy()],
  ])('change nothing of the call where the receiver %s', async (_, manner) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const callHeardBy = async (onDelivery: Receiver['onDelivery']): Promise<unknown> => {
      await world.reset();
      receiver.onDelivery = onDelivery;
      receiver.got.length = 0;
      await subscribe(client, hook(receiver), ...CALL_EVENTS);
      const call = await client.call('+12125550103');
      await world.clock.untilIdle();
      expect(receiver.got).toHaveLength(4);
      return client.readCall(call);
    };
    const taken = await callHeardBy(() => undefined);
    expect(taken).toMatchObject({ status: 'VOICEMAIL' });
    expect(await callHeardBy(manner)).toEqual(taken);
  });

  it('do not hold up the call where the receiver has not answered yet', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    await world.clock.set('instant');
    const call = await client.call('+12125550101');
    await until(() => receiver.got.length).toBe(1);
    expect((await deliveriesOf(client))[0]).toMatchObject({ event_type: 'new_call', status: 'in_flight' });
    expect(await client.readCall(call)).toMatchObject({ status: 'BUSY', failure_code: 'busy' });
    open();
    await world.clock.untilIdle();
    expect(receiver.got).toHaveLength(4);
  });

  it('are emitted once when a dial is repeated under its idempotency key', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'new_call');
    const headers = { 'Idempotency-Key': '7c1f7a0e-93a5-4c52-9a3c-0c6c9d3f6b11' };
    const ids = [await client.call('+12125550100', headers), await client.call('+12125550100', headers)];
    await world.clock.advance('0s');
    expect(receiver.got.map(({ body }) => body.id)).toEqual([ids[0]]);
    expect(ids[1]).toBe(ids[0]);
  });

  it('are the same bytes and headers whatever control headers the dial carried', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const run = async (headers: Record<string, string>): Promise<unknown[]> => {
      await world.reset();
      receiver.got.length = 0;
      await subscribe(client, hook(receiver), ...CALL_EVENTS);
      await client.dial('+12125550101', headers).catch(() => undefined);
      await world.clock.untilIdle();
      return receiver.got.map(({ raw, headers }) => [raw.toString(), headers]);
    };
    const plain = await run({});
    expect(plain).toHaveLength(4);
    expect(await run(playing('busy'))).toEqual(plain);
    expect(await run({ 'X-Sandbox-Delay': '20ms' })).toEqual(plain);
    for (const fault of ['reset', 'empty', 'truncate']) expect(await run({ 'X-Sandbox-Fault': fault })).toEqual(plain);
    expect(await run({ 'X-Sandbox-Fault': 'reset;when=before' })).toEqual([]);
    expect(await run({ 'X-Sandbox-Error': 'provider_api_error' })).toEqual([]);
  });
});

describe('what is sent', () => {
  it('is a POST of JSON to the exact path and query, with no header of the sandbox and none of a signature', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const path = '/hook/a%20b;c?x=1&y=%C3%A9&y=';
    await subscribe(client, receiver.url + path, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ method, headers, raw, path: asked }] = receiver.got as [Received];
    expect([method, asked]).toEqual(['POST', path]);
    expect(headers).toEqual({
      host: new URL(receiver.url).host,
      connection: expect.any(String),
      'content-type': 'application/json',
      'content-length': String(raw.length),
    });
  });

  const flatCall = [
    'id',
    'from_number',
    'to_number',
    'direction',
    'duration_seconds',
    'status',
    'failure_code',
    'failure_category',
    'disconnection_reason',
    'created_at',
  ];
  const flatMessage = [
    'id',
    'phone_number',
    'from_number',
    'direction',
    'status',
    'contact_token',
    'provider_id',
    'error_message',
    'channel',
    'created_at',
  ];
  const contact = ['id', 'name', 'phone_number', 'email', 'status', 'source', 'metadata', 'created_at', 'updated_at'];
  const appointment = [
    'id',
    'title',
    'description',
    'contact_name',
    'contact_email',
    'start_time',
    'end_time',
    'timezone',
    'status',
    'event_type',
    'scheduling_option',
    'notes',
    'created_at',
  ];
  const enterprise = [
    'id',
    'carrier_enterprise_id',
    'legal_name',
    'dba',
    'status',
    'rejection_reasons',
    'synced_at',
    'loa_document_id',
    'reputation',
  ];
  const envelope = ['triggerEvent', 'createdAt', 'payload'];
  const keysOf: Record<string, readonly string[]> = {
    new_call: flatCall,
    call_completed: flatCall,
    call_no_answer: flatCall,
    call_voicemail: flatCall,
    call_busy: flatCall,
    call_failed: flatCall,
    'phone_call.ended': flatCall,
    contact_replied: flatMessage,
    sms_sent: flatMessage,
    sms_delivered: flatMessage,
    sms_failed: flatMessage,
    contact_created: contact,
    new_appointment: appointment,
    'enterprise.status.updated': enterprise,
    number_purchased: envelope,
    number_released: envelope,
  };
  const partlyKnown: Record<string, readonly string[]> = {
    texting_registration_status_changed: ['registration', 'status', 'reasons', 'texting_enabled_numbers'],
    workflow_contact_completed: ['contact_id', 'job_id', 'outcome'],
  };

  it('is shown here for every event type', async () => {
    const answer = await clientOf(sandbox.url).get('/_sandbox/catalog');
    const types = answer.body.data.events.map((each: { event_type: string }) => each.event_type).sort();
    expect(types).toEqual([...Object.keys(keysOf), ...Object.keys(partlyKnown)].sort());
  });

  it.each([...Object.keys(keysOf), ...Object.keys(partlyKnown)])(
    'is valid by the contract for %s fired by hand, signed for number lifecycle only',
    async (type) => {
      const { client, world } = freshWorld(sandbox);
      const receiver = await newReceiver();
      await subscribe(client, hook(receiver), type);
      const event = await fire(client, type);
      await world.clock.advance('0s');
      expect(receiver.got).toHaveLength(1);
      const [{ body, raw, headers }] = receiver.got as [Received];
      const keys = Object.keys(body);
      if (keysOf[type]) expect(keys.sort()).toEqual([...keysOf[type]].sort());
      else expect(keys).toEqual(expect.arrayContaining([...(partlyKnown[type] as string[])]));
      expect(event).toMatchObject({ event_type: type, payload: body, created_at: START, schema_violations: [] });
      const [delivery] = await deliveriesOf(client);
      expect(delivery).toMatchObject({ event_id: event.id, schema_violations: [], status: 'delivered' });
      expect(headers[SIGNATURE]).toBe(keysOf[type] === envelope ? hmac(raw, 'sandbox_signing_secret') : undefined);
      expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(
        keysOf[type] === envelope ? [SIGNATURE] : [],
      );
    },
  );

  it.each([
    ['number_purchased', 'number.purchased', 'ACTIVE'],
    ['number_released', 'number.released', 'RELEASED'],
  ])('is, for %s, an envelope around a number of the account', async (type, triggerEvent, status) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), type);
    await world.clock.advance('90m');
    await fire(client, type, { id: 4191 });
    await world.clock.advance('0s');
    const numbers = (await client.get('/v1/phone-numbers')).body.data;
    const { organization_id } = numbers.find(({ id }: { id: number }) => id === 4191);
    expect(receiver.got[0]?.body).toEqual({
      triggerEvent,
      createdAt: '2026-01-05T16:30:00.000Z',
      payload: { id: 4191, phone_number: '+14155550191', area_code: '415', status, organization_id },
    });
    expect(receiver.got[0]?.raw.toString()).toMatch(/^\{"triggerEvent":".*","createdAt":".*","payload":\{"id":4191,/);
  });
});

describe('an event fired by hand', () => {
  it('is about an existing record: the newest that fits, or the one that data.id names', async () => {
    const { client, world } = freshWorld(sandbox);
    const older = await client.call('+12125550101');
    const newer = await client.call('+12125550101');
    const answered = await client.call('+12125550100');
    await world.clock.untilIdle();
    expect(await fire(client, 'call_busy')).toMatchObject({
      subject: { table: 'calls', id: newer },
      payload: { id: newer, status: 'BUSY', failure_code: 'busy' },
    });
    expect((await fire(client, 'call_busy', { id: older })).payload.id).toBe(older);
    expect((await fire(client, 'new_call')).payload.id).toBe(answered);
  });

  it.each([
    ['call_busy', '00000000-0000-4000-8000-0000000000aa', 404, 'not_found'],
    ['number_purchased', 4242, 404, 'not_found'],
    ['contact_created', '00000000-0000-4000-8000-0000000000aa', 404, 'not_found'],
    ['call_busy', 'nobody', 404, 'not_found'],
    ['call_busy', null, 400, 'validation_error'],
    ['number_purchased', {}, 400, 'validation_error'],
  ])('%s about the id %j is %i and sends nothing', async (event_type, id, status, code) => {
    const { client, world } = freshWorld(sandbox);
    await client.call('+12125550101');
    await world.clock.untilIdle();
    const emitted = (await world.events()).length;
    const answer = await client.post('/_sandbox/events', { event_type, data: { id } });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['data.id']);
    expect(await world.events()).toHaveLength(emitted);
  });

  it('is about the message that is named, and 404 where none is', async () => {
    const { client } = freshWorld(sandbox);
    const sent = await client.post('/v1/sms/send', { to_number: '+12125550147', body: 'Hello' });
    const { id } = sent.body.data;
    expect(await fire(client, 'sms_sent', { id })).toMatchObject({
      subject: { table: 'messages', id },
      payload: { id, phone_number: '+12125550147' },
    });
    const unknown = { event_type: 'sms_sent', data: { id: '00000000-0000-4000-8000-0000000000aa' } };
    expectError(await client.post('/_sandbox/events', unknown), 404, 'not_found');
  });

  it('carries what data says in the place of the rest', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'sms_failed', 'number_released');
    await fire(client, 'sms_failed', { error_message: 'Landline', status: 'undelivered' });
    await fire(client, 'number_released', { phone_number: '+12125550151', area_code: '212' });
    await world.clock.advance('0s');
    const bodies = receiver.got.map(({ body }) => body);
    const message = bodies.find(({ channel }) => channel === 'sms');
    const number = bodies.find(({ triggerEvent }) => triggerEvent);
    expect(message).toMatchObject({ error_message: 'Landline', status: 'undelivered' });
    expect(number.payload).toMatchObject({ phone_number: '+12125550151', area_code: '212', status: 'RELEASED' });
  });

  it.each([
    ['call_busy', { to_numbr: '+12125550101' }, 'data.to_numbr'],
    ['number_purchased', { triggerEvent: 'number.released' }, 'data.triggerEvent'],
    ['call_busy', { duration_seconds: 'long' }, 'data'],
    ['call_busy', { status: 'SINGING' }, 'data'],
    ['nonsense', {}, 'event_type'],
  ])('%s with invalid data is refused and sends nothing (case %#)', async (event_type, data, field) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'call_busy', 'number_purchased');
    const answer = await client.post('/_sandbox/events', { event_type, data });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    await world.clock.advance('0s');
    expect(receiver.got).toEqual([]);
  });
});

describe('the signature of number-lifecycle deliveries', () => {
  const sign = async (secret: string | null | undefined, type = 'number_purchased'): Promise<Received> => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const [id] = await subscribe(client, hook(receiver), type);
    if (secret !== undefined) {
      const answer = await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret: secret });
      expect(answer.body.data).toMatchObject({ id, signing_secret: secret });
    }
    await fire(client, type);
    await world.clock.advance('0s');
    return receiver.got[0] as Received;
  };

  it("is keyed with the world's secret unless the subscription has its own", async () => {
    for (const type of ['number_purchased', 'number_released']) {
      const { raw, headers } = await sign(undefined, type);
      expect(headers[SIGNATURE]).toBe(hmac(raw, 'sandbox_signing_secret'));
      expect(headers[SIGNATURE]).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it.each(['s', 'a secret of its own', 'ключ-секрет-電話', ' with spaces '])(
    'is keyed with %j where that was set',
    async (secret) => {
      const { raw, headers } = await sign(secret);
      expect(headers[SIGNATURE]).toBe(hmac(raw, secret));
    },
  );

  it('is the literal no-secret-provided where the secret was removed', async () => {
    expect((await sign(null)).headers[SIGNATURE]).toBe('no-secret-provided');
  });

  it('follows the secret as it is replaced, removed and set again, for each subscription by itself', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const [id] = await subscribe(client, `${receiver.url}/changed`, 'number_purchased');
    await subscribe(client, `${receiver.url}/left`, 'number_purchased');
    const secrets = ['first', 'second', null, 'third'];
    for (const signing_secret of secrets) {
      await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret });
      expect((await client.get(`/_sandbox/webhook-subscriptions/${id}`)).body.data.signing_secret).toBe(signing_secret);
      await fire(client, 'number_purchased');
      await world.clock.advance('0s');
    }
    const at = (path: string): Received[] => receiver.got.filter((each) => each.path === path);
    expect(at('/changed').map(({ headers }) => headers[SIGNATURE])).toEqual(
      at('/changed').map(({ raw }, index) => {
        const secret = secrets[index] ?? null;
        return secret === null ? 'no-secret-provided' : hmac(raw, secret);
      }),
    );
    for (const { raw, headers } of at('/left')) {
      expect(headers[SIGNATURE]).toBe(hmac(raw, 'sandbox_signing_secret'));
    }
    expect(receiver.got).toHaveLength(8);
  });

  it('a PUT without signing_secret leaves it, an empty one and an unknown field are refused, a foreign id is 404', async () => {
    const { client } = freshWorld(sandbox);
    const [id] = await subscribe(client, 'https://hooks.example.com/', 'number_purchased');
    const path = `/_sandbox/webhook-subscriptions/${id}`;
    expect((await client.put(path, {})).body.data.signing_secret).toBe('sandbox_signing_secret');
    expectError(await client.put(path, { signing_secret: '' }), 400, 'validation_error');
    expectError(await client.put(path, { secret: 'x' }), 400, 'validation_error');
    expectError(await freshWorld(sandbox).client.get(path), 404, 'not_found');
    expectError(await freshWorld(sandbox).client.put(path, { signing_secret: 'x' }), 404, 'not_found');
  });

  it('covers exactly the bytes that arrive, whatever text is in them', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'number_purchased');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('Zoë Łęcka 電話 \u{1f3a7}', '\u2028\u2029', '\ud800', '</script>', '\\u0041', '\u0000', ''),
    );
    await fc.assert(
      fc.asyncProperty(text, async (status) => {
        receiver.got.length = 0;
        await fire(client, 'number_purchased', { status });
        await world.clock.advance('0s');
        const [{ raw, headers, body }] = receiver.got as [Received];
        expect(headers[SIGNATURE]).toBe(hmac(raw, 'sandbox_signing_secret'));
        expect(headers['content-length']).toBe(String(raw.length));
        expect(body.payload.status).toBe(status);
        expect(verifySignature(raw, headers[SIGNATURE], 'sandbox_signing_secret')).toBe(true);
      }),
      { numRuns: runs(20, 60) },
    );
  });
});

describe('verifySignature', () => {
  const secret = "It's a Secret to Everybody";
  const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  it("accepts GitHub's published vector, as text and as bytes", () => {
    expect(verifySignature('Hello, World!', signature, secret)).toBe(true);
    expect(verifySignature(Buffer.from('Hello, World!'), signature, secret)).toBe(true);
    expect(verifySignature(new TextEncoder().encode('Hello, World!'), signature, secret)).toBe(true);
  });

  it('compares in constant time: all of a signature, wherever it differs', () => {
    const compare = vi.spyOn(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    try {
      for (const given of [signature, `8${signature.slice(1)}`, `${signature.slice(0, -1)}8`]) {
        compare.mockClear();
        expect(verifySignature('Hello, World!', given, secret)).toBe(given === signature);
        const [pair = [], ...more] = compare.mock.calls;
        expect(more).toEqual([]);
        expect(pair.map(String).sort()).toEqual([given, signature].sort());
      }
    } finally {
      compare.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('accepts non-ASCII bytes', () => {
    const raw = Buffer.from('{"name":"Zoë 電話"}');
    expect(verifySignature(raw, hmac(raw, 'ключ'), 'ключ')).toBe(true);
    expect(verifySignature(raw.toString(), hmac(raw, 'ключ'), 'ключ')).toBe(true);
  });

  it.each([undefined, null, ''])('throws where the secret is %j, since whoever sends could have signed so', (none) => {
    for (const given of [hmac(Buffer.from('Hello, World!'), ''), 'no-secret-provided']) {
      expect(() => verifySignature('Hello, World!', given, none as string)).toThrow(TypeError);
    }
  });

  it.each<[string, string, string | readonly string[] | null | undefined, string]>([
    ['another body', 'Hello, World', signature, secret],
    ['another secret', 'Hello, World!', signature, 'another'],
    ['upper case', 'Hello, World!', signature.toUpperCase(), secret],
    ['a prefix', 'Hello, World!', `sha256=${signature}`, secret],
    ['a cut signature', 'Hello, World!', signature.slice(0, -1), secret],
    ['one digit changed', 'Hello, World!', `8${signature.slice(1)}`, secret],
    ['the literal for no secret', 'Hello, World!', 'no-secret-provided', secret],
    ['an empty header', 'Hello, World!', '', secret],
    ['no header', 'Hello, World!', undefined, secret],
    ['a null header', 'Hello, World!', null, secret],
    ['the header twice', 'Hello, World!', [signature, signature], secret],
  ])('rejects %s', (_, body, header, key) => {
    expect(verifySignature(body, header, key)).toBe(false);
  });
});

describe('who hears an event', () => {
  it('every subscription to its type, once each, even with an equal URL', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const ids = await subscribe(client, hook(receiver), 'call_busy', 'call_busy', 'call_busy');
    await subscribe(client, hook(receiver), 'call_failed');
    const event = await fire(client, 'call_busy');
    await world.clock.advance('0s');
    expect(receiver.got.map(({ raw }) => raw.toString())).toEqual([event.body, event.body, event.body]);
    const deliveries = await deliveriesOf(client);
    expect(deliveries.map((each: { subscription_id: string }) => each.subscription_id)).toEqual(ids);
    expect(new Set(deliveries.map(({ id }: { id: string }) => id)).size).toBe(3);
  });

  it('fifty subscriptions, each exactly once and with the same bytes', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const paths = Array.from({ length: 50 }, (_, index) => `/hook/${index}`);
    for (const path of paths) await subscribe(client, receiver.url + path, 'new_appointment');
    await fire(client, 'new_appointment');
    await world.clock.advance('0s');
    expect(receiver.got.map(({ path }) => path).sort()).toEqual(paths.sort());
    expect(new Set(receiver.got.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  it('nobody in another world', async () => {
    const here = freshWorld(sandbox);
    const there = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(there.client, hook(receiver), ...CALL_EVENTS);
    await here.client.call('+12125550101');
    await here.world.clock.untilIdle();
    await there.world.clock.advance('0s');
    expect(receiver.got).toEqual([]);
    expect(await deliveriesOf(there.client)).toEqual([]);
    expect(await there.world.events()).toEqual([]);
  });

  it('neither a parent what its child does, nor a child what its parent does', async () => {
    const { client: parent, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    // Number 4194 of the fixture belongs to the sub-entity.
    const { organization_id } = (await fire(parent, 'number_released', { id: 4194 })).payload.payload;
    const made = await parent.post('/_sandbox/keys', { organization_id });
    const child = clientOf(sandbox.url, made.body.data.api_key);
    await subscribe(parent, `${receiver.url}/parent`, 'new_call', 'number_released');
    await subscribe(child, `${receiver.url}/child`, 'new_call', 'number_released');
    const ofParent = await parent.call('+12125550100');
    const dialled = await child.post('/v1/calls/dial', { from_number: '+14155550194', to_number: '+12125550100' });
    await fire(parent, 'number_released', { id: 4194 });
    await world.clock.advance('0s');
    const heard = (path: string): unknown[] =>
      receiver.got.filter((each) => each.path === path).map(({ body }) => body.id ?? body.payload.id);
    expect(heard('/parent')).toEqual([ofParent]);
    expect(heard('/child').sort()).toEqual([dialled.body.call_id, 4194].sort());
  });

  it('nobody that subscribed after it had happened', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await client.call('+12125550101');
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    await world.clock.untilIdle();
    expect(receiver.got.map(({ body }) => body.status)).toEqual(['BUSY', 'BUSY', 'BUSY']);
  });

  it('with a campaign_id, calls of that job alone; a workflow_id narrows nothing', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    for (const [path, filter] of [
      ['/campaign', { campaign_id: 'a3bb189e-8bf9-4c7a-9e54-2a0f7d7c1f10' }],
      ['/workflow', { workflow_id: 'wf_7' }],
    ] as const) {
      await client.post('/api/v1/webhook_subscriptions', {
        webhook_url: receiver.url + path,
        event_type: 'new_call',
        ...filter,
      });
    }
    await client.call('+12125550100');
    await world.clock.advance('0s');
    expect(receiver.got.map(({ path }) => path)).toEqual(['/workflow']);
  });
});

describe('one delivery', () => {
  it.each([200, 201, 202, 204, 299])('is delivered by an answer of %i', async (status) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(status).end();
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ status: standing, attempts }] = await deliveriesOf(client);
    expect([standing, attempts[0].response.status, attempts[0].error_class]).toEqual(['delivered', status, null]);
  });

  it.each([300, 304, 400, 404, 408, 410, 429, 500, 502, 503])(
    'is attempted once, and never again after an answer of %i',
    async (status) => {
      const { client, world } = freshWorld(sandbox);
      const receiver = await newReceiver();
      receiver.onDelivery = (_, res) => res.writeHead(status, { 'Retry-After': '1' }).end();
      await subscribe(client, hook(receiver), 'call_busy');
      await fire(client, 'call_busy');
      await world.clock.advance('30d');
      expect(receiver.got).toHaveLength(1);
      const [{ status: standing, attempts }] = await deliveriesOf(client);
      expect(standing).toBe('failed');
      expect(attempts).toHaveLength(1);
      expect(attempts[0]).toMatchObject({ error_class: 'http_status', response: { status } });
    },
  );

  it.each([301, 302, 303, 307, 308])('is not sent on by a redirect of %i', async (status) => {
    const { client, world } = freshWorld(sandbox);
    const [receiver, other] = [await newReceiver(), await newReceiver()];
    receiver.onDelivery = (_, res) => res.writeHead(status, { Location: hook(other) }).end();
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ status: standing, attempts }] = await deliveriesOf(client);
    expect([standing, attempts[0].error_class]).toEqual(['failed', 'http_status']);
    expect(attempts[0].response.headers.location).toBe(hook(other));
    expect([receiver.got.length, other.got.length]).toEqual([1, 0]);
  });

  it('fails alone: the next event of the subscription is sent', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = ({ body }, res) => {
      if (body.name === 'first') res.writeHead(500).end();
    };
    await subscribe(client, hook(receiver), 'contact_created');
    for (const name of ['first', 'second']) await fire(client, 'contact_created', { name });
    await world.clock.advance('0s');
    expect((await deliveriesOf(client)).map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'delivered',
    ]);
  });

  describe('names what kept it from being accepted', () => {
    const attemptTo = async (url: string): Promise<Received['body']> => {
      const { client, world } = freshWorld(sandbox);
      await subscribe(client, url, 'call_busy');
      await fire(client, 'call_busy');
      await world.clock.advance('0s');
      const [delivery] = await deliveriesOf(client);
      expect([delivery.status, delivery.attempts.length]).toEqual(['failed', 1]);
      return delivery.attempts[0];
    };

    it('connect_refused where nobody listens', async () => {
      const receiver = await startReceiver();
      await receiver.close();
      const attempt = await attemptTo(hook(receiver));
      expect(attempt).toMatchObject({ error_class: 'connect_refused', response: null, error: expect.any(String) });
    });

    it('dns where the name leads nowhere', async () => {
      expect((await attemptTo('https://nothing.invalid/hook')).error_class).toBe('dns');
    });

    it('http_status where the answer is no 2xx', async () => {
      const receiver = await newReceiver();
      receiver.onDelivery = (_, res) => res.writeHead(503).end('later');
      expect(await attemptTo(hook(receiver))).toMatchObject({
        error_class: 'http_status',
        response: { status: 503, body: 'later' },
      });
    });

    it('reset where the connection breaks before an answer', async () => {
      const receiver = await newReceiver();
      receiver.onDelivery = (_, res) => res.socket?.resetAndDestroy();
      expect((await attemptTo(hook(receiver))).error_class).toBe('reset');
      receiver.onDelivery = (_, res) => res.socket?.destroy();
      expect((await attemptTo(hook(receiver))).error_class).toBe('reset');
    });

    it('tls where the other side speaks none', async () => {
      const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      try {
        expect((await attemptTo(`https://127.0.0.1:${port}/hook`)).error_class).toBe('tls');
      } finally {
        server.close();
      }
    });
  });
});

describe('lanes', () => {
  it('a subscription gets its events in order and one at a time', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    let underWay = 0;
    let most = 0;
    receiver.onDelivery = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, receiver.got.length % 3));
      underWay -= 1;
    };
    // No record is behind these events, so that nothing but the subscription keeps them in order.
    await subscribe(client, hook(receiver), 'sms_sent');
    const names = Array.from({ length: 25 }, (_, index) => `provider ${index}`);
    await Promise.all(names.map((provider_id) => fire(client, 'sms_sent', { provider_id })));
    await world.clock.advance('0s');
    const emitted = (await world.events()).map(({ payload }) => (payload as { provider_id: string }).provider_id);
    expect(receiver.got.map(({ body }) => body.provider_id)).toEqual(emitted);
    expect(emitted.sort()).toEqual(names.sort());
    expect(most).toBe(1);
  });

  it('a receiver that closes the connection after each answer, without saying so, gets every event', async () => {
    const { client, world } = freshWorld(sandbox);
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await subscribe(client, `http://127.0.0.1:${port}/hook`, 'call_busy');
    for (let times = 0; times < 60; times++) await fire(client, 'call_busy');
    await world.clock.advance('0s');
    server.close();
    expect(await deliveriesOf(client, 'status=failed')).toEqual([]);
    expect(await deliveriesOf(client, 'status=delivered')).toHaveLength(60);
  });

  it('a receiver that never answers delays no other subscription', async () => {
    const { client, world } = freshWorld(sandbox);
    const [dead, healthy] = [await newReceiver(), await newReceiver()];
    const { opened, open } = gate();
    dead.onDelivery = () => opened;
    await subscribe(client, hook(dead), ...CALL_EVENTS);
    await subscribe(client, hook(healthy), ...CALL_EVENTS);
    await world.clock.set('instant');
    await client.call('+12125550101');
    await client.call('+12125550100');
    await until(() => healthy.got.length).toBe(7);
    expect(dead.got.length).toBeLessThan(7);
    open();
    await world.clock.untilIdle();
    expect(dead.got).toHaveLength(7);
  });

  it('a receiver that never answers delays no other world', async () => {
    const [one, two] = [freshWorld(sandbox), freshWorld(sandbox)];
    const [dead, healthy] = [await newReceiver(), await newReceiver()];
    const { opened, open } = gate();
    dead.onDelivery = () => opened;
    await subscribe(one.client, hook(dead), 'call_busy');
    await subscribe(two.client, hook(healthy), 'call_busy');
    await fire(one.client, 'call_busy');
    await fire(two.client, 'call_busy');
    await two.world.clock.advance('1h');
    expect(healthy.got).toHaveLength(1);
    expect((await deliveriesOf(one.client))[0].status).toBe('in_flight');
    open();
    await one.world.clock.advance('0s');
  });

  it('three hundred subscriptions of a receiver that never answers delay no other receiver', async () => {
    const { client, world } = freshWorld(sandbox);
    const [dead, healthy] = [await newReceiver(), await newReceiver()];
    const { opened, open } = gate();
    dead.onDelivery = () => opened;
    await subscribe(client, hook(dead), ...Array.from({ length: 300 }, () => 'call_busy'));
    await subscribe(client, hook(healthy), 'call_busy');
    await fire(client, 'call_busy');
    try {
      await until(() => healthy.got.length).toBe(1);
    } finally {
      open();
      await world.clock.advance('0s');
    }
  });

  it('a reset leaves no dead receiver of the time before in the way', async () => {
    const { client, world } = freshWorld(sandbox);
    const [dead, healthy] = [await newReceiver(), await newReceiver()];
    const { opened, open } = gate();
    dead.onDelivery = () => opened;
    await subscribe(client, hook(dead), 'call_busy');
    await fire(client, 'call_busy');
    await until(() => dead.got.length).toBe(1);
    await world.reset();
    await subscribe(client, hook(healthy), 'call_busy');
    await fire(client, 'call_busy');
    try {
      await until(() => healthy.got.length).toBe(1);
    } finally {
      open();
      await world.clock.advance('0s');
    }
  });
});

describe('the delivery log', () => {
  it('shows subscription, event, exact bytes, headers, answer, latency and error class of every attempt', async () => {
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
      attempts: [
        {
          number: 1,
          attempted_at: at,
          latency_ms: expect.any(Number),
          error_class: null,
          error: null,
          request: { headers: expect.any(Object), body: raw.toString() },
          response: { status: 202, headers: expect.objectContaining({ 'x-receiver': 'yes' }), body: 'thank you' },
        },
      ],
    });
    const [attempt] = delivery.attempts;
    expect(attempt.latency_ms).toBeGreaterThanOrEqual(55);
    expect(attempt.latency_ms).toBeLessThan(2000);
    const shown = Object.entries(attempt.request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(Object.fromEntries(shown)).toMatchObject({
      'content-type': 'application/json',
      [SIGNATURE]: headers[SIGNATURE],
    });
    expect((await client.get(`/_sandbox/deliveries/${delivery.id}`)).body.data).toEqual(delivery);
    expect((await world.deliveries())[0]).toEqual(delivery);
  });

  it('lists newest first, in pages, by status, event type and subscription', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = ({ path }, res) => (path === '/broken' ? res.writeHead(500).end() : undefined);
    await subscribe(client, hook(receiver), 'call_busy', 'call_failed');
    const [broken] = await subscribe(client, `${receiver.url}/broken`, 'call_busy');
    const events: { id: string }[] = [];
    for (const type of ['call_busy', 'call_failed', 'call_busy']) events.push(await fire(client, type));
    await world.clock.advance('0s');
    const ask = async (query: string): Promise<string[]> => {
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
    expect(await ask('')).toEqual(all);
    expect(await ask('status=failed')).toEqual([all[0], all[3]]);
    expect(await ask('event_type=call_failed')).toEqual([all[2]]);
    expect(await ask(`subscription_id=${broken}`)).toEqual([all[0], all[3]]);
    const first = await client.get('/_sandbox/deliveries?page_size=3');
    expect(first.body.meta).toEqual({ cursor: expect.any(String), total_results: 5, page_size: 3, dropped: 0 });
    expect(await ask(`page_size=3&cursor=${first.body.meta.cursor}`)).toEqual(all.slice(3));
    expectError(await client.get('/_sandbox/deliveries?status=lost'), 400, 'validation_error');
    expectError(await client.get('/_sandbox/deliveries?nonsense=1'), 400, 'validation_error');
  });

  it('sends the same bytes again as a second attempt when asked to', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => (receiver.got.length === 1 ? res.writeHead(500).end() : undefined);
    await subscribe(client, hook(receiver), 'number_released', 'call_busy');
    await fire(client, 'number_released', { status: 'RELEASED – 電話' });
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

  it('refuses to send again what belongs to the time before a reset', async () => {
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
    // The ids begin anew, so that the subscription is there again.
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

  it('refuses to send again what is under way or queued', async () => {
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

  it('tells how many deliveries and events it no longer has, of every type', async () => {
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

  it('knows nothing of another world', async () => {
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
