// The bodies that events must have according to the API: each event shows its record as the API does at that instant.
import { expect } from 'vitest';
import { eventExamples } from '../../src/contract/document.ts';
import { dataOf, ENTERPRISE } from '../support/caller-trust.ts';
import type { Answer, Client } from '../support/client.ts';
import { CAMPAIGNS, NUMBERS } from '../support/texting.ts';

type Body = Answer['body'];

/** By schema: builds the body of an event from what the API returns for its record now; `body` identifies the record. */
export const bodyFromApi: Readonly<Record<string, (by: Client, body: Body) => Promise<object>>> = {
  async CallEvent(by, { id }) {
    const { started_at, ...call } = await by.readCall(id);
    return { ...only(call, Object.keys(eventExamples().get('new_call') as object)), created_at: started_at };
  },
  async MessageEvent(by, { id }) {
    return only(dataOf(await by.get(`/v1/sms/${id}`)), Object.keys(eventExamples().get('sms_sent') as object));
  },
  async NumberLifecycleEvent(by, { payload }) {
    const { id, phone_number, is_active, organization_id } = dataOf(await by.get(`${NUMBERS}/${payload.id}`));
    const area_code = phone_number.slice(2, 5);
    return {
      triggerEvent: is_active ? 'number.purchased' : 'number.released',
      createdAt: await now(by),
      payload: { id, phone_number, area_code, status: is_active ? 'ACTIVE' : 'RELEASED', organization_id },
    };
  },
  async TextingRegistrationEvent(by, { registration: { id, type } }) {
    const all = type === 'brand' ? [dataOf(await by.get('/v1/brand'))] : dataOf(await by.get(CAMPAIGNS));
    const { status, rejection_reasons, phone_numbers } = all.find((each: Body) => each.id === id);
    const numbers = dataOf(await by.get(NUMBERS)) as Body[];
    return {
      registration: { id, type },
      status,
      reasons: rejection_reasons,
      texting_enabled_numbers: numbers
        .filter((each) => phone_numbers?.includes(each.phone_number) && each.texting_enabled)
        .map(({ phone_number }) => phone_number),
    };
  },
  Contact: async (by, { id }) => dataOf(await by.get(`/v1/contacts/${id}`)),
  Appointment: async (by, { id }) => dataOf(await by.get('/v1/appointments')).find((each: Body) => each.id === id),
  async WorkflowContactEvent(by, { contact_id, call_id, failure_code }) {
    const [job] = dataOf(await by.get('/v1/jobs'));
    const contact = dataOf(await by.get(`/v1/contacts/${contact_id}`));
    // Only the event and the counters of the job show a contact that was not called.
    const refused = { id: null, call_outcome: 'refused', failure_code, ended_at: await now(by) };
    const call = call_id === null ? refused : await by.readCall(call_id);
    expect(job.progress.outcomes).toMatchObject({ [call.call_outcome]: 1 });
    return {
      job_id: job.id,
      contact_id: contact.id,
      phone_number: contact.phone_number,
      outcome: call.call_outcome,
      call_id: call.id,
      failure_code: call.failure_code,
      created_at: call.ended_at,
    };
  },
  Enterprise: async (by) => dataOf(await by.get(ENTERPRISE)),
};

const now = async (by: Client): Promise<string> => dataOf(await by.get('/_sandbox/clock')).now;
const only = (record: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
