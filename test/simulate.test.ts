// The outside world acts: `interface.md` section 5, POST /_sandbox/simulate/{inbound-call, new-contact,
// new-appointment}; `spec.md` "AI voice agents that answer inbound calls" and "Changes are synced to the voice runtime
// so the next call uses them".
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { listening } from './support/listening.ts';
import type { Receiver } from './support/receiver.ts';
import { freshWorld, subscribe } from './support/webhooks.ts';
import { childOf, childOrganization, instant } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;

listening({ clock: 'manual' }, (made) => {
  ({ sandbox, client, receiver } = made);
});

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const HOUR = 3_600_000;
const simulate = (what: string, body: object = {}, by: Client = client): Promise<Answer> =>
  by.post(`/_sandbox/simulate/${what}`, body);

async function made(what: string, body: object = {}, by: Client = client): Promise<Answer['body']> {
  const answer = await simulate(what, body, by);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

const agents = async (by: Client = client): Promise<Answer['body'][]> => (await by.get('/v1/agents')).body.data;
const turnsOf = async (id: string, by: Client = client): Promise<string[]> => {
  const answer = await by.get(`/v1/calls/${id}/transcript`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.structured_transcript.map(({ role, text }: Answer['body']) => `${role}: ${text}`);
};

describe('an inbound call', () => {
  it('comes in from outside and is answered by the agent of the number, with its events', async () => {
    const { world, client: by } = freshWorld(sandbox);
    await subscribe(by, receiver.url, 'new_call', 'call_completed', 'phone_call.ended', 'call_no_answer');
    const body = { to_number: '+14155550190', from_number: '+14155550177' };
    const call = await made('inbound-call', body, by);
    expect(call).toMatchObject({
      status: 'QUEUED',
      direction: 'inbound',
      from_number: '+14155550177',
      to_number: '+14155550190',
      started_at: instant(0),
      ended_at: null,
      phone_number_id: '4190',
    });
    expect((await by.get('/v1/calls')).body.data[0].id).toBe(call.id);
    await world.clock.advance('5s');
    expect((await by.readCall(call.id)).status).toBe('IN_PROGRESS');
    await world.clock.untilIdle();
    expect(await by.readCall(call.id)).toMatchObject({
      status: 'COMPLETED',
      direction: 'inbound',
      call_outcome: 'answered',
      has_recording: true,
      has_transcript: true,
      failure_code: null,
    });
    expect(receiver.got.map(({ body: { id, direction, status } }) => [id, direction, status])).toEqual([
      [call.id, 'inbound', 'QUEUED'],
      [call.id, 'inbound', 'COMPLETED'],
      [call.id, 'inbound', 'COMPLETED'],
    ]);
    expect((await world.deliveries()).flatMap(({ schema_violations }) => schema_violations)).toEqual([]);
  });

  it('is spoken by the agent: its greeting first, and the name of its business', async () => {
    const { id } = await made('inbound-call', { to_number: '+14155550190', scenario: 'inbound_answered;talk=60s' });
    await sandbox.clock.untilIdle();
    const turns = await turnsOf(id);
    expect(turns[0]).toBe('agent: Harbor Street Dental, how can I help you today?');
    expect(turns[2]).toBe('agent: Yes, this is Harbor Street Dental.');
  });

  it('hears what was changed on the agent before it, and nothing that is changed while it lasts or later', async () => {
    const [{ id: agent }] = await agents();
    const body = { scenario: 'inbound_answered;ring=2s;talk=60s' };
    const first = await made('inbound-call', body);
    await client.patch(`/v1/agents/${agent}`, { greeting: 'Good morning, $& {business_name}!', language: 'de-DE' });
    const second = await made('inbound-call', body);
    await sandbox.clock.untilIdle();
    await client.patch(`/v1/agents/${agent}`, { greeting: 'Never heard.' });
    expect((await turnsOf(first.id))[0]).toBe('agent: Harbor Street Dental, how can I help you today?');
    expect((await turnsOf(second.id))[0]).toBe('agent: Good morning, $& {business_name}!');
    const languages = async (id: string): Promise<string> =>
      (await client.get(`/v1/calls/${id}/transcript`)).body.data.structured_transcript[0].language;
    expect([await languages(first.id), await languages(second.id)]).toEqual(['en-US', 'de-DE']);
    const third = await made('inbound-call', body);
    await sandbox.clock.untilIdle();
    expect((await turnsOf(third.id))[0]).toBe('agent: Never heard.');
  });

  it('by an agent without a greeting begins with the other side', async () => {
    const [{ id: agent }] = await agents();
    await client.patch(`/v1/agents/${agent}`, { greeting: '' });
    const { id } = await made('inbound-call', { scenario: 'inbound_answered;talk=60s' });
    await sandbox.clock.untilIdle();
    expect((await turnsOf(id))[0]).toBe('user: Hello, is this Harbor Street Dental?');
  });

  it('needs no more than {}: someone calls the first inbound agent', async () => {
    const call = await made('inbound-call');
    expect(call.to_number).toBe('+14155550190');
    expect(call.from_number).toMatch(/^\+1415555(017\d|018\d)$/);
  });

  it('goes to the number of the agent that is named', async () => {
    const [, second] = await agents();
    const call = await made('inbound-call', { agent_id: second?.id, scenario: 'inbound_answered;talk=60s' });
    expect(call.to_number).toBe('+14155550191');
    await sandbox.clock.untilIdle();
    expect((await turnsOf(call.id))[0]).toMatch(/with a reminder about your appointment\.$/);
  });

  it('may be answered by another agent of the organization than the one of the number', async () => {
    const [, second] = await agents();
    const body = { agent_id: second?.id, to_number: '+14155550190', scenario: 'inbound_answered;talk=60s' };
    const call = await made('inbound-call', body);
    expect(call.to_number).toBe('+14155550190');
    await sandbox.clock.untilIdle();
    expect((await turnsOf(call.id))[0]).toMatch(/with a reminder about your appointment\.$/);
  });

  it.each([
    ['no_answer', 'NO_ANSWER', 'call_no_answer'],
    ['busy', 'BUSY', 'call_busy'],
    ['call_declined', 'FAILED', 'call_failed'],
  ])('can end otherwise: %s', async (scenario, status, event) => {
    const { id } = await made('inbound-call', { scenario });
    await sandbox.clock.untilIdle();
    expect((await client.readCall(id)).status).toBe(status);
    expect((await sandbox.events()).map(({ event_type }) => event_type)).toContain(event);
  });

  it('plays the scenario of the control header where the body names none', async () => {
    const header = { 'X-Sandbox-Scenario': 'no_answer;ring=5s' };
    const statusOf = async (body: object): Promise<string> => {
      const answer = await client.post('/_sandbox/simulate/inbound-call', body, header);
      expect(answer.status, answer.text).toBe(201);
      await sandbox.clock.advance('4999ms');
      const { status: early } = await client.readCall(answer.body.data.id);
      await sandbox.clock.untilIdle();
      return `${early}, ${(await client.readCall(answer.body.data.id)).status}`;
    };
    expect(await statusOf({})).toBe('RINGING, NO_ANSWER');
    expect(await statusOf({ scenario: 'busy;ring=1s' })).toBe('BUSY, BUSY');
  });

  it.each(['voicemial', 'dnc_suppressed', 'verification_call', 'sms_failed', 'busy;rign=1s', 'busy;ring=soon', 'a b'])(
    'refuses the control header %s where it would be played, and names it',
    async (use) => {
      const header = { 'X-Sandbox-Scenario': use };
      const answer = await client.post('/_sandbox/simulate/inbound-call', {}, header);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
      expect((await client.get('/v1/calls')).body.meta.total_results).toBe(7);
    },
  );

  it('alone looks at control headers: whatever else the control API is asked may carry well-formed ones', async () => {
    const headers = { 'X-Sandbox-Scenario': 'busy', 'X-Sandbox-Error': 'rate_limited', 'X-Sandbox-Fault': 'reset' };
    for (const what of ['inbound-sms', 'new-contact', 'new-appointment']) {
      expect((await client.post(`/_sandbox/simulate/${what}`, {}, headers)).status).toBe(201);
    }
    expect((await client.get('/_sandbox/clock', headers)).status).toBe(200);
    expect((await client.post('/_sandbox/simulate/new-contact', {}, { 'X-Sandbox-Eror': 'busy' })).status).toBe(400);
  });

  it('plays neither the active scenario nor a magic number, which are for calls that are placed', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy'] });
    const { id } = await made('inbound-call', { from_number: '+14155550101' });
    await sandbox.clock.untilIdle();
    expect((await client.readCall(id)).status).toBe('COMPLETED');
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual(['busy']);
  });

  it('plays what the world has laid over its scenario', async () => {
    const source = 'kind: call\nsummary: Short.\nextends: answered\ntranscript:\n  - { role: agent, text: "Bye." }\n';
    const put = await client.put('/_sandbox/scenarios/inbound_answered', source, {
      'Content-Type': 'application/yaml',
    });
    expect(put.status, put.text).toBeLessThan(300);
    const { id } = await made('inbound-call');
    await sandbox.clock.untilIdle();
    expect(await turnsOf(id)).toEqual(['agent: Bye.']);
    expect((await client.delete('/_sandbox/scenarios/inbound_answered')).status).toBe(204);
  });

  it('counts against max_calls of the number that it came to, and of no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringback-simulate-'));
    const file = join(folder, 'busy.yaml');
    const bundled = readFileSync(new URL('../fixtures/default.yaml', import.meta.url), 'utf8');
    writeFileSync(
      file,
      bundled.replaceAll('created: -90d\n    texting', 'created: -90d\n    max_calls: 1\n    texting'),
    );
    const own = await createSandbox({ clock: 'manual', fixtures: file });
    try {
      const by = clientOf(own.url);
      const to = { to_number: '+14155550190' };
      await made('inbound-call', { ...to, from_number: '+14155550191' }, by);
      expectError(await by.dial('+12125550100'), 429, 'no_number_available');
      const other = { from_number: '+14155550191', to_number: '+12125550100' };
      expect((await by.post('/v1/calls/dial', other)).status).toBe(202);
      await own.clock.untilIdle();
      expect((await by.dial('+12125550100')).status).toBe(202);
    } finally {
      await own.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('counts against the calls in progress', async () => {
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    await made('inbound-call');
    expectError(await client.dial('+12125550100'), 429, 'rate_limited');
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    expect((await client.dial('+12125550100')).status).toBe(202);
  });

  it('can be hung up', async () => {
    const { id } = await made('inbound-call');
    await sandbox.clock.advance('5s');
    expect((await client.post(`/v1/calls/${id}/hangup`)).body.data.status).toBe('COMPLETED');
  });

  it('has run its life when the answer leaves, on an instant clock', async () => {
    const own = await createSandbox({ clock: 'instant' });
    try {
      const by = clientOf(own.url);
      const { id, status } = await made('inbound-call', {}, by);
      expect(status).toBe('QUEUED');
      expect((await by.readCall(id)).status).toBe('COMPLETED');
    } finally {
      await own.close();
    }
  });

  it("to a sub-entity's number is that child's alone", async () => {
    const child = await childOf(sandbox.url, client);
    expectError(await simulate('inbound-call', { to_number: '+14155550194' }), 409, 'conflict');
    expect((await child.get('/v1/calls')).body.meta.total_results).toBe(1);
    const [agent] = await agents();
    const answer = await simulate('inbound-call', { to_number: '+14155550194', agent_id: agent?.id });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['agent_id']);
  });

  it('with a disabled agent is 409, naming the state and what is allowed', async () => {
    const [{ id }] = await agents();
    await client.patch(`/v1/agents/${id}`, { enabled: false });
    for (const body of [{ agent_id: id }, { to_number: '+14155550190' }]) {
      const answer = await simulate('inbound-call', body);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/disabled.*enabled/);
    }
    // Without a name, the next agent that can answers.
    expect((await made('inbound-call')).to_number).toBe('+14155550191');
  });

  it('where no agent can answer is 409', async () => {
    for (const { id } of await agents()) await client.patch(`/v1/agents/${id}`, { enabled: false });
    expectError(await simulate('inbound-call'), 409, 'conflict');
  });

  it('to a number that is not active is 409, naming its state', async () => {
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
  ] as const)('with the body of case %# is refused by its field, and no call comes in', async (body, status, field) => {
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

describe('a new contact', () => {
  it('is there from then on, as it came, and contact_created is sent', async () => {
    const { world, client: by } = freshWorld(sandbox);
    await subscribe(by, receiver.url, 'contact_created');
    await world.clock.advance('1h');
    const body = {
      name: 'Rowan Example',
      phone_number: '+14155550181',
      email: 'rowan@mail.example',
      status: 'new',
      source: 'website',
      metadata: { campaign: 'spring', tags: ['a', 'b'] },
    };
    const contact = await made('new-contact', body, by);
    expect(contact).toEqual({ ...body, id: expect.any(String), created_at: instant(HOUR), updated_at: instant(HOUR) });
    expect((await by.get(`/v1/contacts/${contact.id}`)).body.data).toEqual(contact);
    expect((await by.get('/v1/contacts')).body.data[0]).toEqual(contact);
    await world.clock.untilIdle();
    expect(receiver.got.map((delivery) => delivery.body)).toEqual([contact]);
    expect(receiver.got[0]?.headers).not.toHaveProperty('x-service-signature-256');
    const events = (await world.events()).filter(({ event_type }) => event_type === 'contact_created');
    expect(events.map(({ subject, schema_violations }) => [subject?.id, schema_violations])).toEqual([
      [contact.id, []],
    ]);
  });

  it('needs no more than {}', async () => {
    expect(await made('new-contact')).toMatchObject({
      name: expect.any(String),
      phone_number: expect.stringMatching(/^\+1415555(017\d|018\d)$/),
      email: null,
      metadata: null,
    });
  });

  it('may have neither name nor number', async () => {
    expect(await made('new-contact', { name: null, phone_number: null })).toMatchObject({
      name: null,
      phone_number: null,
    });
  });

  it("of a sub-entity is that child's, and its subscription alone hears of it", async () => {
    const child = await childOf(sandbox.url, client);
    await subscribe(client, `${receiver.url}/umbrella`, 'contact_created');
    await subscribe(child, `${receiver.url}/child`, 'contact_created');
    const { id } = await made('new-contact', { organization_id: await childOrganization(client) });
    expect((await child.get(`/v1/contacts/${id}`)).status).toBe(200);
    expectError(await client.get(`/v1/contacts/${id}`), 404, 'not_found');
    await sandbox.clock.untilIdle();
    expect(receiver.got.map(({ path }) => path)).toEqual(['/child']);
  });

  it.each([
    [{ phone_number: '4155550181' }, 400, 'phone_number'],
    [{ email: 'nobody' }, 400, 'email'],
    [{ metadata: [] }, 400, 'metadata'],
    [{ status: null }, 400, 'status'],
    [{ nmae: 'x' }, 400, 'nmae'],
    [{ organization_id: 'nope' }, 400, 'organization_id'],
    [{ organization_id: NOWHERE }, 404, 'organization_id'],
  ] as const)('with the body of case %# is refused by its field, and none is made', async (body, status, field) => {
    const answer = await simulate('new-contact', body);
    expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect((await client.get('/v1/contacts')).body.meta.total_results).toBe(3);
  });
});

describe('a new appointment', () => {
  it('is there from then on, as it was booked, and new_appointment is sent', async () => {
    const { world, client: by } = freshWorld(sandbox);
    await subscribe(by, receiver.url, 'new_appointment');
    const body = {
      title: 'Check-up',
      description: 'The yearly one',
      contact_name: 'Rowan Example',
      contact_email: 'rowan@mail.example',
      start_time: '2026-01-07T10:00:00.000Z',
      end_time: '2026-01-07T10:45:00.000Z',
      timezone: 'America/New_York',
      status: 'pending',
      event_type: 'check-up',
      scheduling_option: 'web',
      notes: 'Bring the card.',
    };
    const appointment = await made('new-appointment', body, by);
    expect(appointment).toEqual({ ...body, id: expect.any(String), created_at: instant(0) });
    expect((await by.get('/v1/appointments')).body.data[0]).toEqual(appointment);
    await world.clock.untilIdle();
    expect(receiver.got.map((delivery) => delivery.body)).toEqual([appointment]);
    expect(receiver.got[0]?.headers).not.toHaveProperty('x-service-signature-256');
    const events = (await world.events()).filter(({ event_type }) => event_type === 'new_appointment');
    expect(events.map(({ subject, schema_violations }) => [subject?.id, schema_violations])).toEqual([
      [appointment.id, []],
    ]);
  });

  it('needs no more than {}: the newest contact books for tomorrow', async () => {
    const { name, email } = await made('new-contact', { name: 'Rowan Example', email: 'rowan@mail.example' });
    await sandbox.clock.advance('20m');
    expect(await made('new-appointment')).toMatchObject({
      contact_name: name,
      contact_email: email,
      start_time: instant(25 * HOUR),
      end_time: instant(25.5 * HOUR),
      status: 'confirmed',
    });
  });

  it('is booked by the contact that is named', async () => {
    const [, second] = (await client.get('/v1/contacts')).body.data;
    expect(await made('new-appointment', { contact_id: second.id })).toMatchObject({
      contact_name: second.name,
      contact_email: second.email,
    });
  });

  it('says its times in UTC, and lasts as long as is said', async () => {
    const body = { start_time: '2026-02-01T09:00:00+01:00', lasts: '90m' };
    expect(await made('new-appointment', body)).toMatchObject({
      start_time: '2026-02-01T08:00:00.000Z',
      end_time: '2026-02-01T09:30:00.000Z',
    });
  });

  it.each([
    [{ start_time: 'tomorrow' }, 400, 'start_time'],
    [{ start_time: '2026-02-30T09:00:00Z' }, 400, 'start_time'],
    [{ start_time: '2026-02-01T09:00:00Z', end_time: '2026-02-01T09:00:00Z' }, 400, 'end_time'],
    [{ timezone: 'Mars/Olympus' }, 400, 'timezone'],
    [{ contact_email: 'nobody' }, 400, 'contact_email'],
    [{ contact_id: 'nope' }, 400, 'contact_id'],
    [{ contact_id: NOWHERE }, 404, 'contact_id'],
    [{ organization_id: NOWHERE }, 404, 'organization_id'],
    [{ lasts: '0' }, 400, 'lasts'],
    [{ start_time: '9999-12-31T23:59:59.999Z' }, 400, 'end_time'],
    [{ when: 'now' }, 400, 'when'],
  ] as const)('with the body of case %# is refused by its field, and none is made', async (body, status, field) => {
    const answer = await simulate('new-appointment', body);
    expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect((await client.get('/v1/appointments')).body.meta.total_results).toBe(2);
  });

  it('by a contact of a sub-entity is refused, unless it is for that sub-entity', async () => {
    const child = await childOf(sandbox.url, client);
    const [theirs] = (await child.get('/v1/contacts')).body.data;
    expectError(await simulate('new-appointment', { contact_id: theirs.id }), 404, 'not_found');
    const organization_id = await childOrganization(client);
    const { id } = await made('new-appointment', { contact_id: theirs.id, organization_id });
    expect((await child.get('/v1/appointments')).body.data.map((each: Answer['body']) => each.id)).toEqual([id]);
  });
});

describe('what is simulated', () => {
  it('is the same for the same seed, and other for another world', async () => {
    const [one, two] = [await createSandbox({ clock: 'manual' }), await createSandbox({ clock: 'manual' })];
    try {
      const play = async (own: Sandbox, key: string): Promise<string[]> => {
        const by = clientOf(own.url, key);
        const texts = [];
        for (const what of ['inbound-call', 'new-contact', 'new-appointment'])
          texts.push((await simulate(what, {}, by)).text);
        return texts;
      };
      const first = await play(one, 'svc_test_sim');
      expect(await play(two, 'svc_test_sim')).toEqual(first);
      for (const [n, text] of (await play(two, 'svc_test_sim-2')).entries()) expect(text).not.toBe(first[n]);
    } finally {
      await one.close();
      await two.close();
    }
  });
});
