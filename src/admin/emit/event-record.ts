// Finds the record that an event emitted by hand is about: the one that `data` names, the newest one that the event has
// happened to and that agrees with `data`, or a new one that agrees with it. If the event has not happened to the named
// record, its body shows the record as the event would leave it. If nothing fits, the request is refused.
import { isJsonObject } from '../../contract/json.ts';
import { type EventTable, isAbout } from '../../events/catalogue.ts';
import { recordId } from '../../identity/record-id.ts';
import type { Row, TableName } from '../../model.ts';
import { nothingNamed } from '../named-records.ts';
import { findVisible } from '../reader.ts';
import { contradicted, noneAgrees } from './agreement.ts';
import { calls } from './calls.ts';
import { appointments, contacts } from './contacts.ts';
import { enterprises } from './enterprises.ts';
import type { Firing, RecordSource } from './firing.ts';
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

/** The record as it was at the event. Its body agrees with every field of `data`. */
export function eventRecord<Table extends EventTable>(firing: Firing, table: Table): Row<Table> {
  const source: RecordSource<Table> = sources[table];
  const assumptions = firing.tx.state('assumptions');
  const named = source.named(firing);
  checkReferences(firing);
  const [index, value] = source.among(firing);
  const existing = named ? [named] : firing.tx.page(table, index, value, { limit: NEWEST, newestFirst: true });
  const about = existing.filter((record) => isAbout(firing.type, record, assumptions));
  const found = about.map((record) => source.asOf(firing, record)).find((record) => agrees(firing, record));
  return found ?? drafted(firing, table, source, named);
}

const agrees = (firing: Firing, record: Row<EventTable>): boolean => contradicted(firing, record).length === 0;

function drafted<Table extends EventTable>(
  firing: Firing,
  table: Table,
  source: RecordSource<Table>,
  base: Row<Table> | undefined,
): Row<Table> {
  const drafts = source.drafts(firing, base).map((draft) => ({ draft, shown: source.asOf(firing, draft.record) }));
  const fitting = drafts.find(({ shown }) => agrees(firing, shown));
  if (!fitting) {
    const records = drafts.map(({ shown }) => shown);
    throw noneAgrees(firing, records, source.forms(firing, base), base && { table, record: base });
  }
  const shown = source.asOf(firing, fitting.draft.store());
  if (!agrees(firing, shown)) throw new Error(`a record stored for ${firing.type} is not its draft`);
  return shown;
}

/** The fields of payloads that name other records than the one that the event is about, with what they name. */
const references: Readonly<Record<string, readonly [table: TableName, noun: string]>> = {
  job_id: ['jobs', 'job'],
  contact_id: ['contacts', 'contact'],
  call_id: ['calls', 'call'],
  loa_document_id: ['documents', 'document'],
  organization_id: ['organizations', 'organization'],
};

/** The same fields, with the ids of records as the store keeps them. */
export function withRecordIds(data: Firing['data']): Firing['data'] {
  const named = ['id', 'registration', ...Object.keys(references)];
  const read = (name: string, value: unknown): unknown => {
    if (!named.includes(name)) return value;
    if (typeof value === 'string') return recordId(value);
    return isJsonObject(value) && typeof value.id === 'string' ? { ...value, id: recordId(value.id) } : value;
  };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, read(name, value)]));
}

/** Throws `not_found` for an id in `data` that names nothing in the world. */
function checkReferences({ tx, data, reader }: Firing): void {
  for (const [field, [table, noun]] of Object.entries(references)) {
    const id = data[field];
    if (typeof id === 'string' && !findVisible(tx, table, id, reader)) throw nothingNamed(`data.${field}`, noun, id);
  }
}
