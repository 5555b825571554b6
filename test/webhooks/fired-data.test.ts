// The `data` of an event fired by hand: the event is about a record that has it, or would have it, or the answer says why
// there can be none (`interface.md` section 5).
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxWorld } from '../../src/index.ts';
import { ENTERPRISE } from '../support/caller-trust.ts';
import { type Answer, type Client, expectError, FROM, NOWHERE } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { registerBrand, registerCampaign } from '../support/texting.ts';
import { runs } from '../support/thorough.ts';
import { fire, freshWorld } from '../support/webhooks.ts';
import { specTypes, UNLIMITED } from './setup.ts';
import { expectShown } from './shown-by-api.ts';

const { sandbox } = useSandbox(UNLIMITED);

type Body = Answer['body'];

const post = (client: Client, event_type: string, data: object): Promise<Answer> =>
  client.post('/_sandbox/events', { event_type, data });

describe('data that no such event can have', () => {
  // One for all, since refusals change nothing.
  let client: Client;
  let world: SandboxWorld;
  beforeAll(() => {
    ({ client, world } = freshWorld(sandbox));
  });

  it.each<[type: string, data: object, field: string, reason: RegExp]>([
    // Values that the type excludes.
    ['call_no_answer', { status: 'BUSY' }, 'status', /^must be "NO_ANSWER"$/],
    ['call_no_answer', { status: 'COMPLETED' }, 'status', /^must be "NO_ANSWER"$/],
    ['call_no_answer', { failure_code: 'busy' }, 'failure_code', /^must be "no_answer"$/],
    [
      'call_failed',
      { failure_code: 'voicemail_reached' },
      'failure_code',
      /^must be one of call_declined, number_unreachable, carrier_rejected$/,
    ],
    ['call_completed', { status: 'BUSSY' }, 'status', /^must be one of COMPLETED, .*CANCELED; did you mean BUSY\?$/],
    ['new_call', { failure_code: 'busy' }, 'failure_code', /^must be null$/],
    ['new_call', { direction: 'sideways' }, 'direction', /^must be one of outbound, inbound$/],
    ['sms_delivered', { status: 'failed' }, 'status', /^must be "delivered"$/],
    ['sms_delivered', { direction: 'inbound' }, 'direction', /^must be "outbound"$/],
    ['sms_delivered', { error_message: 'Landline' }, 'error_message', /^must be null$/],
    ['contact_replied', { direction: 'outbound' }, 'direction', /^must be "inbound"$/],
    ['enterprise.status.updated', { status: 'DRAFT' }, 'status', /^must be one of APPROVED, REJECTED$/],
    ['enterprise.status.updated', { status: 'PENDING_VETTING' }, 'status', /^must be one of APPROVED, REJECTED$/],
    ['number_released', { status: 'ACTIVE' }, 'status', /^must be "RELEASED"$/],
    ['workflow_contact_completed', { outcome: 'happy' }, 'outcome', /^must be one of answered, .*refused$/],
    // Fields that contradict one another.
    [
      'texting_registration_status_changed',
      { status: 'rejected', texting_enabled_numbers: [FROM] },
      'texting_enabled_numbers',
      /^must be \[\] where status is "rejected"$/,
    ],
    [
      'call_completed',
      { status: 'BUSY', failure_code: 'no_answer' },
      'failure_code',
      /^must be "busy" where status is "BUSY"$/,
    ],
    [
      'call_completed',
      { status: 'BUSY', duration_seconds: 5 },
      'duration_seconds',
      /^must be 0 where status is "BUSY"$/,
    ],
    [
      'workflow_contact_completed',
      { outcome: 'busy', failure_code: 'no_answer' },
      'failure_code',
      /^must be "busy" where outcome is "busy"$/,
    ],
    [
      'workflow_contact_completed',
      { outcome: 'answered', call_id: null },
      'outcome',
      /^must be "refused"( where call_id is null)?$/,
    ],
    [
      'number_purchased',
      { phone_number: '+12125550151', area_code: '415' },
      'area_code',
      /^must be "212"( where phone_number is "\+12125550151")?$/,
    ],
    // Values that no record can have.
    [
      'call_completed',
      { duration_seconds: -1 },
      'duration_seconds',
      /^must be a whole number of seconds from 0 to 86400$/,
    ],
    ['call_completed', { duration_seconds: 1e300 }, 'duration_seconds', /^must be a whole number of seconds/],
    ['call_busy', { from_number: 'somebody' }, 'from_number', /^must be a dialable phone number in E\.164 form/],
    ['call_busy', { to_number: '+1911' }, 'to_number', /^must be a dialable phone number/],
    ['call_busy', { created_at: '2020-01-01T00:00:00.000Z' }, 'created_at', /^must be (one of )?"?2026-/],
    ['sms_failed', { error_message: '' }, 'error_message', /^must be a text that is not blank$/],
    ['contact_created', { email: 'nobody' }, 'email', /^must be an email address, or null$/],
    [
      'new_appointment',
      { start_time: '2026-02-01T10:00:00Z', end_time: '2026-02-01T09:00:00Z' },
      'end_time',
      /^must be an ISO 8601 timestamp .*, after start_time$/,
    ],
    [
      'number_purchased',
      { phone_number: '+442079460018' },
      'phone_number',
      /^must be a dialable number of the United States/,
    ],
    [
      'texting_registration_status_changed',
      { registration: {} },
      'registration',
      /^must be one of \{"id":".*"campaign"\}, /,
    ],
    ['number_purchased', { area_code: 'London' }, 'area_code', /^must be an area code of the United States/],
  ])('is 400 for %s with the data of case %#, and says what is allowed', async (type, data, field, reason) => {
    const answer = await post(client, type, data);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([`data.${field}`]);
    expect(answer.body.error.fields[`data.${field}`]).toMatch(reason);
    expect(await world.events()).toEqual([]);
  });

  it('is 400 with every event type for an unknown one', async () => {
    const answer = await client.post('/_sandbox/events', { event_type: 'call_bussy' });
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.event_type).toMatch(
      /^must be one of new_call, .*phone_call\.ended; did you mean call_busy\?$/,
    );
  });

  it('is 400 with every field of the payload for an unknown one', async () => {
    const answer = await post(client, 'call_busy', { to_numbr: '+12125550101' });
    expect(answer.body.error.fields['data.to_numbr']).toMatch(
      /allowed: id, from_number, .*; did you mean to_number\?$/,
    );
  });
});

describe('a record that data names', () => {
  const ends = ['call_completed', 'phone_call.ended', 'call_busy', 'call_no_answer', 'call_voicemail', 'call_failed'];

  it('is shown as it is: a field that it does not have is 400, with the one that it has', async () => {
    const { client, world } = freshWorld(sandbox);
    const id = await client.call('+12125550101');
    for (const status of ['QUEUED', 'BUSY']) {
      expect((await client.readCall(id)).status).toBe(status);
      const answer = await post(client, 'call_busy', { id, to_number: '+12125550103' });
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.fields).toEqual({
        'data.to_number': `must be "+12125550101", as the call ${id} has it`,
      });
      await world.clock.untilIdle();
    }
  });

  it.each([
    ['an answered call', '+12125550100'],
    ['a busy call', '+12125550101'],
  ])('is shown as it would be where the event has not happened to it: %s, whatever its status', async (_, to) => {
    const { client, world } = freshWorld(sandbox);
    const id = await client.call(to);
    const seen = new Set<string>();
    for (let nth = 0; nth < 60; nth++) {
      const call = await client.readCall(id);
      if (!seen.has(call.status)) {
        for (const type of ends) {
          const { payload, schema_violations, subject } = await fire(client, type, { id });
          expect([payload.id, subject, schema_violations]).toEqual([id, { table: 'calls', id }, []]);
          await expectShown(client, type, payload, payload.status !== call.status);
        }
        expect(await client.readCall(id)).toEqual(call);
      }
      seen.add(call.status);
      await world.clock.advance('1s');
    }
    const until = to.endsWith('0') ? ['RINGING', 'IN_PROGRESS', 'COMPLETED'] : ['BUSY'];
    expect([...seen]).toEqual(['QUEUED', ...until]);
    const events = await world.events();
    expect(events.filter(({ event_type }) => event_type === 'call_completed').length).toBe(1 + seen.size);
  });

  it('takes over from data what its status does not decide yet', async () => {
    const { client, world } = freshWorld(sandbox);
    const id = await client.call('+12125550100');
    const declined = await fire(client, 'call_failed', { id, failure_code: 'call_declined' });
    expect(declined.payload).toMatchObject({ id, status: 'FAILED', disconnection_reason: 'USER_REJECTED' });
    const completed = await fire(client, 'call_completed', { id, status: 'COMPLETED', duration_seconds: 754 });
    expect(completed.payload).toMatchObject({ id, failure_code: null, duration_seconds: 754 });
    // Somebody talks for 8 seconds or longer, after ringing for 4 at most.
    await world.clock.advance('8s');
    const started = await client.readCall(id);
    expect(started.status).toBe('IN_PROGRESS');
    const { duration_seconds } = (await fire(client, 'call_voicemail', { id })).payload;
    expect([3, 4, 5]).toContain(duration_seconds);
    const wrong = await post(client, 'call_completed', { id, status: 'BUSY', failure_code: 'no_answer' });
    expectError(wrong, 400, 'validation_error');
    expect(wrong.body.error.fields).toEqual({
      'data.failure_code': `must be "busy" where id is "${id}" and status is "BUSY"`,
    });
    expect(await client.readCall(id)).toEqual(started);
    await world.clock.untilIdle();
    const ended = await client.readCall(id);
    expect((await fire(client, 'call_voicemail', { id })).payload.duration_seconds).toBe(ended.duration_seconds);
  });

  it('can be a message that has just been accepted, or a number that is held or released', async () => {
    const { client, world } = freshWorld(sandbox);
    const sent = await client.post('/v1/sms/send', { to_number: '+12125550147', body: 'Hello' });
    const { id } = sent.body.data;
    for (const status of ['accepted', 'delivered']) {
      const message = (await client.get(`/v1/sms/${id}`)).body.data;
      expect(message.status).toBe(status);
      for (const type of ['sms_sent', 'sms_delivered', 'sms_failed']) {
        const { payload } = await fire(client, type, { id });
        expect(payload.id).toBe(id);
        await expectShown(client, type, payload, status === 'accepted' || type === 'sms_failed');
      }
      const undelivered = { id, status: 'undelivered', error_message: 'Landline' };
      expect((await fire(client, 'sms_failed', undelivered)).payload).toMatchObject(undelivered);
      expect((await client.get(`/v1/sms/${id}`)).body.data).toEqual(message);
      await world.clock.untilIdle();
    }
    const held = (await client.get('/v1/phone-numbers/4190')).body.data;
    for (const data of [{ id: 4190 }, { phone_number: held.phone_number }]) {
      const { payload } = await fire(client, 'number_released', data);
      expect(payload.payload).toMatchObject({ id: 4190, phone_number: held.phone_number, status: 'RELEASED' });
    }
    expect((await client.get('/v1/phone-numbers/4190')).body.data).toEqual(held);
    await client.delete('/v1/phone-numbers/4190');
    const { payload } = await fire(client, 'number_purchased', { id: 4190 });
    expect(payload.payload).toMatchObject({ id: 4190, phone_number: held.phone_number, status: 'ACTIVE' });
    expect((await fire(client, 'number_released', { phone_number: held.phone_number })).payload.payload.id).toBe(4190);
  });

  it('cannot be a message of the other direction', async () => {
    const { client } = freshWorld(sandbox);
    const { id } = (await fire(client, 'contact_replied')).payload;
    const answer = await post(client, 'sms_delivered', { id });
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields).toEqual({
      'data.id': `must be the id of an outbound message; "${id}" is inbound`,
    });
    const sent = (await fire(client, 'sms_sent')).payload.id;
    expect((await post(client, 'contact_replied', { id: sent })).body.error.fields).toEqual({
      'data.id': `must be the id of an inbound message; "${sent}" is outbound`,
    });
  });

  it('is the enterprise of the organization where it has one, whatever its status', async () => {
    const { client, world } = freshWorld(sandbox);
    const type = 'enterprise.status.updated';
    await client.post(ENTERPRISE, { legal_name: 'Harbor Street Dental, Inc.' });
    const statuses = ['DRAFT', 'PENDING_VETTING', 'APPROVED'];
    for (const status of statuses) {
      const { data: enterprise } = (await client.get(ENTERPRISE)).body;
      expect(enterprise.status).toBe(status);
      const { payload } = await fire(client, type);
      expect(payload).toMatchObject({ id: enterprise.id, status: 'APPROVED' });
      await expectShown(client, type, payload, status !== 'APPROVED');
      const reasons = { rejection_reasons: ['No such business.'] };
      const rejected = (await fire(client, type, { id: enterprise.id, ...reasons })).payload;
      expect(rejected).toMatchObject({ id: enterprise.id, status: 'REJECTED', ...reasons });
      await expectShown(client, type, rejected, true);
      if (status !== 'DRAFT') expect(rejected.loa_document_id).toBe(enterprise.loa_document_id);
      expect((await client.get(ENTERPRISE)).body.data).toEqual(enterprise);
      if (status === 'DRAFT') await client.post(`${ENTERPRISE}/submit`, {});
      else await world.clock.advance('40s');
    }
  });

  it('is the brand of the organization where it is not approved, or the campaign that data names', async () => {
    const { client, world } = freshWorld(sandbox);
    const type = 'texting_registration_status_changed';
    await registerBrand(client);
    const brand = { registration: { type: 'brand' } };
    for (const data of [{}, brand, { status: 'rejected' }, { reasons: ['No such business.'] }]) {
      const { payload } = await fire(client, type, data);
      expect(payload).toMatchObject({ ...brand, ...data });
      await expectShown(client, type, payload, true);
    }
    expect((await client.get('/v1/brand')).body.data.status).toBe('pending');
    // A campaign needs an approved brand.
    expectError(await post(client, type, { registration: { type: 'campaign' } }), 409, 'conflict');
    await world.clock.advance('60s');
    const { payload } = await fire(client, type, brand);
    expect(payload).toMatchObject({ ...brand, status: 'approved' });
    await expectShown(client, type, payload);
    const made = await registerCampaign(client);
    const { id, phone_numbers } = made.body.data;
    const approved = (await fire(client, type, { registration: { id } })).payload;
    expect(approved).toMatchObject({
      registration: { id },
      status: 'approved',
      texting_enabled_numbers: phone_numbers,
    });
    const rejected = (await fire(client, type, { registration: { id }, status: 'rejected' })).payload;
    await expectShown(client, type, rejected, true);
    expect((await client.get('/v1/brand/campaigns')).body.data[0]).toEqual(made.body.data);
  });

  it('can be a call on a list that has not ended, or one that no job has placed', async () => {
    const { client, world } = freshWorld(sandbox);
    const type = 'workflow_contact_completed';
    const alone = await client.call('+12125550101');
    const inbound = (await fire(client, 'new_call', { direction: 'inbound' })).payload;
    for (const data of [{ call_id: alone }, { call_id: alone, outcome: 'voicemail' }]) {
      const { payload } = await fire(client, type, data);
      expect(payload).toMatchObject({ outcome: 'answered', phone_number: '+12125550101', ...data });
      await expectShown(client, type, payload, true);
    }
    expect((await client.readCall(alone)).status).toBe('QUEUED');
    await world.clock.untilIdle();
    const { payload } = await fire(client, type, { call_id: alone });
    expect(payload).toMatchObject({ call_id: alone, outcome: 'busy' });
    await expectShown(client, type, payload);
    const answer = await post(client, type, { call_id: inbound.id });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['data.call_id']);
  });

  it('is found by what identifies it: a phone number by its digits, a contact by its number', async () => {
    const { client } = freshWorld(sandbox);
    const contacts: Body[] = (await client.get('/v1/contacts')).body.data;
    const second = contacts[1];
    const contact = (await fire(client, 'contact_created', { phone_number: second.phone_number })).payload;
    expect(contact).toEqual(second);
    const { payload } = (await fire(client, 'number_purchased', { phone_number: '+14155550191' })).payload;
    expect(payload).toMatchObject({ phone_number: '+14155550191', area_code: '415', status: 'ACTIVE' });
    await expectShown(client, 'number_purchased', { payload });
  });

  it('can be the PENDING_VETTING enterprise where the world emits events about submissions too', async () => {
    const { client } = freshWorld(sandbox);
    await client.put('/_sandbox/assumptions/enterprise_events', { value: 'every_change' });
    await client.post(ENTERPRISE, { legal_name: 'Harbor Street Dental, Inc.' });
    await client.post(`${ENTERPRISE}/submit`, {});
    const { payload } = await fire(client, 'enterprise.status.updated', { status: 'PENDING_VETTING' });
    await expectShown(client, 'enterprise.status.updated', payload);
  });
});

describe('a record that is made for data', () => {
  it.each<[type: string, data: object]>([
    ['new_call', { direction: 'inbound' }],
    ['call_completed', { duration_seconds: 754 }],
    ['call_completed', { status: 'VOICEMAIL', duration_seconds: 9, to_number: '+13125550177' }],
    [
      'call_failed',
      { from_number: '+13125550150', failure_category: 'unreachable', disconnection_reason: 'USER_REJECTED' },
    ],
    ['sms_failed', { provider_id: null, status: 'failed' }],
    ['sms_delivered', { provider_id: 'carrier-17', phone_number: '+13125550177' }],
    ['contact_created', { name: null, phone_number: '+13125550177', metadata: { plan: 'gold' } }],
    ['new_appointment', { start_time: '2026-02-01T10:00:00Z', title: 'Cleaning' }],
    ['number_purchased', { area_code: '312' }],
    ['number_released', { phone_number: '+13125550151' }],
    ['texting_registration_status_changed', { registration: { type: 'brand' }, reasons: ['No such business.'] }],
    ['workflow_contact_completed', { failure_code: 'no_consent', contact_id: null }],
    ['workflow_contact_completed', { failure_code: 'number_unreachable', phone_number: '+13125550177' }],
    ['enterprise.status.updated', { rejection_reasons: ['No such business.'], dba: 'Harbor' }],
  ])('has it: %s, case %#', async (type, data) => {
    const { client } = freshWorld(sandbox);
    const { payload, schema_violations } = await fire(client, type, data);
    expect(schema_violations).toEqual([]);
    const shown = type.startsWith('number_') ? payload.payload : payload;
    const { start_time: _, ...exact } = data as { start_time?: string };
    expect(shown).toMatchObject(exact);
    await expectShown(client, type, payload);
    // The next one is about the same record.
    expect((await fire(client, type, data)).subject).toEqual((await fire(client, type, data)).subject);
  });

  it('belongs to the job that is named, which shows its outcome', async () => {
    const { client, world } = freshWorld(sandbox);
    const agent_id = (await client.get('/v1/agents')).body.data[0].id;
    const created = await client.post('/v1/jobs', { agent_id, to_numbers: ['+12125550101'] });
    const { id: job_id } = created.body.data;
    // Before the job has started to call, and while it calls.
    const seen: string[] = [];
    for (const outcome of ['answered', 'no_answer', 'refused']) {
      const before = await client.get(`/v1/jobs/${job_id}`);
      const { payload } = await fire(client, 'workflow_contact_completed', { job_id, outcome });
      expect(payload).toMatchObject({ job_id, outcome, phone_number: '+12125550101' });
      await expectShown(client, 'workflow_contact_completed', payload, true);
      expect((await client.get(`/v1/jobs/${job_id}`)).text).toBe(before.text);
      seen.push(before.body.data.status);
      if (seen.length === 1) await world.clock.advance('1s');
    }
    expect(seen).toEqual(['queued', 'running', 'running']);
    await world.clock.untilIdle();
    expect((await fire(client, 'workflow_contact_completed', { job_id })).payload.outcome).toBe('busy');
    const { payload } = await fire(client, 'workflow_contact_completed', { job_id, outcome: 'voicemail' });
    await expectShown(client, 'workflow_contact_completed', payload);
  });

  it('does not mix records of two organizations', async () => {
    const { client } = freshWorld(sandbox);
    const { organization_id } = (await fire(client, 'number_purchased', { id: 4194 })).payload.payload;
    const made = await client.post('/_sandbox/simulate/new-contact', { organization_id });
    const call_id = await client.call('+12125550101');
    await client.post(`/v1/calls/${call_id}/hangup`);
    const answer = await post(client, 'workflow_contact_completed', { call_id, contact_id: made.body.data.id });
    expectError(answer, 404, 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual(['data.contact_id']);
  });
});

describe('any event with any data', () => {
  /** A record that an earlier step has made or found, by the position among those of its kind. */
  interface Pick {
    readonly of: string;
    readonly n: number;
  }
  const pick = (of: string): fc.Arbitrary<Pick> => fc.record({ of: fc.constant(of), n: fc.nat(9) });
  const odd = fc.constantFrom<unknown>(null, '', 'x', -1, 0, 7, 1e18, true, [], {}, ['+14155550190'], NOWHERE, '+1911');
  const number = fc.constantFrom(FROM, '+14155550191', '+12125550101', '+13125550177', '+442079460018');
  const statuses = [
    'QUEUED',
    'BUSY',
    'COMPLETED',
    'FAILED',
    'VOICEMAIL',
    'CANCELED',
    'NO_ANSWER',
    'ACTIVE',
    'RELEASED',
  ];
  const more = [
    'sent',
    'delivered',
    'failed',
    'undelivered',
    'received',
    'approved',
    'rejected',
    'REJECTED',
    'APPROVED',
  ];
  const codes = ['busy', 'no_answer', 'voicemail_reached', 'call_declined', 'carrier_rejected', 'no_consent', null];
  const texts = fc.constantFrom<unknown>('Simulated contact', 'Harbor', 'a@b.example', '2026-02-01T10:00:00Z', null);
  const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    from_number: number,
    to_number: number,
    phone_number: number,
    direction: fc.constantFrom('inbound', 'outbound'),
    status: fc.constantFrom(...statuses, ...more),
    failure_code: fc.constantFrom(...codes),
    failure_category: fc.constantFrom('unreachable', 'voicemail', null),
    disconnection_reason: fc.constantFrom('USER_REJECTED', 'CLIENT_INITIATED', null),
    duration_seconds: fc.constantFrom(0, 4, 30, 61, null),
    outcome: fc.constantFrom('answered', 'busy', 'voicemail', 'failed', 'refused'),
    job_id: pick('jobs'),
    contact_id: pick('contacts'),
    call_id: pick('calls'),
    area_code: fc.constantFrom('415', '212', null),
    registration: fc.constantFrom({ type: 'brand' }, { type: 'campaign' }),
    reasons: fc.constantFrom([], ['No such business.']),
    rejection_reasons: fc.constantFrom([], ['No such business.']),
    texting_enabled_numbers: fc.constantFrom([], [FROM]),
  };
  const fields: Readonly<Record<string, readonly string[]>> = {
    call: ['id', 'from_number', 'to_number', 'direction', 'duration_seconds', 'status', 'failure_code'],
    message: ['id', 'phone_number', 'from_number', 'direction', 'status', 'provider_id', 'error_message'],
    number: ['id', 'phone_number', 'area_code', 'status'],
    contact_created: ['id', 'name', 'phone_number', 'email', 'status', 'metadata'],
    new_appointment: ['id', 'title', 'contact_email', 'start_time', 'end_time', 'timezone', 'status'],
    texting_registration_status_changed: ['registration', 'status', 'reasons', 'texting_enabled_numbers'],
    workflow_contact_completed: ['job_id', 'contact_id', 'phone_number', 'outcome', 'call_id', 'failure_code'],
    'enterprise.status.updated': ['id', 'status', 'legal_name', 'dba', 'rejection_reasons', 'loa_document_id'],
  };
  const kindOf = (type: string): string => {
    if (fields[type]) return type;
    if (type.startsWith('number_')) return 'number';
    return type.startsWith('sms_') || type === 'contact_replied' ? 'message' : 'call';
  };
  const allTypes = [...specTypes, 'enterprise.status.updated', 'phone_call.ended'];

  const step = fc.constantFrom(...allTypes).chain((type) => {
    const kind = kindOf(type);
    const known = (fields[kind] ?? []).map((name) => {
      const usual = name === 'id' ? pick(kind === 'call' ? 'calls' : kind) : (values[name] ?? texts);
      const value = fc.oneof({ arbitrary: usual, weight: 6 }, { arbitrary: odd, weight: 1 });
      return value.map((given) => [name, given] as const);
    });
    const given = fc.array(fc.oneof(...known), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs));
    return given.map((data) => ({ type, data }));
  });

  const isPick = (value: unknown): value is Pick => typeof value === 'object' && value !== null && 'of' in value;

  /** What a refused step must not change: how many records there are of the kinds that an event can make, and of events. */
  async function counts(client: Client): Promise<unknown[]> {
    const lists = ['calls', 'sms', 'contacts', 'appointments', 'phone-numbers', 'jobs', 'brand/campaigns'];
    const totals = lists.map(async (list) => (await client.get(`/v1/${list}?page_size=1`)).body.meta.total_results);
    const others = ['/v1/brand', ENTERPRISE].map(async (path) => (await client.get(path)).text);
    const events = client.get('/_sandbox/events?page_size=1').then(({ body }) => body.meta.total_results);
    return Promise.all([...totals, ...others, events]);
  }

  it('is sent about records that show it, or refused with nothing changed', async () => {
    const seen = { sent: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 8 }), async (steps) => {
        const { client, world } = freshWorld(sandbox);
        const calls = [await client.call('+12125550101'), await client.call('+12125550100')];
        await world.clock.advance('3s');
        calls.push(await client.call('+12125550103'));
        const placed = await Promise.all(calls.map((id) => client.readCall(id)));
        const contacts: Body[] = (await client.get('/v1/contacts')).body.data;
        const known: Record<string, unknown[]> = {
          calls: [...calls],
          contacts: contacts.map(({ id }) => id),
          number: [4190, 4194],
        };
        const resolved = (value: unknown): unknown => {
          if (!isPick(value)) return value;
          const all = known[value.of] ?? [];
          return all[value.n % Math.max(1, all.length)] ?? NOWHERE;
        };
        let before = await counts(client);
        for (const { type, data: planned } of steps) {
          const data = Object.fromEntries(Object.entries(planned).map(([name, value]) => [name, resolved(value)]));
          const answer = await post(client, type, data);
          const said = `${type} ${JSON.stringify(data)}: ${answer.text}`;
          if (answer.status !== 201) {
            expect([400, 404, 409], said).toContain(answer.status);
            expect(await counts(client), said).toEqual(before);
            seen.refused++;
            continue;
          }
          seen.sent++;
          const { payload, schema_violations } = answer.body.data;
          expect(schema_violations, said).toEqual([]);
          const shown = type.startsWith('number_') ? payload.payload : payload;
          const { start_time: _, end_time: _e, ...exact } = data;
          expect(shown, said).toMatchObject(exact);
          // The sub-entity's records are read with its own key.
          const single = ['texting_registration_status_changed', 'enterprise.status.updated'].includes(type);
          const isNamed = single || ['id', 'phone_number', 'job_id', 'call_id'].some((name) => name in data);
          if (shown.id !== 4194) await expectShown(client, type, payload, isNamed);
          for (const [kind, id] of Object.entries({
            [kindOf(type)]: shown.id,
            jobs: shown.job_id,
            calls: shown.call_id,
          })) {
            if (id) known[kind === 'call' ? 'calls' : kind] = [...(known[kind === 'call' ? 'calls' : kind] ?? []), id];
          }
          before = await counts(client);
        }
        // Existing calls have not changed.
        expect(await Promise.all(calls.map((id) => client.readCall(id)))).toEqual(placed);
      }),
      { numRuns: runs(3, 250) },
    );
    expect(seen.sent).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});
