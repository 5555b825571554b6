// Order: what one receiver gets about one record is in the order in which it happened (`interface.md` section 6).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { receiverOf } from '../../src/webhooks/receiver.ts';
import { playing } from '../support/client.ts';
import { type Receiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { CALL_EVENTS, deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the events of a record', () => {
  it('arrive in order at one receiver when each type has a URL of its own', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const log: string[] = [];
    receiver.onDelivery = async ({ body, path }) => {
      const type = path.split(/[/?]/)[1];
      log.push(`${body.id} ${type} arrives`);
      await sleep(2);
      log.push(`${body.id} ${type} is answered`);
    };
    for (const type of [...CALL_EVENTS].reverse()) await subscribe(client, `${receiver.url}/${type}?by=path`, type);
    const calls: string[] = [];
    for (let nth = 0; nth < 10; nth++) calls.push(await client.call('+12125550142', playing('busy;ring=1s')));
    await world.clock.untilIdle();
    for (const call of calls) {
      const expected = ['new_call', 'call_completed', 'call_busy', 'phone_call.ended'].flatMap((type) => [
        `${call} ${type} arrives`,
        `${call} ${type} is answered`,
      ]);
      expect(log.filter((line) => line.startsWith(call))).toEqual(expected);
    }
  });

  it('do not wait for another receiver, nor for the events of another record', async () => {
    const { client, world } = freshWorld(sandbox);
    const [slow, other] = [await newReceiver(), await newReceiver()];
    const [held, free] = [await client.call('+12125550101'), await client.call('+12125550101')];
    await world.clock.untilIdle();
    const { opened, open } = gate();
    slow.onDelivery = ({ body }) => (body.id === held ? opened : undefined);
    await subscribe(client, `${slow.url}/a`, 'call_busy');
    await subscribe(client, `${slow.url}/b`, 'call_completed');
    await subscribe(client, other.url, 'call_completed');
    await fire(client, 'call_busy', { id: held });
    await until(() => slow.got.length).toBe(1);
    await fire(client, 'call_completed', { id: free });
    await until(() => slow.got.map(({ path }) => path)).toEqual(['/a', '/b']);
    await fire(client, 'call_completed', { id: held });
    await until(() => other.got.map(({ body }) => body.id)).toEqual([free, held]);
    expect(slow.got).toHaveLength(2);
    open();
    await world.clock.advance('0s');
    expect(slow.got.map(({ path }) => path)).toEqual(['/a', '/b', '/b']);
  });

  it('do not wait for those of a deleted subscription that were never sent', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const [held, free] = [await client.call('+12125550101'), await client.call('+12125550101')];
    await world.clock.untilIdle();
    const { opened, open } = gate();
    receiver.onDelivery = ({ body }) => (body.id === held ? opened : undefined);
    const [deleted] = await subscribe(client, `${receiver.url}/a`, 'call_busy');
    await subscribe(client, `${receiver.url}/b`, 'call_completed');
    await fire(client, 'call_busy', { id: held });
    await until(() => receiver.got.length).toBe(1);
    // Queued behind the one that is held, and before an event of its own record.
    await fire(client, 'call_busy', { id: free });
    await fire(client, 'call_completed', { id: free });
    expect(receiver.got).toHaveLength(1);
    await client.delete(`/api/v1/webhook_subscriptions/${deleted}`);
    await until(() => receiver.got.map(({ path }) => path)).toEqual(['/a', '/b']);
    open();
    await world.clock.advance('0s');
    expect((await deliveriesOf(client)).map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'canceled',
      'delivered',
    ]);
  });

  it('of a world that was reset are not sent in the place of earlier ones with the same ids', async () => {
    const { client, world } = freshWorld(sandbox);
    const [dead, receiver] = [await newReceiver(), await newReceiver()];
    const { opened, open } = gate();
    dead.onDelivery = () => opened;
    await subscribe(client, dead.url, 'contact_created');
    for (const name of ['a', 'b', 'c']) await fire(client, 'contact_created', { name });
    await until(() => dead.got.length).toBe(1);
    await world.reset();
    // Ids start over: these deliveries have those of the three above.
    const ids = await subscribe(client, receiver.url, 'contact_created');
    receiver.onDelivery = async () => {
      open();
      await sleep(20);
    };
    for (const name of ['d', 'e', 'f']) await fire(client, 'contact_created', { name });
    await world.clock.advance('0s');
    expect(receiver.got.map(({ body }) => body.name)).toEqual(['d', 'e', 'f']);
    expect(await deliveriesOf(client, `status=delivered&subscription_id=${ids[0]}`)).toHaveLength(3);
  });
});

/** Events of one millisecond could not be told apart. */
async function nextInstant(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await nextTick();
}

/** What a client does in any order. Records, subscriptions and deliveries are named by their place. */
type Action =
  | { readonly do: 'emit'; readonly record: number; readonly type: number }
  | { readonly do: 'unsubscribe'; readonly subscription: number }
  | { readonly do: 'redeliver'; readonly delivery: number };

/** Events that can have an envelope, which says when each was emitted. */
const types = ['new_call', 'call_completed', 'phone_call.ended'] as const;
const place = fc.nat({ max: 3 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('emit' as const), record: place, type: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), subscription: fc.nat({ max: 7 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('redeliver' as const), delivery: fc.nat({ max: 40 }) }) },
);
const subscription = fc.record({ type: place, path: place, receiver: fc.nat({ max: 1 }) });

describe('whatever happens, one receiver', () => {
  it('gets the events of a record in order, and the next only after it has responded', async () => {
    const receivers = [await newReceiver(), await newReceiver()];
    await fc.assert(
      fc.asyncProperty(
        fc.array(subscription, { minLength: 1, maxLength: 8 }),
        fc.array(action, { minLength: 1, maxLength: 40 }),
        fc.infiniteStream(fc.nat({ max: 9 })),
        async (subscriptions, actions, choices) => {
          const { client, world } = freshWorld(sandbox);
          const calls: string[] = [];
          for (let nth = 0; nth < 4; nth++) calls.push(await client.call('+12125550101'));
          await world.clock.untilIdle();
          await client.put('/_sandbox/assumptions/event_payloads', { value: 'enveloped' });
          await client.put('/_sandbox/clock', { mode: 'real' });
          const seen = receivers.map(watch);
          const ids: string[] = [];
          for (const { type, path, receiver } of subscriptions) {
            const url = `${receivers[receiver]?.url}/${path}`;
            ids.push(...(await subscribe(client, url, types[type] ?? 'new_call')));
          }
          for (const each of actions) {
            if (each.do === 'emit') {
              await nextInstant();
              await fire(client, types[each.type] ?? 'new_call', { id: calls[each.record] });
            } else if (each.do === 'unsubscribe') {
              const id = ids[each.subscription];
              if (id) await client.delete(`/api/v1/webhook_subscriptions/${id}`);
            } else {
              const { id } = (await deliveriesOf(client))[each.delivery] ?? {};
              if (id) await client.post(`/_sandbox/deliveries/${id}/redeliver`);
            }
          }
          await respondInAnyOrder(world.clock.advance('0s'), seen, choices);
          for (const { firsts, overlaps } of seen) {
            expect(overlaps).toEqual([]);
            for (const emittedAt of firsts.values()) expect(emittedAt).toEqual([...emittedAt].sort());
          }
        },
      ),
      { numRuns: runs(6, 200) },
    );
  });
});

interface Watch {
  /** Per record, when its events were emitted, in the order in which they first arrived. */
  readonly firsts: Map<string, string[]>;
  /** Events that arrived while another event of the same record had no response yet. */
  readonly overlaps: string[];
  /** The deliveries that wait for their response. */
  readonly held: { readonly record: string; readonly event: string; readonly respond: () => void }[];
}

/** Holds every delivery of a receiver until the test lets it respond. */
function watch(receiver: Receiver): Watch {
  const seen: Watch = { firsts: new Map(), overlaps: [], held: [] };
  receiver.onDelivery = ({ body }) => {
    const { payload, createdAt: event } = body;
    const record = payload.id;
    const events = seen.firsts.get(record) ?? [];
    if (!events.includes(event)) seen.firsts.set(record, [...events, event]);
    const others = seen.held.filter((each) => each.record === record && each.event !== event);
    if (others.length > 0) seen.overlaps.push(`${event} of ${record} during ${others.map((each) => each.event)}`);
    const { opened, open } = gate();
    seen.held.push({ record, event, respond: open });
    return opened;
  };
  return seen;
}

/** Lets the receivers respond, to one delivery after the other, until there is none. */
async function respondInAnyOrder(
  done: Promise<unknown>,
  seen: readonly Watch[],
  choices: Iterator<number>,
): Promise<void> {
  let idle = false;
  void done.finally(() => {
    idle = true;
  });
  while (!idle) {
    const choice = choices.next().value ?? 0;
    const { held } = seen[choice % seen.length] ?? { held: [] };
    held.splice(choice % Math.max(1, held.length), 1)[0]?.respond();
    await nextTick();
  }
  await done;
}

describe('a receiver', () => {
  it.each([
    ['http://backend:8080/a?b', 'http://BackEnd:8080/'],
    ['http://backend/a', 'http://backend:80/b'],
    ['https://hooks.example.com/', 'https://hooks.example.com.:443/x'],
    ['http://hooks.example.com.:8080/', 'http://hooks.example.com:8080/'],
    ['http://[::1]:8080/', 'http://[0:0:0:0:0:0:0:1]:8080/b'],
    ['http://127.0.0.1:8080/', 'http://0x7f.1:8080/'],
  ])('is one and the same: %s and %s', (one, other) => {
    expect(receiverOf(one)).toBe(receiverOf(other));
  });

  it.each([
    ['http://backend:8080/', 'https://backend:8080/'],
    ['http://backend:8080/', 'http://backend:8081/'],
    ['http://a.example.com/', 'http://b.example.com/'],
  ])('is another one: %s and %s', (one, other) => {
    expect(receiverOf(one)).not.toBe(receiverOf(other));
  });
});
