import { describe, expect, it } from 'vitest';
import { ENTERPRISE } from '../support/caller-trust.ts';
import { type Answer, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { registerBrand, registerCampaign } from '../support/texting.ts';
import { fire, freshWorld } from '../support/webhooks.ts';
import { fireWith, UNLIMITED } from './setup.ts';
import { expectShown } from './shown-by-api.ts';

const { sandbox } = useSandbox(UNLIMITED);

type Body = Answer['body'];

describe('a record that data names', () => {
  const ends = ['call_completed', 'phone_call.ended', 'call_busy', 'call_no_answer', 'call_voicemail', 'call_failed'];

  it('is shown as it is: a field that it does not have is 400, with the one that it has', async () => {
    const { client, world } = freshWorld(sandbox);
    const id = await client.call('+12125550101');
    for (const status of ['QUEUED', 'BUSY']) {
      expect((await client.readCall(id)).status).toBe(status);
      const answer = await fireWith(client, 'call_busy', { id, to_number: '+12125550103' });
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
    const wrong = await fireWith(client, 'call_completed', { id, status: 'BUSY', failure_code: 'no_answer' });
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
    const answer = await fireWith(client, 'sms_delivered', { id });
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields).toEqual({
      'data.id': `must be the id of an outbound message; "${id}" is inbound`,
    });
    const sent = (await fire(client, 'sms_sent')).payload.id;
    expect((await fireWith(client, 'contact_replied', { id: sent })).body.error.fields).toEqual({
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
    expectError(await fireWith(client, type, { registration: { type: 'campaign' } }), 409, 'conflict');
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
    const answer = await fireWith(client, type, { call_id: inbound.id });
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
    const answer = await fireWith(client, 'workflow_contact_completed', { call_id, contact_id: made.body.data.id });
    expectError(answer, 404, 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual(['data.contact_id']);
  });
});
