// The subscriptions that an event is sent to: `spec.md` "Events", with the ledger's subscription_filters.
import { describe, expect, it } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { agentsOf } from '../support/outbound.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { CALL_EVENTS, deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { hook, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

describe('an event', () => {
  it('is sent once to each subscription to its type, even with equal URLs', async () => {
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

  it('is sent to fifty subscriptions, exactly once each and with the same bytes', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const paths = Array.from({ length: 50 }, (_, index) => `/hook/${index}`);
    for (const path of paths) await subscribe(client, receiver.url + path, 'new_appointment');
    await fire(client, 'new_appointment');
    await world.clock.advance('0s');
    expect(receiver.got.map(({ path }) => path).sort()).toEqual(paths.sort());
    expect(new Set(receiver.got.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  it('is not sent to another world', async () => {
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

  it('is sent to neither the parent nor the child of its organization', async () => {
    const { client: parent, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    // Number 4194 of the fixture belongs to the sub-entity.
    const { organization_id } = (await fire(parent, 'number_purchased', { id: 4194 })).payload.payload;
    const made = await parent.post('/_sandbox/keys', { organization_id });
    const child = clientOf(sandbox.url, made.body.data.api_key);
    await subscribe(parent, `${receiver.url}/parent`, 'new_call', 'number_purchased');
    await subscribe(child, `${receiver.url}/child`, 'new_call', 'number_purchased');
    const ofParent = await parent.call('+12125550100');
    const dialled = await child.post('/v1/calls/dial', { from_number: '+14155550194', to_number: '+12125550100' });
    await fire(parent, 'number_purchased', { id: 4194 });
    await world.clock.advance('0s');
    const receivedAt = (path: string): unknown[] =>
      receiver.got.filter((each) => each.path === path).map(({ body }) => body.id ?? body.payload.id);
    expect(receivedAt('/parent')).toEqual([ofParent]);
    expect(receivedAt('/child').sort()).toEqual([dialled.body.call_id, 4194].sort());
  });

  it('is not sent to a subscription that is created later', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await client.call('+12125550101');
    await subscribe(client, hook(receiver), ...CALL_EVENTS);
    await world.clock.untilIdle();
    expect(receiver.got.map(({ body }) => body.status)).toEqual(['BUSY', 'BUSY', 'BUSY']);
  });

  it('is sent by campaign_id for calls of that job only; a workflow_id filters nothing', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const [agent_id] = await agentsOf(client);
    const job = (await client.post('/v1/jobs', { agent_id, to_numbers: ['+12125550101'] })).body.data;
    await world.clock.untilIdle();
    for (const [path, filter] of [
      ['/campaign', { campaign_id: job.id }],
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

  it('that no subscription hears says so, with the reasons', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const unheard = async (): Promise<unknown> => {
      await fire(client, 'call_busy');
      const [{ deliveries, unheard }] = (await client.get('/_sandbox/events?page_size=1')).body.data;
      return [deliveries, unheard];
    };
    await subscribe(client, hook(receiver), 'call_failed');
    expect(await unheard()).toEqual([0, ['none_of_that_type']]);
    const { data: children } = (await client.get('/v1/sub-entities')).body;
    const made = await client.post('/_sandbox/keys', { organization_id: children[0].id });
    await subscribe(clientOf(sandbox.url, made.body.data.api_key), hook(receiver), 'call_busy');
    expect(await unheard()).toEqual([0, ['other_organization']]);
    const job = await client.post('/v1/jobs', { agent_id: await anAgent(client), to_numbers: ['+12125550101'] });
    const filtered = { webhook_url: hook(receiver), event_type: 'call_busy', campaign_id: job.body.data.id };
    expect((await client.post('/api/v1/webhook_subscriptions', filtered)).status).toBe(201);
    expect(await unheard()).toEqual([0, ['other_organization', 'other_campaign']]);
    await subscribe(client, hook(receiver), 'call_busy', 'call_busy');
    expect(await unheard()).toEqual([2, []]);
    await world.clock.advance('0s');
  });
});

async function anAgent(client: Client): Promise<string> {
  return (await client.get('/v1/agents')).body.data[0].id;
}
