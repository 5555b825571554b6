// Bodies for events that are fired by hand where the world has no record that they could be about.
import type { Schemas } from '../contract/document.ts';
import { type EventType, eventRow } from './catalogue.ts';

type CallEnd = Pick<Schemas['CallEvent'], 'status' | 'failure_code' | 'failure_category' | 'disconnection_reason'>;

const callEnds: Partial<Record<EventType, CallEnd>> = {
  call_no_answer: end('NO_ANSWER', 'no_answer', 'unreachable', 'USER_UNAVAILABLE'),
  call_voicemail: end('VOICEMAIL', 'voicemail_reached', 'voicemail', 'CLIENT_INITIATED'),
  call_busy: end('BUSY', 'busy', 'unreachable', 'USER_REJECTED'),
  call_failed: end('FAILED', 'call_declined', 'unreachable', 'USER_REJECTED'),
};

function end(
  status: CallEnd['status'],
  failure_code: CallEnd['failure_code'],
  failure_category: CallEnd['failure_category'],
  disconnection_reason: string | null,
): CallEnd {
  return { status, failure_code, failure_category, disconnection_reason };
}

const messageStatuses: Partial<Record<EventType, Schemas['MessageStatus']>> = {
  sms_sent: 'sent',
  sms_delivered: 'delivered',
  sms_failed: 'failed',
  contact_replied: 'received',
};

/** A body that such an event could have; `at` is the event's instant as a timestamp. */
export function sampleOf(type: EventType, organization: string, at: string): object {
  const { schema } = eventRow(type);
  switch (schema) {
    case 'CallEvent':
      return {
        id: '00000000-0000-4000-8000-000000000001',
        from_number: '+14155550190',
        to_number: '+14155550170',
        direction: 'outbound',
        duration_seconds: type === 'new_call' ? null : 0,
        ...(callEnds[type] ?? end(type === 'new_call' ? 'QUEUED' : 'COMPLETED', null, null, null)),
        created_at: at,
      } satisfies Schemas['CallEvent'];
    case 'MessageEvent':
      return {
        id: '00000000-0000-4000-8000-000000000002',
        phone_number: type === 'contact_replied' ? '+14155550190' : '+14155550170',
        from_number: type === 'contact_replied' ? '+14155550170' : '+14155550190',
        direction: type === 'contact_replied' ? 'inbound' : 'outbound',
        status: messageStatuses[type] ?? 'sent',
        contact_token: 'ctk_sample',
        provider_id: 'prv_sample',
        error_message: type === 'sms_failed' ? 'The handset could not be reached.' : null,
        channel: 'sms',
        created_at: at,
      } satisfies Schemas['MessageEvent'];
    case 'NumberLifecycleEvent':
      return {
        triggerEvent: type === 'number_released' ? 'number.released' : 'number.purchased',
        createdAt: at,
        payload: {
          id: 1,
          phone_number: '+14155550150',
          area_code: '415',
          status: type === 'number_released' ? 'RELEASED' : 'ACTIVE',
          organization_id: organization,
        },
      } satisfies Schemas['NumberLifecycleEvent'];
    case 'TextingRegistrationEvent':
      return {
        registration: { id: '00000000-0000-4000-8000-000000000003', type: 'campaign' },
        status: 'approved',
        reasons: [],
        texting_enabled_numbers: ['+14155550190'],
      } satisfies Schemas['TextingRegistrationEvent'];
    case 'WorkflowContactEvent':
      return {
        job_id: '00000000-0000-4000-8000-000000000004',
        contact_id: '00000000-0000-4000-8000-000000000005',
        phone_number: '+14155550170',
        outcome: 'answered',
        call_id: '00000000-0000-4000-8000-000000000001',
        failure_code: null,
        created_at: at,
      } satisfies Schemas['WorkflowContactEvent'];
    case 'Enterprise':
      return {
        id: '00000000-0000-4000-8000-000000000006',
        carrier_enterprise_id: null,
        legal_name: 'Sample Company, Inc.',
        dba: null,
        status: 'APPROVED',
        rejection_reasons: [],
        synced_at: at,
        loa_document_id: null,
        reputation: null,
      } satisfies Schemas['Enterprise'];
    case 'Contact':
      return {
        id: '00000000-0000-4000-8000-000000000007',
        name: 'Sample Contact',
        phone_number: '+14155550170',
        email: null,
        status: 'active',
        source: 'manual',
        metadata: null,
        created_at: at,
        updated_at: at,
      } satisfies Schemas['Contact'];
    case 'Appointment':
      return {
        id: '00000000-0000-4000-8000-000000000008',
        title: 'Sample booking',
        description: null,
        contact_name: 'Sample Contact',
        contact_email: null,
        start_time: at,
        end_time: at,
        timezone: 'America/Los_Angeles',
        status: 'confirmed',
        event_type: 'appointment',
        scheduling_option: 'phone',
        notes: null,
        created_at: at,
      } satisfies Schemas['Appointment'];
    default:
      throw new Error(`there is no sample of ${type}`);
  }
}
