// UUIDs are equal whatever the case of their digits (RFC 9562), in paths, bodies and queries; answers have them in lower case.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { agentsOf, JOBS } from '../support/outbound.ts';
import { useSandbox } from '../support/sandbox.ts';
import { send, validRequest } from '../support/valid-request.ts';
import { freshWorld } from '../support/webhooks.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: 'off' });
const SUBSCRIPTIONS = '/api/v1/webhook_subscriptions';
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const inUpperCase = (text: string): string => text.replaceAll(uuid, (id) => id.toUpperCase());

describe('a UUID in upper case', () => {
  it('names the same record in the path and the body of every operation', async () => {
    const changed: string[] = [];
    for (const operation of operations) {
      const { client } = freshWorld(sandbox);
      const request = await validRequest(operation, client);
      const path = inUpperCase(request.path);
      const body = request.body && JSON.parse(inUpperCase(JSON.stringify(request.body)));
      if (path === request.path && JSON.stringify(body) === JSON.stringify(request.body)) continue;
      const answer = await send(client, { ...request, path, ...(body && { body }) });
      expect(answer.status, `${operation.id} ${answer.text}`).toBe(operation.success);
      changed.push(operation.id);
    }
    expect(changed).toEqual(expect.arrayContaining(['createCall', 'createJob', 'getCall', 'getSubEntity', 'pauseJob']));
  });

  it('narrows a subscription to the same job, which the answer names in lower case', async () => {
    const { client } = freshWorld(sandbox);
    const [agent_id] = await agentsOf(client);
    const { id } = (await client.post(JOBS, { agent_id, to_numbers: ['+12125550101'] })).body.data;
    const body = { webhook_url: 'https://hooks.example.com/r', event_type: 'new_call', campaign_id: id.toUpperCase() };
    expect((await client.post(SUBSCRIPTIONS, body)).body.campaign_id).toBe(id);
  });

  it('is the same contact on the list of a job', async () => {
    const { client } = freshWorld(sandbox);
    const [agent_id] = await agentsOf(client);
    const [{ id }] = (await client.get('/v1/contacts')).body.data;
    const answer = await client.post(JOBS, { agent_id, contact_ids: [id, id.toUpperCase()] });
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields).toEqual({ contact_ids: 'has the same item at 0 and 1; each must occur once' });
  });

  it('names the same record on the control API', async () => {
    const { client } = freshWorld(sandbox);
    const id = (await client.call('+12125550101')).toUpperCase();
    await client.post('/_sandbox/clock/advance', { by: '10s' });
    const [agent = ''] = await agentsOf(client);
    const [{ id: contact }] = (await client.get('/v1/contacts')).body.data;
    expect((await client.get(`/_sandbox/wait?event_type=call_busy&call_id=${id}`)).status).toBe(200);
    expect((await client.get(`/_sandbox/events?subject_id=${id}`)).body.meta.total_results).toBeGreaterThan(2);
    const emitted = await client.post('/_sandbox/events', { event_type: 'call_busy', data: { id } });
    expect(emitted.body.data.payload.id).toBe(id.toLowerCase());
    const simulated = [
      await client.post('/_sandbox/simulate/inbound-call', { agent_id: agent.toUpperCase() }),
      await client.post('/_sandbox/simulate/new-appointment', { contact_id: contact.toUpperCase() }),
    ];
    expect(simulated.map(({ status }) => status)).toEqual([201, 201]);
  });
});
