// A fixture as records: made once from its file, frozen, and shared by every world that begins with it. A world reads
// it with its own organization and its own start put in, record by record, and keeps nothing of it.
import { LATEST, timestamp } from '../clock/clock.ts';
import { callLifecycle } from '../lifecycles/call.ts';
import { displayIdentityLifecycle } from '../lifecycles/display-identity.ts';
import { enterpriseLifecycle } from '../lifecycles/enterprise.ts';
import type { Lifecycle } from '../lifecycles/lifecycle.ts';
import { messageLifecycle, newMessage } from '../lifecycles/message.ts';
import { optOutId, textingKeyword } from '../lifecycles/opt-out.ts';
import { billedAmount } from '../lifecycles/remediation.ts';
import type { AgentOnCall, Row, TableName } from '../model.ts';
import { sha256, token, uuid } from '../store/identity.ts';
import type { Base } from '../store/store.ts';
import { definitionOf, indexesOf } from '../store/tables.ts';
import type { FixtureFile } from './fixture-file.ts';
import { generate } from './generated.ts';

/** Stands in templates where the organization of the world belongs. */
const ROOT = '$root';

type Fields = Record<string, unknown>;

interface Template {
  readonly row: Fields & { private: Fields & { rank: number } };
  /** Names of the fields that hold a time (an offset, in milliseconds) or the organization. */
  readonly open: readonly string[];
  readonly privateOpen: readonly string[];
}

interface Listed {
  readonly id: string;
  readonly rank: number;
}

const none: readonly Listed[] = [];

/** An offset from the world's start, as long as a record is a template. */
class Offset {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

export class Fixture {
  readonly name: string;
  readonly file: FixtureFile;
  readonly #seed: number;
  /** The records, and the start that they hold for; null where they hold for any. */
  #records: { readonly startsAt: number | null; readonly records: Records } | undefined;

  constructor(name: string, file: FixtureFile, seed: number) {
    this.name = name;
    this.file = file;
    this.#seed = seed;
    if (!file.generated) this.#records = { startsAt: null, records: new Records(rowsOf(file, name, seed)) };
  }

  /** A key of this fixture's world that works, where it has one. */
  get usableKey(): string | undefined {
    return this.file.keys.find(({ revoked, scopes }) => !revoked && scopes === 'default')?.key;
  }

  /**
   * The fixture as a world sees it: its organization's id, its start in milliseconds. Records are made as they are
   * asked for, and kept from then on.
   */
  under(organization: string, startsAt: number): Base {
    const aliasOf = (id: string): string => (id === organization ? ROOT : id);
    const made = new Map<Template, unknown>();
    let known: Records | undefined;
    const records = (): Records => {
      known ??= this.#recordsFrom(startsAt);
      return known;
    };
    return {
      get: (table, id) => {
        const template = records().get(table, aliasOf(id));
        if (!template) return undefined;
        let row = made.get(template);
        if (!row) {
          row = materialise(template, organization, startsAt);
          made.set(template, row);
        }
        return row as Row<typeof table>;
      },
      list: (table, index, value) => {
        const listed = records().list(table, index, aliasOf(value));
        if (table !== 'organizations') return listed;
        return listed.map(({ id, rank }) => ({ id: id === ROOT ? organization : id, rank }));
      },
    };
  }

  /** What is generated goes by the hours and the weekdays before the start, and waits until someone looks. */
  #recordsFrom(startsAt: number): Records {
    const { file, name } = this;
    let known = this.#records;
    if (!known || (known.startsAt !== null && known.startsAt !== startsAt)) {
      const { calls, contacts, appointments } = generate(file, this.#seed, startsAt);
      const whole: FixtureFile = {
        ...file,
        calls: [...file.calls, ...calls],
        contacts: [...file.contacts, ...contacts],
        appointments: [...file.appointments, ...appointments],
      };
      known = { startsAt, records: new Records(rowsOf(whole, name, this.#seed)) };
      this.#records = known;
    }
    return known.records;
  }
}

/** The records of a fixture by table and id, and by what they are found. */
class Records {
  readonly #templates = new Map<TableName, Map<string, Template>>();
  readonly #lists = new Map<string, Listed[]>();

  constructor(rows: { [Table in TableName]?: Fields[] }) {
    for (const [table, each] of Object.entries(rows)) this.#add(table as TableName, each);
  }

  get(table: TableName, id: string): Template | undefined {
    return this.#templates.get(table)?.get(id);
  }

  list(table: TableName, index: string, value: string): readonly Listed[] {
    return this.#lists.get(listKey(table, index, value)) ?? none;
  }

  #add(table: TableName, rows: readonly Fields[]): void {
    const templates = new Map<string, Template>();
    this.#templates.set(table, templates);
    for (const [position, fields] of rows.entries()) {
      const template = compile(fields, position - rows.length);
      const row = template.row as unknown as Row<typeof table>;
      const id = definitionOf(table).id(row);
      templates.set(id, template);
      for (const [index, valueIn] of indexesOf[table] as readonly (readonly [string, (row: unknown) => string])[]) {
        const value = valueIn(row);
        if (value === undefined) continue;
        const key = listKey(table, index, value);
        const listed = this.#lists.get(key);
        if (listed) listed.push({ id, rank: template.row.private.rank });
        else this.#lists.set(key, [{ id, rank: template.row.private.rank }]);
      }
    }
  }
}

function listKey(table: string, index: string, value: string): string {
  return `${table} ${index} ${value}`;
}

function compile(fields: Fields, rank: number): Template {
  const { private: hidden, ...shown } = fields as Fields & { private: Fields };
  const open = (values: Fields): string[] => Object.keys(values).filter((name) => isOpen(values[name]));
  return {
    row: Object.freeze({ ...fields, private: Object.freeze({ ...hidden, rank }) }),
    open: open(shown),
    privateOpen: open(hidden),
  };
}

/** Whether a field waits for a world's organization or start: it, or a time within it as in an enterprise's reputation. */
function isOpen(value: unknown): boolean {
  return value === ROOT || value instanceof Offset || timesWithin(value).length > 0;
}

function timesWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).filter((name) => (value as Fields)[name] instanceof Offset);
}

function materialise(template: Template, organization: string, startsAt: number): unknown {
  const hidden: Fields = { ...template.row.private };
  const row: Fields = { ...template.row, private: hidden };
  const filled = (value: unknown): unknown => {
    if (value === ROOT) return organization;
    if (value instanceof Offset) return timestamp(Math.min(LATEST, startsAt + value.ms));
    const whole = { ...(value as Fields) };
    for (const name of timesWithin(whole)) whole[name] = filled(whole[name]);
    return whole;
  };
  for (const name of template.open) row[name] = filled(row[name]);
  for (const name of template.privateOpen) hidden[name] = filled(hidden[name]);
  return row;
}

/** Every record of a fixture, oldest first in each table, with offsets for times and a placeholder for the root. */
function rowsOf(file: FixtureFile, fixture: string, seed: number): { [Table in TableName]?: Fields[] } {
  const idOf = (kind: string, ordinal: number | string): string => uuid(seed, 'fixture', fixture, kind, ordinal);
  const ownerOf = (slug: string | undefined): string => (slug === undefined ? ROOT : idOf('organizations', slug));
  const owned = (slug: string | undefined, more: Fields = {}): Fields => ({ organization_id: ownerOf(slug), ...more });
  const at = (ms: number): Offset => new Offset(ms);
  const user = idOf('users', 1);
  const numberOf = (number: string | undefined): FixtureFile['phone_numbers'][number] | undefined =>
    file.phone_numbers.find((each) => each.phone_number === number);

  const messages = [...file.messages].sort((a, b) => a.at - b.at);
  const agents = oldestFirst(file.agents);
  const onCall = (name: string | undefined): AgentOnCall | null => {
    const index = agents.findIndex((each) => each.name === name);
    const agent = agents[index];
    if (!agent) return null;
    const { greeting, business_name, language } = agent;
    return { id: idOf('agents', index + 1), greeting, business_name, language };
  };
  const enterpriseId = (slug: string | undefined): string => idOf('enterprises', slug ?? ROOT);

  return {
    organizations: [
      {
        id: ROOT,
        name: file.organization.name,
        slug: file.organization.slug,
        plan: file.organization.plan,
        parent_organization_id: null,
        hipaa_enabled: file.organization.hipaa_enabled,
        created_at: at(0),
        private: owned(undefined, { calling_rules: file.calling_rules }),
      },
      ...file.sub_entities.map((each) => ({
        id: ownerOf(each.slug),
        name: each.name,
        slug: each.slug,
        plan: file.organization.plan,
        parent_organization_id: ROOT,
        hipaa_enabled: each.hipaa_enabled,
        created_at: at(each.created),
        private: owned(each.slug, { calling_rules: file.calling_rules }),
      })),
    ],
    users: [{ id: user, email: file.user.email, name: file.user.name, private: owned(undefined) }],
    phone_numbers: oldestFirst(file.phone_numbers).map((each) => ({
      id: each.id,
      phone_number: each.phone_number,
      name: each.name,
      organization_id: ownerOf(each.owner),
      user_id: user,
      provider: 'carrier',
      is_active: each.status === 'ACTIVE',
      iso_country: 'US',
      reputation_enrolled_at: each.status === 'ACTIVE' ? at(each.created) : null,
      cnam_display_name: each.cnam_display_name,
      cnam_status: each.cnam_status,
      texting_enabled: each.texting_status === 'approved',
      texting_status: each.texting_status,
      created_at: at(each.created),
      private: owned(each.owner, { status: each.status, max_calls: each.max_calls, spam_risk: each.spam_risk }),
    })),
    caller_ids: oldestFirst(file.caller_ids).map((each) => {
      const wasVerified = each.status !== 'PENDING_VERIFICATION';
      return {
        caller_id_id: idOf('caller_ids', each.phone_number),
        phone_number: each.phone_number,
        status: each.status,
        verified_at: wasVerified ? at(each.created + 60_000) : null,
        certification_method: wasVerified ? 'verification_call' : null,
        cnam_display_name: null,
        cnam_status: null,
        rcd_display_name: null,
        rcd_status: null,
        active: each.status !== 'REVOKED',
        created_at: at(each.created),
        updated_at: at(each.created + (wasVerified ? 60_000 : 0)),
        private: owned(each.owner, {
          spoken_at: each.status === 'PENDING_VERIFICATION' ? at(0) : null,
          attempts: 0,
          calls: 1,
        }),
      };
    }),
    agents: agents.map((each, index) => {
      const number = numberOf(each.phone_number);
      return {
        id: idOf('agents', index + 1),
        name: each.name,
        enabled: each.enabled,
        agent_type: each.agent_type,
        greeting: each.greeting,
        language: each.language,
        voice_id: each.voice_id,
        business_name: each.business_name,
        business_description: each.business_description,
        system_prompt: each.system_prompt,
        phone_number: number
          ? {
              id: number.id,
              phone_number: number.phone_number,
              provider: 'carrier',
              is_active: number.status === 'ACTIVE',
            }
          : null,
        created_at: at(each.created),
        updated_at: at(each.created),
        private: owned(each.owner),
      };
    }),
    calls: [...file.calls]
      .sort((a, b) => a.placed - b.placed)
      .map((each, index) =>
        finishedCall(each, {
          id: idOf('calls', index + 1),
          owner: owned(each.owner),
          number: numberOf(ownNumber(each))?.id,
          agent: onCall(each.agent),
        }),
      ),
    messages: messages.map((each, index) => pastMessage(each, idOf('messages', index + 1), owned(each.owner), seed)),
    opt_outs: optedOutBy(messages).map((each) => ({
      id: optOutId(each.to, each.from),
      created_at: at(each.at),
      private: owned(each.owner),
    })),
    contacts: oldestFirst(file.contacts).map((each, index) => ({
      id: idOf('contacts', index + 1),
      name: each.name,
      phone_number: each.phone_number,
      email: each.email,
      status: each.status,
      source: each.source,
      metadata: each.metadata,
      created_at: at(each.created),
      updated_at: at(each.created),
      private: owned(each.owner),
    })),
    lead_sources: oldestFirst(file.lead_sources).map((each, index) => ({
      id: idOf('lead_sources', index + 1),
      name: each.name,
      url_token: null,
      source_secret: each.source_secret,
      created_at: at(each.created),
      rotated_at: null,
      private: owned(each.owner, { suffix: each.suffix }),
    })),
    appointments: oldestFirst(file.appointments).map((each, index) => ({
      id: idOf('appointments', index + 1),
      title: each.title,
      description: each.description,
      contact_name: each.contact_name,
      contact_email: each.contact_email,
      start_time: at(each.starts),
      end_time: at(each.starts + each.lasts),
      timezone: each.timezone,
      status: each.status,
      event_type: each.event_type,
      scheduling_option: each.scheduling_option,
      notes: each.notes,
      created_at: at(each.created),
      private: owned(each.owner),
    })),
    documents: oldestFirst(file.documents).map((each) => ({
      document_id: each.id,
      filename: each.filename,
      content_type: each.content_type,
      status: each.status,
      av_scan_status: each.status === 'verified' ? 'scanned' : 'infected',
      sha256: sha256(each.content),
      private: owned(each.owner),
    })),
    document_contents: oldestFirst(file.documents).map((each) => ({
      id: each.id,
      base64: Buffer.from(each.content).toString('base64'),
      bytes: Buffer.byteLength(each.content),
      private: owned(each.owner),
    })),
    enterprises: file.enterprises.map((each) => vettedEnterprise(each, enterpriseId(each.owner), owned(each.owner))),
    display_identities: oldestFirst(file.display_identities).map((each, index) =>
      decidedIdentity(each, idOf('display_identities', index + 1), enterpriseId(each.owner), owned(each.owner)),
    ),
    remediations: [...file.remediations]
      .sort((a, b) => a.submitted - b.submitted)
      .map((each, index) => ({
        request_id: idOf('remediations', index + 1),
        status: 'completed',
        source: 'api',
        submitted_at: at(each.submitted),
        completed_at: at(each.submitted + each.lasted),
        numbers: each.numbers.map(({ phone_number, outcome }) => ({
          phone_number,
          outcome,
          billed_amount_dc: billedAmount(outcome),
        })),
        private: owned(each.owner),
      })),
  };
}

function oldestFirst<Each extends { readonly created: number }>(rows: readonly Each[]): Each[] {
  return [...rows].sort((a, b) => a.created - b.created);
}

function ownNumber({ direction, from, to }: FixtureFile['calls'][number]): string {
  return direction === 'inbound' ? to : from;
}

/** A message that has run its life, led through the same lifecycle table as those that run it here. */
function pastMessage(each: FixtureFile['messages'][number], id: string, owner: Fields, seed: number): Fields {
  const text = { organization_id: ROOT, from_number: each.from, to_number: each.to, body: each.body };
  const fresh = { id, rank: 0, token: (kind: string, ...words: string[]) => token(24, seed, kind, ...words) };
  let message = newMessage(each.direction, text, fresh, timestamp(each.at));
  const ways = { delivered: ['send', 'deliver'], undelivered: ['send', 'undeliver'], failed: ['send', 'fail'] };
  for (const trigger of each.direction === 'outbound' ? ways[each.outcome] : []) {
    const transition = messageLifecycle.rows[message.status]?.[trigger];
    if (!transition) throw new Error(`a message cannot ${trigger} in ${message.status}`);
    const moment = { at: each.at, time: timestamp(each.at), with: {} };
    message = messageLifecycle.withStatus({ ...message, ...transition.set?.(message, moment) }, transition.to);
  }
  return { ...message, created_at: new Offset(each.at), private: { ...message.private, ...owner } };
}

/** The messages by which someone has opted out of texts, and not in again. */
function optedOutBy(messages: FixtureFile['messages']): FixtureFile['messages'] {
  const last = new Map<string, FixtureFile['messages'][number]>();
  for (const each of messages) {
    const keyword = each.direction === 'inbound' ? textingKeyword(each.body) : undefined;
    if (keyword === 'stop') last.set(optOutId(each.to, each.from), each);
    if (keyword === 'start') last.delete(optOutId(each.to, each.from));
  }
  return [...last.values()];
}

/** The triggers that lead a call to each outcome. */
const waysToEnd: Record<FixtureFile['calls'][number]['outcome'], readonly string[]> = {
  answered: ['ring', 'answer', 'complete'],
  voicemail: ['ring', 'answer', 'voicemail'],
  no_answer: ['ring', 'no_answer'],
  call_declined: ['ring', 'decline'],
  canceled: ['ring', 'hangup'],
  busy: ['busy'],
  number_unreachable: ['unreachable'],
  carrier_rejected: ['reject'],
};

/** A record that has gone a way, through the same lifecycle table as those that go it here; times count from the start. */
function led<Table extends TableName>(
  lifecycle: Lifecycle<Table>,
  record: Row<Table>,
  way: readonly { readonly trigger: string; readonly at: number; readonly with?: Fields }[],
): Row<Table> {
  let now = record;
  for (const { trigger, at, with: given = {} } of way) {
    const transition = lifecycle.rows[lifecycle.status(now)]?.[trigger];
    if (!transition)
      throw new Error(`the kind ${lifecycle.kind} knows no ${trigger} in the state ${lifecycle.status(now)}`);
    const moment = { at, time: timestamp(at), with: given };
    now = lifecycle.withStatus({ ...now, ...transition.set?.(now, moment) }, transition.to);
  }
  return now;
}

/** The offset that such a way wrote down as a timestamp. */
function offsetIn(time: string | null | undefined): Offset | null {
  return time ? new Offset(Date.parse(time)) : null;
}

function vettedEnterprise(each: FixtureFile['enterprises'][number], id: string, owner: Fields): Fields {
  const draft = {
    id,
    carrier_enterprise_id: null,
    legal_name: each.legal_name,
    dba: each.dba,
    status: enterpriseLifecycle.initial,
    rejection_reasons: [],
    synced_at: null,
    loa_document_id: null,
    reputation: null,
    private: { ...owner, details: each.details },
  } as unknown as Row<'enterprises'>;
  const { submitted, decided, status, loa_document: loa_document_id, rejection_reasons: reasons } = each;
  const enterprise = led(
    enterpriseLifecycle,
    draft,
    submitted === undefined || decided === undefined
      ? []
      : [
          {
            trigger: 'submit',
            at: submitted,
            with: { loa_document_id, carrier_enterprise_id: uuid(id, 'carrier enterprise') },
          },
          status === 'APPROVED'
            ? { trigger: 'approve', at: decided }
            : { trigger: 'reject', at: decided, with: { reasons } },
        ],
  );
  const { reputation } = enterprise;
  return {
    ...enterprise,
    synced_at: offsetIn(enterprise.synced_at),
    reputation: reputation && { ...reputation, last_synced_at: offsetIn(reputation.last_synced_at) },
  };
}

function decidedIdentity(
  { display_name, call_reasons, status, rejection_reasons, created, lasted }: FixtureFile['display_identities'][number],
  id: string,
  enterprise_id: string,
  owner: Fields,
): Fields {
  const submitted = {
    id,
    enterprise_id,
    display_name,
    call_reasons,
    logo_document_id: null,
    status: displayIdentityLifecycle.initial,
    rejection_reasons: [],
    created_at: timestamp(created),
    updated_at: timestamp(created),
    private: owner,
  } as unknown as Row<'display_identities'>;
  const identity = led(displayIdentityLifecycle, submitted, [
    status === 'approved'
      ? { trigger: 'approve', at: created + lasted }
      : { trigger: 'reject', at: created + lasted, with: { reasons: rejection_reasons } },
  ]);
  return { ...identity, created_at: new Offset(created), updated_at: offsetIn(identity.updated_at) };
}

interface CallFacts {
  readonly id: string;
  readonly owner: Fields;
  /** The id of the organization's own number. */
  readonly number: number | undefined;
  readonly agent: AgentOnCall | null;
}

function finishedCall(each: FixtureFile['calls'][number], { id, owner, number, agent }: CallFacts): Fields {
  const placed = {
    id,
    status: callLifecycle.initial,
    direction: each.direction,
    from_number: each.from,
    to_number: each.to,
    started_at: timestamp(each.placed),
    ended_at: null,
    duration_seconds: null,
    phone_number_id: number === undefined ? null : String(number),
    has_recording: false,
    recording_url: null,
    has_transcript: false,
    failure_code: null,
    failure_category: null,
    call_outcome: null,
    disconnection_reason: null,
    private: {
      ...owner,
      answered_at: null,
      agent,
      job_id: null,
      job_contact_id: null,
      scenario: { name: each.scenario, parameters: {} },
      script: Array.isArray(each.transcript) ? each.transcript : null,
    },
  } as unknown as Row<'calls'>;
  const instants: Record<string, number> = { ring: each.placed + 500, answer: each.placed + each.ring };
  const call = led(
    callLifecycle,
    placed,
    waysToEnd[each.outcome].map((trigger) => ({
      trigger,
      at: instants[trigger] ?? each.placed + each.ring + each.talk,
    })),
  );
  return {
    ...call,
    has_recording: each.recording ?? call.has_recording,
    // Lines are what was said where something was.
    has_transcript: typeof each.transcript === 'boolean' ? each.transcript : call.has_transcript,
    started_at: new Offset(each.placed),
    ended_at: offsetIn(call.ended_at),
    private: { ...call.private, answered_at: offsetIn(call.private.answered_at) },
  };
}
