// What holds for every operation: `spec.md` "Conventions" under "Resources and their fields", "Common rules" under
// "Endpoints" and "Versioning".
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createSandbox, type Sandbox } from '../src/index.ts';
import {
  approve,
  DOCUMENTS,
  draft,
  ENTERPRISE,
  IDENTITIES,
  IDENTITY,
  REMEDIATIONS,
  REPUTATION,
  sign,
  submit,
  upload,
} from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { operations } from './support/operations.ts';
import { agentsOf, handIn, JOBS, start } from './support/outbound.ts';
import { JSON_TYPE, type Wire, wireTo } from './support/wire.ts';

let sandbox: Sandbox;
let client: Client;
let wire: Wire;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  client = clientOf(sandbox.url);
  wire = wireTo(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  wire.close();
  await sandbox.close();
});

const dataOf = async (path: string, by: Client = client): Promise<Answer['body']> => (await by.get(path)).body.data;
const agentId = async (): Promise<string> => (await dataOf('/v1/agents'))[0].id;
const callId = async (): Promise<string> =>
  (await dataOf('/v1/calls')).find(({ has_transcript }: Answer['body']) => has_transcript).id;
const callerId = async (status: string): Promise<string> =>
  (await dataOf('/v1/caller-ids')).find((each: Answer['body']) => each.status === status).caller_id_id;

const childId = async (): Promise<string> => (await dataOf('/v1/sub-entities'))[0].id;

const aJob = async (): Promise<string> => (await start(client, { to_numbers: ['+12125550100'] })).id;

const SUBSCRIPTIONS = '/api/v1/webhook_subscriptions';
const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'call_busy' };

/** An answer that needs an enterprise first: a draft, or an approved one, or one with a display identity. */
const drafted = (ask: () => Promise<Answer>): Promise<Answer> => draft(client).then(ask);
const approved = (ask: () => Promise<Answer>): Promise<Answer> => approve(client, sandbox).then(ask);
const withIdentity = (ask: () => Promise<Answer>): Promise<Answer> => client.post(IDENTITIES, IDENTITY).then(ask);

type Shape = 'single' | 'list' | 'flat' | 'empty';

/** One request for each operation that succeeds, and the shape of its answer. */
const successes: Readonly<Record<string, [shape: Shape, ask: () => Promise<Answer>]>> = {
  getAccount: ['single', () => client.get('/v1/account')],
  getMe: ['single', () => client.get('/v1/me')],
  listAgents: ['list', () => client.get('/v1/agents')],
  getAgent: ['single', async () => client.get(`/v1/agents/${await agentId()}`)],
  updateAgent: ['single', async () => client.patch(`/v1/agents/${await agentId()}`, { enabled: false })],
  createAgentWebCall: ['single', async () => client.post(`/v1/agents/${await agentId()}/web-call`)],
  listAppointments: ['list', () => client.get('/v1/appointments')],
  listCallerIds: ['list', () => client.get('/v1/caller-ids')],
  createCallerId: ['single', () => client.post('/v1/caller-ids', { phone_number: '+12125550160' })],
  deleteCallerId: ['single', async () => client.delete(`/v1/caller-ids/${await callerId('VERIFIED')}`)],
  verifyCallerId: [
    'single',
    async () =>
      client.post(`/v1/caller-ids/${await callerId('PENDING_VERIFICATION')}/verify`, { verification_code: '1' }),
  ],
  dialCall: ['flat', () => client.dial('+12125550100')],
  createCall: ['flat', async () => client.post('/v1/calls', { agent_id: await agentId(), to_number: '+12125550100' })],
  listCalls: ['list', () => client.get('/v1/calls')],
  getCall: ['single', async () => client.get(`/v1/calls/${await callId()}`)],
  hangupCall: ['single', async () => client.post(`/v1/calls/${await callId()}/hangup`)],
  getCallTranscript: ['single', async () => client.get(`/v1/calls/${await callId()}/transcript`)],
  listContacts: ['list', () => client.get('/v1/contacts')],
  getContact: ['single', async () => client.get(`/v1/contacts/${(await dataOf('/v1/contacts'))[0].id}`)],
  createJob: [
    'single',
    async () => client.post(JOBS, { agent_id: (await agentsOf(client))[1], to_numbers: ['+12125550100'] }),
  ],
  listJobs: ['list', () => aJob().then(() => client.get(JOBS))],
  getJob: ['single', async () => client.get(`${JOBS}/${await aJob()}`)],
  pauseJob: ['single', async () => client.post(`${JOBS}/${await aJob()}/pause`)],
  resumeJob: [
    'single',
    async () => {
      const id = await aJob();
      await client.post(`${JOBS}/${id}/pause`);
      return client.post(`${JOBS}/${id}/resume`);
    },
  ],
  cancelJob: ['single', async () => client.post(`${JOBS}/${await aJob()}/cancel`)],
  createLead: ['single', () => handIn(sandbox.url)],
  createWebrtcToken: ['single', () => client.post('/v1/webrtc-token', {})],
  createClientToken: ['single', () => client.post('/v1/client-tokens', { scopes: ['calls:read'] })],
  createRoomToken: ['single', async () => client.post('/v1/room-token', { agent_id: await agentId() })],
  listPhoneNumbers: ['list', () => client.get('/v1/phone-numbers')],
  uploadDocument: ['single', () => upload(client)],
  getDocument: ['single', () => client.get(`${DOCUMENTS}/doc_business_licence`)],
  createEnterprise: ['single', () => draft(client)],
  getEnterprise: ['single', () => drafted(() => client.get(ENTERPRISE))],
  updateEnterprise: ['single', () => drafted(() => client.patch(ENTERPRISE, { dba: 'Other' }))],
  generateLoa: ['single', () => drafted(() => client.post(`${ENTERPRISE}/generate-loa`))],
  submitEnterprise: ['single', () => drafted(() => submit(client))],
  signAndSubmitEnterprise: ['single', () => drafted(() => sign(client))],
  listReputationNumbers: ['list', () => client.get(REPUTATION)],
  listRemediations: ['list', () => client.get(REMEDIATIONS)],
  getRemediation: ['single', async () => client.get(`${REMEDIATIONS}/${(await dataOf(REMEDIATIONS))[0].request_id}`)],
  createRemediation: ['single', () => approved(() => client.post(REMEDIATIONS, { phone_numbers: [FROM] }))],
  listDisplayIdentities: ['list', () => approved(() => withIdentity(() => client.get(IDENTITIES)))],
  createDisplayIdentity: ['single', () => approved(() => client.post(IDENTITIES, IDENTITY))],
  listSubEntities: ['list', () => client.get('/v1/sub-entities')],
  createSubEntity: ['single', () => client.post('/v1/sub-entities', { name: 'Harbor Street Surgery' })],
  getSubEntity: ['single', async () => client.get(`/v1/sub-entities/${await childId()}`)],
  updateSubEntity: ['single', async () => client.patch(`/v1/sub-entities/${await childId()}`, { name: 'Renamed' })],
  getUsage: ['single', () => client.get('/v1/usage')],
  listWebhookSubscriptions: ['list', () => client.get(SUBSCRIPTIONS)],
  createWebhookSubscription: ['flat', () => client.post(SUBSCRIPTIONS, subscription)],
  deleteWebhookSubscription: [
    'empty',
    async () => client.delete(`${SUBSCRIPTIONS}/${(await client.post(SUBSCRIPTIONS, subscription)).body.id}`),
  ],
};

const shaped = (...shapes: readonly Shape[]): [id: string, ask: () => Promise<Answer>][] =>
  Object.entries(successes)
    .filter(([, [shape]]) => shapes.includes(shape))
    .map(([id, [, ask]]) => [id, ask]);

async function answerTo(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(200);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

it('the table of successes covers every operation of the contract', () => {
  expect(Object.keys(successes).sort()).toEqual(operations.map(({ id }) => id).sort());
});

describe('a success', () => {
  it.each(shaped('single', 'list', 'flat'))('of %s is application/json', async (_, ask) => {
    const { headers, text } = await answerTo(ask);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toBeTypeOf('object');
  });

  it.each(shaped('single'))('of %s is one resource under data, and nothing beside it', async (_, ask) => {
    const { body } = await answerTo(ask);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toEqual(expect.any(Object));
    expect(Array.isArray(body.data)).toBe(false);
  });

  it.each(shaped('list'))('of %s is an array under data, beside a meta with cursor and page_size', async (_, ask) => {
    await client.post(SUBSCRIPTIONS, subscription);
    const { body } = await answerTo(ask);
    expect(Object.keys(body).sort()).toEqual(['data', 'meta']);
    expect(Array.isArray(body.data)).toBe(true);
    expect(body.data.length).toBeGreaterThan(0);
    expect(body.meta).toMatchObject({ cursor: null, page_size: 25 });
  });

  it.each(shaped('single', 'list', 'flat', 'empty'))('of %s carries the five rate-limit headers', async (_, ask) => {
    const { headers } = await answerTo(ask);
    expect(headers).toMatchObject({
      ratelimit: expect.stringMatching(/^"default";r=\d+;t=\d+$/),
      'ratelimit-policy': '"default";q=600;w=60',
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': expect.stringMatching(/^\d{3}$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d{13}$/),
    });
    expect(headers).not.toHaveProperty('retry-after');
  });
});

describe('a field', () => {
  /** By resource: the fields that the specification gives no other type than string. */
  const plain = {
    account: ['api_key_id', 'plan'],
    user: ['email', 'name'],
    organization: ['name', 'slug'],
    agent: [
      ...['name', 'agent_type', 'greeting', 'language', 'voice_id', 'business_name', 'business_description'],
      ...['system_prompt', 'created_at', 'updated_at'],
    ],
    callerId: [
      ...['caller_id_id', 'phone_number', 'status', 'verified_at', 'certification_method', 'cnam_display_name'],
      ...['cnam_status', 'rcd_display_name', 'rcd_status', 'created_at', 'updated_at'],
    ],
    call: [
      ...['id', 'status', 'direction', 'from_number', 'to_number', 'started_at', 'ended_at', 'phone_number_id'],
      ...['recording_url', 'failure_code', 'failure_category', 'call_outcome', 'disconnection_reason'],
    ],
    transcript: ['call_id', 'transcript', 'transcript_provider'],
    phoneNumber: [
      ...['phone_number', 'name', 'provider', 'iso_country', 'reputation_enrolled_at', 'cnam_display_name'],
      ...['cnam_status', 'texting_status', 'created_at'],
    ],
  };
  const uuids: Partial<Record<keyof typeof plain, string[]>> = {
    user: ['id'],
    organization: ['id'],
    agent: ['id'],
    phoneNumber: ['organization_id', 'user_id'],
  };

  /** Every record of a world, each as its own operation shows it, by resource. */
  async function recordsOf(by: Client): Promise<Record<keyof typeof plain, Answer['body'][]>> {
    const each = (path: string, list: Answer['body'][]): Promise<Answer['body'][]> =>
      Promise.all(list.map(({ id }) => dataOf(path.replace('{id}', id), by)));
    const account = await dataOf('/v1/account', by);
    const calls = await dataOf('/v1/calls?page_size=100', by);
    const spoken = calls.filter(({ has_transcript }: Answer['body']) => has_transcript);
    return {
      account: [account],
      user: [account.user],
      organization: [account.organization],
      agent: await each('/v1/agents/{id}', await dataOf('/v1/agents', by)),
      callerId: await dataOf('/v1/caller-ids', by),
      call: await each('/v1/calls/{id}', calls),
      transcript: await each('/v1/calls/{id}/transcript', by.key === 'svc_sandbox_hipaa' ? [] : spoken),
      phoneNumber: await dataOf('/v1/phone-numbers', by),
    };
  }

  const bundled = ['default', 'demo', 'hipaa', 'regulated', 'other'];

  it.each(bundled)('of the world %s that has no other type is a string or null', async (world) => {
    const by = clientOf(sandbox.url, `svc_sandbox_${world}`);
    await by.call('+12125550199');
    const records = await recordsOf(by);
    const met = new Set<string>();
    for (const [resource, names] of Object.entries(plain)) {
      for (const record of records[resource as keyof typeof plain]) {
        for (const name of names) {
          const type = record[name] === null ? 'null' : typeof record[name];
          expect(['string', 'null'], `${resource}.${name}: ${JSON.stringify(record[name])}`).toContain(type);
          met.add(type);
        }
      }
    }
    expect([...met].sort()).toEqual(['null', 'string']);
    await sandbox.world(world).reset();
  });

  it.each(bundled)('of the world %s that is typed uuid is a UUID', async (world) => {
    const records = await recordsOf(clientOf(sandbox.url, `svc_sandbox_${world}`));
    for (const [resource, names] of Object.entries(uuids)) {
      expect(records[resource as keyof typeof plain].length, resource).toBeGreaterThan(0);
      for (const record of records[resource as keyof typeof plain]) {
        for (const name of names) {
          expect(record[name], `${resource}.${name}`).toMatch(
            /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
          );
        }
      }
    }
  });
});

describe('versioning', () => {
  it.each(operations)('$id is where its prefix says, and nowhere else', async ({ id, method, template }) => {
    const [, prefix = '', rest = ''] = /^(\/v1|\/api\/v1)(\/.*)$/.exec(template) ?? [];
    expect(prefix).toBe(rest.startsWith('/webhook_subscriptions') ? '/api/v1' : '/v1');
    const answer = await answerTo((successes[id] as [Shape, () => Promise<Answer>])[1]);
    expect(answer.headers['x-sandbox-world']).toBe('default');
    const path = rest.replace('{id}', template.includes('/calls/') ? await callId() : await agentId());
    for (const other of ['', '/v1', '/api/v1', '/v2', '/api', '/api/v2'].filter((each) => each !== prefix)) {
      const elsewhere = await wire.send({ method, path: other + path, headers: JSON_TYPE, body: '{}' });
      expectError(elsewhere, 404, 'not_found');
    }
  });

  it('the interface description has version 1.0.0', async () => {
    const answer = await client.get('/openapi.yaml');
    expect(answer.status).toBe(200);
    expect(parse(answer.text).info.version).toBe('1.0.0');
  });
});
