// The `X-Sandbox-…` headers of a response: `interface.md` section 3.
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { createSandbox } from '../../src/index.ts';
import { type Answer, expectError, FROM, NOWHERE } from '../support/client.ts';
import { wireTo } from '../support/wire.ts';
import { BODY_LIMIT, TO, usePlatform } from './setup.ts';

const { sandbox, client, wire, dial } = usePlatform();

describe('the response headers of the sandbox', () => {
  it('name version, request and world on every kind of response', async () => {
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

  it('identify the journal entry of the request', async () => {
    const { headers } = await dial();
    const entry = await client.get(`/_sandbox/requests/${headers['x-sandbox-request-id']}`);
    expect(entry.body.data).toMatchObject({
      method: 'POST',
      path: '/v1/calls/dial',
      operation: 'dialCall',
      status: 202,
    });
  });

  it('name version and request without a valid key', async () => {
    const { headers } = await wire.send({ path: '/v1/me', key: 'svc_nobody' });
    expect(headers['x-sandbox-version']).toBe(manifest.version);
    expect(headers['x-sandbox-request-id']).toMatch(/^req_/);
  });

  it.each([
    ['svc_sandbox_other', 'other'],
    ['svc_sandbox_demo', 'demo'],
    ['svc_test_http-worlds.x', 'http-worlds'],
    ['svc_test_default', 'default'],
  ])('name the world of %s as %s', async (key, world) => {
    expect((await wire.send({ path: '/v1/me', key })).headers['x-sandbox-world']).toBe(world);
  });

  it('mark a recreated world once', async () => {
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

  it('name the chosen scenario, also on a refusal, and no scenario when none was chosen', async () => {
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
    ['body_limits', '413', () => dial({ note: 'x'.repeat(BODY_LIMIT) })],
    ['operation_scopes', '403 for a missing scope', () => dial({}, { key: 'svc_sandbox_webrtc' })],
    ['scope_missing_status', '403 for a missing scope', () => wire.send({ path: '/v1/me', key: 'svc_sandbox_webrtc' })],
    ['repeated_caller_id', '409 about a caller ID', () => client.post('/v1/caller-ids', { phone_number: FROM })],
    ['paging', '400 about page_size', () => client.get('/v1/calls?page_size=0')],
    ['idempotency', '400 about an invalid idempotency key', () => dial({}, { headers: { 'Idempotency-Key': 'x' } })],
    ['unknown_body_fields', '400 about an unknown query parameter', () => client.get('/v1/calls?limit=1')],
    [
      'unknown_body_fields',
      '400 about an unknown field of a closed body',
      async () => {
        const [{ id }] = (await client.get('/v1/agents')).body.data;
        return client.patch(`/v1/agents/${id}`, { nickname: 'x' });
      },
    ],
  ] as const)('name the assumption %s on a %s', async (name, _, ask) => {
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

  it('omit operation_scopes where the specification shows the scope', async () => {
    const { headers } = await client.get('/v1/me');
    expect(headers['x-sandbox-assumptions']?.split(', ')).not.toContain('operation_scopes');
  });

  it('name idempotency on a replay and a conflict, but not on a first response', async () => {
    const headers = { 'Idempotency-Key': '0a9d6d0e-3a40-4ad9-8e7b-3f5b8f0a6c11' };
    const named = ({ headers }: Answer): string[] => headers['x-sandbox-assumptions']?.split(', ') ?? [];
    const [first, replay] = [await dial({}, { headers }), await dial({}, { headers })];
    const conflict = await dial({ to_number: '+12125550101' }, { headers });
    expectError(conflict, 409, 'idempotency_conflict');
    expect(named(first)).not.toContain('idempotency');
    expect(named(replay)).toEqual([...named(first), 'idempotency']);
    expect(named(conflict)).toEqual(['idempotency']);
  });

  it('name no assumption on an error that the specification defines', async () => {
    const answer = await wire.send({ path: '/v1/me', key: null });
    expect(answer.headers).not.toHaveProperty('x-sandbox-assumptions');
  });
});
