// POST /v1/jobs: the job that it creates, and what it refuses (`spec.md` "What the service does"; the assumption jobs).
import { describe, expect, it } from 'vitest';
import { expectError, FROM, NOWHERE } from '../support/client.ts';
import { agentsOf, JOBS, jobOf, ordinaryNumbers, startJob } from '../support/outbound.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { instant } from '../support/world.ts';
import { activate, callsOf, type Json, OUTCOMES } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual', rateLimit: 'off' });

describe('creating a job', () => {
  it('returns it queued, with every field and its whole list pending', async () => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, {
      name: 'Recall',
      agent_id,
      to_numbers: ordinaryNumbers(3),
      from_number: FROM,
      concurrency: 2,
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-sandbox-scenario']).toBe('job_runs');
    expect(answer.headers['x-sandbox-assumptions']).toContain('jobs');
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Recall',
      status: 'queued',
      agent_id,
      from_number: FROM,
      concurrency: 2,
      progress: { total: 3, pending: 3, in_progress: 0, completed: 0, outcomes: OUTCOMES },
      created_at: instant(0),
      started_at: null,
      ended_at: null,
    });
    expect(await jobOf(client, answer.body.data.id)).toEqual(answer.body.data);
    expect(await callsOf(client)).toEqual([]);
  });

  it("uses five lines and the agent's own number by default", async () => {
    for (const nothing of [{}, { name: null, from_number: null }]) {
      expect(await startJob(client, { to_numbers: ordinaryNumbers(1), ...nothing })).toMatchObject({
        name: null,
        from_number: '+14155550191',
        concurrency: 5,
      });
    }
  });

  it('places the first call as soon as the job runs, with its agent and number', async () => {
    await activate(client, 'answered;ring=2s;talk=20s');
    const [to] = ordinaryNumbers(1);
    const { id, agent_id } = await startJob(client, { to_numbers: [to] });
    await sandbox.clock.advance('1s');
    expect(await jobOf(client, id)).toMatchObject({ status: 'running', started_at: instant(1000), ended_at: null });
    await sandbox.clock.untilIdle();
    const [call] = await callsOf(client);
    expect(call).toMatchObject({
      from_number: '+14155550191',
      to_number: to,
      direction: 'outbound',
      status: 'COMPLETED',
      started_at: instant(1000),
    });
    const { greeting } = (await client.get(`/v1/agents/${agent_id}`)).body.data;
    const { structured_transcript } = (await client.get(`/v1/calls/${call.id}/transcript`)).body.data;
    expect(structured_transcript.find(({ role }: Json) => role === 'agent').text).toBe(greeting);
  });

  it('starts the job when its scenario says so', async () => {
    const headers = { 'X-Sandbox-Scenario': 'job_runs;wait=1h' };
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(1) }, headers);
    await sandbox.clock.advance('59m');
    expect((await jobOf(client, id)).status).toBe('queued');
    await sandbox.clock.advance('1m');
    expect((await jobOf(client, id)).started_at).toBe(instant(3_600_000));
  });

  it.each<[what: string, body: object, status: number, code: string, fields: string[]]>([
    ['no agent', { agent_id: undefined }, 400, 'validation_error', ['agent_id']],
    ['an agent id that is not a UUID', { agent_id: 'nope' }, 400, 'validation_error', ['agent_id']],
    ['an unknown agent', { agent_id: NOWHERE }, 404, 'not_found', ['agent_id']],
    ['no list', { to_numbers: undefined }, 400, 'validation_error', ['contact_ids']],
    ['two lists', { contact_ids: [NOWHERE] }, 400, 'validation_error', ['contact_ids']],
    ['an empty list, which counts as none', { to_numbers: [] }, 400, 'validation_error', ['contact_ids']],
    ['an invalid number', { to_numbers: ['+12125550100', '911'] }, 400, 'validation_error', ['to_numbers.1']],
    [
      'emergency numbers',
      { to_numbers: ['+1911', '+12125550100', '+911'] },
      400,
      'validation_error',
      ['to_numbers.0', 'to_numbers.2'],
    ],
    ['a premium number', { to_numbers: ['+19005550123'] }, 400, 'validation_error', ['to_numbers.0']],
    ['a number that nobody can have', { to_numbers: ['+1415'] }, 400, 'validation_error', ['to_numbers.0']],
    ['a repeated number', { to_numbers: ['+12125550100', '+12125550100'] }, 400, 'validation_error', ['to_numbers']],
    [
      'a contact id that is not a UUID',
      { to_numbers: undefined, contact_ids: ['nope'] },
      400,
      'validation_error',
      ['contact_ids.0'],
    ],
    ['an unknown contact', { to_numbers: undefined, contact_ids: [NOWHERE] }, 404, 'not_found', ['contact_ids.0']],
    ['zero lines', { concurrency: 0 }, 400, 'validation_error', ['concurrency']],
    ['too many lines', { concurrency: 101 }, 400, 'validation_error', ['concurrency']],
    ['a name that is too long', { name: 'x'.repeat(256) }, 400, 'validation_error', ['name']],
    ['a caller ID that is not a number', { from_number: '190' }, 400, 'validation_error', ['from_number']],
    ['a caller ID that is not verified', { from_number: '+14155550193' }, 422, 'call_id_not_verified', ['from_number']],
    ['an unknown caller ID', { from_number: '+14155550188' }, 422, 'call_id_not_verified', ['from_number']],
  ])('with %s is refused, and no job is created', async (_, body, status, code, fields) => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, { agent_id, to_numbers: ['+12125550100'], ...body });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(fields);
    expect((await client.get(JOBS)).body.meta.total_results).toBe(0);
  });

  it.each<[what: string, body: object, fields: string[]]>([
    ['no list and half a line', { to_numbers: undefined, concurrency: 1.5 }, ['contact_ids', 'concurrency']],
    ['two lists and no agent', { contact_ids: [NOWHERE], agent_id: undefined }, ['contact_ids', 'agent_id']],
    ['an emergency number and a name of five', { to_numbers: ['+1911'], name: 5 }, ['to_numbers.0', 'name']],
  ])('with %s names every fault', async (_, body, fields) => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, { agent_id, to_numbers: ['+12125550100'], ...body });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(fields);
  });

  it('with more than 5000 numbers is 400', async () => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, { agent_id, to_numbers: ordinaryNumbers(5001) });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['to_numbers']);
  });

  it.runIf(thorough)('beyond 100,000 contacts in all lists of a world is 409, and no job is created', async () => {
    const to_numbers = ordinaryNumbers(5000);
    for (let listed = 0; listed < 100_000; listed += 5000) await startJob(client, { to_numbers });
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post(JOBS, { agent_id, to_numbers: ordinaryNumbers(1) });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('100000');
    expect((await client.get(JOBS)).body.meta.total_results).toBe(20);
    await sandbox.reset();
    await startJob(client, { to_numbers: ordinaryNumbers(1) });
  });

  it('from a number that is still being provisioned is 409 no_active_number', async () => {
    const [, agent_id] = await agentsOf(client);
    const body = { agent_id, to_numbers: ['+12125550100'], from_number: '+14155550192' };
    const answer = await client.post(JOBS, body);
    expectError(answer, 409, 'no_active_number');
    // A job is not a call: its errors have no category, requested ones included.
    expect(answer.body.error).not.toHaveProperty('category');
    const requested = await client.post(JOBS, body, { 'X-Sandbox-Error': 'provider_api_error' });
    expectError(requested, 502, 'provider_api_error');
    expect(requested.body.error).not.toHaveProperty('category');
  });

  it('with a disabled agent is 409 with its state and the allowed state', async () => {
    const [, agent_id] = await agentsOf(client);
    await client.patch(`/v1/agents/${agent_id}`, { enabled: false });
    const answer = await client.post(JOBS, { agent_id, to_numbers: ['+12125550100'] });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toMatch(/disabled.*enabled/);
  });

  it('ignores unknown fields', async () => {
    expect(await startJob(client, { to_numbers: ordinaryNumbers(1), colour: 'blue' })).not.toHaveProperty('colour');
  });
});
