// Every event type: when it fires (`spec.md` "Event types"), which record it is about, and its body. Each body is
// built here and nowhere else; `schema` is the component of the contract it is checked against.
import { assumedCall } from '../assumptions/assumed-records.ts';
import { type AssumptionValues, assumed } from '../assumptions/catalogue.ts';
import type { Schemas } from '../contract/document.ts';
import { areaCodeOf } from '../e164.ts';
import { type Row, type Subject, type TableName, wireOf } from '../model.ts';
import { keysOf } from '../typed-keys.ts';

/** Body shapes; the number-lifecycle family alone is signed (`spec.md` "Delivery shapes"). */
export type EventFamily = 'call' | 'message' | 'number_lifecycle' | 'resource';

export interface EventDefinition<Table extends TableName = TableName> {
  readonly family: EventFamily;
  readonly firesWhen: string;
  readonly schema: keyof Schemas;
  /** The table of the record that it is about. */
  readonly table: Table;
  // Declared as methods, so that a definition about one table is assignable to the type of all of them. `EventOf` ensures
  // that records and events match.
  /** The body, from the record, the event's own instant, and what the world assumes. */
  payload(record: Row<Table>, at: string, assumptions: AssumptionValues): object;
  /** Another record, if any, with whose events it is delivered in order. */
  orderingKey?(record: Row<Table>): Subject | null;
}

export function callPayload(stored: Row<'calls'>, _at: string, assumptions: AssumptionValues): Schemas['CallEvent'] {
  const call = assumedCall(assumptions, stored);
  return {
    id: call.id,
    from_number: call.from_number,
    to_number: call.to_number,
    direction: call.direction,
    duration_seconds: call.duration_seconds,
    status: call.status,
    failure_code: call.failure_code,
    failure_category: call.failure_category,
    disconnection_reason: call.disconnection_reason,
    created_at: stored.started_at,
  };
}

export function messagePayload(message: Row<'messages'>): Schemas['MessageEvent'] {
  return {
    id: message.id,
    phone_number: message.phone_number,
    from_number: message.from_number,
    direction: message.direction,
    status: message.status,
    contact_token: message.contact_token,
    provider_id: message.provider_id,
    error_message: message.error_message,
    channel: message.channel,
    created_at: message.created_at,
  };
}

function registrationPayload(registration: Row<'texting_registrations'>): Schemas['TextingRegistrationEvent'] {
  const { id, type, status, rejection_reasons, phone_numbers } = registration;
  return {
    registration: { id, type },
    // The event is emitted only once a registration is decided.
    status: status as Exclude<typeof status, 'pending'>,
    reasons: rejection_reasons,
    texting_enabled_numbers: status === 'approved' ? phone_numbers : [],
  };
}

function numberPayload(trigger: Schemas['NumberLifecycleEvent']['triggerEvent']) {
  return (number: Row<'phone_numbers'>, at: string): Schemas['NumberLifecycleEvent'] => ({
    triggerEvent: trigger,
    createdAt: at,
    payload: {
      id: number.id,
      phone_number: number.phone_number,
      area_code: areaCodeOf(number.phone_number),
      status: trigger === 'number.purchased' ? 'ACTIVE' : 'RELEASED',
      organization_id: number.organization_id,
    },
  });
}

function workflowContactPayload(entry: Row<'job_contacts'>, at: string): Schemas['WorkflowContactEvent'] {
  return {
    job_id: entry.private.job_id,
    contact_id: entry.contact_id,
    phone_number: entry.phone_number,
    // The event is emitted only once a contact is finished.
    outcome: entry.outcome as Schemas['JobOutcome'],
    call_id: entry.call_id,
    failure_code: entry.failure_code,
    created_at: at,
  };
}

/** What all events about one table have in common. */
const aboutCall = { family: 'call', schema: 'CallEvent', table: 'calls', payload: callPayload } as const;
const aboutMessage = {
  family: 'message',
  schema: 'MessageEvent',
  table: 'messages',
  payload: messagePayload,
} as const;
const aboutNumber = { family: 'number_lifecycle', schema: 'NumberLifecycleEvent', table: 'phone_numbers' } as const;

export const events = {
  new_call: { ...aboutCall, firesWhen: 'a call starts' },
  call_completed: { ...aboutCall, firesWhen: 'a call ends, any outcome' },
  call_no_answer: { ...aboutCall, firesWhen: 'a call ended unanswered (rang out)' },
  call_voicemail: { ...aboutCall, firesWhen: 'a call reached voicemail or an answering machine' },
  call_busy: { ...aboutCall, firesWhen: 'destination busy' },
  call_failed: { ...aboutCall, firesWhen: 'call failed (declined, unreachable, carrier rejection)' },
  contact_replied: { ...aboutMessage, firesWhen: 'an inbound SMS was received' },
  sms_sent: { ...aboutMessage, firesWhen: 'an outbound SMS was accepted by the carrier' },
  sms_delivered: { ...aboutMessage, firesWhen: 'an outbound SMS was delivered to the handset' },
  sms_failed: { ...aboutMessage, firesWhen: 'an outbound SMS failed or was undelivered' },
  contact_created: {
    family: 'resource',
    schema: 'Contact',
    table: 'contacts',
    payload: (contact: Row<'contacts'>) => wireOf(contact),
    firesWhen: 'a new contact was created',
  },
  number_purchased: {
    ...aboutNumber,
    payload: numberPayload('number.purchased'),
    firesWhen: 'a phone number finished provisioning and became active',
  },
  number_released: {
    ...aboutNumber,
    payload: numberPayload('number.released'),
    firesWhen: 'a phone number was released',
  },
  texting_registration_status_changed: {
    family: 'resource',
    schema: 'TextingRegistrationEvent',
    table: 'texting_registrations',
    payload: registrationPayload,
    firesWhen: 'the A2P texting registration (brand or campaign) was approved or rejected',
  },
  new_appointment: {
    family: 'resource',
    schema: 'Appointment',
    table: 'appointments',
    payload: (appointment: Row<'appointments'>) => wireOf(appointment),
    firesWhen: 'a booking was created',
  },
  workflow_contact_completed: {
    family: 'resource',
    schema: 'WorkflowContactEvent',
    table: 'job_contacts',
    payload: workflowContactPayload,
    orderingKey: ({ call_id }: Row<'job_contacts'>) => (call_id === null ? null : { table: 'calls', id: call_id }),
    firesWhen: 'a contact finished a workflow',
  },
  'enterprise.status.updated': {
    family: 'resource',
    schema: 'Enterprise',
    table: 'enterprises',
    payload: (enterprise: Row<'enterprises'>) => wireOf(enterprise),
    firesWhen: 'vetting has approved or rejected the enterprise',
  },
  'phone_call.ended': { ...aboutCall, firesWhen: 'a placed call ended; carries the failure information of the call' },
} as const satisfies Record<Schemas['EventType'], { [Table in TableName]: EventDefinition<Table> }[TableName]>;

export type EventType = keyof typeof events;

/** Tables whose records events are about. */
export type EventTable = (typeof events)[EventType]['table'];

/** The events about the records of a table. */
export type EventOf<Table extends TableName> = {
  [Type in EventType]: (typeof events)[Type]['table'] extends Table ? Type : never;
}[EventType];

export const eventTypes: readonly EventType[] = keysOf(events);

export function eventDefinition(type: EventType): EventDefinition {
  return events[type];
}

/** The events whose body the specification shows; a world can assume that all others have an envelope. */
const specified: readonly EventType[] = [
  'call_no_answer',
  'call_voicemail',
  'call_busy',
  'call_failed',
  'sms_sent',
  'sms_delivered',
  'sms_failed',
  'number_purchased',
  'number_released',
];

/** Whether events of this type have the envelope of number lifecycle events, by what the world assumes. */
export function isEnveloped(type: EventType, assumptions: AssumptionValues): boolean {
  return assumed(assumptions, 'event_payloads') !== 'flat' && !specified.includes(type);
}

/** Whether deliveries of this type are signed. */
export function isSigned(type: EventType, assumptions: AssumptionValues): boolean {
  if (eventDefinition(type).family === 'number_lifecycle') return true;
  return assumed(assumptions, 'event_payloads') === 'enveloped_and_signed' && !specified.includes(type);
}

const ended = ['COMPLETED', 'BUSY', 'NO_ANSWER', 'VOICEMAIL', 'FAILED', 'CANCELED'] as const;

/** The statuses of a table's records; that of a phone number is not among its wire fields. */
type StatusIn<Table extends TableName> = Extract<
  Row<Table> extends { readonly status: infer Status }
    ? Status
    : Row<Table> extends { readonly private: { readonly status: infer Status } }
      ? Status
      : never,
  string
>;

/** The statuses of records to which these events have happened; for other types, any status. */
const statusesAt: { readonly [Type in EventType]?: readonly StatusIn<(typeof events)[Type]['table']>[] } = {
  call_completed: ended,
  'phone_call.ended': ended,
  call_no_answer: ['NO_ANSWER'],
  call_voicemail: ['VOICEMAIL'],
  call_busy: ['BUSY'],
  call_failed: ['FAILED'],
  sms_sent: ['sent', 'delivered', 'undelivered'],
  sms_delivered: ['delivered'],
  sms_failed: ['failed', 'undelivered'],
  contact_replied: ['received'],
  number_purchased: ['ACTIVE'],
  number_released: ['RELEASED'],
  texting_registration_status_changed: ['approved', 'rejected'],
  workflow_contact_completed: ['completed'],
  'enterprise.status.updated': ['APPROVED', 'REJECTED'],
};

/** The statuses of the records that an event of this type can be about; null for any. */
function statusesOf(type: EventType, assumptions: AssumptionValues): readonly string[] | null {
  const statuses = statusesAt[type] ?? null;
  const atSubmission =
    type === 'enterprise.status.updated' && assumed(assumptions, 'enterprise_events') === 'every_change';
  return atSubmission && statuses ? [...statuses, 'PENDING_VETTING'] : statuses;
}

/** The status of a record; null if its kind has none. */
export function statusOf(record: Row<TableName>): string | null {
  const holder = 'status' in record ? record : record.private;
  return 'status' in holder && typeof holder.status === 'string' ? holder.status : null;
}

/** Whether an event of this type has happened to this record, as it is now. */
export function isAbout(type: EventType, record: Row<TableName>, assumptions: AssumptionValues): boolean {
  const statuses = statusesOf(type, assumptions);
  return statuses === null || statuses.includes(statusOf(record) ?? '');
}
