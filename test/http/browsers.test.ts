// Requests of browsers: CORS on the platform and none on the control API (`interface.md` section 3).
import { describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { RATE_HEADERS, usePlatform } from './setup.ts';

const { sandbox, client, wire, dial } = usePlatform({ allowedHosts: 'sandbox.example.com' });

describe('cross-origin requests', () => {
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
    'get 204 for a preflight of %s, before any check',
    async (path) => {
      const answer = await preflight(path, 'POST', { 'X-Sandbox-Nonsense': 'x', 'Idempotency-Key': 'x' });
      expect(answer.status).toBe(204);
      expect(answer.text).toBe('');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    },
  );

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('may use the method %s', async (method) => {
    expect(list((await preflight('/v1/calls', method)).headers['access-control-allow-methods'])).toContain(
      method.toLowerCase(),
    );
  });

  it('may send the API key, a body, an idempotency key and the control headers, requested or not', async () => {
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
  ] as const)('may read a %s with its rate-limit and sandbox headers', async (status, ask) => {
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

  it('are not allowed on the control API', async () => {
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

  it.each([
    ['of another site', { Origin: 'https://app.example.com' }],
    ['of another port', { Origin: 'http://127.0.0.1:1' }],
    ['without an origin of its own', { Origin: 'null' }],
    ['in a file', { Origin: 'file://', Host: 'localhost' }],
    ['of an extension', { Origin: 'chrome-extension://localhost', Host: 'localhost' }],
    ['that shows no origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['whose header was repeated', { 'Sec-Fetch-Site': ['cross-site', 'same-origin'] }],
    ['with an origin that cannot be read', { Origin: '//' }],
  ])('from a page %s are 403 on the control API, and change nothing', async (_, headers) => {
    const id = await client.call('+12125550100');
    for (const key of [null, 'svc_sandbox_default', 'svc_test_not-made', 'svc_nobody']) {
      for (const [method, path] of [
        ['POST', '/_sandbox/reset'],
        ['GET', '/_sandbox/worlds'],
        ['GET', '/_sandbox/requests'],
      ] as const) {
        const answer = await wire.send({ method, path, key, headers });
        expectError(answer, 403, 'forbidden');
        expect(answer.body.error.message).toBe('Web pages of other origins may not use the control API.');
        expect(answer.headers).not.toHaveProperty('x-sandbox-world');
      }
    }
    expect((await client.readCall(id)).status).toBe('QUEUED');
    const { data } = (await client.get('/_sandbox/worlds?page_size=1000')).body;
    expect(data.map(({ name }: { name: string }) => name)).not.toContain('not-made');
    const schema = '/_sandbox/schemas/fixture.schema.json';
    for (const path of ['/_sandbox/health', '/_sandbox/ready', '/_sandbox/openapi.json', schema, '/docs/errors', '/']) {
      expect(`${path} ${(await wire.send({ path, key: null, headers })).status}`).toBe(`${path} 200`);
    }
    expectError(await wire.send({ path: '/_sandbox/media/none.wav', key: null, headers }), 404, 'not_found');
  });

  it('from a page of this server, or from the address bar, may use the control API', async () => {
    const { host } = new URL(sandbox.url);
    for (const headers of [
      { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' },
      { Origin: `https://${host}` },
      { Origin: 'https://sandbox.example.com', Host: 'sandbox.example.com:443' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin' },
    ]) {
      const answer = await wire.send({ method: 'POST', path: '/_sandbox/reset', headers });
      expect(`${JSON.stringify(headers)} ${answer.status}`).toBe(`${JSON.stringify(headers)} 204`);
    }
  });

  it('differ from a plain OPTIONS, which is 405', async () => {
    const answer = await wire.send({ method: 'OPTIONS', path: '/v1/calls', headers: origin });
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });
});
