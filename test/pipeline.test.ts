// The pipeline of a platform request: `interface.md` section 3 (control headers, order of checks, browsers) and
// `--strict` of section 1; `spec.md` "Authentication", "Limits" and the envelope of "Errors".
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { synchronousCodes } from '../src/errors/catalogue.ts';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { keyedOperations, methodsByPath } from './support/operations.ts';
import { stretched } from './support/until.ts';
import { answerIn, exchange, JSON_TYPE, type Outgoing, type Wire, wireTo } from './support/wire.ts';

const TO = '+12125550100';
/** The standing of a window that has just begun. */
const standing = (remaining: number) => expect.stringMatching(new RegExp(`^"default";r=${remaining};t=(60|5\\d)$`));
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const RATE_HEADERS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

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

interface KeyOptions {
  readonly scopes?: readonly string[];
  readonly requests_per_minute?: number;
}

async function makeKey(options: KeyOptions, as: Client = client): Promise<{ id: string; api_key: string }> {
  const answer = await as.post('/_sandbox/keys', options);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

const dialBody = (fields: object = {}): string => JSON.stringify({ from_number: FROM, to_number: TO, ...fields });

function dial(fields: object = {}, rest: Partial<Outgoing> = {}): Promise<Answer> {
  const { headers, ...others } = rest;
  const body = dialBody(fields);
  return wire.send({ method: 'POST', path: '/v1/calls/dial', body, headers: { ...JSON_TYPE, ...headers }, ...others });
}

const callsMade = async (by: Client = client): Promise<number> => (await by.get('/v1/calls')).body.meta.total_results;

describe('the order of checks of a dial', () => {
  /** In the promised order; each one is a way for a dial to fail, and what answers it. */
  const checks: readonly [flaw: string, status: number, code: string, field?: string][] = [
    ['an unknown path', 404, 'not_found'],
    ['a method that the path does not take', 405, 'method_not_allowed'],
    ['a malformed control header', 400, 'validation_error', 'X-Sandbox-Delay'],
    ['an unknown key', 401, 'unauthorized'],
    ['an unknown scenario', 400, 'validation_error', 'X-Sandbox-Scenario'],
    ['X-Sandbox-Error', 403, 'no_consent'],
    ['a full rate window', 429, 'rate_limited'],
    ['a missing scope', 403, 'scope_missing'],
    ['a body over the limit', 413, 'payload_too_large'],
    ['a wrong media type', 415, 'unsupported_media_type'],
    ['malformed JSON', 400, 'validation_error', 'body'],
    ['a used idempotency key', 409, 'idempotency_conflict'],
    ['a missing destination', 400, 'destination_missing', 'to_number'],
    ['a malformed caller ID', 400, 'validation_error', 'from_number'],
    ['a scripted refusal', 403, 'dnc_suppressed'],
    ['an unverified caller ID', 422, 'call_id_not_verified'],
  ];
  type Check = (typeof checks)[number];
  const usedKey = '6b0c6d3e-5f3c-4a55-9d0c-0d9b6b1f2a01';
  const keys = { good: 'svc_test_order', exhausted: '', scopeless: '', exhaustedAndScopeless: '' };

  beforeAll(async () => {
    const order = clientOf(sandbox.url, keys.good);
    const scopes = ['account:read'];
    keys.scopeless = (await makeKey({ scopes }, order)).api_key;
    keys.exhausted = (await makeKey({ requests_per_minute: 1 }, order)).api_key;
    keys.exhaustedAndScopeless = (await makeKey({ scopes, requests_per_minute: 1 }, order)).api_key;
    for (const key of [keys.exhausted, keys.exhaustedAndScopeless]) {
      expect((await wire.send({ path: '/v1/me', key })).status).toBe(200);
    }
    const first = await dial({}, { key: keys.good, headers: { 'Idempotency-Key': usedKey } });
    expect(first.status).toBe(202);
  });

  function flawed(flaws: readonly string[]): Outgoing {
    const has = (flaw: string): boolean => flaws.includes(flaw);
    const headers: Record<string, string> = {
      'Content-Type': has('a wrong media type') ? 'text/plain' : 'application/json',
    };
    if (has('a malformed control header')) headers['X-Sandbox-Delay'] = 'soon';
    if (has('X-Sandbox-Error')) headers['X-Sandbox-Error'] = 'no_consent';
    if (has('a used idempotency key')) headers['Idempotency-Key'] = usedKey;
    if (has('an unknown scenario')) headers['X-Sandbox-Scenario'] = 'no_such_scenario';
    else if (has('a scripted refusal') && has('a missing destination'))
      headers['X-Sandbox-Scenario'] = 'dnc_suppressed';
    const exhausted = has('a full rate window');
    const scopeless = has('a missing scope');
    const known = exhausted
      ? scopeless
        ? keys.exhaustedAndScopeless
        : keys.exhausted
      : scopeless
        ? keys.scopeless
        : keys.good;
    const malformedFrom = has('a malformed caller ID') ? '4155550190' : undefined;
    const fields = {
      from_number: malformedFrom ?? (has('an unverified caller ID') ? '+14155550193' : FROM),
      to_number: has('a missing destination') ? undefined : has('a scripted refusal') ? '+12125550111' : TO,
      note: has('a body over the limit') ? 'x'.repeat(256 * 1024) : 'other than the first',
    };
    return {
      method: has('a method that the path does not take') ? 'DELETE' : 'POST',
      path: has('an unknown path') ? '/v1/calls/dail/now' : '/v1/calls/dial',
      key: has('an unknown key') ? 'svc_nobody' : known,
      headers,
      body: has('malformed JSON') ? JSON.stringify(fields).slice(0, -1) : JSON.stringify(fields),
    };
  }

  function expectCheck(answer: Answer, [, status, code, field]: Check): void {
    expectError(answer, status, code);
    if (field !== undefined) expect(Object.keys(answer.body.error.fields), answer.text).toEqual([field]);
  }

  const pairs = checks.flatMap((earlier, at) =>
    checks
      .slice(at + 1)
      // Both are about the one from_number.
      .filter(([later]) => !(earlier[0] === 'a malformed caller ID' && later === 'an unverified caller ID'))
      .map((later) => [earlier[0], later[0], earlier] as const),
  );

  it.each(pairs)('%s answers before %s', async (earlier, later, check) => {
    expectCheck(await wire.send(flawed([earlier, later])), check);
  });

  it('peels off one check after the other, and dials when none is left', async () => {
    const flaws = checks.map(([flaw]) => flaw);
    for (const check of checks) {
      expectCheck(await wire.send(flawed(flaws)), check);
      flaws.shift();
    }
    expect((await wire.send(flawed([]))).status).toBe(202);
  });

  it('names the methods of the path in Allow when it answers 405', async () => {
    const answer = await wire.send(flawed(['a method that the path does not take']));
    expect(answer.headers.allow).toBe('POST');
  });
});

describe('the order of checks around an object', () => {
  const hipaa = 'svc_sandbox_hipaa';

  it.each([
    ['PATCH', `/v1/agents/${NOWHERE}`, { enabled: 'yes' }, 400, 'validation_error'],
    ['PATCH', `/v1/agents/${NOWHERE}`, { enabled: true }, 404, 'not_found'],
    ['POST', `/v1/caller-ids/${NOWHERE}/verify`, { verification_code: '' }, 400, 'validation_error'],
    ['POST', `/v1/caller-ids/${NOWHERE}/verify`, { verification_code: '1' }, 404, 'not_found'],
    ['GET', `/v1/calls/${NOWHERE}?expand=all`, undefined, 400, 'validation_error'],
    ['GET', `/v1/calls/${NOWHERE}`, undefined, 404, 'not_found'],
  ] as const)('%s %s, case %#: validation comes before the look-up', async (method, path, json, status, code) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    expectError(await wire.send({ method, path, headers: { ...JSON_TYPE }, body }), status, code);
  });

  it('validates before the rules of the operation, and those come last', async () => {
    const { data } = (await client.get('/v1/caller-ids')).body;
    const { caller_id_id } = data.find(({ status }: { status: string }) => status === 'REVOKED');
    const verify = (json: object): Promise<Answer> => client.post(`/v1/caller-ids/${caller_id_id}/verify`, json);
    expectError(await verify({}), 400, 'validation_error');
    expectError(await verify({ verification_code: '123456' }), 409, 'conflict');
  });

  it('answers 404 for an unknown call before the content policy, and the scope before both', async () => {
    const pinned = clientOf(sandbox.url, hipaa);
    const { api_key } = await makeKey({ scopes: ['calls:read'] }, pinned);
    const transcript = (id: string): string => `/v1/calls/${id}/transcript`;
    const [{ id }] = (await pinned.get('/v1/calls')).body.data;
    expectError(await pinned.get(transcript(id)), 403, 'content_policy_forbidden');
    expectError(await pinned.get(transcript(NOWHERE)), 404, 'not_found');
    expectError(await wire.send({ path: transcript(NOWHERE), key: api_key }), 403, 'scope_missing');
  });

  it('refuses a scenario of another kind before it looks at the body', async () => {
    const headers = { 'X-Sandbox-Scenario': 'busy' };
    const answer = await client.post('/v1/caller-ids', { phone_number: 'nonsense' }, headers);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
  });
});

describe('what fails before the choice', () => {
  it('consumes nothing of the active scenarios', async () => {
    const before = ['busy', 'no_answer'];
    await client.put('/_sandbox/active-scenarios/call', { use: before });
    expectError(await dial({}, { headers: { 'X-Sandbox-Error': 'no_consent' } }), 403, 'no_consent');
    expectError(await dial({}, { key: 'svc_sandbox_metadata' }), 403, 'scope_missing');
    expectError(await dial({}, { headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_media_type');
    expectError(await dial({ to_number: null }), 400, 'destination_missing');
    expectError(await dial({ from_number: null }), 400, 'validation_error');
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual(before);
    const answer = await dial();
    expect(answer.headers['x-sandbox-scenario']).toBe('busy');
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual(['no_answer']);
  });

  it('leaves the counters of a scripted refusal alone, which the refusal itself commits', async () => {
    const flaky = (rest: Partial<Outgoing> = {}): Promise<Answer> => dial({ to_number: '+12125550135' }, rest);
    expectError(await flaky(), 502, 'provider_api_error');
    expectError(await flaky({ headers: { 'X-Sandbox-Error': 'internal_error' } }), 500, 'internal_error');
    expectError(await flaky({ key: 'svc_sandbox_metadata' }), 403, 'scope_missing');
    expectError(await flaky(), 502, 'provider_api_error');
    expect((await flaky()).status).toBe(202);
  });
});

describe('authentication', () => {
  const me = (authorization?: string): Promise<Answer> =>
    wire.send({ path: '/v1/me', key: null, headers: authorization === undefined ? {} : { authorization } });
  const challengeOf = ({ headers }: Answer): string => headers['www-authenticate'] ?? '';

  it('challenges a request without credentials, naming no error', async () => {
    const answer = await me();
    expectError(answer, 401, 'unauthorized');
    expect(challengeOf(answer)).toBe('Bearer realm="voice-platform"');
  });

  it.each([
    ['an unknown key', 'Bearer svc_sandbox_nobody'],
    ['a revoked key', 'Bearer svc_sandbox_revoked'],
    ['a key that is not ours by its prefix', 'Bearer sk_live_1234'],
    ['a test key without a world', 'Bearer svc_test_'],
    ['a test key with a world in capitals', 'Bearer svc_test_UPPER'],
    ['a test key with a world of 41 characters', `Bearer svc_test_${'a'.repeat(41)}`],
  ])('%s is 401 with the error invalid_token', async (_, authorization) => {
    const answer = await me(authorization);
    expectError(answer, 401, 'unauthorized');
    expect(challengeOf(answer)).toBe('Bearer realm="voice-platform", error="invalid_token"');
  });

  it.each([
    ['the key alone', 'svc_sandbox_default'],
    ['the scheme alone', 'Bearer'],
    ['two keys', 'Bearer svc_sandbox_default svc_sandbox_default'],
    ['two keys with a comma', 'Bearer svc_sandbox_default,svc_sandbox_default'],
    ['the Bearer scheme inside another', 'Digest Bearer svc_sandbox_default'],
  ])('%s is 401 with a Bearer challenge', async (_, authorization) => {
    const answer = await me(authorization);
    expectError(answer, 401, 'unauthorized');
    expect(challengeOf(answer)).toMatch(/^Bearer realm="voice-platform"/);
  });

  it('names no error to a client that uses another scheme (RFC 6750, section 3.1)', async () => {
    const answer = await me(`Basic ${Buffer.from('svc_sandbox_default:').toString('base64')}`);
    expectError(answer, 401, 'unauthorized');
    expect(challengeOf(answer)).toBe('Bearer realm="voice-platform"');
  });

  it.each(['bearer', 'BEARER', 'Bearer'])('takes the scheme as "%s"', async (scheme) => {
    expect((await me(`${scheme} svc_sandbox_default`)).status).toBe(200);
  });

  it('refuses a key from the moment it is revoked', async () => {
    const { id, api_key } = await makeKey({});
    expect((await me(`Bearer ${api_key}`)).status).toBe(200);
    await client.delete(`/_sandbox/keys/${id}`);
    expectError(await me(`Bearer ${api_key}`), 401, 'unauthorized');
  });

  it('makes no world for a key that it refuses', async () => {
    await me('Bearer svc_test_UPPER');
    await wire.send({ path: '/v1/nowhere', key: 'svc_test_pipeline-unmade' });
    await wire.send({ method: 'PUT', path: '/v1/me', key: 'svc_test_pipeline-unmade' });
    const { data } = (await client.get('/_sandbox/worlds?page_size=1000')).body;
    const names = data.map(({ name }: { name: string }) => name);
    expect(names).toContain('default');
    expect(names).not.toContain('UPPER');
    expect(names).not.toContain('pipeline-unmade');
  });
});

describe('methods', () => {
  it.each([...methodsByPath])('%s takes its methods, and names them in Allow', async (path, methods) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await wire.send({ method, path });
      if (methods.includes(method)) {
        expect(answer.status, method).not.toBe(405);
      } else {
        expect(answer.status, method).toBe(405);
        expect(answer.headers.allow?.split(', ').sort(), method).toEqual([...methods].sort());
        if (method !== 'HEAD') expectError(answer, 405, 'method_not_allowed');
      }
    }
  });

  it('answers HEAD as GET, without the body', async () => {
    const get = await wire.send({ path: '/v1/account' });
    const head = await wire.send({ method: 'HEAD', path: '/v1/account' });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

describe('rate limit', () => {
  const read = (key: string): Promise<Answer> => wire.send({ path: '/v1/me', key });
  const left = ({ headers }: Answer): number => Number(headers['x-ratelimit-remaining']);

  it('shows the quota, what is left and the seconds to go on a first request', async () => {
    const before = Date.now();
    const { headers } = await read('svc_sandbox_default');
    const after = Date.now();
    expect(headers.ratelimit).toBe('"default";r=599;t=60');
    expect(headers['ratelimit-policy']).toBe('"default";q=600;w=60');
    expect(headers['x-ratelimit-limit']).toBe('600');
    expect(headers['x-ratelimit-remaining']).toBe('599');
    expect(headers['x-ratelimit-reset']).toMatch(/^\d{13}$/);
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(before + 60_000);
    expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(after + 60_000);
    expect(headers).not.toHaveProperty('retry-after');
  });

  it.each([
    ['svc_sandbox_default', 600],
    ['svc_sandbox_demo', 120],
  ])('%s has %i requests a minute, and the next is 429 rate_limited', async (key, quota) => {
    await clientOf(sandbox.url, key).post('/_sandbox/reset');
    const { headers: first } = await read(key);
    const others = await Promise.all(Array.from({ length: quota - 1 }, () => read(key)));
    expect(others.every(({ status }) => status === 200)).toBe(true);
    expect(Math.min(...others.map(left))).toBe(0);
    const refused = await read(key);
    expectError(refused, 429, 'rate_limited');
    expect(refused.body.error).not.toHaveProperty('category');
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers).toMatchObject({
      ratelimit: `"default";r=0;t=${seconds}`,
      'ratelimit-policy': `"default";q=${quota};w=60`,
      'x-ratelimit-limit': String(quota),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': first['x-ratelimit-reset'],
    });
  });

  it('refuses a dial without placing the call, and without a category, which calls placed at once have', async () => {
    const { api_key: key } = await makeKey({ requests_per_minute: 1 });
    expect((await dial({}, { key })).status).toBe(202);
    const refused = await dial({}, { key });
    expectError(refused, 429, 'rate_limited');
    expect(refused.body.error).not.toHaveProperty('category');
    expect((await sandbox.events()).map(({ event_type }) => event_type)).toEqual(['new_call']);
  });

  it.each([
    ['a success', 1, (key: string) => read(key)],
    ['a missing scope', 1, (key: string) => wire.send({ path: '/v1/agents', key })],
    [
      'an unknown scenario',
      1,
      (key: string) => wire.send({ path: '/v1/me', key, headers: { 'X-Sandbox-Scenario': 'no_such' } }),
    ],
    ['a validation error', 1, (key: string) => wire.send({ path: '/v1/me?x=1', key })],
    [
      'an injected error',
      1,
      (key: string) => wire.send({ path: '/v1/me', key, headers: { 'X-Sandbox-Error': 'no_consent' } }),
    ],
    ['an unknown path', 0, (key: string) => wire.send({ path: '/v1/them', key })],
    ['a wrong method', 0, (key: string) => wire.send({ method: 'DELETE', path: '/v1/me', key })],
    [
      'a malformed control header',
      0,
      (key: string) => wire.send({ path: '/v1/me', key, headers: { 'X-Sandbox-Error': 'x' } }),
    ],
    ['a control request', 0, (key: string) => wire.send({ path: '/_sandbox/clock', key })],
    ['another key', 0, () => read('svc_sandbox_default')],
    [
      'a preflight',
      0,
      (key: string) =>
        wire.send({
          method: 'OPTIONS',
          path: '/v1/me',
          key,
          headers: { Origin: 'http://a.example', 'Access-Control-Request-Method': 'GET' },
        }),
    ],
  ])('%s counts %i', async (_, counts, ask) => {
    const { api_key } = await makeKey({ scopes: ['account:read'], requests_per_minute: 100 });
    expect(left(await read(api_key))).toBe(99);
    await ask(api_key);
    expect(left(await read(api_key))).toBe(98 - counts);
  });

  it('is one quota of the key for all operations', async () => {
    const { api_key: key } = await makeKey({ requests_per_minute: 1000 });
    expect(left(await read(key))).toBe(999);
    for (const [index, { id, method, path }] of keyedOperations.entries()) {
      await wire.send({ method, path, key, headers: { ...JSON_TYPE }, body: '{}' });
      expect(left(await read(key)), id).toBe(999 - 2 * (index + 1));
    }
  });

  it('begins a new window when a minute of the world has passed, and not before', async () => {
    const { api_key } = await makeKey({ requests_per_minute: 2 });
    await read(api_key);
    await read(api_key);
    await sandbox.clock.advance('59999ms');
    expectError(await read(api_key), 429, 'rate_limited');
    await sandbox.clock.advance('1ms');
    const fresh = await read(api_key);
    expect(fresh.status).toBe(200);
    expect(fresh.headers.ratelimit).toBe('"default";r=1;t=60');
  });

  it('neither counts what it refuses nor prolongs the window by it', async () => {
    const { api_key } = await makeKey({ requests_per_minute: 1 });
    const { headers } = await read(api_key);
    await sandbox.clock.advance('30s');
    for (let refused = 0; refused < 5; refused++) {
      const answer = await read(api_key);
      expectError(answer, 429, 'rate_limited');
      expect(answer.headers['x-ratelimit-reset']).toBe(headers['x-ratelimit-reset']);
    }
    await sandbox.clock.advance('30s');
    expect((await read(api_key)).headers.ratelimit).toBe('"default";r=0;t=60');
  });

  it('is not ended by the time of an instant clock, which leaps', async () => {
    await client.post('/_sandbox/worlds', { name: 'pipeline-instant', clock: 'instant' });
    const key = 'svc_test_pipeline-instant';
    const headers = { 'X-Sandbox-Scenario': 'answered;talk=10m' };
    expect(left(await dial({}, { key, headers }))).toBe(599);
    expect(left(await dial({}, { key, headers }))).toBe(598);
    expect(left(await read(key))).toBe(597);
  });

  it('tells the real seconds until the window ends where the world is faster than the machine', async () => {
    await client.post('/_sandbox/worlds', { name: 'pipeline-fast', clock: '20x' });
    const before = Date.now();
    const { headers } = await read('svc_test_pipeline-fast');
    const after = Date.now();
    expect(headers.ratelimit).toBe('"default";r=599;t=3');
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(before + 3000);
    expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(after + 3000);
  });

  it('gives every full test key a window of its own, in one world', async () => {
    expect(left(await read('svc_test_pipeline-windows_a'))).toBe(599);
    expect(left(await read('svc_test_pipeline-windows_a'))).toBe(598);
    expect(left(await read('svc_test_pipeline-windows_b'))).toBe(599);
    expect(left(await read('svc_test_pipeline-windows'))).toBe(599);
  });

  it('stands in the headers of a success without a body, too', async () => {
    const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'new_call' };
    const { id } = (await client.post('/api/v1/webhook_subscriptions', subscription)).body;
    const answer = await client.delete(`/api/v1/webhook_subscriptions/${id}`);
    expect(answer.status).toBe(204);
    expect(answer.headers.ratelimit).toEqual(standing(598));
  });

  it.each(synchronousCodes)('%s shows the window and Retry-After if, and only if, it is 429', async (code) => {
    const answer = await dial({}, { headers: { 'X-Sandbox-Error': code } });
    const shown = [...RATE_HEADERS, 'retry-after'].filter((name) => name in answer.headers);
    if (answer.status === 429) {
      expect(shown).toEqual([...RATE_HEADERS, 'retry-after']);
      expect(answer.headers.ratelimit).toBe('"default";r=599;t=60');
      expect(answer.headers['retry-after']).toBe('1');
    } else {
      expect(shown).toEqual([]);
    }
  });

  it.each(['+12125550117', '+12125550122', '+12125550123'])(
    'stands as it is, with Retry-After 1, on the scripted 429 of %s',
    async (to_number) => {
      const answer = await dial({ to_number });
      expect(answer.status).toBe(429);
      expect(answer.headers.ratelimit).toBe('"default";r=599;t=60');
      expect(answer.headers['retry-after']).toBe('1');
    },
  );

  it('stands as it is, with Retry-After 1, on the 429 of a full capacity', async () => {
    const narrow = await createSandbox({ clock: 'manual', concurrentCalls: 1 });
    try {
      const caller = clientOf(narrow.url);
      await caller.call(TO);
      const refused = await caller.dial(TO);
      expectError(refused, 429, 'rate_limited');
      expect(refused.body.error.category).toBe('account_limit');
      expect(refused.headers.ratelimit).toEqual(standing(598));
      expect(refused.headers['retry-after']).toBe('1');
    } finally {
      await narrow.close();
    }
  });

  it('refuses nothing and shows a full quota where it is off', async () => {
    const open = await createSandbox({ clock: 'manual', rateLimit: 'off' });
    const free = wireTo(open.url);
    try {
      const { api_key: key } = await makeKey({ requests_per_minute: 2 }, clientOf(open.url));
      for (let time = 0; time < 4; time++) {
        const { status, headers } = await free.send({ path: '/v1/me', key });
        expect(status).toBe(200);
        expect(headers.ratelimit).toBe('"default";r=2;t=60');
        expect(headers['x-ratelimit-remaining']).toBe('2');
      }
    } finally {
      free.close();
      await open.close();
    }
  });
});

describe('the error envelope', () => {
  const inject = (code: string) => () => dial({}, { headers: { 'X-Sandbox-Error': code } });
  const kinds: readonly [kind: string, status: number, code: string, ask: () => Promise<Answer>, category?: string][] =
    [
      ['an unknown path', 404, 'not_found', () => client.get('/v1/nowhere')],
      ['an unknown path outside the platform', 404, 'not_found', () => client.get('/nowhere')],
      ['a path that cannot be decoded', 404, 'not_found', () => wire.send({ path: '/_sandbox/worlds/%zz' })],
      ['a wrong method', 405, 'method_not_allowed', () => client.delete('/v1/me')],
      ['a bad control header', 400, 'validation_error', () => client.get('/v1/me', { 'X-Sandbox-Delay': 'soon' })],
      ['no key', 401, 'unauthorized', () => wire.send({ path: '/v1/me', key: null })],
      ['a missing scope', 403, 'scope_missing', () => wire.send({ path: '/v1/me', key: 'svc_sandbox_webrtc' })],
      ['a large body', 413, 'payload_too_large', () => dial({ note: 'x'.repeat(256 * 1024) })],
      [
        'a wrong media type',
        415,
        'unsupported_media_type',
        () => dial({}, { headers: { 'Content-Type': 'text/xml' } }),
      ],
      ['malformed JSON', 400, 'validation_error', () => dial({}, { body: '{' })],
      ['a bad idempotency key', 400, 'validation_error', () => dial({}, { headers: { 'Idempotency-Key': 'x' } })],
      ['a bad field', 400, 'validation_error', () => client.post('/v1/caller-ids', { phone_number: 1 })],
      ['no destination', 400, 'destination_missing', () => dial({ to_number: '' }), 'invalid_request'],
      ['no dialable number', 400, 'destination_invalid', () => dial({ to_number: '+1' }), 'invalid_request'],
      ['an emergency number', 403, 'destination_blocked', () => dial({ to_number: '911' }), 'compliance_block'],
      ['a scripted refusal', 402, 'voice_usage_exhausted', () => dial({ to_number: '+12125550120' }), 'account_limit'],
      ['a provider error', 502, 'sip_gateway_failed', () => dial({ to_number: '+12125550132' }), 'provider_error'],
      [
        'an unverified caller ID',
        422,
        'call_id_not_verified',
        () => dial({ from_number: '+14155550193' }),
        'invalid_request',
      ],
      ['an inactive number', 409, 'no_active_number', () => dial({ from_number: '+14155550192' }), 'invalid_request'],
      ['an unknown object', 404, 'not_found', () => client.get(`/v1/calls/${NOWHERE}`)],
      ['a wrong state', 409, 'conflict', () => client.post('/v1/caller-ids', { phone_number: FROM })],
      ['a content policy', 403, 'content_policy_forbidden', inject('content_policy_forbidden')],
      ['an internal error', 500, 'internal_error', inject('internal_error'), 'provider_error'],
      ['an unknown control path', 404, 'not_found', () => client.get('/_sandbox/nowhere')],
      ['a wrong control method', 405, 'method_not_allowed', () => client.delete('/_sandbox/clock')],
      ['a bad control body', 400, 'validation_error', () => client.post('/_sandbox/keys', { scopes: ['all'] })],
      ['a control key', 401, 'unauthorized', () => wire.send({ path: '/_sandbox/clock', key: 'svc_nobody' })],
      ['a control conflict', 409, 'conflict', () => client.delete('/_sandbox/worlds/default')],
      [
        'a wait in vain',
        408,
        'timeout',
        () => wire.send({ path: '/_sandbox/wait?event_type=call_busy&timeout=50ms', patience: 2000 }),
      ],
      [
        'an idempotency conflict',
        409,
        'idempotency_conflict',
        async () => {
          const headers = { 'Idempotency-Key': 'b5f4c5a0-3a1c-4b44-8d44-4b8d7c6f0a11' };
          await dial({}, { headers });
          return dial({ note: 'other' }, { headers });
        },
      ],
      [
        'a full rate window',
        429,
        'rate_limited',
        async () => {
          const { api_key: key } = await makeKey({ requests_per_minute: 1 });
          await wire.send({ path: '/v1/me', key });
          return wire.send({ path: '/v1/me', key });
        },
      ],
      [
        'headers that are too large',
        431,
        'headers_too_large',
        async () =>
          answerIn(await exchange(sandbox.url, `GET /v1/me HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(9000)}\r\n\r\n`)),
      ],
    ];

  it.each(kinds)(
    'of %s is %i %s with message, hint and a page for its code',
    async (_, status, code, ask, category) => {
      const answer = await ask();
      expectError(answer, status, code);
      expect(answer.headers['content-type']).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
      expect(Object.keys(answer.body)).toEqual(['error']);
      const { error } = answer.body;
      expect(error.message).toMatch(/\w{2}/);
      expect(error.resolution_hint).toMatch(/\w{2}/);
      expect(error.category).toBe(category);
      const known = ['category', 'code', 'doc_url', 'fields', 'message', 'resolution_hint'];
      expect(Object.keys(error).filter((name) => !known.includes(name))).toEqual([]);
      for (const explanation of Object.values(error.fields ?? {})) expect(explanation).toMatch(/\w{2}/);
      expect(error.doc_url).toBe(`${sandbox.url}/docs/errors#${code}`);
      const page = await fetch(error.doc_url);
      expect(page.status).toBe(200);
      expect((await page.text()).includes(`id="${code}"`), `an anchor for ${code}`).toBe(true);
    },
  );

  it('names every wrong field of a body at once, nested names dotted', async () => {
    const answer = await client.post('/api/v1/webhook_subscriptions', { webhook_url: 7, event_type: 'NEW_CALL', x: 1 });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields).sort()).toEqual(['event_type', 'webhook_url', 'x']);
  });

  it('builds doc_url from the Host of the request', async () => {
    const answer = await wire.send({ path: '/v1/nowhere', headers: { Host: 'sandbox.internal:8080' } });
    expect(answer.body.error.doc_url).toBe('http://sandbox.internal:8080/docs/errors#not_found');
  });

  it('puts no hostile Host into doc_url', async () => {
    const answer = await wire.send({ path: '/v1/nowhere', headers: { Host: 'a/"><script>' } });
    expect(answer.body.error.doc_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors#not_found$/);
  });
});

describe('the response headers of the sandbox', () => {
  it('name version, request and world on every kind of answer', async () => {
    const answers = [
      await client.get('/v1/me'),
      await dial(),
      await client.get('/v1/nowhere'),
      await client.delete('/v1/me'),
      await client.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' }),
      await client.get(`/v1/calls/${NOWHERE}`),
    ];
    for (const { headers } of answers) {
      expect(headers['x-sandbox-version']).toBe(manifest.version);
      expect(headers['x-sandbox-world']).toBe('default');
    }
    const ids = answers.map(({ headers }) => headers['x-sandbox-request-id']);
    expect(new Set(ids).size).toBe(answers.length);
    const journaled = await sandbox.requests();
    expect(ids).toEqual(journaled.map(({ id }) => id));
  });

  it('lead from the answer to its entry in the journal', async () => {
    const { headers } = await dial();
    const entry = await client.get(`/_sandbox/requests/${headers['x-sandbox-request-id']}`);
    expect(entry.body.data).toMatchObject({
      method: 'POST',
      path: '/v1/calls/dial',
      operation: 'dialCall',
      status: 202,
    });
  });

  it('name version and request where no key was valid', async () => {
    const { headers } = await wire.send({ path: '/v1/me', key: 'svc_nobody' });
    expect(headers['x-sandbox-version']).toBe(manifest.version);
    expect(headers['x-sandbox-request-id']).toMatch(/^req_/);
  });

  it.each([
    ['svc_sandbox_other', 'other'],
    ['svc_sandbox_demo', 'demo'],
    ['svc_test_pipeline-worlds_x', 'pipeline-worlds'],
    ['svc_test_default', 'default'],
  ])('name the world of %s: %s', async (key, world) => {
    expect((await wire.send({ path: '/v1/me', key })).headers['x-sandbox-world']).toBe(world);
  });

  it('say once that a world was made anew after it had gone', async () => {
    const small = await createSandbox({ clock: 'manual', maxWorlds: 6 });
    const line = wireTo(small.url);
    const worldOf = async (key: string): Promise<string | undefined> =>
      (await line.send({ path: '/v1/me', key })).headers['x-sandbox-world'];
    try {
      expect(await worldOf('svc_test_first')).toBe('first');
      expect(await worldOf('svc_test_second')).toBe('second');
      expect(await worldOf('svc_test_first')).toBe('first;recreated');
      expect(await worldOf('svc_test_first')).toBe('first');
    } finally {
      line.close();
      await small.close();
    }
  });

  it('name the scenario where one was chosen, refusals included, and are silent where none was', async () => {
    const chosen = async (answer: Promise<Answer>): Promise<string | undefined> =>
      (await answer).headers['x-sandbox-scenario'];
    expect(await chosen(dial())).toBe('answered');
    expect(await chosen(dial({ to_number: '+12125550101' }))).toBe('busy');
    expect(await chosen(dial({ to_number: '+12125550111' }))).toBe('dnc_suppressed');
    expect(await chosen(dial({}, { headers: { 'X-Sandbox-Scenario': 'busy;ring=2s' } }))).toBe('busy');
    expect(await chosen(client.post('/v1/caller-ids', { phone_number: '+14155550150' }))).toBe('verification_call');
    expect(await chosen(client.get('/v1/calls', { 'X-Sandbox-Scenario': 'busy' }))).toBeUndefined();
    expect(await chosen(dial({ to_number: null }))).toBeUndefined();
  });

  it('name only assumptions that the ledger lists', async () => {
    const ledger = (await client.get('/_sandbox/assumptions')).body.data.map(({ name }: { name: string }) => name);
    const answer = await dial();
    const named = answer.headers['x-sandbox-assumptions']?.split(', ') ?? [];
    expect(named).toContain('dial_response_envelope');
    expect(named.filter((name) => !ledger.includes(name))).toEqual([]);
  });

  it.each([
    ['extra_error_codes', '405', () => client.delete('/v1/me')],
    ['extra_error_codes', '415', () => dial({}, { headers: { 'Content-Type': 'text/xml' } })],
    ['body_limits', '413', () => dial({ note: 'x'.repeat(256 * 1024) })],
    ['operation_scopes', '403 for want of a scope', () => dial({}, { key: 'svc_sandbox_webrtc' })],
    ['scope_missing_status', '403 for want of a scope', () => wire.send({ path: '/v1/me', key: 'svc_sandbox_webrtc' })],
    ['caller_id_states', '409 about a caller ID', () => client.post('/v1/caller-ids', { phone_number: FROM })],
    ['paging', '400 about page_size', () => client.get('/v1/calls?page_size=0')],
    ['idempotency', '400 about a key that is no UUID', () => dial({}, { headers: { 'Idempotency-Key': 'x' } })],
    ['unknown_body_fields', '400 about an unknown query parameter', () => client.get('/v1/calls?limit=1')],
    [
      'unknown_body_fields',
      '400 about an unknown field of a closed body',
      async () => {
        const [{ id }] = (await client.get('/v1/agents')).body.data;
        return client.patch(`/v1/agents/${id}`, { nickname: 'x' });
      },
    ],
  ] as const)('name the assumption %s on a %s, which rests on it', async (name, _, ask) => {
    const answer = await ask();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((answer.headers['x-sandbox-assumptions'] ?? '').split(', ')).toContain(name);
  });

  it.each([
    ['GET', '/v1/caller-ids', undefined],
    ['GET', '/v1/calls', undefined],
    ['POST', '/v1/calls/dial', { from_number: FROM, to_number: TO }],
    ['POST', '/v1/caller-ids', { phone_number: '+14155550187' }],
  ])('name operation_scopes on a success of %s %s, whose scope the specification does not show', async (...request) => {
    const [method, path, body] = request;
    const answer = await (method === 'GET' ? client.get(path) : client.post(path, body));
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers['x-sandbox-assumptions']?.split(', ')).toContain('operation_scopes');
  });

  it('name no operation_scopes where the specification shows the scope', async () => {
    const { headers } = await client.get('/v1/me');
    expect(headers['x-sandbox-assumptions']?.split(', ')).not.toContain('operation_scopes');
  });

  it('name idempotency on a replay and on a conflict, and on no first answer', async () => {
    const headers = { 'Idempotency-Key': '0a9d6d0e-3a40-4ad9-8e7b-3f5b8f0a6c11' };
    const named = ({ headers }: Answer): string[] => headers['x-sandbox-assumptions']?.split(', ') ?? [];
    const [first, replay] = [await dial({}, { headers }), await dial({}, { headers })];
    const conflict = await dial({ to_number: '+12125550101' }, { headers });
    expectError(conflict, 409, 'idempotency_conflict');
    expect(named(first)).not.toContain('idempotency');
    expect(named(replay)).toEqual([...named(first), 'idempotency']);
    expect(named(conflict)).toEqual(['idempotency']);
  });

  it('name no assumption on an error that the specification shows', async () => {
    const answer = await wire.send({ path: '/v1/me', key: null });
    expect(answer.headers).not.toHaveProperty('x-sandbox-assumptions');
  });
});

describe('strict', () => {
  let strict: Sandbox;
  let line: Wire;
  let strictClient: Client;
  beforeAll(async () => {
    strict = await createSandbox({ clock: 'manual', strict: 'on' });
    line = wireTo(strict.url);
    strictClient = clientOf(strict.url);
  });
  beforeEach(() => strict.reset());
  afterAll(async () => {
    line.close();
    await strict.close();
  });
  const sandboxHeaders = ({ headers }: Answer): string[] =>
    Object.keys(headers).filter((name) => /^x-sandbox-|^idempotency-replayed$/.test(name));
  const strictDial = (headers: Record<string, string> = {}, to_number = TO): Promise<Answer> =>
    line.send({
      method: 'POST',
      path: '/v1/calls/dial',
      body: dialBody({ to_number }),
      headers: { ...JSON_TYPE, ...headers },
    });

  it('takes the sandbox headers away from every platform answer', async () => {
    const key = { 'Idempotency-Key': 'c2a8f6b5-4f0f-4d0e-9d3c-3b6d1f4b7e21' };
    const answers = [
      await strictDial(key),
      await strictDial(key),
      await strictDial({}, '+12125550111'),
      await line.send({ path: '/v1/me' }),
      await line.send({ path: '/v1/me', key: null }),
      await line.send({ path: '/v1/nowhere' }),
      await line.send({ method: 'DELETE', path: '/v1/me' }),
      await line.send({ path: '/v1/calls?x=1' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 403, 200, 401, 404, 405, 400]);
    expect(answers.map(sandboxHeaders)).toEqual(answers.map(() => []));
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(answers[3]?.headers.ratelimit).toEqual(standing(596));
    for (const { headers } of answers) {
      const readable = headers['access-control-expose-headers'] ?? '';
      expect(readable).toContain('RateLimit-Policy');
      expect(readable).not.toMatch(/sandbox|idempotency/i);
    }
  });

  it.each([
    ['X-Sandbox-Error', 'no_consent'],
    ['X-Sandbox-Error', 'no_such_code'],
    ['X-Sandbox-Scenario', 'dnc_suppressed'],
    ['X-Sandbox-Scenario', 'no_such_scenario'],
    ['X-Sandbox-Delay', '60s'],
    ['X-Sandbox-Fault', 'reset'],
    ['X-Sandbox-World', 'other'],
    ['X-Sandbox-Nonsense', 'x'],
  ])('ignores %s: %s', async (name, value) => {
    expect((await strictDial({ [name]: value })).status).toBe(202);
    await strict.clock.untilIdle();
    expect((await strictClient.get('/v1/calls')).body.data[0]).toMatchObject({ status: 'COMPLETED', to_number: TO });
  });

  it('keeps magic numbers, active scenarios and the control API', async () => {
    expectError(await strictDial({}, '+12125550111'), 403, 'dnc_suppressed');
    expect((await strictClient.put('/_sandbox/active-scenarios/call', { use: 'busy' })).status).toBe(200);
    expect((await strictDial()).status).toBe(202);
    await strict.clock.untilIdle();
    expect((await strictClient.get('/v1/calls')).body.data[0].status).toBe('BUSY');
    expect((await strict.requests()).at(-1)).toMatchObject({ operation: 'listCalls', status: 200 });
  });
});

describe('browsers', () => {
  const origin = { Origin: 'https://app.example.com' };
  const preflight = (path: string, method = 'POST', more: Record<string, string> = {}): Promise<Answer> =>
    wire.send({
      method: 'OPTIONS',
      path,
      key: null,
      headers: { ...origin, 'Access-Control-Request-Method': method, ...more },
    });
  const list = (value: string | undefined): string[] => (value ?? '').toLowerCase().split(/\s*,\s*/);

  it.each(['/v1/calls/dial', '/v1/agents/x', '/api/v1/webhook_subscriptions', '/v1/nowhere'])(
    'get 204 for a preflight of %s, before all checks',
    async (path) => {
      const answer = await preflight(path, 'POST', { 'X-Sandbox-Nonsense': 'x', 'Idempotency-Key': 'x' });
      expect(answer.status).toBe(204);
      expect(answer.text).toBe('');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    },
  );

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('may send %s', async (method) => {
    expect(list((await preflight('/v1/calls', method)).headers['access-control-allow-methods'])).toContain(
      method.toLowerCase(),
    );
  });

  it('may send the key, a body, an idempotency key and the control headers, whether they ask by name or not', async () => {
    const wanted = [
      'authorization',
      'content-type',
      'idempotency-key',
      'x-sandbox-scenario',
      'x-sandbox-error',
      'x-sandbox-delay',
      'x-sandbox-fault',
    ];
    const asking = await preflight('/v1/calls/dial', 'POST', { 'Access-Control-Request-Headers': wanted.join(',') });
    expect(list(asking.headers['access-control-allow-headers'])).toEqual(expect.arrayContaining(wanted));
    const notAsking = await preflight('/v1/calls/dial');
    expect(list(notAsking.headers['access-control-allow-headers'])).toEqual(expect.arrayContaining(wanted));
  });

  it.each([
    ['200', () => client.get('/v1/me', origin)],
    ['202', () => dial({}, { headers: origin })],
    ['400', () => client.get('/v1/me?x=1', origin)],
    ['400 control header', () => client.get('/v1/me', { ...origin, 'X-Sandbox-Error': 'x' })],
    ['401', () => wire.send({ path: '/v1/me', key: null, headers: origin })],
    ['403', () => wire.send({ path: '/v1/me', key: 'svc_sandbox_webrtc', headers: origin })],
    ['404', () => client.get('/v1/nowhere', origin)],
    ['405', () => client.delete('/v1/me', origin)],
    ['429', () => client.get('/v1/me', { ...origin, 'X-Sandbox-Error': 'rate_limited' })],
    ['500', () => client.get('/v1/me', { ...origin, 'X-Sandbox-Error': 'internal_error' })],
  ] as const)('may read a %s and every rate-limit and sandbox header on it', async (status, ask) => {
    const { headers, status: answered } = await ask();
    expect(String(answered)).toBe(status.slice(0, 3));
    expect(headers['access-control-allow-origin']).toBe('*');
    const readable = list(headers['access-control-expose-headers']);
    const own = Object.keys(headers).filter((name) => /^(x-)?ratelimit|^x-sandbox-|^retry-after$/.test(name));
    expect(own.filter((name) => !readable.includes(name))).toEqual([]);
    expect(readable).toEqual(
      expect.arrayContaining([
        ...RATE_HEADERS,
        'retry-after',
        'x-sandbox-version',
        'x-sandbox-request-id',
        'x-sandbox-world',
        'x-sandbox-scenario',
        'x-sandbox-assumptions',
        'idempotency-replayed',
      ]),
    );
  });

  it('have no leave on the control API', async () => {
    const answers = [
      await preflight('/_sandbox/reset'),
      await preflight('/_sandbox/health', 'GET'),
      await client.get('/_sandbox/clock', origin),
      await client.get('/_sandbox/health', origin),
      await client.get('/_sandbox/nowhere', origin),
    ];
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(answers[0]?.status).toBeGreaterThanOrEqual(400);
  });

  it('are told apart from a plain OPTIONS, which is 405', async () => {
    const answer = await wire.send({ method: 'OPTIONS', path: '/v1/calls', headers: origin });
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });
});

describe('X-Sandbox-Error', () => {
  /** `spec.md` "Errors": status, and the category that the code has on a dial. */
  const table: readonly [code: string, status: number, category?: string][] = [
    ['destination_missing', 400, 'invalid_request'],
    ['destination_invalid', 400, 'invalid_request'],
    ['no_active_number', 409, 'invalid_request'],
    ['call_id_not_verified', 422, 'invalid_request'],
    ['destination_blocked', 403, 'compliance_block'],
    ['dnc_suppressed', 403, 'compliance_block'],
    ['recipient_opted_out', 403, 'compliance_block'],
    ['contact_automation_paused', 403, 'compliance_block'],
    ['no_consent', 403, 'compliance_block'],
    ['outside_call_window', 403, 'compliance_block'],
    ['day_not_allowed', 403, 'compliance_block'],
    ['frequency_exceeded', 429, 'compliance_block'],
    ['texting_not_ready', 403],
    ['content_policy_forbidden', 403],
    ['voice_usage_exhausted', 402, 'account_limit'],
    ['no_active_subscription', 402, 'account_limit'],
    ['no_number_available', 429, 'account_limit'],
    ['rate_limited', 429, 'account_limit'],
    ['room_creation_failed', 502, 'provider_error'],
    ['agent_dispatch_failed', 502, 'provider_error'],
    ['sip_gateway_failed', 502, 'provider_error'],
    ['provider_api_error', 502, 'provider_error'],
    ['internal_error', 500, 'provider_error'],
    ['validation_error', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['idempotency_conflict', 409],
    ['scope_missing', 403],
  ];

  it('takes the 29 codes that are answered synchronously', () => {
    expect(table).toHaveLength(29);
    expect([...synchronousCodes].sort()).toEqual(table.map(([code]) => code).sort());
  });

  it.each(table)('%s is %i on a dial, with the category of a call, and places none', async (code, status, category) => {
    const before = await callsMade();
    const answer = await dial({}, { headers: { 'X-Sandbox-Error': code } });
    expectError(answer, status, code);
    expect(answer.body.error.category).toBe(category);
    expect(answer.headers).not.toHaveProperty('x-sandbox-scenario');
    expect(await callsMade()).toBe(before);
    expect(await sandbox.events()).toEqual([]);
  });

  it.each(table)('%s is %i on a GET, without a category', async (code, status) => {
    const answer = await client.get('/v1/account', { 'X-Sandbox-Error': code });
    expectError(answer, status, code);
    expect(answer.body.error).not.toHaveProperty('category');
  });

  it.each(['destination_missing', 'destination_invalid'])(
    '%s carries fields.to_number, as a dial does',
    async (code) => {
      const answer = await dial({}, { headers: { 'X-Sandbox-Error': code } });
      expect(Object.keys(answer.body.error.fields)).toEqual(['to_number']);
    },
  );

  it('texting_not_ready carries the reason and the registration status', async () => {
    const answer = await client.get('/v1/account', { 'X-Sandbox-Error': 'texting_not_ready' });
    const { reason, registration_status } = answer.body.error.fields;
    expect([
      'a2p_registration_required',
      'a2p_registration_pending',
      'a2p_registration_rejected',
      'no_sender',
    ]).toContain(reason);
    expect(['none', 'pending', 'rejected']).toContain(registration_status);
  });

  it('validation_error carries fields', async () => {
    const answer = await client.get('/v1/account', { 'X-Sandbox-Error': 'validation_error' });
    expect(Object.keys(answer.body.error.fields)).not.toHaveLength(0);
  });

  it('unauthorized and scope_missing carry their challenges', async () => {
    const challengeFor = async (code: string): Promise<string | undefined> =>
      (await client.get('/v1/account', { 'X-Sandbox-Error': code })).headers['www-authenticate'];
    expect(await challengeFor('unauthorized')).toBe('Bearer realm="voice-platform", error="invalid_token"');
    expect(await challengeFor('scope_missing')).toBe(
      'Bearer realm="voice-platform", error="insufficient_scope", scope="account:read"',
    );
  });

  it('changes nothing on the operations that would write', async () => {
    const agents = (await client.get('/v1/agents')).text;
    const callerIds = (await client.get('/v1/caller-ids')).text;
    const [{ id }] = (await client.get('/v1/agents')).body.data;
    const [{ caller_id_id }] = (await client.get('/v1/caller-ids')).body.data;
    const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'new_call' };
    const { id: subscriptionId } = (await client.post('/api/v1/webhook_subscriptions', subscription)).body;
    const error = { 'X-Sandbox-Error': 'provider_api_error' };
    const writes = [
      await client.patch(`/v1/agents/${id}`, { name: 'changed' }, error),
      await client.post('/v1/caller-ids', { phone_number: '+14155550150' }, error),
      await client.delete(`/v1/caller-ids/${caller_id_id}`, error),
      await client.post('/api/v1/webhook_subscriptions', subscription, error),
      await client.delete(`/api/v1/webhook_subscriptions/${subscriptionId}`, error),
    ];
    for (const answer of writes) expectError(answer, 502, 'provider_api_error');
    expect((await client.get('/v1/agents')).text).toBe(agents);
    expect((await client.get('/v1/caller-ids')).text).toBe(callerIds);
    const { data } = (await client.get('/api/v1/webhook_subscriptions')).body;
    expect(data.map((each: { id: string }) => each.id)).toEqual([subscriptionId]);
  });
});

describe('X-Sandbox-Delay', () => {
  it('answers that much later on real time, after the effect, and the world stands still meanwhile', async () => {
    const before = await callsMade();
    const began = performance.now();
    let answered = false;
    const delayed = dial({}, { headers: { 'X-Sandbox-Delay': '300ms' } }).finally(() => {
      answered = true;
    });
    while ((await callsMade()) === before && performance.now() - began < 250) await Promise.resolve();
    expect(answered).toBe(false);
    expect(await callsMade()).toBe(before + 1);
    expect((await delayed).status).toBe(202);
    expect(performance.now() - began).toBeGreaterThanOrEqual(299);
    expect(performance.now() - began).toBeLessThan(stretched(1500));
    expect(await sandbox.clock.now()).toBe('2026-01-05T15:00:00.000Z');
  });

  it('delays an error as well', async () => {
    const began = performance.now();
    const answer = await client.get('/v1/me', { 'X-Sandbox-Delay': '0.15s', 'X-Sandbox-Error': 'internal_error' });
    expectError(answer, 500, 'internal_error');
    expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  });

  it('holds up no other request', async () => {
    const order: string[] = [];
    const slow = client.get('/v1/me', { 'X-Sandbox-Delay': '400ms' }).then(() => order.push('delayed'));
    await client.get('/v1/me').then(() => order.push('not delayed'));
    await slow;
    expect(order).toEqual(['not delayed', 'delayed']);
  });
});

describe('X-Sandbox-Fault', () => {
  const key = '0f8f6a3e-9a35-4e0b-8b07-5d4f2c0b9a31';
  function dialBytes(headers: Record<string, string>): string {
    const body = dialBody();
    const lines = Object.entries({
      Host: new URL(sandbox.url).host,
      Authorization: 'Bearer svc_sandbox_default',
      ...JSON_TYPE,
      'Content-Length': String(body.length),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    return ['POST /v1/calls/dial HTTP/1.1', ...lines, '', body].join('\r\n');
  }
  const broken = (fault: string, more: Record<string, string> = {}, patience?: number) =>
    exchange(sandbox.url, dialBytes({ 'X-Sandbox-Fault': fault, ...more }), patience);

  /** What the connection looks like from the client's side. */
  const forms: Record<string, (fault: string) => Promise<void>> = {
    async reset(fault) {
      expect(await broken(fault, { 'Idempotency-Key': key })).toMatchObject({ text: '', outcome: 'reset' });
    },
    async empty(fault) {
      expect(await broken(fault, { 'Idempotency-Key': key })).toMatchObject({ text: '', outcome: 'ended' });
    },
    async truncate(fault) {
      const got = await broken(fault, { 'Idempotency-Key': key });
      expect(got.outcome).not.toBe('open');
      const { headers, text } = answerIn(got);
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThan(Number(headers['content-length']));
    },
    async timeout(fault) {
      expect(await broken(fault, { 'Idempotency-Key': key }, 300)).toMatchObject({ text: '', outcome: 'open' });
    },
  };

  describe.each(Object.keys(forms))('%s', (fault) => {
    const breaks = forms[fault] as (fault: string) => Promise<void>;

    it.each([fault, `${fault};when=after`])(
      '%s breaks the connection after the effect; the answer is stored',
      async (value) => {
        const before = await callsMade();
        await breaks(value);
        expect(await callsMade()).toBe(before + 1);
        expect((await sandbox.events()).map(({ event_type }) => event_type)).toEqual(['new_call']);
        const retried = await dial({}, { headers: { 'Idempotency-Key': key } });
        expect(retried.status).toBe(202);
        expect(retried.headers['idempotency-replayed']).toBe('true');
        expect((await client.get('/v1/calls')).body.data[0].id).toBe(retried.body.call_id);
        expect(await callsMade()).toBe(before + 1);
      },
    );

    it(`${fault};when=before breaks it first and changes nothing`, async () => {
      const before = await callsMade();
      await breaks(`${fault};when=before`);
      expect(await callsMade()).toBe(before);
      expect(await sandbox.events()).toEqual([]);
      const retried = await dial({}, { headers: { 'Idempotency-Key': key } });
      expect(retried.status).toBe(202);
      expect(retried.headers).not.toHaveProperty('idempotency-replayed');
      expect(await callsMade()).toBe(before + 1);
    });
  });

  it('truncate sends the status and headers of the answer', async () => {
    const got = answerIn(await broken('truncate'));
    expect(got.status).toBe(202);
    expect(got.headers['content-type']).toBe('application/json');
    expect(got.text).toMatch(/^\{"call_id":"/);
  });

  it('is written to the journal with the answer that was lost', async () => {
    await broken('reset');
    expect((await sandbox.requests()).at(-1)).toMatchObject({ status: 202, fault: 'reset;when=after' });
  });

  it('breaks the answer of a refusal as well', async () => {
    expect(await broken('empty', { 'X-Sandbox-Error': 'no_consent' })).toMatchObject({ text: '', outcome: 'ended' });
    expect((await sandbox.requests()).at(-1)).toMatchObject({ status: 403, error_code: 'no_consent' });
  });

  it.each([
    // Read in one go with the answer before it, a reset looks like an end.
    ['reset', [200], /reset|ended/],
    ['empty', [200], /ended/],
    ['truncate', [200, 202], /ended/],
    ['timeout', [200], /open/],
    ['reset;when=before', [200], /reset|ended/],
  ])('%s comes after the answers to what came before it on the connection', async (fault, statuses, outcome) => {
    const head = [`Host: ${new URL(sandbox.url).host}`, 'Authorization: Bearer svc_sandbox_default'];
    const slow = ['GET /v1/me HTTP/1.1', ...head, 'X-Sandbox-Delay: 200ms', '', ''].join('\r\n');
    const next = ['GET /v1/me HTTP/1.1', ...head, '', ''].join('\r\n');
    const got = await exchange(sandbox.url, slow + dialBytes({ 'X-Sandbox-Fault': fault }) + next, 1000);
    expect(got.statuses).toEqual(statuses);
    expect(got.outcome).toMatch(outcome);
  });

  it.each(['reset', 'empty', 'reset;when=before'])('%s comes after the delay', async (fault) => {
    const began = performance.now();
    const { text, outcome } = await broken(fault, { 'X-Sandbox-Delay': '200ms' });
    expect(text).toBe('');
    expect(outcome).toBe(fault === 'empty' ? 'ended' : 'reset');
    expect(performance.now() - began).toBeGreaterThanOrEqual(199);
    expect(performance.now() - began).toBeLessThan(stretched(1500));
  });
});

describe('control headers that are wrong', () => {
  const headerNames = [
    'X-Sandbox-Scenario',
    'X-Sandbox-Error',
    'X-Sandbox-Delay',
    'X-Sandbox-Fault',
    'X-Sandbox-World',
  ];
  const durations = ['60s', 'ms'];
  const faults = ['reset', 'empty', 'truncate', 'timeout', 'when=before'];
  const calls = ['answered', 'busy', 'no_answer', 'voicemail', 'dnc_suppressed', 'flaky_provider'];
  const wrong: readonly [header: string, value: string, lists: readonly string[], nearest?: string][] = [
    ['X-Sandbox-Scenaro', 'busy', headerNames, 'X-Sandbox-Scenario'],
    ['X-Sandbox-Eror', 'no_consent', headerNames, 'X-Sandbox-Error'],
    ['x-sandbox-delays', '1s', headerNames, 'X-Sandbox-Delay'],
    ['X-Sandbox-Faults', 'reset', headerNames, 'X-Sandbox-Fault'],
    ['X-Sandbox-Version', '1', headerNames],
    ['X-Sandbox-', '1', headerNames],
    ['X-Sandbox-Error', 'no_consnt', synchronousCodes, 'no_consent'],
    ['X-Sandbox-Error', 'NO_CONSENT', synchronousCodes],
    ['X-Sandbox-Error', 'busy', synchronousCodes],
    ['X-Sandbox-Error', 'voicemail_reached', synchronousCodes],
    ['X-Sandbox-Error', 'conflict', synchronousCodes],
    ['X-Sandbox-Error', '', synchronousCodes],
    ['X-Sandbox-Delay', '2', durations],
    ['X-Sandbox-Delay', '61s', durations],
    ['X-Sandbox-Delay', '2m', durations],
    ['X-Sandbox-Delay', '-1s', durations],
    ['X-Sandbox-Delay', '1 s', durations],
    ['X-Sandbox-Delay', '', durations],
    ['X-Sandbox-Fault', 'rest', faults, 'reset'],
    ['X-Sandbox-Fault', 'truncated', faults, 'truncate'],
    ['X-Sandbox-Fault', 'reset;when=later', faults],
    ['X-Sandbox-Fault', 'reset;before', faults],
    ['X-Sandbox-Fault', 'reset;when=before;when=after', faults],
    ['X-Sandbox-Fault', '', faults],
    ['X-Sandbox-Scenario', 'buzy', calls, 'busy'],
    ['X-Sandbox-Scenario', 'Busy', [], 'busy'],
    ['X-Sandbox-Scenario', 'answered;rings=2s', ['ring', 'talk'], 'ring'],
    ['X-Sandbox-Scenario', 'answered;ring=soon', ['ms', 's', 'm', 'h', 'd']],
    ['X-Sandbox-Scenario', 'answered;ring', ['name;parameter=value']],
    ['X-Sandbox-Scenario', 'answered;ring=1s;ring=2s', ['ring']],
    ['X-Sandbox-Scenario', '', []],
    ['X-Sandbox-Scenario', 'verification_call', ['caller_id', 'call']],
    ['X-Sandbox-World', 'other', ['control']],
  ];

  it.each(wrong)('%s: %j is 400, names the header and says what is allowed', async (header, value, lists, nearest) => {
    const answer = await dial({}, { headers: { [header]: value } });
    expectError(answer, 400, 'validation_error');
    const [[field, explanation] = ['', '']] = Object.entries<string>(answer.body.error.fields);
    expect(field).toBe(header);
    expect(lists.filter((each) => !explanation.includes(each))).toEqual([]);
    if (nearest !== undefined) expect(explanation).toMatch(new RegExp(`mean "?\`?${nearest}\\b`));
    expect(await sandbox.events()).toEqual([]);
  });

  it('lists every scenario of the kind that the request sets going, and none of another', async () => {
    const { data } = (await client.get('/_sandbox/scenarios?page_size=1000')).body;
    const answer = await dial({}, { headers: { 'X-Sandbox-Scenario': 'zzz' } });
    const [listed = ''] = /one of ([\w, ]+)/.exec(answer.body.error.fields['X-Sandbox-Scenario'])?.slice(1) ?? [];
    const names = data
      .filter(({ kind }: { kind: string }) => kind === 'call')
      .map(({ name }: { name: string }) => name);
    expect(names.length).toBeGreaterThan(25);
    expect(listed.split(', ').sort()).toEqual(names.sort());
  });

  it('knows the scenarios that the world has laid over the library', async () => {
    const headers = { 'X-Sandbox-Scenario': 'pipeline_own' };
    expectError(await dial({}, { headers }), 400, 'validation_error');
    const own = { kind: 'call', summary: 'Busy by another name.', extends: 'busy' };
    expect((await client.put('/_sandbox/scenarios/pipeline_own', own)).status).toBe(201);
    expect((await dial({}, { headers })).status).toBe(202);
    await client.delete('/_sandbox/scenarios/pipeline_own');
    expectError(await dial({}, { headers }), 400, 'validation_error');
  });

  it('are named as they were spelt on the control API, too', async () => {
    const answer = await client.get('/_sandbox/clock', { 'x-sandBOX-Eror': 'no_consent' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['x-sandBOX-Eror']);
  });

  it('are the same whatever the case of their names', async () => {
    expectError(await dial({}, { headers: { 'x-SANDBOX-error': 'no_consent' } }), 403, 'no_consent');
  });

  it('never fall back silently on a request that sets nothing going', async () => {
    expectError(await client.get('/v1/calls', { 'X-Sandbox-Delay': '61s' }), 400, 'validation_error');
    expectError(await client.get('/v1/calls', { 'X-Sandbox-Eror': 'not_found' }), 400, 'validation_error');
    expectError(await client.get('/v1/calls', { 'X-Sandbox-Scenario': 'busy;' }), 400, 'validation_error');
  });

  it('leave a well-formed scenario out of account where nothing is set going', async () => {
    const headers = { 'X-Sandbox-Scenario': 'busy;ring=2s' };
    const id = await client.call(TO);
    const [{ id: agent }] = (await client.get('/v1/agents')).body.data;
    for (const answer of [
      await client.get('/v1/calls', headers),
      await client.patch(`/v1/agents/${agent}`, { name: 'Front desk' }, headers),
      await client.post(`/v1/calls/${id}/hangup`, undefined, headers),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('x-sandbox-scenario');
    }
  });
});
