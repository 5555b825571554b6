// The record that an event fired by hand is about: the one that `data` names, the newest one to which such an event has
// happened and that agrees with `data`, or a new one.
import { ApiError, invalidField, quote } from '../../errors/api-error.ts';
import { events, isAbout } from '../../events/catalogue.ts';
import type { Row, TableName } from '../../model.ts';
import { nothingNamed } from '../named-records.ts';
import { calls } from './calls.ts';
import { appointments, contacts } from './contacts.ts';
import { enterprises } from './enterprises.ts';
import type { EventTable, Firing, RecordSource } from './firing.ts';
import { jobContacts } from './job-contacts.ts';
import { messages } from './messages.ts';
import { phoneNumbers } from './numbers.ts';
import { registrations } from './registrations.ts';

const sources: { readonly [Table in EventTable]: RecordSource<Table> } = {
  calls,
  messages,
  phone_numbers: phoneNumbers,
  contacts,
  appointments,
  texting_registrations: registrations,
  enterprises,
  job_contacts: jobContacts,
};

/** Looks at the newest records only, because a world can have very many. */
const NEWEST = 100;

/** The record as it was, or would be, at the event. */
export function eventRecord<Table extends EventTable>(firing: Firing, table: Table): Row<Table> {
  const source: RecordSource<Table> = sources[table];
  const existing = named(firing, table) ?? newest(firing, table);
  return source.asOf(firing, existing ?? source.make(firing));
}

/** The record whose id `data` gives. A malformed id is 400; a well-formed one that names nothing is 404. */
function named<Table extends EventTable>(firing: Firing, table: Table): Row<Table> | undefined {
  const { tx, data, type } = firing;
  const field = table === 'texting_registrations' ? 'registration' : 'id';
  // Contacts on a list have no id that anyone can read; job, contact and call name them.
  if (!Object.hasOwn(data, field) || table === 'job_contacts') return undefined;
  const id = field === 'id' ? data.id : idInside(data.registration);
  const form = table === 'phone_numbers' ? 'number' : 'string';
  if (typeof id !== form) throw invalidField(`data.${field}`, `${quote(id)} is not a valid id for the event ${type}`);
  const record = tx.get(table, String(id));
  if (record && isOwned(firing, record)) return record;
  const noun = table.replaceAll('_', ' ').replace(/s$/, '');
  throw new ApiError('not_found', {
    message: `No record with id ${quote(id)} that the event ${type} could be about exists in this world.`,
    fields: { [`data.${field}`]: `does not identify any ${noun} of this world` },
    hint: 'Omit the id to use the newest record that fits.',
  });
}

function idInside(reference: unknown): unknown {
  return typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : undefined;
}

/** A record of any organization of the world, unless `data` says of which. */
function isOwned({ data, owner }: Firing, record: Row<EventTable>): boolean {
  return !Object.hasOwn(data, 'organization_id') || record.private.organization_id === owner.organization_id;
}

/** The newest record to which the event has happened. An organization has one enterprise and one brand, which stand in. */
function newest<Table extends EventTable>(firing: Firing, table: Table): Row<Table> | undefined {
  const { tx, type, owner } = firing;
  const source: RecordSource<Table> = sources[table];
  const options = { limit: NEWEST, newestFirst: true };
  const records = tx.page(table, source.index(type), owner.organization_id, options);
  const standIn = table === 'enterprises' || table === 'texting_registrations' ? records[0] : undefined;
  return records.find((record) => isAbout(type, record) && agrees(firing, record)) ?? standIn;
}

/** Fields by which `data` chooses among the records of a table. */
const distinguishing: { readonly [Table in EventTable]?: readonly string[] } = {
  calls: ['status', 'failure_code', 'direction'],
  messages: ['status'],
  texting_registrations: ['status'],
  enterprises: ['status'],
  job_contacts: ['contact_id', 'call_id', 'outcome'],
};

/** Whether a record has what `data` says about how it ended. */
function agrees({ type, data }: Firing, record: Row<EventTable>): boolean {
  // `new_call` shows a call as it was placed, and `sms_sent` a message as it was sent.
  if (type === 'new_call' || type === 'sms_sent') return true;
  const fields = distinguishing[events[type].table] ?? [];
  const values: Readonly<Record<string, unknown>> = { ...record, ...record.private };
  const job = type !== 'workflow_contact_completed' || !Object.hasOwn(data, 'job_id') || values.job_id === data.job_id;
  return job && fields.every((name) => !Object.hasOwn(data, name) || values[name] === data[name]);
}

/** The fields of payloads that name other records than the one that the event is about, with what they name. */
const references: Readonly<Record<string, readonly [table: TableName, noun: string]>> = {
  job_id: ['jobs', 'job'],
  contact_id: ['contacts', 'contact'],
  call_id: ['calls', 'call'],
  loa_document_id: ['documents', 'document'],
  organization_id: ['organizations', 'organization'],
};

/** Throws `not_found` for an id in `data` that names nothing in the world. */
export function checkReferences({ tx, data }: Firing): void {
  for (const [field, [table, noun]] of Object.entries(references)) {
    const id = data[field];
    if (typeof id === 'string' && !tx.get(table, id)) throw nothingNamed(`data.${field}`, noun, id);
  }
}
