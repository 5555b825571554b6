// Every stored record on one page: the wire type from the contract, and a `private` block that no response contains.
// Records are immutable: a change stores a new version.
import type { OperationId, Schemas, Scope } from './contract/document.ts';
import type { StoredBytes } from './stored-bytes.ts';

export interface Common {
  /** The organization that owns the record: the world's own or one of its sub-entities. */
  readonly organization_id: string;
  /** Position in the order of creation, which lists and cursors use; negative for fixture records. */
  readonly rank: number;
}

export type Stored<Wire, Private = unknown> = Readonly<Wire> & { readonly private: Common & Readonly<Private> };

export interface Organization {
  id: string;
  name: string;
  slug: string;
  plan: string;
  parent_organization_id: string | null;
  hipaa_enabled: boolean;
  created_at: string;
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Who may be called, and when; times are local to the destination, both ends included. */
export interface CallingRules {
  readonly do_not_call: readonly string[];
  readonly opted_out: readonly string[];
  readonly no_consent: readonly string[];
  readonly paused: readonly string[];
  /** The maximum number of calls of an organization to one number in a day; null for no maximum. */
  readonly calls_per_day: number | null;
  readonly days: readonly (typeof weekdays)[number][];
  readonly from: string;
  readonly until: string;
  /** For numbers whose location is unknown. */
  readonly time_zone: string;
}

/** Anyone may be called at any time: what rules are where nothing else is set. */
export const openCallingRules: CallingRules = {
  do_not_call: [],
  opted_out: [],
  no_consent: [],
  paused: [],
  calls_per_day: null,
  days: weekdays,
  from: '00:00:00',
  until: '23:59:59',
  time_zone: 'America/New_York',
};

/** A scenario by name, with parameters; as text `busy` or `busy;ring=2s`. */
export interface ScenarioReference {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** An API key; the plaintext is returned once and never stored. */
export interface ApiKey {
  id: string;
  /** SHA-256 of the plaintext, lowercase hexadecimal. */
  hash: string;
  scopes: readonly Scope[];
  is_demo: boolean;
  requests_per_minute: number;
  revoked: boolean;
  created_at: string;
}

export type PhoneNumberStatus = 'PROVISIONING' | 'ACTIVE' | 'RELEASED';

/** A number's display name in the carriers' database; the id is the number's. */
export interface CnamListing {
  id: string;
  phone_number: string;
  display_name: string;
  status: 'pending' | 'approved' | 'rejected';
}

/** A brand or a campaign of the A2P texting registration; a brand has no use case and no numbers. */
export interface TextingRegistration {
  id: string;
  type: Schemas['TextingRegistrationEvent']['registration']['type'];
  status: Schemas['TextingStatus'];
  rejection_reasons: string[];
  /** Brands only. */
  legal_name: string | null;
  ein: string | null;
  /** Campaigns only. */
  brand_id: string | null;
  use_case: string | null;
  phone_numbers: string[];
  created_at: string;
  updated_at: string;
}

/** A person who has opted out of messages from one of the organization's numbers, until the person opts in again. */
export interface OptOut {
  id: string;
  created_at: string;
}

/** The id of the opt-out of a person from one of the organization's own numbers. */
export const optOutId = (own: string, person: string): string => `${own} ${person}`;

/** What reputation monitoring finds about an enrolled number. */
export const spamRisks = ['low', 'medium', 'high'] as const satisfies readonly Schemas['SpamRisk'][];
export type SpamRisk = (typeof spamRisks)[number];

/** From an instant on (in milliseconds), carriers label a number so; monitoring finds it with its next check. */
export interface RiskChange {
  readonly at: number;
  readonly spam_risk: SpamRisk;
}

/** The response kept under an idempotency key. */
export interface IdempotencyRecord {
  id: string;
  /** SHA-256 of the canonical body. */
  fingerprint: string;
  status: number;
  body: unknown;
  selection: SelectionRecord | null;
  /** When it was stored, in the world's time and in system time, in milliseconds. */
  at: number;
  systemTime: number;
}

/** The scenario that a world plays for one kind unless a request names another; the id is the kind. */
export interface ActiveScenario {
  id: string;
  /** In the form of the control header, the next one first. */
  references: readonly string[];
  /** Whether playing a reference removes it; if not, the only one stays. */
  consumed: boolean;
}

/** One key's rate window; the id is the key's. */
export interface RateWindow {
  id: string;
  /** When it began, in milliseconds of `waitedAt` of the world's clock. */
  began: number;
  count: number;
}

/** How an agent was configured when a call with it was placed; later changes affect later calls only. */
export interface AgentOnCall {
  readonly id: string;
  readonly name: string | null;
  readonly greeting: string | null;
  readonly business_name: string | null;
  readonly language: string | null;
}

/** A line spoken on a call; the agent's own values replace `{greeting}`, `{business_name}` and `{agent_name}` in it. */
export interface TranscriptLine {
  readonly role: 'agent' | 'user';
  readonly text: string;
  readonly interrupted: boolean;
}

/** What was said on a web call, and when, on the world's clock. */
export interface SpokenTurn {
  readonly role: 'agent' | 'user';
  readonly text: string;
  readonly timestamp: string;
}

/** A media room where a browser meets an agent, or waits alone; the id is the room's name. */
export interface Room {
  id: string;
  agent_id: string | null;
  created_at: string;
}

/** A browser in a room. */
export interface RoomVisitor {
  readonly id: string;
  /** The process that it is connected to. */
  readonly process: string;
  /** That of the world when it came. */
  readonly epoch: number;
}

/** A contact on the list of a job, and the job's progress with it. */
export interface JobContact {
  id: string;
  /** Null if the job was given a bare number. */
  contact_id: string | null;
  phone_number: string | null;
  /** `deferred`: to be called again at a scheduled instant. */
  status: 'pending' | 'calling' | 'deferred' | 'completed';
  call_id: string | null;
  outcome: Schemas['JobOutcome'] | null;
  failure_code: string | null;
}

/** A client token, by the `jti` of its JWT; the JWT is signed when the response is sent, and never stored. */
export interface ClientToken {
  id: string;
  /** The key that created it; requests with the token count as requests with the key. */
  key_id: string;
  scopes: readonly Scope[];
  is_demo: boolean;
  requests_per_minute: number;
}

/** A source of leads: the URL token and the secret that its requests must carry. */
export interface LeadSource {
  id: string;
  name: string;
  /** Null until the first rotation; until then it is derived from the world's name, see `urlTokenOf`. */
  url_token: string | null;
  source_secret: string;
  created_at: string;
  rotated_at: string | null;
}

export interface Tables {
  /** The calling rules of the world are on its own organization, and hold for its sub-entities too. */
  organizations: Stored<Organization, { calling_rules: CallingRules | null }>;
  users: Stored<Schemas['User']>;
  keys: Stored<ApiKey>;
  /** The control key of a world; `hash` is its SHA-256. */
  control_keys: Stored<{ id: string; hash: string }>;
  agents: Stored<Schemas['Agent']>;
  /**
   * Stored numbers always have a texting status; a world can assume that responses show null instead of `none`.
   * `spam_risk` holds until the first of the `risk_changes`, which are in order and absent if there are none.
   */
  phone_numbers: Stored<
    Omit<Schemas['PhoneNumber'], 'texting_status'> & {
      texting_status: NonNullable<Schemas['PhoneNumber']['texting_status']>;
    },
    { status: PhoneNumberStatus; max_calls: number | null; spam_risk: SpamRisk; risk_changes?: readonly RiskChange[] }
  >;
  cnam_listings: Stored<CnamListing>;
  texting_registrations: Stored<TextingRegistration>;
  /** The private `provider_id` becomes visible when the carrier accepts the message. Encoding and segments are derived from the text. */
  messages: Stored<Omit<Schemas['Message'], 'encoding' | 'segments'>, { provider_id: string | null }>;
  opt_outs: Stored<OptOut>;
  /** `calls` counts the verification calls; the code of each is derived from the seed. */
  caller_ids: Stored<Schemas['CallerId'], { spoken_at: string | null; attempts: number; calls: number }>;
  /**
   * `script`: what is said on the call; null for a bundled scenario, whose script cannot change meanwhile. `hung_up`: the
   * client ended it while the parties talked. `turns`: what was said so far on a web call.
   */
  calls: Stored<
    Omit<Required<Schemas['Call']>, 'started_at'> & { started_at: string },
    {
      answered_at: string | null;
      agent: AgentOnCall | null;
      /** The job that placed the call, and the contact on its list. */
      job_id: string | null;
      job_contact_id: string | null;
      scenario: ScenarioReference;
      /** It was over before the world began: the scenario is that of its transcript, and did not lead to its outcome. */
      from_fixture?: true;
      script: readonly TranscriptLine[] | null;
      hung_up?: true;
      turns?: readonly SpokenTurn[];
    }
  >;
  /**
   * `next_poll_at`: when it polls again for a free line (in milliseconds); null if it has not had to. `poll_wait`: how long
   * it waited for that; absent if its last attempt found one.
   */
  jobs: Stored<Omit<Schemas['Job'], 'progress'>, { next_poll_at: number | null; poll_wait?: number }>;
  /** `refusals`: how often a call was refused and will be tried again. */
  job_contacts: Stored<JobContact, { job_id: string; refusals: number }>;
  /**
   * `identity`: who may join with the room's token. `cause`: the request that opened it. `call_id`: the latest call in it;
   * absent if nobody has joined yet.
   */
  rooms: Stored<Room, { identity: string; cause?: string | null; call_id?: string; visitors?: readonly RoomVisitor[] }>;
  client_tokens: Stored<ClientToken>;
  contacts: Stored<Schemas['Contact']>;
  /** `suffix`: what follows the world's name in its first URL token. */
  lead_sources: Stored<LeadSource, { suffix: string | null }>;
  appointments: Stored<Schemas['Appointment']>;
  /**
   * `details`: the business details that no response shows, by their names in the request. `findings`: what the carrier
   * will find wrong with the latest submission. `check_frequency`: the one that the customer asked for.
   */
  enterprises: Stored<
    Schemas['Enterprise'],
    {
      details: Readonly<Record<string, string | null>>;
      check_frequency?: Schemas['CheckFrequency'] | null;
      findings?: readonly string[];
    }
  >;
  /** Stored documents always have a status; the contract would also allow null. */
  documents: Stored<Omit<Schemas['Document'], 'status'> & { status: NonNullable<Schemas['Document']['status']> }>;
  /** The bytes of a document, under its id. */
  document_contents: Stored<{ id: string; content: StoredBytes }>;
  remediations: Stored<Schemas['Remediation']>;
  display_identities: Stored<Schemas['DisplayIdentity']>;
  /** `plan`: how its deliveries are sent; absent if the plan of the world applies. */
  subscriptions: Stored<Schemas['WebhookSubscription'], { signing_secret: string | null; plan?: DeliveryPlan }>;
  webhook_plans: Stored<{ id: typeof WORLD_PLAN; plan: DeliveryPlan }>;
  waiting_deliveries: Stored<WaitingDelivery>;
  ticks: Stored<Tick>;
  idempotency_records: Stored<IdempotencyRecord>;
  active_scenarios: Stored<ActiveScenario>;
  scenario_overlays: Stored<{ id: string; source: string }>;
  faults: Stored<Fault>;
  inboxes: Stored<InboxScript>;
  snapshots: Stored<Snapshot>;
  rate_windows: Stored<RateWindow>;
  /** One record: the latest requests that were answered 429 or 5xx, or not at all, and have not been sent again. */
  awaited_retries: Stored<{ id: string; requests: readonly AwaitedRetry[] }>;
}

/** A world as it stood; the id is the snapshot's name. */
export interface Snapshot {
  readonly id: string;
  /** The world's time. */
  readonly created_at: string;
  /** Of the clock, such as `manual` or `20x`. */
  readonly clock: string;
  readonly records: number;
  readonly tasks: number;
  /** Of the journals. */
  readonly entries: number;
  /** What it takes of the memory budget, roughly. */
  readonly bytes: number;
  /** The version of the form of its content. */
  readonly format: number;
  /** A dump of the world without its snapshots; checked before it is read, since it may come from a file. */
  readonly content: object;
}

/** How an inbox answers; the id is its name. */
export interface InboxScript {
  readonly id: string;
  /** Statuses, the next one first. */
  readonly respond: readonly number[];
  /** Whether answering with a status removes it; if not, the only one stays. */
  readonly consumed: boolean;
  /** How long each answer takes, as a duration of real time. */
  readonly delay: string | null;
}

export const connectionFaults = ['reset', 'empty', 'truncate', 'timeout'] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

export const drifts = ['extra_fields', 'unknown_enum', 'timestamps_offset'] as const;
export type Drift = (typeof drifts)[number];

/** An answer as a gateway before the platform gives it: sent as it is, without the platform's envelope. */
export interface RawAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>> | undefined;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly content_type?: string | undefined;
}

/** Which requests a fault of a world meets, and what happens to them; `src/faults/form.ts` checks it. */
export interface FaultSpec {
  /** Globs; without any of the three, every request. */
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** One of these four, and `latency` with it or alone. */
  readonly error?: Schemas['ErrorCode'] | undefined;
  readonly fault?: ConnectionFault | undefined;
  readonly respond?: RawAnswer | undefined;
  readonly drift?: readonly Drift[] | undefined;
  /** A duration or a range of real time. */
  readonly latency?: string | undefined;
  /** Whether it happens before the request has its effect, which it then never has, or after. */
  readonly when?: 'before' | 'after' | undefined;
  readonly probability?: number | undefined;
  /** Only the request with this number of those that match, after `skip`. */
  readonly nth?: number | undefined;
  readonly skip?: number | undefined;
  readonly times?: number | undefined;
  /** How long it lasts, on the world's clock. */
  readonly ttl?: string | undefined;
}

/** A fault of a world, and what it has done. */
export interface Fault {
  readonly id: string;
  readonly spec: FaultSpec;
  readonly created_at: string;
  readonly expires_at: string | null;
  /** How many requests have met its conditions, and to how many of them it has happened. */
  readonly matched: number;
  readonly applied: number;
  /** Whether it can happen to no further request. */
  readonly spent: boolean;
}

/** After which answers a client is expected to try again; `broken`: none, since the connection broke. */
export const retriable = ['429', '5xx', 'broken'] as const;
export type Retriable = (typeof retriable)[number];

/** A request that its client is expected to send again, as hashes of what the next one must have too. */
export interface AwaitedRetry {
  readonly kind: Retriable;
  /** Of method, path and query. */
  readonly target: string;
  /** Of its idempotency key; null without one. */
  readonly key: string | null;
  /** Of its body; null if it was not read. */
  readonly body: string | null;
}

/** What a fault did to a request. */
export interface AppliedFault {
  readonly id: string;
  /** `respond=502;when=before;latency=120ms` */
  readonly effect: string;
}

export const retrySchedules = ['none', 'short', 'standard'] as const;

/** How deliveries are sent, and what goes wrong with them; `src/webhooks/plan-form.ts` checks it. */
export interface DeliveryPlan {
  /** How likely it happens to a delivery, from 0 to 1. */
  readonly duplicate?: number | undefined;
  readonly reorder?: number | undefined;
  readonly drop?: number | undefined;
  /** How likely it happens to an attempt. */
  readonly tamper?: number | undefined;
  readonly wrong_secret?: number | undefined;
  /** A duration or a range, of the world's time. */
  readonly delay?: string | undefined;
  /** A schedule by its name, or the wait before each further attempt; what the world assumes unless it is given. */
  readonly retries?: (typeof retrySchedules)[number] | readonly string[] | undefined;
  /** Durations of real time. */
  readonly timeout?:
    | {
        readonly connect?: string | undefined;
        readonly answer?: string | undefined;
        readonly total?: string | undefined;
      }
    | undefined;
  readonly paused?: boolean | undefined;
}

/** The id of the plan for every subscription that has none of its own. */
export const WORLD_PLAN = 'world';

/** Why a delivery is not sent yet: its plan delays it, swaps it with the next one, or is paused; or it has failed. */
export const holds = ['delay', 'reorder', 'paused', 'retry'] as const;
export type Hold = (typeof holds)[number];

/** A delivery that is held, by its id; tasks that send it are about this record. */
export interface WaitingDelivery {
  readonly id: string;
  readonly held_by: Hold;
  readonly subscription_id: string;
  /** The record that it is about, and its receiver; null if it is about none. */
  readonly group: string | null;
  /** When it is sent, in milliseconds of the world's time; null while its plan is paused. */
  readonly due: number | null;
}

/** The id of the tick of a world. */
export const TICK = 'tick';

/** A POST at regular instants of the world's clock, which drives a scheduler of the customer's. */
export interface Tick {
  readonly id: typeof TICK;
  /** A duration. */
  readonly every: string;
  readonly url: string;
  /** When it is next, in milliseconds of the world's time. */
  readonly next: number;
  readonly sent: number;
  /** How many instants had none, because the one before had no answer yet. */
  readonly skipped: number;
  /** The id of the latest entry; null if there is none. */
  readonly latest: string | null;
}

export type TableName = keyof Tables;
export type Row<Table extends TableName> = Tables[Table];

/** The indexes of each table, by which records are found other than by id; `store/tables.ts` defines them. */
export interface Indexes {
  organizations: 'organization' | 'parent' | 'slug';
  users: 'organization';
  keys: 'organization' | 'all';
  control_keys: 'organization';
  agents: 'organization' | 'phone_number';
  phone_numbers: 'organization' | 'phone_number' | 'released';
  cnam_listings: 'organization';
  texting_registrations: 'organization' | 'brand' | 'campaign';
  messages: 'organization';
  opt_outs: 'organization';
  caller_ids: 'organization' | 'phone_number';
  calls: 'organization' | 'live' | 'live_number';
  jobs: 'organization';
  job_contacts: 'organization' | 'job' | 'status' | 'outcome';
  rooms: 'organization';
  client_tokens: 'all';
  contacts: 'organization';
  lead_sources: 'organization' | 'all';
  appointments: 'organization';
  enterprises: 'organization';
  documents: 'organization';
  document_contents: 'kept';
  remediations: 'organization' | 'open';
  display_identities: 'organization' | 'not_rejected';
  subscriptions: 'organization' | 'event_type';
  webhook_plans: 'all';
  waiting_deliveries: 'subscription' | 'held_by' | 'held_in_subscription' | 'held_in_group';
  ticks: 'all';
  idempotency_records: 'all';
  active_scenarios: 'all';
  scenario_overlays: 'all';
  faults: 'all' | 'live';
  inboxes: 'all';
  snapshots: 'all';
  rate_windows: 'all';
  awaited_retries: never;
}

export type IndexOf<Table extends TableName> = Indexes[Table];

/** A record without its private block: what a response may contain. */
export function wireOf<AnyRecord extends { readonly private: unknown }>(record: AnyRecord): Omit<AnyRecord, 'private'> {
  const { private: _, ...wire } = record;
  return wire;
}

/** The record that a step, an event or a task is about. */
export interface Subject<Table extends TableName = TableName> {
  readonly table: Table;
  readonly id: string;
}

/** The journals of a world; each entry has an id and names the entry that caused it. */
export interface Journals {
  requests: RequestEntry;
  steps: StepEntry;
  events: EventEntry;
  deliveries: DeliveryEntry;
  ticks: TickEntry;
  inbox: InboxEntry;
}

export type JournalName = keyof Journals;

export interface RequestEntry {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly operation: OperationId | null;
  readonly key_id: string | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly duration_ms: number;
  readonly replayed: boolean;
  readonly fault: string | null;
  /** What faults of the world did; absent if none did anything. */
  readonly faults?: readonly AppliedFault[] | undefined;
  readonly scenario: SelectionRecord | null;
  readonly request: RecordedMessage;
  readonly response: RecordedMessage;
}

/** How much of a body the journal keeps. */
export const KEPT_BODY_BYTES = 64 * 1024;

export interface RecordedMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** Its beginning, KEPT_BODY_BYTES at most. */
  readonly body: string;
  readonly body_bytes: number;
  /** SHA-256 of the whole body; null if `body` is whole, and computed when the entry is serialized. */
  readonly body_sha256: string | null;
}

/**
 * A scenario selection in the journal: the reference, the rule that selected it, and what it outranked. A calling rule
 * that refuses the call takes the place of a scenario, as `rules` with the rule as a parameter.
 */
export interface SelectionRecord extends ScenarioReference {
  readonly source: 'header' | 'active' | 'number' | 'named' | 'default' | 'rules';
  readonly outranked: readonly OutrankedScenario[];
}

/** A scenario that another rule proposed, and why it is not the one that is played. */
export interface OutrankedScenario {
  readonly source: SelectionRecord['source'];
  readonly name: string;
  readonly reason: string;
}

export interface StepEntry {
  readonly id: string;
  readonly at: string;
  readonly subject: Subject;
  readonly trigger: string;
  readonly from: string | null;
  /** The same as before for a task that failed; null then if its record has no status. */
  readonly to: string | null;
  readonly cause: string | null;
  /** The scenario that a new record plays, unless a request chose it: then it is in the entry of the request. */
  readonly scenario?: SelectionRecord | undefined;
  /** Why a scheduled task failed; it had no effect, and is not run again. */
  readonly error?: string;
}

/** Why no subscription heard an event. */
export const unheardReasons = ['none_of_that_type', 'other_organization', 'other_campaign'] as const;
export type UnheardReason = (typeof unheardReasons)[number];

export interface EventEntry {
  readonly id: string;
  readonly at: string;
  readonly event_type: Schemas['EventType'];
  readonly subject: Subject | null;
  readonly organization_id: string;
  /** The exact body that is sent. */
  readonly body: string;
  /** Whether its deliveries are signed; absent if they are not. */
  readonly signed?: true | undefined;
  /** Where the body does not match the event's schema; empty unless there is a bug. */
  readonly schema_violations: readonly string[];
  /** How many deliveries it has, including those that the journal has dropped. */
  readonly deliveries: number;
  /** Why it has none; empty if it has any. */
  readonly unheard: readonly UnheardReason[];
  readonly cause: string | null;
}

/** What the signature of a message is, by the secrets of its world. */
export const signatureStates = ['valid', 'invalid', 'absent'] as const;
export type SignatureState = (typeof signatureStates)[number];

/** A request that an inbox of the world received. */
export interface InboxEntry {
  readonly id: string;
  readonly at: string;
  /** The name of the inbox. */
  readonly inbox: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes: as text if they are UTF-8. */
  readonly body: string;
  readonly encoding: 'utf8' | 'base64';
  readonly body_bytes: number;
  readonly signature: SignatureState;
  /** Whose secret signed it: `world`, or the id of a subscription; null unless the signature is valid. */
  readonly signed_with: string | null;
  /** What the inbox answered. */
  readonly status: number;
}

export const deliveryStatuses = ['pending', 'in_flight', 'delivered', 'failed', 'dropped', 'canceled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Whether a delivery with this status is still to be sent, or being sent. */
export function isOpen(status: DeliveryStatus): boolean {
  return status === 'pending' || status === 'in_flight';
}

/** Why a delivery is attempted: its event, a failure before, its plan, or somebody who sends it again. */
export const attemptReasons = ['event', 'retry', 'duplicate', 'redelivery'] as const;
export type AttemptReason = (typeof attemptReasons)[number];

/** What has been decided about the next attempt of a delivery. */
export interface NextAttempt {
  readonly reason: AttemptReason;
  /** What its plan has done to it. */
  readonly effects: readonly string[];
}

export interface DeliveryEntry {
  readonly id: string;
  readonly at: string;
  readonly event_id: string;
  readonly event_type: Schemas['EventType'];
  readonly subscription_id: string;
  readonly organization_id: string;
  readonly url: string;
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly schema_violations: readonly string[];
  readonly attempts: readonly DeliveryAttempt[];
  /** When a delivery that is held is sent, or a failed one again; null if that is not known, or it is not. */
  readonly next_attempt_at: string | null;
  /** Absent unless it is held. */
  readonly held_by?: Hold | undefined;
  /** It was in flight when another process took over its world: it goes before all others of its queue. */
  readonly resumed?: true | undefined;
  /** Absent if the next attempt is that of the event, as usual. */
  readonly next?: NextAttempt | undefined;
  /** The event's subject: deliveries about one subject are sent in order. */
  readonly subject: Subject | null;
  readonly epoch: number;
  readonly cause: string;
}

export interface DeliveryAttempt {
  readonly number: number;
  readonly at: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly status: number | null;
  readonly response_headers: Readonly<Record<string, string>> | null;
  /** The first 4 KiB. */
  readonly response_body: string | null;
  readonly latency_ms: number;
  /** Null on a 2xx. */
  readonly error_class: DeliveryErrorClass | null;
  readonly error: string | null;
  /** The event, unless it is given. */
  readonly reason?: AttemptReason | undefined;
  /** What the plan did to it, such as `delay=3s`; absent if nothing. */
  readonly plan?: readonly string[] | undefined;
  /** Absent if it was not signed. */
  readonly signed_with?: SignedWith | undefined;
  /** What was sent in the place of the delivery's body, if the plan tampered with it. */
  readonly body?: string | undefined;
}

/** A tick that was sent, or is about to be: a delivery of no event, with one attempt at most. */
export interface TickEntry
  extends Pick<
    DeliveryEntry,
    'id' | 'at' | 'url' | 'body' | 'status' | 'attempts' | 'next_attempt_at' | 'epoch' | 'resumed'
  > {}

/** The secret that an attempt was signed with; `none`: the header says that there is no secret. */
export const signedWith = ['world_secret', 'own_secret', 'wrong_secret', 'none'] as const;
export type SignedWith = (typeof signedWith)[number];

/** Whether a delivery is still to be sent, sooner or later: the journal keeps it. */
export function isUnfinished({ status, next_attempt_at }: Pick<DeliveryEntry, 'status' | 'next_attempt_at'>): boolean {
  return isOpen(status) || next_attempt_at !== null;
}

export const deliveryErrorClasses = [
  'dns',
  'blocked_address',
  'connect_refused',
  'connect_timeout',
  'tls',
  'reset',
  'headers_timeout',
  'body_timeout',
  'total_timeout',
  'http_status',
  'too_large',
  'shutdown',
  'queue_full',
  'dropped',
  'other',
] as const;
export type DeliveryErrorClass = (typeof deliveryErrorClasses)[number];
