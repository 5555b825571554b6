// The form of a fixture file. Times are offsets from the world's start (`-2h`); people have numbers 555-0170 to 0189.
import { z } from 'zod';
import { assumptionValues } from '../assumptions/values.ts';
import { durationForm, readDuration } from '../clock/duration.ts';
import { fieldsOf } from '../contract/document.ts';
import { nearest } from '../errors/nearest.ts';
import { transcriptLine } from '../lifecycles/call.ts';
import { LONGEST_TEXT } from '../lifecycles/message.ts';
import { outcomes } from '../lifecycles/remediation.ts';
import { type FileProblem, type LocatedFile, type Path, readLocated } from '../located-yaml.ts';
import { spamRisks } from '../model.ts';
import { allScopes } from './keys.ts';

const e164Form = 'must be a number in E.164 form, in quotes';
const e164 = z.string({ error: e164Form }).regex(/^\+[1-9]\d{1,14}$/, { error: e164Form });

const duration = z.string().transform((text, context) => {
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: `must be ${durationForm}` });
  return z.NEVER;
});

/** Before (`-2h`) or after (`3d`) the world's start, in milliseconds. */
const offset = z.string().transform((text, context) => {
  const ms = readDuration(text.replace(/^-/, ''));
  if (ms !== undefined) return text.startsWith('-') ? -ms : ms;
  context.addIssue({ code: 'custom', message: `must be ${durationForm}, with a minus sign for the past` });
  return z.NEVER;
});

const text = z.string().min(1);
/** Names one of `sub_entities` by its slug; absent for the organization itself. */
const owner = z.string().optional();

const scopes = z.union([
  z.enum(['default', 'all']),
  z.array(z.string().refine((scope) => allScopes().includes(scope as never), { error: 'is no scope' })),
]);

export const callOutcomes = [
  'answered',
  'busy',
  'no_answer',
  'voicemail',
  'call_declined',
  'number_unreachable',
  'carrier_rejected',
  'canceled',
] as const;

const texting = z.enum(['none', 'pending', 'approved', 'rejected']);
const carrierStatus = z.enum(['pending', 'approved', 'rejected']).nullable().default(null);

const numbers = z.array(e164).default([]);
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, { error: 'must be a time such as 08:00:00' });
const weekday = z.enum(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']);
const timeZone = z.string().refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone), {
  error: 'must be an IANA time zone such as America/New_York',
});

const callingRules = z
  .strictObject({
    do_not_call: numbers,
    opted_out: numbers,
    no_consent: numbers,
    paused: numbers,
    calls_per_day: z.int().positive(),
    days: z.array(weekday).min(1),
    from: timeOfDay,
    until: timeOfDay,
    time_zone: timeZone,
  })
  .refine(({ from, until }) => from <= until, { path: ['until'], error: 'must not be earlier than from' });

/** Numbers 555-0170 to 0189 in each area code. */
export const PEOPLE_PER_AREA_CODE = 20;

/** Weeks of calls, with contacts and bookings, that are made from the seed when the world is first looked at. */
const generated = z
  .strictObject({
    /** How long it has been going on when the world starts. */
    days: z.int().min(1).max(60),
    /** Where the business is; its hours are local. */
    time_zone: timeZone,
    /** On a weekday, about; fewer on a Saturday, hardly any on a Sunday. */
    calls_a_day: z.int().min(1).max(500),
    contacts: z.int().min(1),
    /** Where its contacts live: a town for each area code, with 20 of them. */
    area_codes: z.record(z.string().regex(/^[2-9]\d\d$/), text, {
      error: 'must be towns by their area codes, such as "415": San Francisco',
    }),
    /** What it does, and how those who need it say so ("there is water under the sink"). */
    services: z.array(z.strictObject({ title: text, problem: text, lasts: duration })).min(1),
  })
  .refine(({ contacts, area_codes }) => contacts <= Object.keys(area_codes).length * PEOPLE_PER_AREA_CODE, {
    path: ['contacts'],
    error: `must be at most ${PEOPLE_PER_AREA_CODE} to an area code`,
  });

const decision = z.enum(['APPROVED', 'REJECTED']);
const enterprise = z
  .strictObject({
    owner,
    legal_name: text,
    dba: text.nullable().default(null),
    /** What vetting decided; a draft where it is not given. */
    status: z.enum(['DRAFT', ...decision.options]).default('DRAFT'),
    submitted: offset.optional(),
    decided: offset.optional(),
    rejection_reasons: z.array(text).default([]),
    /** The LOA, an id under `documents`. */
    loa_document: text.optional(),
    /** Business details, by their names in POST /v1/caller-trust/enterprise. */
    details: z.record(z.string(), text).default({}),
  })
  .superRefine(({ status, submitted, decided, rejection_reasons, loa_document }, { addIssue }) => {
    const wrong = (field: string, message: string): void => addIssue({ code: 'custom', path: [field], message });
    for (const [field, value] of Object.entries({ submitted, decided, loa_document })) {
      if (status === 'DRAFT' && value !== undefined) wrong(field, 'is not for one that is DRAFT');
      if (status !== 'DRAFT' && value === undefined) wrong(field, `is required for one that is ${status}`);
    }
    if (submitted !== undefined && decided !== undefined && decided < submitted)
      wrong('decided', 'must not be earlier than submitted');
    if (rejection_reasons.length > 0 !== (status === 'REJECTED'))
      wrong('rejection_reasons', 'must be given where it is REJECTED, and only there');
  });

export const fixtureFile = z.strictObject({
  organization: z.strictObject({ name: text, slug: text, plan: text, hipaa_enabled: z.boolean().default(false) }),
  user: z.strictObject({ name: text, email: text }),
  assumptions: assumptionValues.default({}),
  /** In force where they are given. */
  calling_rules: callingRules.nullable().default(null),
  generated: generated.nullable().default(null),
  keys: z
    .array(
      z.strictObject({
        key: z.string().regex(/^svc_(?!test_)/, { error: 'must begin with svc_, and not with svc_test_' }),
        scopes: scopes.default('default'),
        is_demo: z.boolean().default(false),
        revoked: z.boolean().default(false),
      }),
    )
    .default([]),
  sub_entities: z
    .array(z.strictObject({ slug: text, name: text, created: offset, hipaa_enabled: z.boolean().default(false) }))
    .default([]),
  phone_numbers: z
    .array(
      z.strictObject({
        id: z.int().positive(),
        phone_number: e164,
        name: text.nullable().default(null),
        owner,
        created: offset,
        status: z.enum(['PROVISIONING', 'ACTIVE']).default('ACTIVE'),
        texting_status: texting.default('none'),
        cnam_display_name: text.nullable().default(null),
        cnam_status: carrierStatus,
        max_calls: z.int().positive().nullable().default(null),
        /** What reputation monitoring finds about it, once it is enrolled. */
        spam_risk: z.enum(spamRisks).default('low'),
      }),
    )
    .default([]),
  caller_ids: z
    .array(
      z.strictObject({
        phone_number: e164,
        owner,
        status: z.enum(['PENDING_VERIFICATION', 'VERIFIED', 'REVOKED']),
        created: offset,
      }),
    )
    .default([]),
  agents: z
    .array(
      z.strictObject({
        name: text,
        owner,
        created: offset,
        enabled: z.boolean().default(true),
        agent_type: z.enum(['inbound', 'outbound']),
        greeting: text,
        language: text.default('en-US'),
        voice_id: text,
        business_name: text,
        business_description: text,
        system_prompt: text,
        phone_number: e164.optional(),
      }),
    )
    .default([]),
  calls: z
    .array(
      z.strictObject({
        owner,
        from: e164,
        to: e164,
        direction: z.enum(['inbound', 'outbound']).default('outbound'),
        placed: offset,
        outcome: z.enum(callOutcomes),
        ring: duration.default(4000),
        talk: duration.default(0),
        recording: z.boolean().optional(),
        /** Whether there is one, or what was said. */
        transcript: z.union([z.boolean(), z.array(transcriptLine).min(1)]).optional(),
        /** The agent on the call, by its name. */
        agent: text.optional(),
        /** The scenario that the transcript is taken from. */
        scenario: text.default('answered'),
      }),
    )
    .default([]),
  /** Between a number of the file and someone; what came in is received, and its STOP or START holds. */
  messages: z
    .array(
      z.strictObject({
        owner,
        from: e164,
        to: e164,
        direction: z.enum(['inbound', 'outbound']).default('outbound'),
        at: offset,
        body: text.max(LONGEST_TEXT),
        /** Of an outbound one. */
        outcome: z.enum(['delivered', 'undelivered', 'failed']).default('delivered'),
      }),
    )
    .default([]),
  contacts: z
    .array(
      z.strictObject({
        owner,
        name: text,
        phone_number: e164.nullable().default(null),
        email: text.nullable().default(null),
        status: text.default('active'),
        source: text.default('manual'),
        metadata: z.record(z.string(), z.unknown()).nullable().default(null),
        created: offset,
      }),
    )
    .default([]),
  /** Where leads come from: the URL token is `lead_<world>`, or `lead_<world>_<suffix>`. */
  lead_sources: z
    .array(
      z.strictObject({
        owner,
        name: text,
        suffix: z
          .string()
          .regex(/^[a-z0-9-]{1,40}$/, { error: 'must be 1 to 40 of a-z, 0-9 and -' })
          .nullable()
          .default(null),
        source_secret: text.default('sandbox_lead_secret'),
        created: offset,
      }),
    )
    .default([]),
  appointments: z
    .array(
      z.strictObject({
        owner,
        title: text,
        description: text.nullable().default(null),
        contact_name: text,
        contact_email: text.nullable().default(null),
        starts: offset,
        lasts: duration.default(30 * 60_000),
        timezone: text,
        status: text.default('confirmed'),
        event_type: text.default('appointment'),
        scheduling_option: text.default('phone'),
        notes: text.nullable().default(null),
        created: offset,
      }),
    )
    .default([]),
  documents: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[\w-]{1,64}$/, { error: 'must be letters, digits, _ and -, at most 64' }),
        owner,
        filename: text,
        content_type: text,
        /** What it says; its hash follows from it. */
        content: text,
        status: z.enum(['verified', 'denied']).default('verified'),
        created: offset,
      }),
    )
    .default([]),
  enterprises: z.array(enterprise).default([]),
  /** What branded calling shows, as it was decided; of an enterprise that is APPROVED. */
  display_identities: z
    .array(
      z.strictObject({
        owner,
        display_name: text,
        call_reasons: z.array(text).min(1),
        status: z.enum(['approved', 'rejected']).default('approved'),
        rejection_reasons: z.array(text).default([]),
        created: offset,
        lasted: duration.default(60_000),
      }),
    )
    .default([]),
  remediations: z
    .array(
      z.strictObject({
        owner,
        submitted: offset,
        lasted: duration.default(60_000),
        numbers: z.array(z.strictObject({ phone_number: e164, outcome: z.enum(outcomes) })).min(1),
      }),
    )
    .default([]),
});

export type FixtureFile = z.output<typeof fixtureFile>;

/** Reads a fixture from YAML or JSON; its calls may name those scenarios. Throws FileProblem. */
export function readFixtureFile(
  file: string,
  source: string,
  callScenarios: readonly string[],
): LocatedFile<FixtureFile> {
  const located = readLocated(file, source, fixtureFile);
  const { data, problem } = located;
  checkReferences(data, problem);
  for (const [index, { scenario }] of data.calls.entries()) {
    if (callScenarios.includes(scenario)) continue;
    const reason = `"${scenario}" is no scenario of a call${nearest(scenario, callScenarios)}`;
    throw problem(['calls', index, 'scenario'], reason);
  }
  return located;
}

type Problem = (path: Path, reason: string) => FileProblem;

/** Owners must be sub-entities of the file, and numbers and ids must stand once. */
function checkReferences(data: FixtureFile, problem: Problem): void {
  const slugs = data.sub_entities.map(({ slug }) => slug);
  for (const section of [
    'phone_numbers',
    'caller_ids',
    'agents',
    'calls',
    'messages',
    'contacts',
    'lead_sources',
    'appointments',
    'documents',
    'enterprises',
    'display_identities',
    'remediations',
  ] as const) {
    for (const [index, { owner: slug }] of data[section].entries()) {
      if (slug === undefined || slugs.includes(slug)) continue;
      throw problem([section, index, 'owner'], `"${slug}" is no slug under sub_entities`);
    }
  }
  for (const [section, field] of [
    ['phone_numbers', 'id'],
    ['phone_numbers', 'phone_number'],
    ['caller_ids', 'phone_number'],
    ['sub_entities', 'slug'],
    ['lead_sources', 'suffix'],
    ['documents', 'id'],
    ['keys', 'key'],
  ] as const) {
    const seen = new Set<unknown>();
    for (const [index, row] of (data[section] as Record<string, unknown>[]).entries()) {
      if (seen.has(row[field])) throw problem([section, index, field], `"${row[field]}" stands twice`);
      seen.add(row[field]);
    }
  }
  checkCalls(data, problem);
  checkEnterprises(data, problem);
  if (data.generated) checkGenerated(data, problem);
}

function checkCalls({ calls, agents }: FixtureFile, problem: Problem): void {
  for (const [index, { agent, owner: slug }] of calls.entries()) {
    if (agent === undefined || agents.some((each) => each.name === agent && each.owner === slug)) continue;
    throw problem(['calls', index, 'agent'], `"${agent}" is no agent of the call's owner under agents`);
  }
}

/** An owner has one enterprise; its LOA is a document of the file, and what it is called by is what the contract knows. */
function checkEnterprises({ enterprises, display_identities, documents }: FixtureFile, problem: Problem): void {
  const owners = new Set<string | undefined>();
  for (const [index, { owner: slug, loa_document, details }] of enterprises.entries()) {
    if (owners.has(slug)) throw problem(['enterprises', index], 'there is one enterprise to an owner');
    owners.add(slug);
    if (loa_document !== undefined && !documents.some((each) => each.id === loa_document && each.owner === slug))
      throw problem(['enterprises', index, 'loa_document'], `"${loa_document}" is no id of the owner under documents`);
    for (const name of Object.keys(details)) {
      if (hiddenDetails().includes(name)) continue;
      throw problem(['enterprises', index, 'details', name], `is none of ${hiddenDetails().join(', ')}`);
    }
  }
  for (const [index, { owner: slug }] of display_identities.entries()) {
    if (enterprises.some((each) => each.status === 'APPROVED' && each.owner === slug)) continue;
    throw problem(['display_identities', index], 'needs an enterprise of the same owner that is APPROVED');
  }
}

/** The business details that have no field of their own. */
const hiddenDetails = (): readonly string[] =>
  fieldsOf('EnterpriseRequest').filter((name) => name !== 'legal_name' && name !== 'dba');

/** Calls in both directions are generated, so there must be agents with numbers for both. */
function checkGenerated({ agents, phone_numbers }: FixtureFile, problem: Problem): void {
  for (const type of ['inbound', 'outbound'] as const) {
    const fits = agents.some(
      ({ agent_type, owner: slug, phone_number }) =>
        agent_type === type &&
        slug === undefined &&
        phone_numbers.some((each) => each.phone_number === phone_number && each.status === 'ACTIVE'),
    );
    if (!fits) throw problem(['generated'], `needs an ${type} agent that has an ACTIVE number`);
  }
}
