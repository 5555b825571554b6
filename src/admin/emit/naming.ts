// The records that the `data` of an event emitted by hand names, and how messages refer to them.
import { ApiError, invalidField, quote } from '../../errors/api-error.ts';
import type { EventTable } from '../../events/catalogue.ts';
import type { Row } from '../../model.ts';
import { definitionOf } from '../../store/tables.ts';
import { findVisible } from '../reader.ts';
import type { Firing } from './firing.ts';

/** What messages call the records of a table. */
const nouns: { readonly [Table in EventTable]: string } = {
  calls: 'call',
  messages: 'message',
  phone_numbers: 'phone number',
  contacts: 'contact',
  appointments: 'appointment',
  texting_registrations: 'texting registration',
  enterprises: 'enterprise',
  job_contacts: 'contact on the list of a job',
};

/** The record with that id, if one is given. A malformed id is 400; a well-formed one that names nothing is 404. */
export function byId<Table extends EventTable>(
  { tx, type, data, reader }: Firing,
  table: Table,
  [field, id]: readonly [field: string, id: unknown] = ['id', data.id],
): Row<Table> | undefined {
  if (!Object.hasOwn(data, field)) return undefined;
  const form = table === 'phone_numbers' ? 'number' : 'string';
  if (typeof id !== form) throw invalidField(`data.${field}`, `is ${quote(id)}; must be the id of a ${nouns[table]}`);
  const record = findVisible(tx, table, String(id), reader);
  if (record) return record;
  throw new ApiError('not_found', {
    message: `No record with id ${quote(id)} that the event ${type} could be about exists in this world.`,
    fields: { [`data.${field}`]: `does not identify any ${nouns[table]} of this world` },
    hint: 'Omit the id to use the newest record that fits.',
  });
}

/** What messages call a record. */
export function nameOf(table: EventTable, record: Row<EventTable>): string {
  return `the ${nouns[table]} ${definitionOf<EventTable>(table).id(record)}`;
}
