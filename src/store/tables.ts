// Which field is a record's id, and by what records are found: the indexes of every table. An index value of
// undefined leaves the record out of that index; values may change when a record is put anew.
import { callIsLive } from '../lifecycles/call.ts';
import { identityStands } from '../lifecycles/display-identity.ts';
import { numberIsHeld } from '../lifecycles/phone-number.ts';
import { remediationIsOpen } from '../lifecycles/remediation.ts';
import type { Row, TableName } from '../model.ts';

export interface TableDefinition<Table extends TableName> {
  readonly id: (row: Row<Table>) => string;
  readonly indexes: Readonly<Record<string, IndexFunction<Table>>>;
  /** A value that is unique over all worlds of the store, by which a world is found. */
  readonly unique?: (row: Row<Table>) => string;
}

const organization = (row: { private: { organization_id: string } }): string => row.private.organization_id;
/** The number of the organization that a call occupies. */
const ownNumber = (call: Row<'calls'>): string => (call.direction === 'inbound' ? call.to_number : call.from_number);
const byId = { id: (row: { id: string }) => row.id, indexes: { organization } };

export const tables = {
  organizations: {
    id: (each: Row<'organizations'>) => each.id,
    indexes: {
      organization,
      parent: (each: Row<'organizations'>) => each.parent_organization_id ?? undefined,
      slug: (each: Row<'organizations'>) => each.slug,
    },
  },
  users: byId,
  keys: {
    id: (key: Row<'keys'>) => key.id,
    indexes: { organization, all: () => 'all' },
    unique: (key: Row<'keys'>) => key.hash,
  },
  agents: {
    id: (agent: Row<'agents'>) => agent.id,
    indexes: { organization, phone_number: (agent: Row<'agents'>) => agent.phone_number?.phone_number },
  },
  phone_numbers: {
    id: (number: Row<'phone_numbers'>) => String(number.id),
    indexes: {
      // One that was released is found by its id alone: it may be ordered again, by whomever.
      organization: (number: Row<'phone_numbers'>) => (numberIsHeld(number) ? organization(number) : undefined),
      phone_number: (number: Row<'phone_numbers'>) => (numberIsHeld(number) ? number.phone_number : undefined),
    },
  },
  cnam_listings: byId,
  texting_registrations: {
    id: (registration: Row<'texting_registrations'>) => registration.id,
    indexes: {
      organization,
      brand: (each: Row<'texting_registrations'>) => (each.type === 'brand' ? organization(each) : undefined),
      campaign: (each: Row<'texting_registrations'>) => (each.type === 'campaign' ? organization(each) : undefined),
    },
  },
  messages: byId,
  opt_outs: byId,
  caller_ids: {
    id: (callerId: Row<'caller_ids'>) => callerId.caller_id_id,
    indexes: { organization, phone_number: (callerId: Row<'caller_ids'>) => callerId.phone_number },
  },
  calls: {
    id: (call: Row<'calls'>) => call.id,
    indexes: {
      organization,
      live: (call: Row<'calls'>) => (callIsLive(call) ? 'all' : undefined),
      live_number: (call: Row<'calls'>) => (callIsLive(call) ? ownNumber(call) : undefined),
    },
  },
  jobs: byId,
  job_contacts: {
    id: (entry: Row<'job_contacts'>) => entry.id,
    indexes: {
      organization,
      job: (entry: Row<'job_contacts'>) => entry.private.job_id,
      // Where each stands, and how it went: what the progress of a job is counted from.
      status: (entry: Row<'job_contacts'>) => `${entry.private.job_id} ${entry.status}`,
      outcome: (entry: Row<'job_contacts'>) =>
        entry.outcome === null ? undefined : `${entry.private.job_id} ${entry.outcome}`,
    },
  },
  client_tokens: {
    id: (token: Row<'client_tokens'>) => token.id,
    indexes: { all: () => 'all' },
    unique: (token: Row<'client_tokens'>) => token.id,
  },
  lead_sources: {
    id: (source: Row<'lead_sources'>) => source.id,
    indexes: { organization, all: () => 'all' },
    // One that was never rotated is found by the name of its world.
    unique: (source: Row<'lead_sources'>) => source.url_token ?? `of ${organization(source)} ${source.id}`,
  },
  rooms: { id: (room: Row<'rooms'>) => room.id, indexes: { organization }, unique: (room: Row<'rooms'>) => room.id },
  contacts: byId,
  appointments: byId,
  enterprises: byId,
  documents: { id: (document: Row<'documents'>) => document.document_id, indexes: { organization } },
  document_contents: {
    id: (content: Row<'document_contents'>) => content.id,
    indexes: {
      // What the fixture brought is shared by all worlds and does not count as kept by one.
      kept: (content: Row<'document_contents'>) => (content.private.rank > 0 ? 'all' : undefined),
    },
  },
  remediations: {
    id: (remediation: Row<'remediations'>) => remediation.request_id,
    indexes: {
      organization,
      open: (remediation: Row<'remediations'>) =>
        remediationIsOpen(remediation) ? organization(remediation) : undefined,
    },
  },
  display_identities: {
    id: (identity: Row<'display_identities'>) => identity.id,
    indexes: {
      organization,
      standing: (identity: Row<'display_identities'>) =>
        identityStands(identity) ? organization(identity) : undefined,
    },
  },
  subscriptions: {
    id: (subscription: Row<'subscriptions'>) => subscription.id,
    indexes: { organization, event_type: (subscription: Row<'subscriptions'>) => subscription.event_type },
  },
  idempotency_records: { id: (reply: Row<'idempotency_records'>) => reply.id, indexes: { all: () => 'all' } },
  active_scenarios: { id: (active: Row<'active_scenarios'>) => active.id, indexes: { all: () => 'all' } },
  scenario_overlays: { id: (overlay: Row<'scenario_overlays'>) => overlay.id, indexes: { all: () => 'all' } },
  rate_windows: { id: (window: Row<'rate_windows'>) => window.id, indexes: { all: () => 'all' } },
} as const satisfies { [Table in TableName]: TableDefinition<Table> };

export type IndexOf<Table extends TableName> = keyof (typeof tables)[Table]['indexes'] & string;

/** The indexes of each table as pairs, since they are walked on every write. */
export const indexesOf = Object.fromEntries(
  Object.entries(tables).map(([name, definition]) => [name, Object.entries(definition.indexes)]),
) as unknown as { readonly [Table in TableName]: readonly (readonly [string, IndexFunction<Table>])[] };

type IndexFunction<Table extends TableName> = (row: Row<Table>) => string | undefined;

export function definitionOf<Table extends TableName>(table: Table): TableDefinition<Table> {
  return tables[table] as unknown as TableDefinition<Table>;
}
