// API keys and Bearer challenges: `spec.md` "Authentication".
import { describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { usePlatform } from './setup.ts';

const { client, wire, createKey } = usePlatform();

describe('authentication', () => {
  const me = (authorization?: string): Promise<Answer> =>
    wire.send({ path: '/v1/me', key: null, headers: authorization === undefined ? {} : { authorization } });
  const challengeOf = ({ headers }: Answer): string => headers['www-authenticate'] ?? '';

  it('a request without credentials gets a challenge without an error code', async () => {
    const answer = await me();
    expectError(answer, 401, 'unauthorized');
    expect(challengeOf(answer)).toBe('Bearer realm="voice-platform"');
  });

  it.each([
    ['an unknown key', 'Bearer svc_sandbox_nobody'],
    ['a revoked key', 'Bearer svc_sandbox_revoked'],
    ['a key with a foreign prefix', 'Bearer sk_live_1234'],
    ['a test key without a world', 'Bearer svc_test_'],
    ['a test key with a plus in its world', 'Bearer svc_test_a+b'],
    ['a test key with a world of 65 characters', `Bearer svc_test_${'a'.repeat(65)}`],
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

  it('another scheme gets a challenge without an error code (RFC 6750, section 3.1)', async () => {
    const answer = await me(`Basic ${Buffer.from('svc_sandbox_default:').toString('base64')}`);
    expectError(answer, 401, 'unauthorized');
    expect(challengeOf(answer)).toBe('Bearer realm="voice-platform"');
  });

  it.each(['bearer', 'BEARER', 'Bearer'])('the scheme is accepted as "%s"', async (scheme) => {
    expect((await me(`${scheme} svc_sandbox_default`)).status).toBe(200);
  });

  it('a revoked key is refused at once', async () => {
    const { id, api_key } = await createKey({});
    expect((await me(`Bearer ${api_key}`)).status).toBe(200);
    await client.delete(`/_sandbox/keys/${id}`);
    expectError(await me(`Bearer ${api_key}`), 401, 'unauthorized');
  });

  it('a refused key creates no world', async () => {
    await me('Bearer svc_test_up+per');
    await wire.send({ path: '/v1/nowhere', key: 'svc_test_http-refused' });
    await wire.send({ method: 'PUT', path: '/v1/me', key: 'svc_test_http-refused' });
    const { data } = (await client.get('/_sandbox/worlds?page_size=1000')).body;
    const names = data.map(({ name }: { name: string }) => name);
    expect(names).toContain('default');
    expect(names.filter((name: string) => name.startsWith('up'))).toEqual([]);
    expect(names).not.toContain('http-refused');
  });
});
