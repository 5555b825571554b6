// The key of a sub-entity sees and names that child's records alone, on the control API too (`interface.md` section 2).
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';

type Json = Awaited<ReturnType<Client['get']>>['body'];

const { sandbox } = useSandbox();

/** What both have done: a call each, heard by a subscription each. */
async function twoOrganizations(): Promise<{ client: Client; child: Client }> {
  const { client, world } = freshWorld(sandbox);
  const child = await childOf(sandbox.url, client);
  for (const each of [client, child])
    await subscribe(each, `${sandbox.url}/_sandbox/inbox/calls?world=${world.name}`, 'call_busy');
  await client.call('+12125550101');
  const dialed = await child.post('/v1/calls/dial', { from_number: '+14155550194', to_number: '+12125550101' });
  expect(dialed.status, dialed.text).toBe(202);
  await world.clock.untilIdle();
  return { client, child };
}

const idsOf = async (client: Client, path: string): Promise<string[]> =>
  (await client.get(`/_sandbox/${path}`)).body.data.map(({ id }: Json) => id);

describe('the key of a sub-entity', () => {
  it.each([
    ['requests', 'requests?path=/v1/calls/dial'],
    ['events', 'events?event_type=call_busy'],
    ['deliveries', 'deliveries?event_type=call_busy'],
  ])('is shown the %s of that child alone, and the world its own and those', async (_, list) => {
    const { client, child } = await twoOrganizations();
    const [own, all] = [await idsOf(child, list), await idsOf(client, list)];
    expect(own).toHaveLength(1);
    expect(all).toHaveLength(2);
    expect(all).toContain(own[0]);
  });

  it('finds no request and no delivery of another, and sends none of them again', async () => {
    const { client, child } = await twoOrganizations();
    for (const [list, filter] of [
      ['requests', '?operation=dialCall'],
      ['deliveries', '?event_type=call_busy'],
    ] as const) {
      const [own] = await idsOf(child, list + filter);
      const other = (await idsOf(client, list + filter)).find((id) => id !== own);
      expect(other).toBeDefined();
      expectError(await child.get(`/_sandbox/${list}/${other}`), 404, 'not_found');
      expect((await child.get(`/_sandbox/${list}/${own}`)).status).toBe(200);
      for (const id of [own, other]) expect((await client.get(`/_sandbox/${list}/${id}`)).status).toBe(200);
    }
    const [own] = await idsOf(child, 'deliveries');
    const other = (await idsOf(client, 'deliveries')).find((id) => id !== own);
    expectError(await child.post(`/_sandbox/deliveries/${other}/redeliver`), 404, 'not_found');
    expect((await child.post(`/_sandbox/deliveries/${own}/redeliver`)).status).toBe(200);
  });

  it('is shown the messages of an inbox that are about that child, tampered ones too', async () => {
    const { client, child } = await twoOrganizations();
    await client.put('/_sandbox/webhook-plan', { tamper: 1 });
    await child.post('/_sandbox/events', { event_type: 'call_busy' });
    await client.post('/_sandbox/events', { event_type: 'call_busy' });
    await client.post('/_sandbox/clock/advance', { by: '0s' });
    const bodiesFor = async (each: Client): Promise<string[]> =>
      (await each.get('/_sandbox/inbox/calls/messages')).body.data.map(({ body }: Json) => body);
    const [own, all] = [await bodiesFor(child), await bodiesFor(client)];
    expect([own.length, all.length]).toEqual([2, 4]);
    const sent: Json[] = (await child.get('/_sandbox/deliveries')).body.data;
    expect(new Set(own)).toEqual(new Set(sent.map(({ attempts }) => attempts[0].request.body)));
  });

  it('verifies and waits for what that child did and what happened to it', async () => {
    const { client, child } = await twoOrganizations();
    const match = { operation: 'dialCall' };
    expect((await child.post('/_sandbox/requests/verify', { match, exactly: 1 })).status).toBe(200);
    expect((await client.post('/_sandbox/requests/verify', { match, exactly: 2 })).status).toBe(200);
    const own = await idsOf(child, 'events?event_type=call_busy');
    const events: Json[] = (await client.get('/_sandbox/events?event_type=call_busy')).body.data;
    for (const { id, subject } of events) {
      const wait = `/_sandbox/wait?event_type=call_busy&subject_id=${subject.id}&timeout=1ms`;
      expect((await client.get(wait)).status).toBe(200);
      expect((await child.get(wait)).status).toBe(own.includes(id) ? 200 : 408);
    }
  });
});

describe('what the key of a sub-entity names', () => {
  /** Of the world's own organization, by how the key asks for it. */
  const foreign: readonly (readonly [what: string, ask: (client: Client, child: Client) => Promise<Answer>])[] = [
    [
      'a subscription',
      async (client, child) => child.get(`/_sandbox/webhook-subscriptions/${await subscribed(client)}`),
    ],
    [
      'a subscription to change',
      async (client, child) => child.put(`/_sandbox/webhook-subscriptions/${await subscribed(client)}`, { plan: null }),
    ],
    [
      'a verification code',
      async (client, child) => child.get(`/_sandbox/caller-ids/${await pendingCallerId(client)}/verification-code`),
    ],
    [
      'the bytes of a document',
      async (client, child) => child.get(`/_sandbox/documents/${await uploaded(client)}/content`),
    ],
    [
      'a lead source to rotate',
      async (client, child) =>
        child.post(`/_sandbox/lead-sources/${await firstOf(client, '/_sandbox/lead-sources')}/rotate`, {}),
    ],
    [
      'an API key to revoke',
      async (client, child) => child.delete(`/_sandbox/keys/${(await client.post('/_sandbox/keys', {})).body.data.id}`),
    ],
    [
      'a key for the organization above it',
      async (client, child) => child.post('/_sandbox/keys', { organization_id: await organizationOf(client) }),
    ],
    [
      'the record of an event',
      async (client, child) =>
        child.post('/_sandbox/events', {
          event_type: 'call_completed',
          data: { id: await firstOf(client, '/v1/calls') },
        }),
    ],
    [
      'a contact in an event',
      async (client, child) =>
        child.post('/_sandbox/events', {
          event_type: 'workflow_contact_completed',
          data: { contact_id: await firstOf(client, '/v1/contacts') },
        }),
    ],
    [
      'the organization of an event',
      async (client, child) =>
        child.post('/_sandbox/events', {
          event_type: 'number_purchased',
          data: { organization_id: await organizationOf(client) },
        }),
    ],
    [
      'a number that is called',
      async (_, child) => child.post('/_sandbox/simulate/inbound-call', { to_number: '+14155550190' }),
    ],
    [
      'an agent that answers',
      async (client, child) =>
        child.post('/_sandbox/simulate/inbound-call', { agent_id: await firstOf(client, '/v1/agents') }),
    ],
    [
      'a number that is texted',
      async (_, child) => child.post('/_sandbox/simulate/inbound-sms', { to_number: '+14155550190' }),
    ],
    [
      'a message that is replied to',
      async (client, child) => {
        const sent = await client.post('/v1/sms/send', { to_number: '+12125550140', body: 'Hello' });
        return child.post('/_sandbox/simulate/inbound-sms', { in_reply_to: sent.body.data.id });
      },
    ],
    [
      'the organization of a contact',
      async (client, child) =>
        child.post('/_sandbox/simulate/new-contact', { organization_id: await organizationOf(client) }),
    ],
    [
      'the organization of an appointment',
      async (client, child) =>
        child.post('/_sandbox/simulate/new-appointment', { organization_id: await organizationOf(client) }),
    ],
  ];

  it.each(foreign)('does not exist if it belongs to the organization above it: %s', async (_, ask) => {
    const { client } = freshWorld(sandbox);
    const child = await childOf(sandbox.url, client);
    expectError(await ask(client, child), 404, 'not_found');
    // The organization's own key finds the same.
    const own = await ask(client, client);
    expect(own.status, own.text).toBeLessThan(300);
  });

  it('is found if it belongs to that child, which is also whose records are made', async () => {
    const { client } = freshWorld(sandbox);
    const child = await childOf(sandbox.url, client);
    const subscription = await subscribed(child);
    expect((await child.get(`/_sandbox/webhook-subscriptions/${subscription}`)).status).toBe(200);
    expect((await client.get(`/_sandbox/webhook-subscriptions/${subscription}`)).status).toBe(200);
    const made = await child.post('/_sandbox/keys', {});
    const sibling = clientOf(sandbox.url, made.body.data.api_key);
    expect((await sibling.get('/api/v1/webhook_subscriptions')).body.data).toHaveLength(1);
    const event = await child.post('/_sandbox/events', { event_type: 'contact_created' });
    expect(event.status, event.text).toBe(201);
    expect((await child.get(`/v1/contacts/${event.body.data.subject.id}`)).status).toBe(200);
    expectError(await client.get(`/v1/contacts/${event.body.data.subject.id}`), 404, 'not_found');
  });

  it('is all that lists of keys and lead sources, and snapshots, show', async () => {
    const { client } = freshWorld(sandbox);
    const child = await childOf(sandbox.url, client);
    await client.post('/_sandbox/keys', {});
    const keys = (await child.get('/_sandbox/keys')).body;
    const whole = (await client.get('/_sandbox/keys')).body;
    expect(new Set(keys.data.map(({ organization_id }: Json) => organization_id)).size).toBe(1);
    expect(keys.meta.total_results).toBeLessThan(whole.meta.total_results);
    expect((await child.get('/_sandbox/lead-sources')).body.data).toEqual([]);
    await client.call('+12125550101');
    await client.post('/_sandbox/snapshots', { name: 'both' });
    expect((await client.get('/_sandbox/snapshots/both')).body.data.content.calls).toHaveLength(1);
    expect((await child.get('/_sandbox/snapshots/both')).body.data.content.calls).toBeUndefined();
  });
});

const subscribed = async (client: Client): Promise<string> => {
  const answer = await client.post('/api/v1/webhook_subscriptions', {
    webhook_url: `${sandbox.url}/_sandbox/inbox/own`,
    event_type: 'call_busy',
  });
  return answer.body.id;
};

async function pendingCallerId(client: Client): Promise<string> {
  return (await client.post('/v1/caller-ids', { phone_number: '+12125550177' })).body.data.caller_id_id;
}

async function uploaded(client: Client): Promise<string> {
  const file = { filename: 'a.pdf', content_type: 'application/pdf', content_base64: 'JVBERi0xLjQK' };
  return (await client.post('/v1/caller-trust/documents', file)).body.data.document_id;
}

async function firstOf(client: Client, path: string): Promise<string> {
  const { data } = (await client.get(path)).body;
  return data[0].id;
}

async function organizationOf(client: Client): Promise<string> {
  return (await client.get('/v1/me')).body.data.organization.id;
}
