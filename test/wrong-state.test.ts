// Operations in the wrong state: 409 `conflict` that names the state and what is allowed, and changes nothing. The
// ledger's `extra_error_codes`, `enterprise_absent`, `resubmission`, `caller_id_states`, `disabled_agent`,
// `create_remediation`, `display_identities`, `submit_enterprise`, `available_numbers`, `configure_number`, `set_cnam`,
// `brand_registration`, `campaign_registration`, `job_states`.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import {
  approve,
  DETAILS,
  dataOf,
  draft,
  ENTERPRISE,
  IDENTITIES,
  IDENTITY,
  playing,
  REMEDIATIONS,
  SIGNATURE,
  sign,
  upload,
} from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { operations } from './support/operations.ts';
import { agentsOf, JOBS, start } from './support/outbound.ts';
import { approveBrand, BRAND, BRAND_DETAILS, CAMPAIGNS, NUMBERS, order, registerBrand } from './support/texting.ts';
import { send, type ValidRequest, worldSnapshot } from './support/valid-request.ts';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

/** The ways into each state of the enterprise. */
const enterprise: Readonly<Record<string, () => Promise<unknown>>> = {
  'no enterprise': async () => undefined,
  DRAFT: () => draft(client),
  async PENDING_VETTING() {
    await draft(client);
    dataOf(await sign(client));
  },
  APPROVED: () => approve(client, sandbox),
  async REJECTED() {
    await draft(client);
    dataOf(await sign(client, {}, playing('vetting_rejected')));
    await sandbox.clock.advance('40s');
  },
};

/** An operation in a state that does not allow it: what its 409 names, and the fields under which it does. */
interface Row {
  readonly operation: string;
  readonly state: string;
  readonly into: () => Promise<unknown>;
  /** The request; its path may have to be found once the state is there. */
  readonly ask: () => ValidRequest | Promise<ValidRequest>;
  /** What of the state the message names. */
  readonly names: string;
  /** What message or hint say is allowed. */
  readonly allowed: RegExp;
  readonly fields?: readonly string[];
}

const post = (path: string, body?: object): ValidRequest => ({ method: 'POST', path, ...(body ? { body } : {}) });

/** The same request in several states of the enterprise. */
const inStates = (operation: string, request: ValidRequest, allowed: RegExp, ...states: readonly string[]): Row[] =>
  states.map((state) => ({
    operation,
    state: `an enterprise: ${state}`,
    into: enterprise[state] as () => Promise<unknown>,
    ask: () => request,
    names: state,
    allowed,
  }));

const callerId = async (status: string): Promise<{ caller_id_id: string; phone_number: string }> =>
  (await client.get('/v1/caller-ids')).body.data.find((each: Answer['body']) => each.status === status);

const infected = async (): Promise<string> => {
  const { document_id } = dataOf(await upload(client, 'x', {}, playing('scan_infected')), 201);
  await sandbox.clock.advance('10s');
  return document_id;
};
let document: string;

let job: string;

async function disable(): Promise<void> {
  const [id] = await agentsOf(client);
  dataOf(await client.patch(`/v1/agents/${id}`, { enabled: false }));
}

/** A job that those were done to, one after the other. */
const jobAfter = (...moves: readonly string[]) =>
  async function into(): Promise<void> {
    job = (await start(client, { to_numbers: ['+12125550100'] })).id;
    for (const move of moves) dataOf(await client.post(`${JOBS}/${job}/${move}`));
  };

const release = async (): Promise<unknown> => dataOf(await client.delete(`${NUMBERS}/4190`));

const rows: readonly Row[] = [
  ...inStates(
    'createEnterprise',
    post(ENTERPRISE, DETAILS),
    /PATCH|GET/,
    'DRAFT',
    'PENDING_VETTING',
    'APPROVED',
    'REJECTED',
  ),
  ...inStates(
    'updateEnterprise',
    { method: 'PATCH', path: ENTERPRISE, body: { dba: 'Other' } },
    /only a DRAFT or REJECTED enterprise/,
    ...['PENDING_VETTING', 'APPROVED'],
  ),
  ...inStates('generateLoa', post(`${ENTERPRISE}/generate-loa`), /DRAFT or REJECTED/, 'PENDING_VETTING', 'APPROVED'),
  ...inStates('submitEnterprise', post(`${ENTERPRISE}/submit`, {}), /DRAFT or REJECTED/, 'PENDING_VETTING', 'APPROVED'),
  ...inStates(
    'signAndSubmitEnterprise',
    post(`${ENTERPRISE}/sign-and-submit`, SIGNATURE),
    /DRAFT or REJECTED/,
    ...['PENDING_VETTING', 'APPROVED'],
  ),
  ...inStates(
    'createRemediation',
    post(REMEDIATIONS, { phone_numbers: [FROM] }),
    /needs an APPROVED one/,
    ...['no enterprise', 'DRAFT', 'PENDING_VETTING', 'REJECTED'],
  ),
  ...inStates(
    'createDisplayIdentity',
    post(IDENTITIES, IDENTITY),
    /needs an APPROVED one/,
    ...['no enterprise', 'DRAFT', 'PENDING_VETTING', 'REJECTED'],
  ),
  {
    operation: 'createRemediation',
    state: 'a number in a remediation that has not ended',
    async into() {
      await approve(client, sandbox);
      dataOf(await client.post(REMEDIATIONS, { phone_numbers: [FROM] }), 202);
    },
    ask: () => post(REMEDIATIONS, { phone_numbers: ['+14155550191', FROM] }),
    names: 'pending',
    allowed: /Wait until that request has completed/,
    fields: ['phone_numbers.1'],
  },
  {
    operation: 'submitEnterprise',
    state: 'a letter whose scan has not finished',
    async into() {
      await draft(client);
      document = dataOf(await upload(client), 201).document_id;
    },
    ask: () => post(`${ENTERPRISE}/submit`, { loa_document_id: document }),
    names: 'pending',
    allowed: /only a verified document/,
    fields: ['loa_document_id'],
  },
  {
    operation: 'submitEnterprise',
    state: 'a letter that is infected',
    async into() {
      await draft(client);
      document = await infected();
    },
    ask: () => post(`${ENTERPRISE}/submit`, { loa_document_id: document }),
    names: 'denied',
    allowed: /only a verified document/,
    fields: ['loa_document_id'],
  },
  {
    operation: 'createDisplayIdentity',
    state: 'a logo that is infected',
    async into() {
      await approve(client, sandbox);
      document = await infected();
    },
    ask: () => post(IDENTITIES, { ...IDENTITY, logo_document_id: document }),
    names: 'denied',
    allowed: /only a verified document/,
    fields: ['logo_document_id'],
  },
  {
    operation: 'createCallerId',
    state: 'a caller ID that is VERIFIED',
    into: async () => undefined,
    ask: () => post('/v1/caller-ids', { phone_number: FROM }),
    names: 'VERIFIED',
    allowed: /only a pending or revoked one can be verified again/,
    fields: ['phone_number'],
  },
  {
    operation: 'verifyCallerId',
    state: 'a caller ID that is REVOKED',
    into: async () => undefined,
    ask: async () =>
      post(`/v1/caller-ids/${(await callerId('REVOKED')).caller_id_id}/verify`, { verification_code: '1' }),
    names: 'REVOKED',
    allowed: /only a PENDING_VERIFICATION one/,
  },
  {
    operation: 'createAgentWebCall',
    state: 'an agent that is disabled',
    async into() {
      const [{ id }] = (await client.get('/v1/agents')).body.data;
      dataOf(await client.patch(`/v1/agents/${id}`, { enabled: false }));
    },
    async ask() {
      const [{ id }] = (await client.get('/v1/agents')).body.data;
      return post(`/v1/agents/${id}/web-call`);
    },
    names: 'disabled',
    allowed: /only an enabled agent/,
  },
  ...(
    [
      ['createCall', '/v1/calls', { to_number: '+12125550100' }],
      ['createJob', JOBS, { to_numbers: ['+12125550100'] }],
      ['createRoomToken', '/v1/room-token', {}],
    ] as const
  ).map(
    ([operation, path, body]): Row => ({
      operation,
      state: 'an agent that is disabled',
      into: disable,
      ask: async () => post(path, { ...body, agent_id: (await agentsOf(client))[0] }),
      names: 'disabled',
      allowed: /only an enabled agent/,
    }),
  ),
  ...(
    [
      ['pauseJob', 'pause', 'paused', ['pause']],
      ['pauseJob', 'pause', 'canceled', ['cancel']],
      ['resumeJob', 'resume', 'queued', []],
      ['resumeJob', 'resume', 'canceled', ['cancel']],
      ['cancelJob', 'cancel', 'canceled', ['cancel']],
    ] as const
  ).map(
    ([operation, move, state, moves]): Row => ({
      operation,
      state: `a job that is ${state}`,
      into: jobAfter(...moves),
      ask: () => post(`${JOBS}/${job}/${move}`),
      names: `The job is ${state}`,
      allowed: /only a .+ job can be (paused|resumed|canceled)/,
    }),
  ),
  {
    operation: 'createPhoneNumber',
    state: 'a number that is taken',
    into: async () => undefined,
    async ask() {
      const { phone_number } = dataOf(await order(client), 201);
      return post(NUMBERS, { phone_number });
    },
    names: 'already taken',
    allowed: /GET \/v1\/phone-numbers\/available/,
    fields: ['phone_number'],
  },
  {
    operation: 'updatePhoneNumber',
    state: 'a number that is RELEASED',
    into: release,
    ask: () => ({ method: 'PATCH', path: `${NUMBERS}/4190`, body: { name: 'Other' } }),
    names: 'RELEASED',
    allowed: /only a PROVISIONING or ACTIVE number/,
  },
  {
    operation: 'setPhoneNumberCnam',
    state: 'a number that is RELEASED',
    into: release,
    ask: () => ({ method: 'PUT', path: `${NUMBERS}/4190/cnam`, body: { cnam_display_name: 'HARBOR' } }),
    names: 'RELEASED',
    allowed: /only a PROVISIONING or ACTIVE number/,
  },
  {
    operation: 'createBrand',
    state: 'a brand that is pending',
    into: async () => dataOf(await registerBrand(client), 201),
    ask: () => post(BRAND, BRAND_DETAILS),
    names: 'pending',
    allowed: /only a rejected one/,
  },
  {
    operation: 'createBrand',
    state: 'a brand that is approved',
    into: () => approveBrand(client, sandbox),
    ask: () => post(BRAND, BRAND_DETAILS),
    names: 'approved',
    allowed: /only a rejected one/,
  },
  {
    operation: 'createBrandCampaign',
    state: 'no brand',
    into: async () => undefined,
    ask: () => post(CAMPAIGNS, { use_case: 'customer_care' }),
    names: 'no brand registration',
    allowed: /needs an approved one/,
  },
  {
    operation: 'createBrandCampaign',
    state: 'a brand that is pending',
    into: async () => dataOf(await registerBrand(client), 201),
    ask: () => post(CAMPAIGNS, { use_case: 'customer_care' }),
    names: 'pending',
    allowed: /needs an approved one/,
  },
  {
    operation: 'createBrandCampaign',
    state: 'a number that may send already',
    into: () => approveBrand(client, sandbox),
    ask: () => post(CAMPAIGNS, { use_case: 'customer_care', phone_numbers: ['+14155550193', FROM] }),
    names: 'some phone numbers cannot be registered',
    allowed: /texting_status/,
    fields: ['phone_numbers.1'],
  },
  {
    operation: 'createWebhookSubscription',
    state: 'a thousand subscriptions of that type',
    async into() {
      const one = { webhook_url: 'https://hooks.example.com/x', event_type: 'sms_sent' };
      for (let made = 0; made < 1000; made += 50) {
        await Promise.all(Array.from({ length: 50 }, () => client.post('/api/v1/webhook_subscriptions', one)));
      }
    },
    ask: () =>
      post('/api/v1/webhook_subscriptions', { webhook_url: 'https://hooks.example.com/y', event_type: 'sms_sent' }),
    names: '1000',
    allowed: /Delete some/,
  },
];

/** Writes that no state forbids, each with the reason. */
const always: Readonly<Record<string, string>> = {
  dialCall: 'its states have codes of their own: call_id_not_verified, no_active_number, the caps',
  createWebrtcToken: 'a room of its own is made for each',
  createClientToken: 'a key that may mint may do so at any time',
  createLead: 'leads may repeat',
  hangupCall: 'hanging up an ended call succeeds',
  updateAgent: 'an agent can be changed at any time',
  deleteCallerId: 'a second DELETE is 200',
  deleteWebhookSubscription: 'a subscription that is gone is 404',
  uploadDocument: 'a document stands for itself',
  releasePhoneNumber: 'a second DELETE is 200',
  sendMessage: 'its states have a code of their own: texting_not_ready',
  createSubEntity: 'names may repeat; the slug gets a number',
  updateSubEntity: 'a sub-entity can be changed at any time',
};

it('every write has a state that forbids it, or a reason why none does', () => {
  const writes = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  const known = new Set([...rows.map(({ operation }) => operation), ...Object.keys(always)]);
  expect([...known].sort()).toEqual([...writes].sort());
});

describe('is 409, names the state and what is allowed, and changes nothing', () => {
  it.each(rows)('$operation with $state', async ({ into, ask, names, allowed, fields }) => {
    await into();
    const request = await ask();
    const before = await worldSnapshot(client);
    const answer = await send(client, request);
    expectError(answer, 409, 'conflict');
    const { message, resolution_hint, fields: named = {} } = answer.body.error;
    expect(message.toLowerCase()).toContain(names.toLowerCase());
    expect(`${message} ${resolution_hint}`).toMatch(allowed);
    expect(Object.keys(named)).toEqual(fields ?? []);
    expect(await worldSnapshot(client)).toEqual(before);
  });
});
