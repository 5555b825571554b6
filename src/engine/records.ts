// Finding the records of an organization: by the id in a path, by a field of a body, or through an index.
import { type AssumptionName, assumed } from '../assumptions/catalogue.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { recordId } from '../identity/record-id.ts';
import type { IndexOf, Row, TableName } from '../model.ts';
import type { Tx } from '../store/store.ts';

/** The organization whose records are read or written. */
export interface Owner {
  readonly organization_id: string;
}

/** What errors call a record that a path or a body names. */
const nouns = {
  agents: 'agent',
  caller_ids: 'caller ID',
  calls: 'call',
  contacts: 'contact',
  documents: 'document',
  jobs: 'job',
  messages: 'message',
  phone_numbers: 'phone number',
  remediations: 'remediation request',
  subscriptions: 'webhook subscription',
} as const;

/** Where a client finds the ids that a body may name. */
const hints = {
  agents: 'GET /v1/agents lists them.',
  contacts: 'GET /v1/contacts lists them.',
  jobs: 'GET /v1/jobs lists them.',
  documents: 'Upload the document with POST /v1/caller-trust/documents first.',
} as const;

/** A record of that organization by the id in the path; `not_found` otherwise. */
export function findRecord<Table extends keyof typeof nouns>(
  tx: Tx,
  table: Table,
  id: string,
  owner: Owner,
): Row<Table> {
  const record = findOwned(tx, table, id, owner);
  if (record) return record;
  throw notFound(nouns[table], id);
}

/** For a record that has been deleted already: `not_found` if the world assumes that it is gone. */
export function refuseSecondDelete(tx: Tx, noun: string, id: string): void {
  if (assumed(tx.state('assumptions'), 'second_delete') === 200) return;
  const { message } = notFound(noun, id);
  throw new ApiError('not_found', { message, hint: 'It has already been deleted.', assumption: 'second_delete' });
}

/** A record of that organization by the id in a field of the body; `not_found` with the field and a hint otherwise, which rests on the other assumptions too. */
export function findReferenced<Table extends keyof typeof hints>(
  tx: Tx,
  table: Table,
  id: string,
  owner: Owner,
  field: string,
  ...others: AssumptionName[]
): Row<Table> {
  const record = findOwned(tx, table, id, owner);
  if (record) return record;
  const noun = nouns[table];
  throw new ApiError('not_found', {
    message: notFound(noun, id).message,
    fields: { [field]: `does not identify any ${noun} of this organization` },
    hint: hints[table],
    assumption: ['foreign_ids', ...others].join(', '),
  });
}

function findOwned<Table extends TableName>(tx: Tx, table: Table, id: string, owner: Owner): Row<Table> | undefined {
  const record = tx.get(table, recordId(id));
  return record?.private.organization_id === owner.organization_id ? record : undefined;
}

/** The records of that organization under an index value, by ascending rank. */
export function findAll<Table extends TableName>(
  tx: Tx,
  table: Table,
  index: IndexOf<Table>,
  value: string,
  owner: Owner,
): Row<Table>[] {
  const rows = tx.page(table, index, value);
  return rows.filter((row) => row.private.organization_id === owner.organization_id);
}

/** The `private` block of a new record. */
export function ownedBy(tx: Tx, owner: Owner): { organization_id: string; rank: number } {
  return { organization_id: owner.organization_id, rank: tx.ordinal('records') };
}
