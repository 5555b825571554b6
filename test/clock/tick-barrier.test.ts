// The tick barrier of an advance: deliveries are attempted before the clock moves on (`interface.md` section 4).
import { describe, expect, it } from 'vitest';
import { expectError, playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { stretched, until } from '../support/until.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import {
  ADVANCE,
  advance,
  afterStart,
  CLOCK,
  clockOf,
  endsIn,
  holdFirstEvent,
  MANUAL,
  nowOf,
  pause,
  TO,
} from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const newReceiver = useReceivers();

describe('the tick barrier', () => {
  it('leaves an instant only when the deliveries it caused have been attempted', async () => {
    const { client } = freshWorld(sandbox);
    const slow = await newReceiver();
    const seen: [event: string, now: string][] = [];
    slow.onDelivery = async ({ raw, path }) => {
      const first = await nowOf(client);
      await pause(15);
      const inFlight = (await deliveriesOf(client, 'status=in_flight')).find(
        (each: { url: string; body: string }) => each.url === slow.url + path && each.body === raw.toString(),
      );
      expect(await nowOf(client)).toBe(first);
      seen.push([inFlight.created_at, first]);
    };
    for (const type of ['new_call', 'call_completed', 'call_busy', 'phone_call.ended']) {
      await subscribe(client, `${slow.url}/${type}`, type);
    }
    for (const ring of ['1s', '1s', '1001ms', '2s', '50s']) await client.call(TO, playing(`busy;ring=${ring}`));
    await advance(client, { by: '1h' });
    expect(seen).toHaveLength(20);
    for (const [event, now] of seen) expect(now).toBe(event);
  });

  it('waits for deliveries in flight before the clock moves', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const seen: string[] = [];
    receiver.onDelivery = async () => {
      await pause(30);
      seen.push(await nowOf(client));
    };
    await subscribe(client, receiver.url, 'contact_created');
    await fire(client, 'contact_created');
    await advance(client, { by: '1d' });
    expect(seen).toEqual([afterStart(0)]);
  });

  it('lets receivers dial: their calls start at that instant and end within the same advance', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const made: string[] = [];
    receiver.onDelivery = async () => {
      if (made.length < 6) made.push(await client.call(TO, playing('busy;ring=1s')));
    };
    await subscribe(client, receiver.url, 'phone_call.ended');
    made.push(await client.call(TO, playing('busy;ring=1s')));
    const answer = await advance(client, { by: '5s' });
    expect(answer).toMatchObject({ now: afterStart(5000), complete: true, totals: { deliveries: 5 } });
    expect(endsIn(answer)).toEqual(made.slice(0, 5));
    const calls = await Promise.all(made.map((id) => client.readCall(id)));
    expect(calls.map(({ started_at, ended_at }) => [started_at, ended_at])).toEqual([
      [afterStart(0), afterStart(1000)],
      [afterStart(1000), afterStart(2000)],
      [afterStart(2000), afterStart(3000)],
      [afterStart(3000), afterStart(4000)],
      [afterStart(4000), afterStart(5000)],
      [afterStart(5000), null],
    ]);
  });

  it('waits with until idle for the calls that receivers dial', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    let left = 10;
    receiver.onDelivery = async () => {
      if (left-- > 0) await client.call(TO, playing('busy;ring=7m'));
    };
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=7m'));
    const answer = await advance(client, { until: 'idle' });
    expect(answer).toMatchObject({ now: afterStart(11 * 420_000), complete: true, totals: { deliveries: 11 } });
    expect(endsIn(answer)).toHaveLength(11);
    expect((await clockOf(client)).pending).toBe(0);
  });

  it('runs a step that a receiver schedules for the current instant at that instant', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const made: string[] = [];
    receiver.onDelivery = async () => {
      if (made.length === 0) made.push(await client.call(TO, playing('busy;ring=0s')));
    };
    await subscribe(client, receiver.url, 'call_busy');
    const first = await client.call(TO, playing('busy;ring=1s'));
    const second = await client.call(TO, playing('busy;ring=1001ms'));
    const answer = await advance(client, { until: 'idle' });
    expect(endsIn(answer)).toEqual([first, made[0], second]);
    expect((await client.readCall(made[0] as string)).ended_at).toBe(afterStart(1000));
  });

  it('ends at its timeout with the time it has reached', async () => {
    const { client } = freshWorld(sandbox);
    const open = await holdFirstEvent(client, await newReceiver());
    const later = await client.call(TO, playing('busy;ring=3s'));
    const began = performance.now();
    const answer = await advance(client, { by: '1h', timeout: '200ms' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(190);
    expect(performance.now() - began).toBeLessThan(stretched(2000));
    expect(answer).toMatchObject({
      now: afterStart(2000),
      complete: false,
      deliveries: [],
      totals: { steps: 1, deliveries: 0 },
    });
    expect(await nowOf(client)).toBe(afterStart(2000));
    expect((await client.readCall(later)).status).toBe('QUEUED');
    open();
    const rest = await advance(client, { to: afterStart(3_600_000) });
    expect(rest).toMatchObject({ now: afterStart(3_600_000), complete: true, totals: { steps: 1 } });
    expect((await deliveriesOf(client)).map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'delivered',
    ]);
  });

  it('rejects a second advance of the same world, and lets other worlds advance', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const open = await holdFirstEvent(client, receiver);
    const first = advance(client, { by: '1h' });
    await until(() => receiver.got.length).toBe(1);
    for (const body of [{ by: '1s' }, { to: afterStart(10_000) }, { until: 'idle' }]) {
      expectError(await client.post(ADVANCE, body), 409, 'conflict');
    }
    expectError(await client.put(CLOCK, { now: afterStart(10_000) }), 409, 'conflict');
    await expect(world.clock.advance('1s')).rejects.toMatchObject({ code: 'conflict' });
    expect((await advance(freshWorld(sandbox).client, { by: '1s' })).now).toBe(afterStart(1000));
    open();
    expect(await first).toMatchObject({ now: afterStart(3_600_000), complete: true });
    expect((await advance(client, { by: '1s' })).now).toBe(afterStart(3_601_000));
  });

  it('handles requests that arrive meanwhile at the current instant', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const open = await holdFirstEvent(client, receiver);
    const first = advance(client, { by: '10s' });
    await until(() => receiver.got.length).toBe(1);
    const call = await client.call(TO, playing('busy;ring=3s'));
    expect((await client.readCall(call)).started_at).toBe(afterStart(2000));
    open();
    const answer = await first;
    expect(answer).toMatchObject({ now: afterStart(10_000), complete: true, totals: { deliveries: 2 } });
    expect(endsIn(answer)[1]).toBe(call);
    expect((await client.readCall(call)).ended_at).toBe(afterStart(5000));
  });

  it('ends with a reset, and the clock stays at its start', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const open = await holdFirstEvent(client, receiver);
    const first = client.post(ADVANCE, { by: '1h', timeout: '1s' });
    await until(() => receiver.got.length).toBe(1);
    await world.reset();
    open();
    await first;
    expect(await nowOf(client)).toBe(afterStart(0));
  });
});
