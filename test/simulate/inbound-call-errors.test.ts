// Simulated inbound calls that are refused, and those to numbers of a sub-entity.
import { describe, expect, it } from 'vitest';
import { clientOf, expectError, NOWHERE } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';
import { simulations } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });
const { simulate, created, agents } = simulations(client);

describe('an inbound call', () => {
  it('to a number of a sub-entity belongs to that sub-entity', async () => {
    const child = await childOf(sandbox.url, client);
    expectError(await simulate('inbound-call', { to_number: '+14155550194' }), 409, 'conflict');
    expect((await child.get('/v1/calls')).body.meta.total_results).toBe(1);
    const [agent] = await agents();
    const answer = await simulate('inbound-call', { to_number: '+14155550194', agent_id: agent?.id });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['agent_id']);
  });

  it('by the key of a sub-entity reaches an agent and a number of that sub-entity, never of its umbrella', async () => {
    const child = await childOf(sandbox.url, client);
    const answer = await simulate('inbound-call', {}, child);
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toMatch(/^No agent of the sub-entity ".+" can take a call/);
    expect(answer.body.error.resolution_hint).toContain('to_number');
    expectError(await simulate('inbound-call', { to_number: '+14155550190' }, child), 404, 'not_found');
  });

  it('with a disabled agent is 409 with its state and the allowed state', async () => {
    const [{ id }] = await agents();
    await client.patch(`/v1/agents/${id}`, { enabled: false });
    for (const body of [{ agent_id: id }, { to_number: '+14155550190' }]) {
      const answer = await simulate('inbound-call', body);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/disabled.*enabled/);
    }
    // Without a name, the next agent that can answers.
    expect((await created('inbound-call')).to_number).toBe('+14155550191');
  });

  it('without an agent that can answer is 409', async () => {
    for (const { id } of await agents()) await client.patch(`/v1/agents/${id}`, { enabled: false });
    expectError(await simulate('inbound-call'), 409, 'conflict');
  });

  it('to a number that is not active is 409 with its state', async () => {
    const [{ id }] = await agents();
    const answer = await simulate('inbound-call', { to_number: '+14155550192', agent_id: id });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('PROVISIONING');
  });

  it.each([
    [{ to_number: '+14155550160' }, 404, 'to_number'],
    [{ agent_id: NOWHERE }, 404, 'agent_id'],
    [{ agent_id: 'nope' }, 400, 'agent_id'],
    [{ to_number: '4155550190' }, 400, 'to_number'],
    [{ from_number: 'anonymous' }, 400, 'from_number'],
    [{ scenario: 'inbound_answerd' }, 400, 'scenario'],
    [{ scenario: 'dnc_suppressed' }, 400, 'scenario'],
    [{ scenario: 'verification_call' }, 400, 'scenario'],
    [{ scenario: 'inbound_answered;talk=soon' }, 400, 'scenario'],
    [{ scenario: 'inbound answered' }, 400, 'scenario'],
    [{ to: '+14155550190' }, 400, 'to'],
  ] as const)('with an invalid field is refused, and no call is created (case %#)', async (body, status, field) => {
    const answer = await simulate('inbound-call', body);
    expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect((await client.get('/v1/calls')).body.meta.total_results).toBe(7);
  });

  it('by an agent of another world is 404', async () => {
    const { client: by } = freshWorld(sandbox);
    const [theirs] = await agents(clientOf(sandbox.url, 'svc_sandbox_other'));
    expectError(await simulate('inbound-call', { agent_id: theirs?.id }, by), 404, 'not_found');
  });
});
