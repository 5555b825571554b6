import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxWorld } from '../../src/index.ts';
import { type Client, expectError, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';
import { fireWith, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);

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
      'contact_created',
      { metadata: { in: { ...Array(1000).fill(null) } } },
      'metadata',
      /^must be an object with at most 1,000/,
    ],
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
    const answer = await fireWith(client, type, data);
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
    const answer = await fireWith(client, 'call_busy', { to_numbr: '+12125550101' });
    expect(answer.body.error.fields['data.to_numbr']).toMatch(
      /allowed: id, from_number, .*; did you mean to_number\?$/,
    );
  });
});
