// Whether the body of an event says what the API shows of its records: every id can be read, and every field that the API
// shows too has the same value. What an event says that has not happened to its record agrees with itself.
import { expect } from 'vitest';
import type { Answer, Client } from '../support/client.ts';

type Body = Answer['body'];

const read = async (by: Client, path: string): Promise<Body> => {
  const answer = await by.get(path);
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.body.data;
};

/** Compares the fields that both have; `except` depends on what happens to the record after what the body shows, or before. */
function expectSame(body: Body, record: Body, except: readonly string[] = []): void {
  for (const name of Object.keys(body)) {
    if (Object.hasOwn(record, name) && !except.includes(name)) expect(body[name], name).toEqual(record[name]);
  }
}

/** By the ending of a call: its outcome, the codes and the category of the failure, and whether anyone can have talked. */
const endings: Readonly<Record<string, readonly [string, (string | null)[], string | null, boolean]>> = {
  COMPLETED: ['answered', [null], null, true],
  BUSY: ['busy', ['busy'], 'unreachable', false],
  NO_ANSWER: ['no_answer', ['no_answer'], 'unreachable', false],
  VOICEMAIL: ['voicemail', ['voicemail_reached'], 'voicemail', true],
  FAILED: ['failed', ['call_declined', 'number_unreachable', 'carrier_rejected'], 'unreachable', false],
  CANCELED: ['canceled', [null], null, false],
};

const statusOf: Readonly<Record<string, string>> = {
  new_call: 'QUEUED',
  call_busy: 'BUSY',
  call_no_answer: 'NO_ANSWER',
  call_voicemail: 'VOICEMAIL',
  call_failed: 'FAILED',
};

/** Fails unless the fields of a call event fit its type and one another. */
export function expectEnding(type: string, body: Body): void {
  if (statusOf[type]) expect(body.status).toBe(statusOf[type]);
  if (type === 'new_call') {
    const unknown = { duration_seconds: null, failure_code: null, failure_category: null, disconnection_reason: null };
    expect(body).toMatchObject(unknown);
    return;
  }
  const [, codes, category, talks] = endings[body.status] ?? ['', [], null, false];
  expect(codes).toContain(body.failure_code);
  expect(body.failure_category).toBe(category);
  expect(body.disconnection_reason).not.toBeNull();
  expect(body.duration_seconds).toBeGreaterThanOrEqual(0);
  if (!talks) expect(body.duration_seconds).toBe(0);
}

const endFields = ['status', 'duration_seconds', 'failure_code', 'failure_category', 'disconnection_reason'];

async function expectCall(by: Client, type: string, body: Body, before: boolean): Promise<void> {
  const call = await by.readCall(body.id);
  expectSame(body, call, type === 'new_call' || before ? endFields : []);
  expect(body.created_at).toBe(call.started_at);
  expectEnding(type, body);
}

const statusesOf: Readonly<Record<string, string[]>> = {
  contact_replied: ['received'],
  sms_sent: ['sent'],
  sms_delivered: ['delivered'],
  sms_failed: ['failed', 'undelivered'],
};

async function expectMessage(by: Client, type: string, body: Body, before: boolean): Promise<void> {
  const changing = type === 'sms_sent' ? ['status', 'error_message'] : [];
  expectSame(
    body,
    await read(by, `/v1/sms/${body.id}`),
    before ? ['status', 'error_message', 'provider_id'] : changing,
  );
  expect(statusesOf[type]).toContain(body.status);
  expect(body.direction).toBe(type === 'contact_replied' ? 'inbound' : 'outbound');
  expect(body.error_message === null).toBe(type !== 'sms_failed');
  if (type !== 'sms_failed') expect(body.provider_id).not.toBeNull();
}

async function expectNumber(by: Client, type: string, body: Body, before: boolean): Promise<void> {
  const number = await read(by, `/v1/phone-numbers/${body.id}`);
  expectSame(body, number, ['status']);
  expect(body.area_code).toBe(/^\+1(\d{3})/.exec(number.phone_number)?.[1] ?? null);
  expect(body.status).toBe(type === 'number_purchased' ? 'ACTIVE' : 'RELEASED');
  if (!before) expect(body.status).toBe(number.is_active ? 'ACTIVE' : 'RELEASED');
}

async function expectRegistration(by: Client, body: Body, before: boolean): Promise<void> {
  const { id, type } = body.registration;
  const campaigns = await read(by, '/v1/brand/campaigns?page_size=100');
  const found = type === 'brand' ? await read(by, '/v1/brand') : campaigns.find((each: Body) => each.id === id);
  expect(found).toMatchObject(before ? { id } : { id, status: body.status, rejection_reasons: body.reasons });
  expect(body.reasons.length > 0).toBe(body.status === 'rejected');
  const numbers = body.status === 'approved' ? (found.phone_numbers ?? []) : [];
  expect(body.texting_enabled_numbers).toEqual(numbers);
}

async function expectWorkflow(by: Client, body: Body, before: boolean): Promise<void> {
  const job = await read(by, `/v1/jobs/${body.job_id}`);
  if (!before) expect(job.progress.outcomes[body.outcome]).toBeGreaterThan(0);
  if (body.contact_id !== null) {
    expect((await read(by, `/v1/contacts/${body.contact_id}`)).phone_number).toBe(body.phone_number);
  }
  expect(body.call_id === null).toBe(body.outcome === 'refused');
  if (body.call_id === null) return expect(body.failure_code).not.toBeNull();
  const [, codes] = Object.values(endings).find(([outcome]) => outcome === body.outcome) ?? ['', []];
  expect(codes).toContain(body.failure_code);
  const ended = { call_outcome: body.outcome, failure_code: body.failure_code };
  expect(await by.readCall(body.call_id)).toMatchObject({
    from_number: job.from_number,
    to_number: body.phone_number,
    ...(before ? {} : ended),
  });
}

const vetted = [
  'status',
  'rejection_reasons',
  'synced_at',
  'reputation',
  'carrier_enterprise_id',
  'loa_document_id',
] as const;

async function expectEnterprise(by: Client, body: Body, before: boolean): Promise<void> {
  expectSame(body, await read(by, '/v1/caller-trust/enterprise'), before ? vetted : []);
  expect(body.status === 'REJECTED').toBe(body.rejection_reasons.length > 0);
  expect(body.reputation).toMatchObject({
    status: body.status.toLowerCase().replace('_vetting', ''),
    rejection_reasons: body.rejection_reasons,
    last_synced_at: body.synced_at,
  });
  await read(by, `/v1/caller-trust/documents/${body.loa_document_id}`);
}

/**
 * Fails unless the API shows what the body of this event says. If it can have been emitted `before` it has happened to the
 * record, its status, and what depends on it, is left out.
 */
export async function expectShown(by: Client, type: string, body: Body, before = false): Promise<void> {
  if (type.startsWith('number_')) return expectNumber(by, type, body.payload, before);
  if (type.startsWith('sms_') || type === 'contact_replied') return expectMessage(by, type, body, before);
  switch (type) {
    case 'contact_created':
      return expect(await read(by, `/v1/contacts/${body.id}`)).toEqual(body);
    case 'new_appointment':
      return expect(await read(by, '/v1/appointments?page_size=100')).toContainEqual(body);
    case 'texting_registration_status_changed':
      return expectRegistration(by, body, before);
    case 'workflow_contact_completed':
      return expectWorkflow(by, body, before);
    case 'enterprise.status.updated':
      return expectEnterprise(by, body, before);
    default:
      return expectCall(by, type, body, before);
  }
}
