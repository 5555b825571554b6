// The rate limit of a key and its headers: `spec.md` "Limits", `interface.md` section 3.
import { describe, expect, it } from 'vitest';
import { errors, synchronousCodes } from '../../src/errors/catalogue.ts';
import { createSandbox } from '../../src/index.ts';
import { type Answer, clientOf, expectError } from '../support/client.ts';
import { keyedOperations } from '../support/operations.ts';
import { sample, thorough } from '../support/thorough.ts';
import { JSON_TYPE, wireTo } from '../support/wire.ts';
import { RATE_HEADERS, TO, usePlatform, windowWith } from './setup.ts';

const { sandbox, client, wire, dial, createKey } = usePlatform();

describe('the rate limit', () => {
  const read = (key: string): Promise<Answer> => wire.send({ path: '/v1/me', key });
  const remaining = ({ headers }: Answer): number => Number(headers['x-ratelimit-remaining']);

  it('shows the quota, the remaining requests and the seconds until reset on a first response', async () => {
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

  const quotas: [key: string, quota: number][] = [
    ['svc_sandbox_demo', 120],
    ['svc_sandbox_default', 600],
  ];
  it.each(thorough ? quotas : quotas.slice(0, 1))(
    '%s allows %i requests a minute, and the next is 429 rate_limited',
    async (key, quota) => {
      await clientOf(sandbox.url, key).post('/_sandbox/reset');
      const { headers: first } = await read(key);
      const others = await Promise.all(Array.from({ length: quota - 1 }, () => read(key)));
      expect(others.every(({ status }) => status === 200)).toBe(true);
      expect(Math.min(...others.map(remaining))).toBe(0);
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
    },
  );

  it('refuses a dial without placing the call, and without a category', async () => {
    const { api_key: key } = await createKey({ requests_per_minute: 1 });
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
    ['an unsupported method', 0, (key: string) => wire.send({ method: 'DELETE', path: '/v1/me', key })],
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
  ])('%s uses %i of the quota', async (_, counts, ask) => {
    const { api_key } = await createKey({ scopes: ['account:read'], requests_per_minute: 100 });
    expect(remaining(await read(api_key))).toBe(99);
    await ask(api_key);
    expect(remaining(await read(api_key))).toBe(98 - counts);
  });

  it('is one quota per key for all operations', async () => {
    const { api_key: key } = await createKey({ requests_per_minute: 1000 });
    expect(remaining(await read(key))).toBe(999);
    for (const [index, { id, method, path }] of keyedOperations.entries()) {
      await wire.send({ method, path, key, headers: { ...JSON_TYPE }, body: '{}' });
      expect(remaining(await read(key)), id).toBe(999 - 2 * (index + 1));
    }
  });

  it('gives each test key its own window, also within one world', async () => {
    expect(remaining(await read('svc_test_http-windows.a'))).toBe(599);
    expect(remaining(await read('svc_test_http-windows.a'))).toBe(598);
    expect(remaining(await read('svc_test_http-windows.b'))).toBe(599);
    expect(remaining(await read('svc_test_http-windows'))).toBe(599);
  });

  it('is shown on a success without a body too', async () => {
    const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'new_call' };
    const { id } = (await client.post('/api/v1/webhook_subscriptions', subscription)).body;
    const answer = await client.delete(`/api/v1/webhook_subscriptions/${id}`);
    expect(answer.status).toBe(204);
    expect(answer.headers.ratelimit).toEqual(windowWith(598));
  });

  it.each(sample(synchronousCodes, (code) => errors[code].status))(
    '%s shows the window and Retry-After if, and only if, it is a 429',
    async (code) => {
      const answer = await dial({}, { headers: { 'X-Sandbox-Error': code } });
      const shown = [...RATE_HEADERS, 'retry-after'].filter((name) => name in answer.headers);
      if (answer.status === 429) {
        expect(shown).toEqual([...RATE_HEADERS, 'retry-after']);
        expect(answer.headers.ratelimit).toBe('"default";r=599;t=60');
        expect(answer.headers['retry-after']).toBe('1');
      } else {
        expect(shown).toEqual([]);
      }
    },
  );

  it.each(['+12125550117', '+12125550122', '+12125550123'])(
    'shows the real window, with Retry-After 1, on the scripted 429 of %s',
    async (to_number) => {
      const answer = await dial({ to_number });
      expect(answer.status).toBe(429);
      expect(answer.headers.ratelimit).toBe('"default";r=599;t=60');
      expect(answer.headers['retry-after']).toBe('1');
    },
  );

  it('shows the real window, with Retry-After 1, on the 429 of an exhausted call capacity', async () => {
    const narrow = await createSandbox({ clock: 'manual', concurrentCalls: 1 });
    try {
      const caller = clientOf(narrow.url);
      await caller.call(TO);
      const refused = await caller.dial(TO);
      expectError(refused, 429, 'rate_limited');
      expect(refused.body.error.category).toBe('account_limit');
      expect(refused.headers.ratelimit).toEqual(windowWith(598));
      expect(refused.headers['retry-after']).toBe('1');
    } finally {
      await narrow.close();
    }
  });

  it('refuses nothing and shows a full quota when it is off', async () => {
    const open = await createSandbox({ clock: 'manual', rateLimit: 'off' });
    const free = wireTo(open.url);
    try {
      const { api_key: key } = await createKey({ requests_per_minute: 2 }, clientOf(open.url));
      for (let sent = 0; sent < 4; sent++) {
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
