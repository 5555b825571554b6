// Events fired by hand refer to records that can be read, and their fields agree with one another and with the records
// (`interface.md` section 5). Made from the catalogue: every event type in every bundled world and a new one.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { fire, freshWorld } from '../support/webhooks.ts';
import { specTypes, UNLIMITED } from './setup.ts';
import { expectEnding } from './shown-by-api.ts';

const { sandbox } = useSandbox(UNLIMITED);
const allEventTypes = [...specTypes, 'enterprise.status.updated', 'phone_call.ended'];

type Body = Answer['body'];

const read = async (by: Client, path: string): Promise<Body> => {
  const answer = await by.get(path);
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.body.data;
};

async function checkCall(by: Client, type: string, payload: Body): Promise<void> {
  const call = await by.readCall(payload.id);
  for (const name of ['from_number', 'to_number', 'direction']) expect(payload[name]).toBe(call[name]);
  expect(payload.created_at).toBe(call.started_at);
  expectEnding(type, payload);
  if (type === 'new_call') return;
  for (const name of ['status', 'duration_seconds', 'failure_code', 'failure_category', 'disconnection_reason']) {
    expect(payload[name], name).toBe(call[name]);
  }
  expect(payload.duration_seconds > 0).toBe(['COMPLETED', 'VOICEMAIL'].includes(payload.status));
  const seconds = (Date.parse(call.ended_at) - Date.parse(call.started_at)) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(payload.duration_seconds);
  const { data } = await numbersOf(by);
  expect(data.map(({ phone_number }: Body) => phone_number)).toContain(
    call.direction === 'inbound' ? call.to_number : call.from_number,
  );
}

const numbersOf = async (by: Client): Promise<Body> => (await by.get('/v1/phone-numbers?page_size=100')).body;

async function checkMessage(by: Client, type: string, payload: Body): Promise<void> {
  const message = await read(by, `/v1/sms/${payload.id}`);
  for (const name of ['phone_number', 'from_number', 'direction', 'contact_token', 'channel', 'created_at']) {
    expect(payload[name], name).toBe(message[name]);
  }
  expect(payload.direction).toBe(type === 'contact_replied' ? 'inbound' : 'outbound');
  const statuses: Readonly<Record<string, string[]>> = {
    contact_replied: ['received'],
    sms_sent: ['sent'],
    sms_delivered: ['delivered'],
    sms_failed: ['failed', 'undelivered'],
  };
  expect(statuses[type]).toContain(payload.status);
  expect(payload.provider_id).not.toBeNull();
  expect(payload.error_message === null).toBe(type !== 'sms_failed');
  if (type !== 'sms_sent')
    expect(message).toMatchObject({ status: payload.status, error_message: payload.error_message });
}

async function checkNumber(by: Client, type: string, { createdAt, payload }: Body): Promise<void> {
  const number = await read(by, `/v1/phone-numbers/${payload.id}`);
  const { organization } = await read(by, '/v1/account');
  expect(payload).toMatchObject({ phone_number: number.phone_number, organization_id: number.organization_id });
  expect(payload.organization_id).toBe(organization.id);
  expect(payload.area_code).toBe(number.phone_number.slice(2, 5));
  expect(payload.status).toBe(type === 'number_released' ? 'RELEASED' : 'ACTIVE');
  expect(number.is_active).toBe(type === 'number_purchased');
  expect(createdAt >= number.created_at).toBe(true);
}

async function checkWorkflow(by: Client, payload: Body): Promise<void> {
  const job = await read(by, `/v1/jobs/${payload.job_id}`);
  const contact = await read(by, `/v1/contacts/${payload.contact_id}`);
  const call = await by.readCall(payload.call_id);
  expect(job.progress.outcomes[payload.outcome]).toBeGreaterThan(0);
  expect([contact.phone_number, call.to_number]).toEqual([payload.phone_number, payload.phone_number]);
  expect(payload).toMatchObject({ outcome: call.call_outcome, failure_code: call.failure_code });
  expect(call.from_number).toBe(job.from_number);
  await read(by, `/v1/agents/${job.agent_id}`);
}

async function checkRegistration(by: Client, payload: Body): Promise<void> {
  const { id, type } = payload.registration;
  const brand = await read(by, '/v1/brand');
  const campaigns = await read(by, '/v1/brand/campaigns?page_size=100');
  const found = type === 'brand' ? brand : campaigns.find((each: Body) => each.id === id);
  expect(found).toMatchObject({ id, status: payload.status, rejection_reasons: payload.reasons });
  expect(payload.texting_enabled_numbers).toEqual(type === 'brand' ? [] : found.phone_numbers);
  const enabled = (await numbersOf(by)).data.filter((each: Body) => each.texting_enabled);
  for (const each of payload.texting_enabled_numbers) {
    expect(enabled.map(({ phone_number }: Body) => phone_number)).toContain(each);
  }
}

async function checkEnterprise(by: Client, payload: Body): Promise<void> {
  expect(await read(by, '/v1/caller-trust/enterprise')).toEqual(payload);
  expect(payload.status === 'REJECTED').toBe(payload.rejection_reasons.length > 0);
  expect(payload.reputation.status).toBe(payload.status.toLowerCase());
  expect(await read(by, `/v1/caller-trust/documents/${payload.loa_document_id}`)).toMatchObject({ status: 'verified' });
}

async function check(by: Client, type: string, payload: Body): Promise<void> {
  if (type.startsWith('number_')) return checkNumber(by, type, payload);
  if (type.startsWith('sms_') || type === 'contact_replied') return checkMessage(by, type, payload);
  switch (type) {
    case 'contact_created':
      return expect(await read(by, `/v1/contacts/${payload.id}`)).toEqual(payload);
    case 'new_appointment':
      return expect(await read(by, '/v1/appointments?page_size=100')).toContainEqual(payload);
    case 'texting_registration_status_changed':
      return checkRegistration(by, payload);
    case 'workflow_contact_completed':
      return checkWorkflow(by, payload);
    case 'enterprise.status.updated':
      return checkEnterprise(by, payload);
    default:
      return checkCall(by, type, payload);
  }
}

const worlds = ['default', 'demo', 'hipaa', 'regulated', 'other', 'new'];

describe.each(worlds)('in the world %s', (world) => {
  const by = (): Client =>
    world === 'new' ? freshWorld(sandbox).client : clientOf(sandbox.url, `svc_sandbox_${world}`);

  const types = allEventTypes.filter((_, index) => thorough || (index + worlds.indexOf(world)) % 3 === 0);
  it.each(types)('%s is about a record that can be read and that agrees with it', async (type) => {
    const client = by();
    const { data: before } = (await client.get('/_sandbox/events?page_size=1000')).body;
    const { payload, schema_violations } = await fire(client, type);
    expect(schema_violations).toEqual([]);
    await check(client, type, payload);
    // No other event was emitted for a record that was made.
    const { data: after } = (await client.get('/_sandbox/events?page_size=1000')).body;
    expect(after.length).toBe(before.length + 1);
    // Once there is such a record, the next event is about it.
    const again = (await fire(client, type)).payload;
    const { createdAt: _, created_at: _c, ...same } = payload;
    expect(again).toMatchObject(same);
  });
});

describe('the data of a fired event', () => {
  it.each([
    ['call_completed', { status: 'NO_ANSWER' }, { failure_code: 'no_answer', failure_category: 'unreachable' }],
    ['call_completed', { status: 'CANCELED' }, { failure_code: null, duration_seconds: 0 }],
    ['phone_call.ended', { failure_code: 'voicemail_reached' }, { status: 'VOICEMAIL', failure_category: 'voicemail' }],
    ['call_failed', { failure_code: 'carrier_rejected' }, { status: 'FAILED', duration_seconds: 0 }],
    ['call_completed', { direction: 'inbound' }, { status: 'COMPLETED' }],
    ['sms_failed', { status: 'undelivered' }, { error_message: 'The handset could not be reached.' }],
  ])('decides what kind of record it is about: %s (case %#)', async (type, data, expected) => {
    const { client } = freshWorld(sandbox);
    const { payload } = await fire(client, type, data);
    expect(payload).toMatchObject({ ...data, ...expected });
    await check(client, type, payload);
  });

  it.each([
    ['workflow_contact_completed', { outcome: 'busy' }, { failure_code: 'busy' }],
    ['workflow_contact_completed', { outcome: 'failed' }, { failure_code: 'call_declined' }],
    ['texting_registration_status_changed', { status: 'rejected' }, { texting_enabled_numbers: [] }],
    ['enterprise.status.updated', { status: 'REJECTED' }, { rejection_reasons: [expect.any(String)] }],
  ])('decides how a record ended: %s (case %#)', async (type, data, expected) => {
    const { client } = freshWorld(sandbox);
    const { payload } = await fire(client, type, data);
    expect(payload).toMatchObject({ ...data, ...expected });
    await check(client, type, payload);
  });

  it('names the job, the contact and the call of a contact that finished', async () => {
    const { client } = freshWorld(sandbox);
    const contact = (await read(client, '/v1/contacts'))[1];
    const { payload } = await fire(client, 'workflow_contact_completed', { contact_id: contact.id });
    expect(payload).toMatchObject({ contact_id: contact.id, phone_number: contact.phone_number });
    await check(client, 'workflow_contact_completed', payload);
    const { job_id, call_id } = payload;
    const named = (await fire(client, 'workflow_contact_completed', { job_id, call_id })).payload;
    expect({ ...named, created_at: null }).toEqual({ ...payload, created_at: null });
    // The contact is the one with the number that was called; there may be none.
    const older = (await read(client, '/v1/contacts'))[2];
    for (const [to, contact_id] of [
      [older.phone_number, older.id],
      ['+12125550177', null],
    ]) {
      const id = await client.call(to);
      await client.post(`/v1/calls/${id}/hangup`);
      const body = (await fire(client, 'workflow_contact_completed', { call_id: id })).payload;
      expect(body).toMatchObject({ call_id: id, phone_number: to, contact_id, outcome: 'canceled' });
    }
    const refused = (await fire(client, 'workflow_contact_completed', { outcome: 'refused' })).payload;
    expect(refused).toMatchObject({ call_id: null, failure_code: 'dnc_suppressed' });
    expect((await read(client, `/v1/jobs/${refused.job_id}`)).progress.outcomes.refused).toBe(1);
  });

  it.each([
    ['workflow_contact_completed', 'job_id'],
    ['workflow_contact_completed', 'contact_id'],
    ['workflow_contact_completed', 'call_id'],
    ['enterprise.status.updated', 'loa_document_id'],
    ['number_purchased', 'organization_id'],
    ['texting_registration_status_changed', 'registration'],
  ])('is 404 for %s with an unknown %s, and nothing is made', async (type, field) => {
    const { client, world } = freshWorld(sandbox);
    const value = field === 'registration' ? { id: NOWHERE, type: 'brand' } : NOWHERE;
    const answer = await client.post('/_sandbox/events', { event_type: type, data: { [field]: value } });
    expectError(answer, 404, 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([`data.${field}`]);
    expect(await world.events()).toEqual([]);
    for (const list of ['/v1/jobs', '/v1/brand/campaigns']) expect(await read(client, list)).toEqual([]);
    expect((await client.get('/v1/caller-trust/enterprise')).status).toBe(404);
  });

  it('gives the area code of the digits that it names', async () => {
    const { client } = freshWorld(sandbox);
    const { payload } = await fire(client, 'number_purchased', { phone_number: '+12125550151' });
    expect(payload.payload).toMatchObject({ phone_number: '+12125550151', area_code: '212' });
  });
});
