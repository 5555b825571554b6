// The order in which a request is checked: `interface.md` section 3.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, clientOf, expectError, FROM, NOWHERE } from '../support/client.ts';
import { sample } from '../support/thorough.ts';
import { JSON_TYPE, type Outgoing } from '../support/wire.ts';
import { BODY_LIMIT, TO, usePlatform } from './setup.ts';

const { sandbox, client, wire, dial, createKey } = usePlatform();

describe('the order of checks of a dial', () => {
  /** In the promised order: a flaw of a dial, and the error that it causes. */
  const checks: readonly [flaw: string, status: number, code: string, field?: string][] = [
    ['an unknown path', 404, 'not_found'],
    ['an unsupported method', 405, 'method_not_allowed'],
    ['a malformed control header', 400, 'validation_error', 'X-Sandbox-Delay'],
    ['an unknown key', 401, 'unauthorized'],
    ['an unknown scenario', 400, 'validation_error', 'X-Sandbox-Scenario'],
    ['X-Sandbox-Error', 403, 'no_consent'],
    ['an exhausted rate window', 429, 'rate_limited'],
    ['a missing scope', 403, 'scope_missing'],
    ['a body over the limit', 413, 'payload_too_large'],
    ['a wrong media type', 415, 'unsupported_media_type'],
    ['malformed JSON', 400, 'validation_error', 'body'],
    ['a reused idempotency key', 409, 'idempotency_conflict'],
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
    keys.scopeless = (await createKey({ scopes }, order)).api_key;
    keys.exhausted = (await createKey({ requests_per_minute: 1 }, order)).api_key;
    keys.exhaustedAndScopeless = (await createKey({ scopes, requests_per_minute: 1 }, order)).api_key;
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
    if (has('a reused idempotency key')) headers['Idempotency-Key'] = usedKey;
    if (has('an unknown scenario')) headers['X-Sandbox-Scenario'] = 'no_such_scenario';
    else if (has('a scripted refusal') && has('a missing destination'))
      headers['X-Sandbox-Scenario'] = 'dnc_suppressed';
    const exhausted = has('an exhausted rate window');
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
      note: has('a body over the limit') ? 'x'.repeat(BODY_LIMIT) : 'other than the first',
    };
    return {
      method: has('an unsupported method') ? 'DELETE' : 'POST',
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
      // Both would need the one from_number.
      .filter(([later]) => !(earlier[0] === 'a malformed caller ID' && later === 'an unverified caller ID'))
      .map((later) => [earlier[0], later[0], earlier] as const),
  );

  it.each(sample(pairs))('%s is reported before %s', async (earlier, later, check) => {
    expectCheck(await wire.send(flawed([earlier, later])), check);
  });

  it('every check fails in its turn, and the dial succeeds when no flaw is left', async () => {
    const flaws = checks.map(([flaw]) => flaw);
    for (const check of checks) {
      expectCheck(await wire.send(flawed(flaws)), check);
      flaws.shift();
    }
    expect((await wire.send(flawed([]))).status).toBe(202);
  });

  it('a 405 lists the methods of the path in Allow', async () => {
    const answer = await wire.send(flawed(['an unsupported method']));
    expect(answer.headers.allow).toBe('POST');
  });
});

describe('the order of checks of an operation on a record', () => {
  const hipaa = 'svc_sandbox_hipaa';

  it.each([
    ['PATCH', `/v1/agents/${NOWHERE}`, { enabled: 'yes' }, 400, 'validation_error'],
    ['PATCH', `/v1/agents/${NOWHERE}`, { enabled: true }, 404, 'not_found'],
    ['POST', `/v1/caller-ids/${NOWHERE}/verify`, { verification_code: '' }, 400, 'validation_error'],
    ['POST', `/v1/caller-ids/${NOWHERE}/verify`, { verification_code: '1' }, 404, 'not_found'],
    ['GET', `/v1/calls/${NOWHERE}?expand=all`, undefined, 400, 'validation_error'],
    ['GET', `/v1/calls/${NOWHERE}`, undefined, 404, 'not_found'],
  ] as const)('%s %s, case %#: validation comes before the lookup', async (method, path, json, status, code) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    expectError(await wire.send({ method, path, headers: { ...JSON_TYPE }, body }), status, code);
  });

  it('validation comes before the rules of the operation', async () => {
    const { data } = (await client.get('/v1/caller-ids')).body;
    const { caller_id_id } = data.find(({ status }: { status: string }) => status === 'REVOKED');
    const verify = (json: object): Promise<Answer> => client.post(`/v1/caller-ids/${caller_id_id}/verify`, json);
    expectError(await verify({}), 400, 'validation_error');
    expectError(await verify({ verification_code: '123456' }), 409, 'conflict');
  });

  it('the scope is checked first, then whether the call exists, then the content policy', async () => {
    const pinned = clientOf(sandbox.url, hipaa);
    const { api_key } = await createKey({ scopes: ['calls:read'] }, pinned);
    const transcript = (id: string): string => `/v1/calls/${id}/transcript`;
    const [{ id }] = (await pinned.get('/v1/calls')).body.data;
    expectError(await pinned.get(transcript(id)), 403, 'content_policy_forbidden');
    expectError(await pinned.get(transcript(NOWHERE)), 404, 'not_found');
    expectError(await wire.send({ path: transcript(NOWHERE), key: api_key }), 403, 'scope_missing');
  });

  it('a scenario of another kind is refused before the body is validated', async () => {
    const headers = { 'X-Sandbox-Scenario': 'busy' };
    const answer = await client.post('/v1/caller-ids', { phone_number: 'nonsense' }, headers);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
  });
});

describe('a request that fails before a scenario is chosen', () => {
  it('uses up none of the active scenarios', async () => {
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

  it('does not advance the counter of a flaky scenario, which a scripted refusal does', async () => {
    const flaky = (rest: Partial<Outgoing> = {}): Promise<Answer> => dial({ to_number: '+12125550135' }, rest);
    expectError(await flaky(), 502, 'provider_api_error');
    expectError(await flaky({ headers: { 'X-Sandbox-Error': 'internal_error' } }), 500, 'internal_error');
    expectError(await flaky({ key: 'svc_sandbox_metadata' }), 403, 'scope_missing');
    expectError(await flaky(), 502, 'provider_api_error');
    expect((await flaky()).status).toBe(202);
  });
});
