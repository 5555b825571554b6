// What `/_sandbox/wait` with `delivered=true` says about an event that has happened and was not delivered.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { MANUAL } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const newReceiver = useReceivers();

describe('a wait for a delivery that times out', () => {
  /** What the 408 says after an event with such a plan, or without a subscription. */
  const refusalAfter = async (plan?: unknown, answer = 500): Promise<{ message: string; resolution_hint: string }> => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(answer).end();
    if (plan !== undefined) {
      const [id] = await subscribe(client, receiver.url, 'call_busy');
      await client.put(`/_sandbox/webhook-subscriptions/${id}`, { plan });
    }
    const event = await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const refused = await client.get('/_sandbox/wait?event_type=call_busy&delivered=true&timeout=10ms');
    expectError(refused, 408, 'timeout');
    const { message, resolution_hint } = refused.body.error;
    expect(message).toMatch(`No call_busy was delivered within 10 ms: call_busy ${event.id} has happened, and `);
    expect(resolution_hint).toMatch(`GET /_sandbox/timeline?subject_id=${event.subject.id}&format=text shows`);
    return { message, resolution_hint };
  };

  it.each([
    [undefined, /has no delivery: no subscription has this type\.$/, /^Subscribe before it happens/],
    [{}, /its delivery dlv_\w+ is failed \(answered 500\)\.$/, /^No further attempt is planned; POST .*\/redeliver/],
    [{ retries: 'short' }, /is failed \(answered 500\), held by retry\.$/, /^It is sent at 2026-01-05T15:00:05\.000Z /],
    [{ delay: '5s' }, /is pending, held by delay\.$/, /^It is sent at 2026-01-05T15:00:05\.000Z /],
    [{ paused: true }, /is pending, held by paused\.$/, /^Its plan is paused/],
    [{ drop: 1 }, /is dropped\.$/, /^No further attempt is planned/],
  ])('says why the event was not delivered, with the plan %j', async (plan, message, hint) => {
    const refused = await refusalAfter(plan);
    expect(refused.message).toMatch(message);
    expect(refused.resolution_hint).toMatch(hint);
  });
});
