// A fixture as records: made once from its file, frozen, and shared by every world that begins with it. A world reads
// it with its own organization and its own start put in, record by record, and keeps nothing of it.
import { timestamp } from '../clock/clock.ts';
import { callLifecycle } from '../lifecycles/call.ts';
import { billedAmount } from '../lifecycles/remediation.ts';
import type { Row, TableName } from '../model.ts';
import { sha256, uuid } from '../store/identity.ts';
import type { Base } from '../store/store.ts';
import { definitionOf, indexesOf } from '../store/tables.ts';
import type { FixtureFile } from './fixture-file.ts';

/** Stands in templates where the organization of the world belongs. */
const ROOT = '$root';

type Fields = Record<string, unknown>;

interface Template {
  readonly row: Fields & { private: Fields & { rank: number } };
  /** Names of the fields that hold a time (an offset, in milliseconds), and of those that hold the organization. */
  readonly times: readonly string[];
  readonly roots: readonly string[];
  readonly privateTimes: readonly string[];
  readonly privateRoots: readonly string[];
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
  /** What its file is called in messages. */
  readonly shownAs: string;
  readonly file: FixtureFile;
  readonly #templates = new Map<TableName, Map<string, Template>>();
  readonly #lists = new Map<string, Listed[]>();

  constructor(name: string, shownAs: string, file: FixtureFile, seed: number) {
    this.name = name;
    this.shownAs = shownAs;
    this.file = file;
    for (const [table, rows] of Object.entries(rowsOf(file, name, seed))) this.#add(table as TableName, rows);
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
    return {
      get: (table, id) => {
        const template = this.#templates.get(table)?.get(aliasOf(id));
        if (!template) return undefined;
        let row = made.get(template);
        if (!row) {
          row = materialise(template, organization, startsAt);
          made.set(template, row);
        }
        return row as Row<typeof table>;
      },
      list: (table, index, value) => {
        const listed = this.#lists.get(listKey(table, index, aliasOf(value))) ?? none;
        if (table !== 'organizations') return listed;
        return listed.map(({ id, rank }) => ({ id: id === ROOT ? organization : id, rank }));
      },
    };
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
  const hidden = fields.private as Fields;
  const named = (values: Fields, holds: (value: unknown) => boolean): string[] =>
    Object.keys(values).filter((name) => holds(values[name]));
  const isTime = (value: unknown): boolean => value instanceof Offset;
  const isRoot = (value: unknown): boolean => value === ROOT;
  return {
    row: Object.freeze({ ...fields, private: Object.freeze({ ...hidden, rank }) }),
    times: named(fields, isTime),
    roots: named(fields, isRoot),
    privateTimes: named(hidden, isTime),
    privateRoots: named(hidden, isRoot),
  };
}

function materialise(template: Template, organization: string, startsAt: number): unknown {
  const hidden = { ...template.row.private };
  const row: Fields = { ...template.row, private: hidden };
  const time = (value: unknown): string => timestamp(startsAt + (value as Offset).ms);
  for (const name of template.times) row[name] = time(row[name]);
  for (const name of template.privateTimes) (hidden as Fields)[name] = time(hidden[name]);
  for (const name of template.roots) row[name] = organization;
  for (const name of template.privateRoots) (hidden as Fields)[name] = organization;
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
      const number = numberOf(each.phone_number);
      return {
        caller_id_id: idOf('caller_ids', each.phone_number),
        phone_number: each.phone_number,
        status: each.status,
        verified_at: wasVerified ? at(each.created + 60_000) : null,
        certification_method: wasVerified ? 'verification_call' : null,
        cnam_display_name: number?.cnam_display_name ?? null,
        cnam_status: number?.cnam_status ?? null,
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
    agents: oldestFirst(file.agents).map((each, index) => {
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
        finishedCall(each, idOf('calls', index + 1), owned(each.owner), numberOf(ownNumber(each))?.id),
      ),
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

/** A call that has run its life, led through the same lifecycle table as those that run it here. */
function finishedCall(
  each: FixtureFile['calls'][number],
  id: string,
  owner: Fields,
  number: number | undefined,
): Fields {
  let call = {
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
      agent: null,
      job_id: null,
      job_contact_id: null,
      scenario: { name: each.scenario, parameters: {} },
    },
  } as unknown as Row<'calls'>;
  const instants: Record<string, number> = { ring: each.placed + 500, answer: each.placed + each.ring };
  for (const trigger of waysToEnd[each.outcome]) {
    const at = instants[trigger] ?? each.placed + each.ring + each.talk;
    const transition = callLifecycle.rows[call.status]?.[trigger];
    if (!transition) throw new Error(`a call cannot ${trigger} in ${call.status}`);
    call = callLifecycle.withStatus(
      { ...call, ...transition.set?.(call, { at, time: timestamp(at), with: {} }) },
      transition.to,
    );
  }
  const answered = call.private.answered_at;
  return {
    ...call,
    has_recording: each.recording ?? call.has_recording,
    has_transcript: each.transcript ?? call.has_transcript,
    started_at: new Offset(each.placed),
    ended_at: new Offset(Date.parse(call.ended_at as string)),
    private: { ...call.private, answered_at: answered === null ? null : new Offset(Date.parse(answered)) },
  };
}
