// POST /v1/calls: an agent calls, and the transcript is that of the agent. The checks follow the order of a dial
// (`interface.md` section 3); which number it calls from is in section 9.
import { beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { agentsOf, oneLine } from '../support/outbound.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { childOf, clientWith } from '../support/world.ts';

const folderOf = temporaryFolders();
const { sandbox, client } = useFreshSandbox({ clock: 'manual', rateLimit: 'off' });

let agent_id: string;
beforeEach(async () => {
  [, agent_id] = await agentsOf(client);
});

const place = (body: object = {}, headers = {}, by: Client = client): Promise<Answer> =>
  by.post('/v1/calls', { agent_id, to_number: '+12125550100', ...body }, headers);
const placed = async (...how: Parameters<typeof place>): Promise<Answer['body']> => {
  const answer = await place(...how);
  expect(answer.status, answer.text).toBe(202);
  return client.readCall(answer.body.call_id);
};

describe('a call by an agent', () => {
  it('is accepted like a dial, and runs like one', async () => {
    const answer = await place({}, { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=20s' });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ call_id: expect.any(String), status: 'QUEUED' });
    expect(answer.headers['x-sandbox-scenario']).toBe('answered');
    expect(await client.readCall(answer.body.call_id)).toMatchObject({ status: 'QUEUED', direction: 'outbound' });
    await sandbox.clock.untilIdle();
    expect(await client.readCall(answer.body.call_id)).toMatchObject({ status: 'COMPLETED', duration_seconds: 20 });
    const { data } = (await client.get(`/_sandbox/events?subject_id=${answer.body.call_id}`)).body;
    expect(data.map(({ event_type }: Answer['body']) => event_type).reverse()).toEqual([
      'new_call',
      'call_completed',
      'phone_call.ended',
    ]);
  });

  it.each([0, 1])('has the transcript of agent %i, as configured when the call was placed', async (which) => {
    const id = (await agentsOf(client))[which] as string;
    const { greeting } = (await client.get(`/v1/agents/${id}`)).body.data;
    const call = await placed({ agent_id: id }, { 'X-Sandbox-Scenario': 'answered;talk=60s' });
    await client.patch(`/v1/agents/${id}`, { greeting: 'Too late.' });
    await sandbox.clock.untilIdle();
    const { transcript } = (await client.get(`/v1/calls/${call.id}/transcript`)).body.data;
    expect(transcript).toContain(`agent: ${greeting}`);
    expect(transcript).not.toContain('Too late.');
    const dialled = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'answered;talk=60s' });
    await sandbox.clock.untilIdle();
    expect((await client.get(`/v1/calls/${dialled}/transcript`)).body.data.transcript).not.toContain(greeting);
  });

  it('is wrapped in data when the assumption says so', async () => {
    await client.put('/_sandbox/assumptions/dial_response_envelope', { value: 'data' });
    try {
      expect((await place()).body).toEqual({ data: { call_id: expect.any(String), status: 'QUEUED' } });
    } finally {
      await client.put('/_sandbox/assumptions/dial_response_envelope', { value: 'flat' });
    }
  });

  it('plays a magic number, and is refused by one with its category', async () => {
    const answer = await place({ to_number: '+12125550103' });
    expect(answer.headers['x-sandbox-scenario']).toBe('voicemail');
    const refused = await place({ to_number: '+12125550114' });
    expectError(refused, 403, 'no_consent');
    expect(refused.body.error.category).toBe('compliance_block');
  });
});

describe('the number that an agent calls from', () => {
  it("is the requested one, or else the agent's own", async () => {
    expect((await placed({ from_number: '+14155550190' })).from_number).toBe('+14155550190');
    expect((await placed()).from_number).toBe('+14155550191');
    expect((await placed({ from_number: null })).phone_number_id).toBe('4191');
  });

  it("is the first usable one if the agent's own is not usable", async () => {
    const { data } = (await client.get('/v1/caller-ids')).body;
    const own = data.find((each: Answer['body']) => each.phone_number === '+14155550191');
    await client.delete(`/v1/caller-ids/${own.caller_id_id}`);
    expect((await placed()).from_number).toBe('+14155550190');
  });

  it('must be usable, or the call is 409 no_active_number', async () => {
    const { data } = (await client.get('/v1/caller-ids')).body;
    for (const { caller_id_id } of data) await client.delete(`/v1/caller-ids/${caller_id_id}`);
    const answer = await place();
    expectError(answer, 409, 'no_active_number');
    expect(answer.body.error.category).toBe('invalid_request');
  });
});

describe('a call by an agent is refused', () => {
  it.each<[what: string, body: object, status: number, code: string, field: string | null]>([
    ['without a destination', { to_number: undefined }, 400, 'destination_missing', 'to_number'],
    ['to an empty destination', { to_number: '' }, 400, 'destination_missing', 'to_number'],
    ['to an emergency number', { to_number: '911' }, 403, 'destination_blocked', null],
    ['to a destination that is not a string', { to_number: 5 }, 400, 'destination_invalid', 'to_number'],
    ['from an invalid number', { from_number: 'me' }, 400, 'validation_error', 'from_number'],
    ['without an agent', { agent_id: undefined }, 400, 'validation_error', 'agent_id'],
    ['by an agent id that is not a UUID', { agent_id: '__proto__' }, 400, 'validation_error', 'agent_id'],
    ['by an unknown agent', { agent_id: NOWHERE }, 404, 'not_found', 'agent_id'],
    ['from a number that is not verified', { from_number: '+14155550193' }, 422, 'call_id_not_verified', 'from_number'],
    ['from a number that is not active', { from_number: '+14155550192' }, 409, 'no_active_number', null],
    // The order of a dial: destination, format of the caller ID, the other fields.
    [
      'for its destination first',
      { to_number: '', from_number: 5, agent_id: 5 },
      400,
      'destination_missing',
      'to_number',
    ],
    [
      'for its caller ID next, and whatever else is wrong',
      { from_number: 5, agent_id: 5 },
      400,
      'validation_error',
      'from_number agent_id',
    ],
    ['by its scenario before its agent', { to_number: '+12125550111', agent_id: NOWHERE }, 403, 'dnc_suppressed', null],
  ])('%s', async (_, body, status, code, field) => {
    const answer = await place(body);
    expectError(answer, status, code);
    if (field !== null) expect(Object.keys(answer.body.error.fields)).toEqual(field.split(' '));
    expect((await client.get('/v1/calls')).body.meta.total_results).toBe(7);
  });

  it('with a disabled agent: 409 with its state and the allowed state', async () => {
    await client.patch(`/v1/agents/${agent_id}`, { enabled: false });
    const answer = await place();
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toMatch(/disabled.*enabled/);
    expect(answer.headers['x-sandbox-assumptions']).toContain('disabled_agent');
  });

  it('by an unknown agent, and the hint says how to list agents', async () => {
    expect((await place({ agent_id: NOWHERE })).body.error.resolution_hint).toBe('GET /v1/agents lists them.');
  });

  it('with an agent of another tenant, of the parent or of a child: 404', async () => {
    for (const by of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await place({}, {}, by), 404, 'not_found');
    }
  });

  it('at the call limit of the account', async () => {
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    try {
      await placed();
      const answer = await place();
      expectError(answer, 429, 'rate_limited');
      expect(answer.body.error.category).toBe('account_limit');
    } finally {
      await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    }
  });

  it('by a calling rule, which counts its calls together with dialed ones', async () => {
    const world = clientOf(sandbox.url, 'svc_sandbox_regulated');
    await sandbox.world('regulated').reset();
    const [id] = await agentsOf(world);
    const body = { agent_id: id, to_number: '+12125550174' };
    expectError(await place({ ...body, to_number: '+12125550170' }, {}, world), 403, 'dnc_suppressed');
    await world.call('+12125550174');
    for (let n = 0; n < 2; n++) expect((await place(body, {}, world)).status).toBe(202);
    expectError(await place(body, {}, world), 429, 'frequency_exceeded');
    expectError(await world.dial('+12125550174'), 429, 'frequency_exceeded');
  });

  it('when every line of its number is in use', async () => {
    const own = await createSandbox({ clock: 'manual', fixtures: folderOf({ 'default.yaml': oneLine }) });
    try {
      const by = clientOf(own.url, 'svc_one');
      const [id] = await agentsOf(by);
      expect((await place({ agent_id: id }, {}, by)).status).toBe(202);
      expectError(await place({ agent_id: id }, {}, by), 429, 'no_number_available');
    } finally {
      await own.close();
    }
  });

  it('without a scope that places calls', async () => {
    const every: string[] = (await client.get('/_sandbox/catalog')).body.data.scopes;
    const scopes = every.filter((each) => !['calls:write', 'voice:write'].includes(each));
    expectError(await place({}, {}, await clientWith(sandbox.url, client, { scopes })), 403, 'scope_missing');
    for (const scope of ['calls:write', 'voice:write']) {
      expect((await place({}, {}, await clientWith(sandbox.url, client, { scopes: [scope] }))).status).toBe(202);
    }
  });
});
