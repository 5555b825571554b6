// Which field is a record's id, and the indexes by which records are found, for every table. The value under which an
// index finds a record may change when the record is put again.
import { callIsLive } from '../lifecycles/call.ts';
import { identityIsNotRejected } from '../lifecycles/display-identity.ts';
import { messageHasEnded } from '../lifecycles/message.ts';
import { numberIsHeld } from '../lifecycles/phone-number.ts';
import { remediationIsOpen } from '../lifecycles/remediation.ts';
import type { IndexOf, Row, TableName } from '../model.ts';
import { StoredBytes } from '../stored-bytes.ts';
import { type Counters, countChanged, countGone } from './call-usage.ts';
import { sizeOf } from './footprint.ts';

/** The value under which an index finds a record; undefined leaves the record out of the index. */
export type IndexFunction<Table extends TableName> = (record: Row<Table>) => string | undefined;

interface TableSource<Table extends TableName> {
  readonly id: (record: Row<Table>) => string;
  readonly indexes: { readonly [Index in IndexOf<Table>]: IndexFunction<Table> };
  /** A value that is unique over all worlds of the store, by which a world is found. */
  readonly unique?: (record: Row<Table>) => string;
  /** Whether nothing will happen to a record any more, so that it may go to make room for others; never by default. */
  readonly ended?: (record: Row<Table>) => boolean;
  /** Writes to counters of the world what must not be forgotten of a record that goes to make room. */
  readonly beforeGoing?: (counters: Counters, record: Row<Table>) => void;
  /** Writes to counters of the world what changes of a record that is put again. */
  readonly whenChanged?: (counters: Counters, before: Row<Table>, after: Row<Table>) => void;
  /** Whose share of the memory budget its records take; `records` by default. */
  readonly share?: 'documents';
  /** What a record takes, where part of it is counted already, since it is large; what `sizeOf` says by default. */
  readonly size?: (record: Row<Table>) => number;
  /** Whether its `content` may take megabytes, so that a driver may keep it elsewhere until a record is read by its id. */
  readonly isLarge?: boolean;
  /** The record from what it is as JSON, where that is not the same. */
  readonly fromJson?: (record: Row<Table>) => Row<Table>;
}

export interface TableDefinition<Table extends TableName> extends Omit<TableSource<Table>, 'indexes'> {
  /** As pairs, since every write walks them. */
  readonly indexes: readonly (readonly [index: string, valueOf: IndexFunction<Table>])[];
}

function define<Table extends TableName>({ indexes, ...rest }: TableSource<Table>): TableDefinition<Table> {
  return { ...rest, indexes: Object.entries<IndexFunction<Table>>(indexes) };
}

const organization = (record: { private: { organization_id: string } }): string => record.private.organization_id;
/** The number of the organization that a call occupies; a web call occupies none. */
const ownNumber = (call: Row<'calls'>): string | undefined =>
  (call.direction === 'inbound' ? call.to_number : call.from_number) ?? undefined;
const always = (): boolean => true;
/** What stored bytes take beside themselves. */
const BYTES_BYTES = 96;
/** How many times the memory of its text a scenario takes that is read from it, which is kept beside it. */
const READ_TIMES = 8;
const byId = { id: (record: { id: string }) => record.id, indexes: { organization } };

export const tables: { readonly [Table in TableName]: TableDefinition<Table> } = {
  organizations: define({
    id: (organization) => organization.id,
    indexes: {
      organization,
      parent: (child) => child.parent_organization_id ?? undefined,
      slug: ({ slug }) => slug,
    },
  }),
  users: define(byId),
  keys: define({
    id: (key) => key.id,
    indexes: { organization, all: () => 'all' },
    unique: (key) => key.hash,
    ended: ({ revoked }) => revoked,
  }),
  control_keys: define({ ...byId, unique: (key) => key.hash }),
  agents: define({
    id: (agent) => agent.id,
    indexes: { organization, phone_number: (agent) => agent.phone_number?.phone_number },
  }),
  phone_numbers: define({
    id: (number) => String(number.id),
    indexes: {
      // A released number is found by its id alone, since any organization may order it.
      organization: (number) => (numberIsHeld(number) ? organization(number) : undefined),
      phone_number: (number) => (numberIsHeld(number) ? number.phone_number : undefined),
      released: (number) => (numberIsHeld(number) ? undefined : organization(number)),
    },
  }),
  cnam_listings: define(byId),
  texting_registrations: define({
    id: (registration) => registration.id,
    indexes: {
      organization,
      brand: (registration) => (registration.type === 'brand' ? organization(registration) : undefined),
      campaign: (registration) => (registration.type === 'campaign' ? organization(registration) : undefined),
    },
  }),
  messages: define({ ...byId, ended: messageHasEnded }),
  opt_outs: define(byId),
  caller_ids: define({
    id: (callerId) => callerId.caller_id_id,
    indexes: { organization, phone_number: (callerId) => callerId.phone_number },
  }),
  calls: define({
    id: (call) => call.id,
    indexes: {
      organization,
      live: (call) => (callIsLive(call) ? 'all' : undefined),
      live_number: (call) => (callIsLive(call) ? ownNumber(call) : undefined),
    },
    ended: (call) => !callIsLive(call),
    beforeGoing: countGone,
    whenChanged: countChanged,
  }),
  jobs: define(byId),
  job_contacts: define({
    id: (entry) => entry.id,
    indexes: {
      organization,
      job: (entry) => entry.private.job_id,
      // The progress of a job is counted from these two.
      status: (entry) => `${entry.private.job_id} ${entry.status}`,
      outcome: (entry) => (entry.outcome === null ? undefined : `${entry.private.job_id} ${entry.outcome}`),
    },
  }),
  client_tokens: define({
    id: (token) => token.id,
    indexes: { all: () => 'all' },
    unique: (token) => token.id,
    ended: always,
  }),
  lead_sources: define({
    id: (source) => source.id,
    indexes: { organization, all: () => 'all' },
    // A source that was never rotated is found by the name of its world.
    unique: (source) => source.url_token ?? `of ${organization(source)} ${source.id}`,
  }),
  rooms: define({ id: (room) => room.id, indexes: { organization }, unique: (room) => room.id, ended: always }),
  contacts: define(byId),
  appointments: define(byId),
  enterprises: define(byId),
  documents: define({ id: (document) => document.document_id, indexes: { organization } }),
  document_contents: define({
    id: (content) => content.id,
    indexes: {
      // The fixture's documents are shared by all worlds and do not count towards one.
      kept: (content) => (content.private.rank > 0 ? 'all' : undefined),
    },
    share: 'documents',
    isLarge: true,
    size: ({ content, ...rest }) => sizeOf(rest) + BYTES_BYTES + content.length,
    fromJson: (content) => ({ ...content, content: StoredBytes.from(content.content) }),
  }),
  remediations: define({
    id: (remediation) => remediation.request_id,
    indexes: {
      organization,
      open: (remediation) => (remediationIsOpen(remediation) ? organization(remediation) : undefined),
    },
  }),
  display_identities: define({
    id: (identity) => identity.id,
    indexes: {
      organization,
      not_rejected: (identity) => (identityIsNotRejected(identity) ? organization(identity) : undefined),
    },
  }),
  subscriptions: define({
    id: (subscription) => subscription.id,
    indexes: { organization, event_type: (subscription) => subscription.event_type },
  }),
  webhook_plans: define({ id: (plan) => plan.id, indexes: { all: () => 'all' } }),
  waiting_deliveries: define({
    id: (waiting) => waiting.id,
    indexes: {
      subscription: (waiting) => waiting.subscription_id,
      held_by: (waiting) => waiting.held_by,
      held_in_subscription: ({ held_by, subscription_id }) => `${held_by} ${subscription_id}`,
      held_in_group: ({ held_by, group }) => (group === null ? undefined : `${held_by} ${group}`),
    },
  }),
  ticks: define({ id: (tick) => tick.id, indexes: { all: () => 'all' } }),
  idempotency_records: define({ id: (record) => record.id, indexes: { all: () => 'all' }, ended: always }),
  active_scenarios: define({ id: (active) => active.id, indexes: { all: () => 'all' } }),
  scenario_overlays: define({
    id: (overlay) => overlay.id,
    indexes: { all: () => 'all' },
    size: (overlay) => sizeOf(overlay) + READ_TIMES * overlay.source.length,
  }),
  faults: define({
    id: (fault) => fault.id,
    indexes: { all: () => 'all', live: (fault) => (fault.spent ? undefined : 'all') },
  }),
  inboxes: define({ id: (inbox) => inbox.id, indexes: { all: () => 'all' } }),
  snapshots: define({
    id: (snapshot) => snapshot.id,
    indexes: { all: () => 'all' },
    isLarge: true,
    size: ({ content: _, ...rest }) => sizeOf(rest) + rest.bytes,
  }),
  awaited_retries: define({ id: (record) => record.id, indexes: {} }),
  rate_windows: define({ id: (window) => window.id, indexes: { all: () => 'all' }, ended: always }),
};

export function definitionOf<Table extends TableName>(table: Table): TableDefinition<Table> {
  return tables[table];
}
