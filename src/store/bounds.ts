// How many records of each kind a world may have, apart from the memory that all worlds share: one table, from which
// the error and the table in `docs/fidelity.md` are made. `interface.md` section 1, `--max-calls`.
import { ApiError } from '../errors/api-error.ts';
import type { TableName } from '../model.ts';

interface Bound {
  /** What the records are called, in the plural. */
  readonly noun: string;
  readonly max: number;
  /** `oldest`: the oldest of those that have ended goes; `refused`: a new record is 409. */
  readonly past: 'oldest' | 'refused';
  /** Whether a reset keeps them, so that it makes no room. */
  readonly surviveReset?: true;
}

const MANY = 100_000;
const SOME = 10_000;

/** `--max-calls`, unless it is set. */
export const DEFAULT_MAX_CALLS = MANY;

/** Kinds that are not listed cannot grow: they belong to a record of another kind, or come from the fixture. */
export const bounds = {
  calls: { noun: 'finished calls', max: DEFAULT_MAX_CALLS, past: 'oldest' },
  messages: { noun: 'finished messages', max: MANY, past: 'oldest' },
  rooms: { noun: 'rooms of browser calls', max: SOME, past: 'oldest' },
  client_tokens: { noun: 'client tokens', max: SOME, past: 'oldest' },
  idempotency_records: { noun: 'responses kept under idempotency keys', max: MANY, past: 'oldest' },
  rate_windows: { noun: 'rate windows of keys', max: MANY, past: 'oldest' },
  contacts: { noun: 'contacts', max: MANY, past: 'refused' },
  appointments: { noun: 'bookings', max: MANY, past: 'refused' },
  opt_outs: { noun: 'opt-outs', max: MANY, past: 'refused' },
  jobs: { noun: 'jobs', max: SOME, past: 'refused' },
  job_contacts: { noun: 'contacts on the lists of jobs', max: MANY, past: 'refused' },
  keys: { noun: 'API keys', max: SOME, past: 'refused', surviveReset: true },
  organizations: { noun: 'sub-entities', max: SOME, past: 'refused' },
  phone_numbers: { noun: 'phone numbers', max: SOME, past: 'refused' },
  caller_ids: { noun: 'caller IDs', max: SOME, past: 'refused' },
  texting_registrations: { noun: 'brands and campaigns', max: SOME, past: 'refused' },
  enterprises: { noun: 'enterprises', max: SOME, past: 'refused' },
  documents: { noun: 'documents', max: SOME, past: 'refused' },
  remediations: { noun: 'remediation requests', max: SOME, past: 'refused' },
  display_identities: { noun: 'display identities', max: SOME, past: 'refused' },
  inboxes: { noun: 'inboxes with answers of their own', max: SOME, past: 'refused' },
  snapshots: { noun: 'snapshots', max: 100, past: 'refused', surviveReset: true },
  subscriptions: { noun: 'webhook subscriptions', max: SOME, past: 'refused' },
} as const satisfies { readonly [Table in TableName]?: Bound };

/** The bound of a kind of record; undefined if it has none. */
export function boundOf(table: TableName): Bound | undefined {
  const all: { readonly [Table in TableName]?: Bound } = bounds;
  return all[table];
}

/** The `conflict` of a record past the bound of its kind. */
export function boundReached({ noun, max, surviveReset }: Bound): ApiError {
  const reset = surviveReset ? '' : ' reset the world with POST /_sandbox/reset,';
  return new ApiError('conflict', {
    message: `This world has ${max} ${noun}, the most that a world can have.`,
    hint: `Delete some that are no longer needed,${reset} or use another world.`,
  });
}
