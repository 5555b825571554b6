// Every event type by what causes it in the ordinary course of things, and never fired by hand: what a receiver that is
// subscribed to all of them hears of each cause, in its order, and that each body is what the platform's own API says of
// the record at that instant. `spec.md` "Events"; the ledger's event_order, event_payloads and enterprise_events. The
// examples that the contract shows are among what is heard here.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../src/contract/check.ts';
import { enumOf, eventExamples } from '../src/contract/document.ts';
import { type EventType, eventDefinition } from '../src/events/catalogue.ts';
import { createSandbox, type Sandbox, type SandboxWorld } from '../src/index.ts';
import { dataOf, draft, ENTERPRISE, playing, sign, submit } from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, FROM } from './support/client.ts';
import { agentsOf, handIn, LEAD, start } from './support/outbound.ts';
import { type Received, type Receiver, startReceiver } from './support/receiver.ts';
import {
  activeNumber,
  approveBrand,
  CAMPAIGNS,
  NUMBERS,
  registerBrand,
  registerCampaign,
  SOMEONE,
  text,
} from './support/texting.ts';
import { deliveriesOf, freshWorld, subscribe, typeUnderWay } from './support/webhooks.ts';

const SIGNATURE = 'x-service-signature-256';
const types = enumOf('EventType');

let sandbox: Sandbox;
let receiver: Receiver;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await sandbox.close();
});

interface Scene {
  readonly client: Client;
  readonly world: SandboxWorld;
}

interface Cause {
  /** Brings it about; the clock then goes on until nothing is left to happen. */
  readonly act: (scene: Scene) => Promise<unknown>;
  /** What is heard of it, in this order, and what tells this cause from others in each body. */
  readonly heard: readonly (readonly [EventType, object])[];
}

type Body = Answer['body'];

interface Outcome {
  /** What the call's own events say once it has ended. */
  readonly end: { readonly status: string; readonly failure_code: string | null; readonly [field: string]: unknown };
  /** What a job counts it as. */
  readonly outcome: string;
  readonly disposition?: EventType;
}

const answered = (disconnection_reason = 'CLIENT_INITIATED'): Outcome => ({
  end: { status: 'COMPLETED', failure_code: null, failure_category: null, disconnection_reason },
  outcome: 'answered',
});
const unreachable = (status: string, failure_code: string, disposition: EventType): Outcome => ({
  end: { status, failure_code, failure_category: 'unreachable' },
  outcome: status.toLowerCase(),
  disposition,
});

/** Every scenario that a call can live by, and how it ends. */
const outcomes: Readonly<Record<string, Outcome>> = {
  answered: answered(),
  slow_answer: answered(),
  long_call: answered(),
  inbound_answered: answered(),
  dropped_call: answered('CONNECTION_TIMEOUT'),
  busy: unreachable('BUSY', 'busy', 'call_busy'),
  no_answer: unreachable('NO_ANSWER', 'no_answer', 'call_no_answer'),
  call_declined: unreachable('FAILED', 'call_declined', 'call_failed'),
  number_unreachable: unreachable('FAILED', 'number_unreachable', 'call_failed'),
  carrier_rejected: unreachable('FAILED', 'carrier_rejected', 'call_failed'),
  voicemail: {
    end: { status: 'VOICEMAIL', failure_code: 'voicemail_reached', failure_category: 'voicemail' },
    outcome: 'voicemail',
    disposition: 'call_voicemail',
  },
};

/** Every way in which a call comes about, to be lived by a scenario. */
const ways: Readonly<Record<string, (scene: Scene, scenario: string) => Promise<unknown>>> = {
  'a dial': ({ client }, scenario) => client.call(SOMEONE, playing(scenario)),
  'POST /v1/calls': async ({ client }, scenario) => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post('/v1/calls', { agent_id, to_number: SOMEONE }, playing(scenario));
    expect(answer.status, answer.text).toBe(202);
  },
  'a job': async ({ client }, scenario) => {
    dataOf(await client.put('/_sandbox/active-scenarios/call', { use: scenario }));
    await start(client, { contact_ids: [await aContact(client)] });
  },
  'a call from outside': async ({ client }, scenario) =>
    dataOf(await client.post('/_sandbox/simulate/inbound-call', { scenario }), 201),
};

async function aContact(client: Client): Promise<string> {
  const [contact] = dataOf(await client.get('/v1/contacts'));
  return contact.id;
}

function callCause(way: string, scenario: string): Cause {
  const { end, outcome, disposition } = outcomes[scenario] as Outcome;
  const direction = way === 'a call from outside' ? 'inbound' : 'outbound';
  const ended = { direction, ...end };
  return {
    act: (scene) => (ways[way] as (typeof ways)[string])(scene, scenario),
    heard: [
      ['new_call', { direction, status: 'QUEUED', failure_code: null, duration_seconds: null }],
      ['call_completed', ended],
      ...(disposition ? [[disposition, ended] as const] : []),
      ['phone_call.ended', ended],
      ...(way === 'a job'
        ? [['workflow_contact_completed', { outcome, failure_code: end.failure_code }] as const]
        : []),
    ],
  };
}

const sent = ['sms_sent', { direction: 'outbound', status: 'sent', error_message: null }] as const;
const delivered = ['sms_delivered', { direction: 'outbound', status: 'delivered', error_message: null }] as const;
const replied = ['contact_replied', { direction: 'inbound', status: 'received', error_message: null }] as const;

function registration(type: 'brand' | 'campaign', status: string, ...texting_enabled_numbers: string[]) {
  const says = {
    registration: expect.objectContaining({ type }),
    status,
    reasons: status === 'rejected' ? [expect.any(String)] : [],
    texting_enabled_numbers,
  };
  return ['texting_registration_status_changed', says] as const;
}

const vetted = (status: string, ...rejection_reasons: unknown[]) =>
  ['enterprise.status.updated', { status, rejection_reasons }] as const;
const rejected = vetted('REJECTED', expect.any(String), expect.any(String));
const approved = vetted('APPROVED');

/** A number that is on offer. */
const NEW = '+12125550150';

const causes: Readonly<Record<string, Cause>> = {
  ...Object.fromEntries(
    Object.keys(ways).flatMap((way) =>
      Object.keys(outcomes).map((scenario) => [`${way} that plays ${scenario}`, callCause(way, scenario)]),
    ),
  ),
  'a job that may not call someone': {
    async act(scene) {
      await (ways['a job'] as (typeof ways)[string])(scene, 'dnc_suppressed');
    },
    heard: [['workflow_contact_completed', { outcome: 'refused', call_id: null, failure_code: 'dnc_suppressed' }]],
  },
  'a text that arrives': {
    act: async ({ client }) => dataOf(await text(client), 202),
    heard: [sent, delivered],
  },
  'a text that does not reach the handset': {
    act: async ({ client }) => dataOf(await text(client, {}, playing('sms_failed')), 202),
    heard: [sent, ['sms_failed', { status: 'failed', error_message: 'The handset could not be reached.' }]],
  },
  'a text that is answered': {
    act: async ({ client }) => dataOf(await text(client, {}, playing('sms_reply')), 202),
    heard: [sent, delivered, [replied[0], { ...replied[1], from_number: SOMEONE, phone_number: FROM }]],
  },
  'a text from outside': {
    act: async ({ client }) => dataOf(await client.post('/_sandbox/simulate/inbound-sms', {}), 201),
    heard: [replied],
  },
  'a lead': {
    act: async ({ world }) =>
      dataOf(await handIn(sandbox.url, { ...LEAD, email: 'lena@mail.example' }, `/v1/leads/lead_${world.name}`), 201),
    heard: [['contact_created', { ...LEAD, source: 'lead' }]],
  },
  'a contact from outside': {
    act: async ({ client }) => dataOf(await client.post('/_sandbox/simulate/new-contact', {}), 201),
    heard: [['contact_created', { source: 'simulated' }]],
  },
  'a booking': {
    async act({ client }) {
      const booking = { title: 'Cleaning', contact_name: LEAD.name, contact_email: 'lena@mail.example' };
      dataOf(await client.post('/_sandbox/simulate/new-appointment', booking), 201);
    },
    heard: [['new_appointment', { title: 'Cleaning', contact_name: LEAD.name, status: 'confirmed' }]],
  },
  'a number that is ordered': {
    act: ({ client, world }) => activeNumber(client, world),
    heard: [
      [
        'number_purchased',
        {
          triggerEvent: 'number.purchased',
          payload: expect.objectContaining({ area_code: '212', status: 'ACTIVE' }),
        },
      ],
    ],
  },
  'a number that is released': {
    act: async ({ client }) => dataOf(await client.delete(`${NUMBERS}/4190`)),
    heard: [
      [
        'number_released',
        {
          triggerEvent: 'number.released',
          payload: expect.objectContaining({ id: 4190, phone_number: FROM, status: 'RELEASED' }),
        },
      ],
    ],
  },
  'a number that was ordered and is released': {
    async act({ client, world }) {
      const { id } = await activeNumber(client, world);
      dataOf(await client.delete(`${NUMBERS}/${id}`));
    },
    heard: [
      ['number_purchased', { triggerEvent: 'number.purchased' }],
      ['number_released', { payload: expect.objectContaining({ area_code: '212', status: 'RELEASED' }) }],
    ],
  },
  'a brand that is rejected': {
    act: async ({ client }) => dataOf(await registerBrand(client, playing('registration_rejected')), 201),
    heard: [registration('brand', 'rejected')],
  },
  'a brand and a campaign that are approved, for a number that was ordered': {
    async act({ client, world }) {
      await activeNumber(client, world, { phone_number: NEW });
      await approveBrand(client, world);
      dataOf(await registerCampaign(client, { phone_numbers: [NEW] }), 201);
    },
    heard: [
      ['number_purchased', { payload: expect.objectContaining({ phone_number: NEW }) }],
      registration('brand', 'approved'),
      registration('campaign', 'approved', NEW),
    ],
  },
  'a campaign that is rejected': {
    async act({ client, world }) {
      await approveBrand(client, world);
      dataOf(await registerCampaign(client, {}, playing('registration_rejected')), 201);
    },
    heard: [registration('brand', 'approved'), registration('campaign', 'rejected')],
  },
  'an enterprise that is approved': {
    async act({ client }) {
      dataOf(await draft(client), 201);
      dataOf(await sign(client));
    },
    heard: [approved],
  },
  'an enterprise that is rejected, and approved when it was mended': {
    async act({ client, world }) {
      dataOf(await draft(client), 201);
      dataOf(await sign(client, {}, playing('vetting_rejected')));
      await world.clock.advance('40s');
      dataOf(await client.patch(ENTERPRISE, { legal_name: 'Harbor Street Dentistry, Inc.' }));
      dataOf(await submit(client));
    },
    heard: [rejected, approved],
  },
};

/** The body of an event as the platform's API shows its record at this instant; `body` says which record that is. */
const asShown: Readonly<Record<string, (by: Client, body: Body) => Promise<object>>> = {
  async CallEvent(by, { id }) {
    const { started_at, ...call } = await by.readCall(id);
    return { ...only(call, Object.keys(eventExamples().get('new_call') as object)), created_at: started_at };
  },
  async MessageEvent(by, { id }) {
    return only(dataOf(await by.get(`/v1/sms/${id}`)), Object.keys(eventExamples().get('sms_sent') as object));
  },
  async NumberLifecycleEvent(by, { payload }) {
    const { id, phone_number, is_active, organization_id } = dataOf(await by.get(`${NUMBERS}/${payload.id}`));
    const area_code = phone_number.slice(2, 5);
    return {
      triggerEvent: is_active ? 'number.purchased' : 'number.released',
      createdAt: await now(by),
      payload: { id, phone_number, area_code, status: is_active ? 'ACTIVE' : 'RELEASED', organization_id },
    };
  },
  async TextingRegistrationEvent(by, { registration: { id, type } }) {
    const all = type === 'brand' ? [dataOf(await by.get('/v1/brand'))] : dataOf(await by.get(CAMPAIGNS));
    const { status, rejection_reasons, phone_numbers } = all.find((each: Body) => each.id === id);
    const numbers = dataOf(await by.get(NUMBERS)) as Body[];
    return {
      registration: { id, type },
      status,
      reasons: rejection_reasons,
      texting_enabled_numbers: numbers
        .filter((each) => phone_numbers?.includes(each.phone_number) && each.texting_enabled)
        .map(({ phone_number }) => phone_number),
    };
  },
  Contact: async (by, { id }) => dataOf(await by.get(`/v1/contacts/${id}`)),
  Appointment: async (by, { id }) => dataOf(await by.get('/v1/appointments')).find((each: Body) => each.id === id),
  async WorkflowContactEvent(by, { contact_id, call_id, failure_code }) {
    const [job] = dataOf(await by.get('/v1/jobs'));
    const contact = dataOf(await by.get(`/v1/contacts/${contact_id}`));
    // Nothing but the event and the job's counters tells of someone who was not called.
    const refused = { id: null, call_outcome: 'refused', failure_code, ended_at: await now(by) };
    const call = call_id === null ? refused : await by.readCall(call_id);
    expect(job.progress.outcomes).toMatchObject({ [call.call_outcome]: 1 });
    return {
      job_id: job.id,
      contact_id: contact.id,
      phone_number: contact.phone_number,
      outcome: call.call_outcome,
      call_id: call.id,
      failure_code: call.failure_code,
      created_at: call.ended_at,
    };
  },
  Enterprise: async (by) => dataOf(await by.get(ENTERPRISE)),
};

const now = async (by: Client): Promise<string> => dataOf(await by.get('/_sandbox/clock')).now;
const only = (record: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));

interface Heard extends Received {
  readonly type: EventType;
  /** What the platform said of the record when the delivery came in. */
  readonly shown: object;
}

/** Lets a cause happen in a world of its own, with a receiver that is subscribed to every event type. */
async function hear({ act }: Cause): Promise<{ heard: readonly Heard[]; scene: Scene }> {
  const scene = freshWorld(sandbox);
  const { client, world } = scene;
  const heard: Heard[] = [];
  const url = `${receiver.url}/${world.name}`;
  receiver.onDelivery = async (delivery) => {
    const type = (await typeUnderWay(client, url, delivery.raw)) as EventType;
    const shown = await asShown[eventDefinition(type).schema]?.(client, delivery.body).catch((error) => ({ error }));
    heard.push({ ...delivery, type, shown: shown ?? {} });
  };
  await subscribe(client, url, ...types);
  await act(scene);
  await world.clock.untilIdle();
  return { heard, scene };
}

const hmac = (raw: Buffer): string => createHmac('sha256', 'sandbox_signing_secret').update(raw).digest('hex');

describe('a receiver of every event', () => {
  it.each(Object.entries(causes))('hears of %s', async (_, cause) => {
    const { heard, scene } = await hear(cause);
    expect(heard.map(({ type }) => type)).toEqual(cause.heard.map(([type]) => type));
    for (const [index, { type, body, raw, headers, shown }] of heard.entries()) {
      expect(body, type).toMatchObject(cause.heard[index]?.[1] as object);
      expect(body, type).toEqual(shown);
      expect(violations(eventDefinition(type).schema, body), type).toEqual([]);
      expect(headers[SIGNATURE], type).toBe(/^number_/.test(type) ? hmac(raw) : undefined);
    }
    const accepted = {
      status: 'delivered',
      schema_violations: [],
      attempts: [expect.objectContaining({ response: expect.objectContaining({ status: 200 }) })],
    };
    const log = await deliveriesOf(scene.client);
    expect(log).toEqual(
      heard.map(({ type, raw }) => expect.objectContaining({ ...accepted, event_type: type, body: raw.toString() })),
    );
  });

  it('hears of each event type by one of these causes', () => {
    const met = Object.values(causes).flatMap(({ heard }) => heard.map(([type]) => type));
    expect([...new Set(met)].sort()).toEqual([...types].sort());
  });

  it('hears of calls by every scenario that lets one through', async () => {
    const scenarios: Body[] = dataOf(await clientOf(sandbox.url).get('/_sandbox/scenarios?kind=call&page_size=100'));
    const refusing = (each: Body): boolean => each.refuse.length > 0;
    const names = scenarios.filter((each) => !refusing(each)).map(({ name }) => name);
    expect(names.sort()).toEqual(Object.keys(outcomes).sort());
  });
});

/** A body without what is another in every run: ids, tokens, numbers of phones, instants and lengths. */
function form(body: unknown): unknown {
  const kinds: readonly (readonly [kind: string, form: RegExp])[] = [
    ['a uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ['a token', /^[a-z]{3}_[0-9a-f]{24}$/],
    ['a phone number', /^\+1\d{10}$/],
    ['an instant', /^2026-01-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/],
    ['a whole number', /^[1-9]\d*$/],
  ];
  return JSON.parse(JSON.stringify(body), (key, value) =>
    key === 'area_code' ? value : (kinds.find(([, form]) => form.test(String(value)))?.[0] ?? value),
  );
}

describe('the example in the contract', () => {
  it.each(types)('of %s is, but for ids, numbers and instants, what a receiver gets', async (type) => {
    const example = eventExamples().get(type);
    const causesOf = Object.values(causes).filter(({ heard }) =>
      heard.some(([each, says]) => each === type && expect.objectContaining(says).asymmetricMatch(example)),
    );
    expect(causesOf.length).toBeGreaterThan(0);
    const { heard } = await hear(causesOf[0] as Cause);
    const bodies = heard.filter((each) => each.type === type).map(({ body }) => form(body));
    expect(bodies).toContainEqual(form(example));
  });
});
