// Records the examples of the contract: the success of every operation and every error that a response lists, as a
// sandbox answers them. `npm run generate` writes them at the end of openapi.yaml, `test/contract/examples.test.ts`
// compares them. Each is recorded in a world of its own, so that a new one changes no other.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { createSandbox } from '../src/index.ts';
import { DETAILS, DOCUMENTS, draft, SIGNATURE } from '../test/support/caller-trust.ts';
import { type Answer, type Client, clientOf, FROM, NOWHERE } from '../test/support/client.ts';
import { type ContractOperation, operations } from '../test/support/operations.ts';
import { agentsOf, JOBS, SECRET } from '../test/support/outbound.ts';
import { operationOf, send, validPath, validRequest } from '../test/support/valid-request.ts';
import { childOf, clientWith } from '../test/support/world.ts';

export type Examples = ReadonlyMap<string, unknown>;

const TO = '+12125550199';
const SUBSCRIPTIONS = '/api/v1/webhook_subscriptions';

/** An error, caused in a fresh world; `url` is that of the sandbox. */
type Cause = (by: Client, url: string) => Promise<Answer>;

const dial =
  (fields: object): Cause =>
  (by) =>
    by.post('/v1/calls/dial', { from_number: FROM, to_number: TO, ...fields });

/** A dial of the magic number with these last two digits. */
const dialMagic = (digits: string): Cause => dial({ to_number: `+121255501${digits}` });

async function disabledAgent(by: Client): Promise<string> {
  const [id] = await agentsOf(by);
  await by.patch(`/v1/agents/${id}`, { enabled: false });
  return id;
}

async function jobFrom(by: Client, from_number: string): Promise<Answer> {
  const [agent_id] = await agentsOf(by);
  return by.post(JOBS, { agent_id, to_numbers: [TO], from_number });
}

/** By the name of the example, which starts with the code unless one code has several. */
const errorCauses: Readonly<Record<string, Cause>> = {
  validation_error: (by) => by.post(SUBSCRIPTIONS, { webhook_url: 'hooks.example.com', event_type: 'call_complete' }),
  unauthorized: (_, url) => clientOf(url, null).get('/v1/me'),
  scope_missing: async (by, url) => (await clientWith(url, by, { scopes: ['tokens:mint'] })).get('/v1/me'),
  forbidden: async (by, url) => (await childOf(url, by)).get('/v1/sub-entities'),
  not_found: (by) => by.get(`/v1/contacts/${NOWHERE}`),
  async conflict(by) {
    await draft(by, DETAILS);
    await by.post('/v1/caller-trust/enterprise/sign-and-submit', SIGNATURE);
    return by.post('/v1/caller-trust/enterprise/submit');
  },
  async idempotency_conflict(by) {
    const key = { 'Idempotency-Key': randomUUID() };
    await by.dial(TO, key);
    return by.dial('+12125550198', key);
  },
  payload_too_large: (by) => by.post(SUBSCRIPTIONS, { webhook_url: 'x'.repeat(256 * 1024) }),
  document_too_large: (by) => by.post(DOCUMENTS, { content_base64: 'x'.repeat(28 * 1024 * 1024) }),
  unsupported_media_type: (by) => by.post('/v1/calls/dial', 'to_number=1', { 'Content-Type': 'text/plain' }),
  async rate_limited(by, url) {
    const key = await clientWith(url, by, { requests_per_minute: 1 });
    await key.get('/v1/me');
    return key.get('/v1/me');
  },
  internal_error: (by) => by.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' }),
  method_not_allowed: (by) => by.delete('/v1/me'),

  destination_missing: dial({ to_number: undefined }),
  destination_invalid: dial({ to_number: '0049 30 1234' }),
  call_validation_error: dial({ from_number: 'the front desk' }),
  destination_blocked: dial({ to_number: '911' }),
  dnc_suppressed: dialMagic('11'),
  recipient_opted_out: dialMagic('12'),
  contact_automation_paused: dialMagic('13'),
  no_consent: dialMagic('14'),
  outside_call_window: dialMagic('15'),
  day_not_allowed: dialMagic('16'),
  frequency_exceeded: dialMagic('17'),
  voice_usage_exhausted: dialMagic('20'),
  no_active_subscription: dialMagic('21'),
  no_number_available: dialMagic('22'),
  call_rate_limited: dialMagic('23'),
  room_creation_failed: dialMagic('30'),
  agent_dispatch_failed: dialMagic('31'),
  sip_gateway_failed: dialMagic('32'),
  provider_api_error: dialMagic('33'),
  call_internal_error: dialMagic('34'),
  no_active_number: dial({ from_number: '+14155550192' }),
  call_id_not_verified: dial({ from_number: '+14155550193' }),
  async disabled_agent(by) {
    return by.post('/v1/calls', { agent_id: await disabledAgent(by), to_number: TO });
  },
  job_no_active_number: (by) => jobFrom(by, '+14155550192'),
  job_call_id_not_verified: (by) => jobFrom(by, '+14155550193'),
  texting_not_ready: (by) => by.post('/v1/sms/send', { to_number: TO, body: 'Hello', from_number: '+14155550193' }),
  async content_policy_forbidden(_, url) {
    const hipaa = clientOf(url, 'svc_sandbox_hipaa');
    return hipaa.get(await validPath(operationOf('getCallTranscript'), hipaa));
  },
  async transcript_not_found(by) {
    return by.get(`/v1/calls/${await by.call(TO)}/transcript`);
  },
  source_unauthorized: async (by, url) =>
    clientOf(url, null).post(await validPath(operationOf('createLead'), by), {}, { 'X-Source-Secret': 'wrong' }),
  source_not_found: (_, url) => clientOf(url, null).post('/v1/leads/lead_nowhere', {}, SECRET),
};

/** Every example by its name. Throws if an operation does not succeed, or a cause leads to no error. */
export async function recordExamples(): Promise<Examples> {
  const { url, close } = await createSandbox({ clock: 'manual' });
  const examples = new Map<string, unknown>();
  const record = (name: string, { body }: Answer): unknown => examples.set(name, withoutValues(body, url));
  try {
    for (const operation of operations) {
      if (operation.shape === 'empty') continue;
      const answer = await successOf(operation, clientOf(url, `svc_test_${operation.id}`));
      if (answer.status !== operation.success) throw new Error(`${operation.id}: ${answer.text}`);
      record(operation.id, answer);
    }
    for (const [name, cause] of Object.entries(errorCauses)) {
      const answer = await cause(clientOf(url, `svc_test_${name}`), url);
      if (answer.status < 400) throw new Error(`${name}: ${answer.status} ${answer.text}`);
      record(name, answer);
    }
  } finally {
    await close();
  }
  return examples;
}

/** Two items are enough of a list, and there must be one. */
async function successOf(operation: ContractOperation, by: Client): Promise<Answer> {
  const request = await validRequest(operation, by);
  if (operation.shape !== 'list') return send(by, request);
  const path = `${request.path}?page_size=2`;
  const answer = await send(by, { ...request, path });
  if (answer.body.data?.length !== 0) return answer;
  const post = operations.find(({ method, template }) => method === 'POST' && template === operation.template);
  if (post) await send(by, await validRequest(post, by));
  return send(by, { ...request, path });
}

/** A signature by the machine's time, and what follows from that time. */
const unstable: Readonly<Record<string, string>> = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJleGFtcGxlIn0.c2lnbmF0dXJl',
  expires_at: '2026-01-05T15:15:00.000Z',
  username: '1767648600:example',
  credential: 'ZXhhbXBsZQ==',
};

/** A body in which the address of the sandbox is the usual one, and what differs from one run to the next is fixed. */
function withoutValues(body: unknown, url: string): unknown {
  const [from, to] = [new URL(url).host, '127.0.0.1:4747'];
  return JSON.parse(JSON.stringify(body).replaceAll(from, to), (key, value) => unstable[key] ?? value);
}

const MARKER = '  # GENERATED by `npm run generate` from here to the end: the answers of a sandbox.\n';

/** The text of the contract up to its examples. */
export function withoutExamples(text: string): string {
  const at = text.indexOf(MARKER);
  if (at < 0) throw new Error(`openapi.yaml has no line ${MARKER.trim()}`);
  return text.slice(0, at + MARKER.length);
}

/** The text of the contract with these examples. */
export function withExamples(text: string, examples: Examples): string {
  const section = { examples: Object.fromEntries([...examples].map(([name, value]) => [name, { value }])) };
  // Quoted, since YAML 1.1 reads `2026-01-05T15:00:00.000Z` as a date and `no` as false.
  const form = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', aliasDuplicateObjects: false } as const;
  const yaml = stringify(section, { ...form, lineWidth: 0 });
  return withoutExamples(text) + yaml.replaceAll(/^(?=.)/gm, '  ');
}

export const contractText = (): string => readFileSync('openapi.yaml', 'utf8');
