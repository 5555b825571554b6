// `spec.md` "Delivery shapes" and "Signature", as a receiver in another process sees them.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { programs, root } from '../support/program.ts';
import { useSandbox } from '../support/sandbox.ts';
import { eventually } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';

const { node } = programs();

describe('a receiver in another process', () => {
  interface Logged {
    readonly accepted: boolean;
    readonly signature: string | null;
    readonly raw: string;
  }
  const types = [
    'new_call',
    'call_completed',
    'call_busy',
    'call_voicemail',
    'call_no_answer',
    'call_failed',
    'phone_call.ended',
    'sms_sent',
    'number_purchased',
  ];

  const { client } = useSandbox({ clock: 'manual' });
  let hooks: string;
  const subscriptions = new Map<string, string>();
  let seen = 0;

  beforeAll(async () => {
    const receiver = node(join(root, 'test/support/checking-receiver.mjs'), 'sandbox_signing_secret');
    await eventually(() => expect(receiver.stdout()).toMatch(/^\d+\n$/));
    hooks = `http://127.0.0.1:${receiver.stdout().trim()}/hooks`;
    for (const type of types) subscriptions.set(type, (await subscribe(client, hooks, type))[0] ?? '');
  });

  /** Advances the world until it is idle; returns what the receiver got since the previous call. */
  async function received(): Promise<Logged[]> {
    const answer = await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect(answer.body.data.complete).toBe(true);
    const log = (await (await fetch(hooks)).json()) as Logged[];
    const added = log.slice(seen);
    seen = log.length;
    return added;
  }

  async function sent(count: number): Promise<{ event_type: string; body: string; status: string }[]> {
    const { data } = (await client.get(`/_sandbox/deliveries?page_size=${count}`)).body;
    return data.reverse();
  }

  it.each([
    ['busy', '+12125550101', ['new_call', 'call_completed', 'call_busy', 'phone_call.ended'], 'BUSY'],
    ['voicemail', '+12125550103', ['new_call', 'call_completed', 'call_voicemail', 'phone_call.ended'], 'VOICEMAIL'],
    ['answered', '+12125550100', ['new_call', 'call_completed', 'phone_call.ended'], 'COMPLETED'],
  ])('accepts all events of a call with the outcome %s, in order and unsigned', async (_, to, events, end) => {
    const id = await client.call(to);
    const got = await received();
    expect(got.map(({ accepted, signature }) => ({ accepted, signature }))).toEqual(
      events.map(() => ({ accepted: true, signature: null })),
    );
    expect(got.map(({ raw }) => `${JSON.parse(raw).id} ${JSON.parse(raw).status}`)).toEqual(
      events.map((type) => `${id} ${type === 'new_call' ? 'QUEUED' : end}`),
    );
    const deliveries = await sent(events.length);
    expect(deliveries.map(({ event_type }) => event_type)).toEqual(events);
    expect(deliveries.map(({ body }) => body)).toEqual(got.map(({ raw }) => raw));
    expect(deliveries.every(({ status }) => status === 'delivered')).toBe(true);
  });

  const fire = async (event_type: string, data: object = {}): Promise<void> => {
    const answer = await client.post('/_sandbox/events', { event_type, data });
    expect(answer.status, answer.text).toBe(201);
  };
  const setSecret = (signing_secret: string | null): Promise<unknown> =>
    client.put(`/_sandbox/webhook-subscriptions/${subscriptions.get('number_purchased')}`, { signing_secret });

  it('verifies the signature of number_purchased over the raw bytes', async () => {
    await fire('number_purchased', { id: 4190 });
    const [got, ...more] = await received();
    expect(more).toEqual([]);
    expect(got?.accepted).toBe(true);
    expect(got?.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(got?.raw ?? '')).toMatchObject({
      triggerEvent: 'number.purchased',
      payload: { id: 4190, phone_number: '+14155550190', area_code: '415', status: 'ACTIVE' },
    });
  });

  it('verifies the signature of a body with non-ASCII text', async () => {
    // Number events have no free text; a world can assume that other events are signed like them.
    const assume = (value: string): Promise<unknown> => client.put('/_sandbox/assumptions/event_payloads', { value });
    await assume('enveloped_and_signed');
    const [subscription] = await subscribe(client, hooks, 'contact_created');
    await fire('contact_created', { name: 'Z\u00fcrich \u{1f4de}' });
    const [got] = await received();
    expect(got?.accepted).toBe(true);
    expect(JSON.parse(got?.raw ?? '').payload.name).toBe('Z\u00fcrich \u{1f4de}');
    await client.delete(`/api/v1/webhook_subscriptions/${subscription}`);
    await assume('flat');
  });

  it('rejects number_purchased signed with another secret or without one', async () => {
    for (const [secret, signature] of [
      ['another secret', /^[0-9a-f]{64}$/],
      [null, /^no-secret-provided$/],
    ] as const) {
      await setSecret(secret);
      await fire('number_purchased');
      const [got] = await received();
      expect(got?.accepted).toBe(false);
      expect(got?.signature).toMatch(signature);
      expect((await sent(1))[0]).toMatchObject({ event_type: 'number_purchased', status: 'failed' });
    }
    await setSecret('sandbox_signing_secret');
    await fire('number_purchased');
    expect((await received()).map(({ accepted }) => accepted)).toEqual([true]);
  });

  it('accepts a message event without a signature', async () => {
    await fire('sms_sent');
    const [got] = await received();
    expect(got).toMatchObject({ accepted: true, signature: null });
  });

  it('gets no event without a subscription and none for a refused dial', async () => {
    await fire('number_released');
    await fire('contact_created');
    expect((await client.dial('+12125550111')).status).toBe(403);
    expect(await received()).toEqual([]);
  });
});
