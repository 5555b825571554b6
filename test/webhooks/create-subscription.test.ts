// Creating webhook subscriptions: `spec.md` "Webhook subscriptions" and "Event types", with the ledger's
// subscription_response, extra_event_types and unknown_body_fields.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { agentsOf, JOBS } from '../support/outbound.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';
import { CUSTOMER_URL, expectField, SUBSCRIPTIONS, specTypes } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const create = (client: Client, body: object): Promise<Answer> => client.post(SUBSCRIPTIONS, body);

/** The id of a new job. */
async function jobOf(by: Client): Promise<string> {
  const [agent_id] = await agentsOf(by);
  return (await by.post(JOBS, { agent_id, to_numbers: ['+12125550101'] })).body.data.id;
}

describe('creating a subscription', () => {
  it('responds with 201, the id and exactly the fields sent, flat and without a secret', async () => {
    const { client } = freshWorld(sandbox);
    const sent = { webhook_url: 'https://Hooks.Example.com:443/voice?a=1&b=%20', event_type: 'call_busy' };
    const answer = await create(client, sent);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ id: expect.stringMatching(/^whk_[0-9a-zA-Z]{8,}$/), ...sent });
  });

  it('keeps workflow_id and campaign_id', async () => {
    const { client } = freshWorld(sandbox);
    const sent = {
      webhook_url: CUSTOMER_URL,
      event_type: 'call_busy',
      workflow_id: 'wf_7',
      campaign_id: await jobOf(client),
    };
    const { body } = await create(client, sent);
    expect(body).toEqual({ id: body.id, ...sent });
    expect((await client.get(SUBSCRIPTIONS)).body.data).toEqual([{ id: body.id, ...sent }]);
  });

  it('accepts the same event type and URL several times, with a new id each time', async () => {
    const { client } = freshWorld(sandbox);
    const ids = await subscribe(client, CUSTOMER_URL, ...Array.from({ length: 5 }, () => 'new_call'));
    expect(new Set(ids).size).toBe(5);
    expect((await client.get(SUBSCRIPTIONS)).body.meta.total_results).toBe(5);
  });

  it.each([...specTypes, 'enterprise.status.updated', 'phone_call.ended'])(
    'accepts the event type %s',
    async (type) => {
      const { client } = freshWorld(sandbox);
      const answer = await create(client, { webhook_url: CUSTOMER_URL, event_type: type });
      expect([answer.status, answer.body.event_type]).toEqual([201, type]);
    },
  );

  it('rejects the upper-case name of the texting event and suggests the right one', async () => {
    const answer = await create(clientOf(sandbox.url), {
      webhook_url: CUSTOMER_URL,
      event_type: 'TEXTING_REGISTRATION_STATUS_CHANGED',
    });
    expectField(answer, 'event_type');
    expect(answer.body.error.fields.event_type).toMatch(/did you mean texting_registration_status_changed/);
  });

  it.each(['call_bussy', 'New_Call', '', 'phone_call_ended', '*', 7, null, ['new_call']])(
    'rejects the event type %j and lists the allowed ones',
    async (event_type) => {
      const answer = await create(clientOf(sandbox.url), { webhook_url: CUSTOMER_URL, event_type });
      expectField(answer, 'event_type');
      if (typeof event_type === 'string') expect(answer.body.error.fields.event_type).toContain('call_voicemail');
    },
  );

  it('names every missing field', async () => {
    const answer = await create(clientOf(sandbox.url), {});
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields).sort()).toEqual(['event_type', 'webhook_url']);
  });

  it.each(['signing_secret', 'secret', 'url', 'id', 'Webhook_Url'])('rejects the unknown field %s', async (name) => {
    const body = { webhook_url: CUSTOMER_URL, event_type: 'new_call', [name]: 'whk_1' };
    expectField(await create(clientOf(sandbox.url), body), name);
  });

  it.each(['workflow_id', 'campaign_id'])('rejects a %s that is not a string', async (name) => {
    for (const value of [7, true, {}, []]) {
      const body = { webhook_url: CUSTOMER_URL, event_type: 'new_call', [name]: value };
      expectField(await create(clientOf(sandbox.url), body), name);
    }
  });

  it.each(['cmp_9', '', '123', 'a3bb189e-8bf9-4c7a-9e54'])('rejects the malformed campaign_id "%s"', async (id) => {
    const body = { webhook_url: CUSTOMER_URL, event_type: 'new_call', campaign_id: id };
    expectField(await create(clientOf(sandbox.url), body), 'campaign_id');
  });

  it('rejects a campaign_id of no job, of another world and of a sub-entity with 404', async () => {
    const { client } = freshWorld(sandbox);
    const child = await childOf(sandbox.url, client);
    const ids = [NOWHERE, await jobOf(freshWorld(sandbox).client)];
    for (const [by, id] of [
      [client, ids[0]],
      [client, ids[1]],
      [child, await jobOf(client)],
    ] as const) {
      const answer = await create(by, { webhook_url: CUSTOMER_URL, event_type: 'new_call', campaign_id: id });
      expectError(answer, 404, 'not_found');
      expect(Object.keys(answer.body.error.fields)).toEqual(['campaign_id']);
      expect(answer.body.error.resolution_hint).toBe('GET /v1/jobs lists them.');
      expect(answer.headers['x-sandbox-assumptions']).toContain('subscription_filters');
      expect((await by.get(SUBSCRIPTIONS)).body.data).toEqual([]);
    }
  });

  it('creates nothing when the request is rejected', async () => {
    const { client } = freshWorld(sandbox);
    await create(client, { webhook_url: 'ftp://hooks.example.com/', event_type: 'new_call' });
    await create(client, { webhook_url: CUSTOMER_URL, event_type: 'nonsense' });
    expect((await client.get(SUBSCRIPTIONS)).body).toEqual({
      data: [],
      meta: { cursor: null, total_results: 0, page_size: 25 },
    });
  });
});
