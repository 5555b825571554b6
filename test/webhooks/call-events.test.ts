// The events of a call: `spec.md` "Events", with the ledger's event_order and delivery_policy.
import { describe, expect, it } from 'vitest';
import { clientOf, playing } from '../support/client.ts';
import { type Receiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { CALL_EVENTS, deliveriesOf, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { hook, recordTypes, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

describe('the events of a call', () => {
  it('do not exist for a dial that a scenario refuses', async () => {
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
    ['after the answer', '5s', 'COMPLETED'],
  ])('include no disposition when the caller hangs up %s', async (_, after, status) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const recorded = recordTypes(client, receiver, hook(receiver));
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    const call = await client.call('+12125550142', playing('answered;ring=2s;talk=60s'));
    await world.clock.advance(after);
    expect((await client.post(`/v1/calls/${call}/hangup`)).body.data).toEqual({ call_id: call, status });
    expect((await client.post(`/v1/calls/${call}/hangup`)).body.data).toEqual({ call_id: call, status });
    await world.clock.advance('1d');
    expect(recorded.map(({ type }) => type)).toEqual(['new_call', 'call_completed', 'phone_call.ended']);
    expect(receiver.got.map(({ body }) => body.status)).toEqual(['QUEUED', status, status]);
  });

  it('arrive in order for each of many calls when one URL has several subscriptions', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const recorded = recordTypes(client, receiver, hook(receiver));
    const record = receiver.onDelivery;
    let count = 0;
    receiver.onDelivery = async (delivery, res) => {
      await record(delivery, res);
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, (count * 7) % 5));
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
      expect(recorded.filter((each) => each.call === call).map(({ type }) => type)).toEqual(twice);
    }
  });

  it('start with the disposition in a world with that assumption', async () => {
    const made = await clientOf(sandbox.url).post('/_sandbox/worlds', {
      clock: 'manual',
      assumptions: { event_order: 'disposition_first' },
    });
    const client = clientOf(sandbox.url, made.body.data.api_key);
    const receiver = await newReceiver();
    const recorded = recordTypes(client, receiver, hook(receiver));
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    await client.call('+12125550101');
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect(recorded.map(({ type }) => type)).toEqual(['new_call', 'call_busy', 'call_completed', 'phone_call.ended']);
  });

  it.each<[string, Receiver['onDelivery']]>([
    ['responds with 500', (_, res) => res.writeHead(500).end()],
    ['responds with 410', (_, res) => res.writeHead(410).end()],
    ['redirects', (_, res) => res.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end()],
    ['resets every connection', (_, res) => res.socket?.resetAndDestroy()],
  ])('do not change the call when the receiver %s', async (_, onDelivery) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const callDeliveredTo = async (onDelivery: Receiver['onDelivery']): Promise<unknown> => {
      await world.reset();
      receiver.onDelivery = onDelivery;
      receiver.got.length = 0;
      await subscribe(client, hook(receiver), ...CALL_EVENTS);
      const call = await client.call('+12125550103');
      await world.clock.untilIdle();
      expect(receiver.got).toHaveLength(4);
      return client.readCall(call);
    };
    const accepted = await callDeliveredTo(() => undefined);
    expect(accepted).toMatchObject({ status: 'VOICEMAIL' });
    expect(await callDeliveredTo(onDelivery)).toEqual(accepted);
  });

  it('do not delay the call when the receiver has not responded yet', async () => {
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

  it('are emitted once for a dial that is repeated with its idempotency key', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), 'new_call');
    const headers = { 'Idempotency-Key': '7c1f7a0e-93a5-4c52-9a3c-0c6c9d3f6b11' };
    const ids = [await client.call('+12125550100', headers), await client.call('+12125550100', headers)];
    await world.clock.advance('0s');
    expect(receiver.got.map(({ body }) => body.id)).toEqual([ids[0]]);
    expect(ids[1]).toBe(ids[0]);
  });

  it('have the same bytes and headers whatever control headers the dial has', async () => {
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
