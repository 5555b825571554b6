// Whether the body of an event says what the API shows of its records: every id can be read, and every field that the API
// shows too has the same value.
import { expect } from 'vitest';
import type { Answer, Client } from '../support/client.ts';

type Body = Answer['body'];

const read = async (by: Client, path: string): Promise<Body> => {
  const answer = await by.get(path);
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.body.data;
};

/** Compares the fields that both have; `except` changes after the event. */
function expectSame(body: Body, record: Body, except: readonly string[] = []): void {
  for (const name of Object.keys(body)) {
    if (Object.hasOwn(record, name) && !except.includes(name)) expect(body[name], name).toEqual(record[name]);
  }
}

const endFields = ['status', 'duration_seconds', 'failure_code', 'failure_category', 'disconnection_reason'];

async function expectCall(by: Client, type: string, body: Body): Promise<void> {
  const call = await by.readCall(body.id);
  expectSame(body, call, type === 'new_call' ? endFields : []);
  expect(body.created_at).toBe(call.started_at);
}

async function expectNumber(by: Client, body: Body): Promise<void> {
  const number = await read(by, `/v1/phone-numbers/${body.id}`);
  expectSame(body, number, ['status']);
  expect(body.area_code).toBe(/^\+1(\d{3})/.exec(number.phone_number)?.[1] ?? null);
  expect(body.status).toBe(number.is_active ? 'ACTIVE' : 'RELEASED');
}

async function expectRegistration(by: Client, body: Body): Promise<void> {
  const { id, type } = body.registration;
  const campaigns = await read(by, '/v1/brand/campaigns?page_size=100');
  const found = type === 'brand' ? await read(by, '/v1/brand') : campaigns.find((each: Body) => each.id === id);
  expect(found).toMatchObject({ id, status: body.status, rejection_reasons: body.reasons });
  const numbers = body.status === 'approved' ? (found.phone_numbers ?? []) : [];
  expect(body.texting_enabled_numbers).toEqual(numbers);
}

async function expectWorkflow(by: Client, body: Body): Promise<void> {
  const job = await read(by, `/v1/jobs/${body.job_id}`);
  expect(job.progress.outcomes[body.outcome]).toBeGreaterThan(0);
  if (body.contact_id !== null) {
    expect((await read(by, `/v1/contacts/${body.contact_id}`)).phone_number).toBe(body.phone_number);
  }
  expect(body.call_id === null).toBe(body.outcome === 'refused');
  if (body.call_id === null) return expect(body.failure_code).not.toBeNull();
  expect(await by.readCall(body.call_id)).toMatchObject({
    from_number: job.from_number,
    to_number: body.phone_number,
    call_outcome: body.outcome,
    failure_code: body.failure_code,
  });
}

/** Fails unless the API shows what the body of this event says. */
export async function expectShown(by: Client, type: string, body: Body): Promise<void> {
  if (type.startsWith('number_')) return expectNumber(by, body.payload);
  if (type.startsWith('sms_') || type === 'contact_replied') {
    const later = type === 'sms_sent' ? ['status', 'error_message'] : [];
    return expectSame(body, await read(by, `/v1/sms/${body.id}`), later);
  }
  switch (type) {
    case 'contact_created':
      return expect(await read(by, `/v1/contacts/${body.id}`)).toEqual(body);
    case 'new_appointment':
      return expect(await read(by, '/v1/appointments?page_size=100')).toContainEqual(body);
    case 'texting_registration_status_changed':
      return expectRegistration(by, body);
    case 'workflow_contact_completed':
      return expectWorkflow(by, body);
    case 'enterprise.status.updated':
      return expect(await read(by, '/v1/caller-trust/enterprise')).toEqual(body);
    default:
      return expectCall(by, type, body);
  }
}
