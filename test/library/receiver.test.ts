// The webhook receiver for tests.
import { afterEach, describe, expect, it } from 'vitest';
import { createReceiver, type Receiver, type ReceiverOptions } from '../../src/index.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
let worlds = 0;
const freshWorld = () => sandbox.world(`receiver-${++worlds}`);

const running: Receiver[] = [];
afterEach(() => Promise.all(running.splice(0).map((each) => each.close())));

async function receiverOf(options?: ReceiverOptions): Promise<Receiver> {
  const receiver = await createReceiver(options);
  running.push(receiver);
  return receiver;
}

const post = (url: string, body: string): Promise<number> =>
  fetch(url, { method: 'POST', body }).then(({ status }) => status);

describe('a receiver', () => {
  it('records the exact bytes of deliveries, and checks their signatures', async () => {
    const world = freshWorld();
    const receiver = await receiverOf({ secret: 'sandbox_signing_secret' });
    await world.subscribe(`${receiver.url}/hooks`, ['number_purchased', 'contact_created']);
    await world.control.call('emitEvent', { body: { event_type: 'number_purchased' } });
    await world.simulate.newContact({ name: 'Ada' });
    await world.clock.untilIdle();
    const signed = await receiver.next({ triggerEvent: 'number.purchased' });
    expect(signed).toMatchObject({ method: 'POST', path: '/hooks', verified: true });
    const [delivery] = await world.deliveries({ event_type: 'number_purchased' });
    expect(signed.rawBody.toString()).toBe(delivery?.body);
    expect(await receiver.next()).toMatchObject({ body: { name: 'Ada' }, verified: undefined });
    expect(receiver.received).toHaveLength(2);
  });

  it('sees a signature of another secret', async () => {
    const world = freshWorld();
    const receiver = await receiverOf({ secret: 'mine' });
    await world.subscribe(receiver.url, 'number_purchased');
    await world.control.call('emitEvent', { body: { event_type: 'number_purchased' } });
    await world.clock.untilIdle();
    expect(await receiver.next()).toMatchObject({ verified: false });
  });

  it('answers by a script, and with 200 after it; a single answer stays', async () => {
    const receiver = await receiverOf();
    receiver.respond([500, { status: 503, body: 'later', headers: { 'Retry-After': '1' }, delay: '1ms' }]);
    const got = [];
    for (let n = 0; n < 3; n++) got.push(await post(receiver.url, '{}'));
    receiver.respond(404);
    for (let n = 0; n < 2; n++) got.push(await post(receiver.url, '{}'));
    receiver.clear();
    got.push(await post(receiver.url, '{}'));
    expect(got).toEqual([500, 503, 200, 404, 404, 200]);
    expect(receiver.received).toHaveLength(1);
    expect(() => receiver.respond([99])).toThrow(
      '99 is not a status to answer with; must be an integer from 200 to 599',
    );
    expect(() => receiver.respond({ delay: 'soon' })).toThrow('must be a duration');
  });

  it('makes a platform retry until it accepts', async () => {
    const world = freshWorld();
    const receiver = await receiverOf();
    receiver.respond([500, 200]);
    await world.subscribe(receiver.url, 'contact_created', { retries: ['5s'] });
    await world.simulate.newContact();
    await world.clock.advance('1m');
    expect(receiver.received).toHaveLength(2);
    expect(await world.deliveries()).toMatchObject([{ status: 'delivered' }]);
  });

  it('gives each delivery to one call of next, in the order in which they came', async () => {
    const receiver = await receiverOf();
    const waiting = [receiver.next({ n: 2 }), receiver.next((webhook) => webhook.body.n > 0), receiver.next()];
    for (const n of [1, 2, 3]) await post(`${receiver.url}/path?q=${n}`, JSON.stringify({ n, deep: { a: 1, b: 2 } }));
    expect((await Promise.all(waiting)).map(({ body }) => body.n)).toEqual([2, 1, 3]);
    await post(receiver.url, JSON.stringify({ n: 4, deep: { a: 1, b: 2 }, list: [1] }));
    expect(await receiver.next({ deep: { b: 2 }, list: [1] })).toMatchObject({ body: { n: 4 } });
  });

  it('says what has arrived instead of what was waited for', async () => {
    const receiver = await receiverOf();
    await expect(receiver.next({ n: 1 }, '1ms')).rejects.toThrow(
      'a delivery with {"n":1} has not arrived within 1ms; nothing else has either',
    );
    await post(`${receiver.url}/hooks`, 'no JSON');
    await expect(receiver.next({ n: 1 }, '1ms')).rejects.toThrow(
      '1 others have, the last of them:\n  POST /hooks no JSON',
    );
    expect(receiver.received).toMatchObject([{ body: undefined }]);
  });
});
