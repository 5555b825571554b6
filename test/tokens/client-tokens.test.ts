// Client tokens: `POST /v1/client-tokens` (`spec.md` "Authentication"; the assumption client_tokens). They live in
// system time.
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { join, refused } from '../support/rooms.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { childOf } from '../support/world.ts';
import { joinUrl, nowInSeconds } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());
// The time of a sandbox never goes back, so no test begins before another has ended.
afterAll(() => vi.useRealTimers());

/** Moves system time forward, and nothing else. */
const sleep = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() + seconds * 1000 });
};

const mint = async (body: object = {}, by: Client = client): Promise<Answer['body']> => {
  const answer = await by.post('/v1/client-tokens', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const clientOfToken = ({ token }: { token: string }): Client => clientOf(sandbox.url, token);

describe('a client token', () => {
  it('is a real JWT with the requested scopes and lifetime', async () => {
    const before = nowInSeconds();
    const minted = await mint({ scopes: ['calls:write', 'calls:read'], expires_in: 300 });
    expect(minted).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 300,
      expires_at: expect.any(String),
      scopes: ['calls:write', 'calls:read'],
    });
    expect(decodeProtectedHeader(minted.token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { api_key_id } = (await client.get('/v1/account')).body.data;
    const claims = decodeJwt(minted.token);
    expect(claims).toMatchObject({ iss: 'sandbox_client_key', sub: api_key_id, scope: 'calls:write calls:read' });
    expect(claims.exp).toBe((claims.nbf as number) + 300);
    expect(claims.nbf).toBeGreaterThanOrEqual(before);
    expect(minted.expires_at).toBe(new Date((claims.exp as number) * 1000).toISOString());
  });

  it('works as a key with its scopes, and is scope_missing beyond them', async () => {
    const by = clientOfToken(await mint({ scopes: ['calls:write', 'calls:read'] }));
    const answer = await by.dial('+12125550100');
    expect(answer.status, answer.text).toBe(202);
    expect(answer.headers['x-sandbox-world']).toBe('default');
    expect((await by.readCall(answer.body.call_id)).status).toBe('QUEUED');
    expect((await client.readCall(answer.body.call_id)).status).toBe('QUEUED');
    expectError(await by.get('/v1/account'), 403, 'scope_missing');
    expectError(await by.post('/v1/client-tokens', {}), 403, 'scope_missing');
  });

  it('has every scope of its key but tokens:mint by default, for 15 minutes', async () => {
    const minted = await mint();
    expect(minted.expires_in).toBe(900);
    const { scopes } = (await client.get('/v1/me')).body.data;
    expect([...minted.scopes].sort()).toEqual(scopes.filter((each: string) => each !== 'tokens:mint').sort());
    expect((await clientOfToken(minted).get('/v1/me')).body.data.scopes).toEqual(minted.scopes);
    expect((await client.post('/v1/client-tokens')).status).toBe(201);
  });

  it.skipIf(isOnRedis)('works until it expires in system time, and is 401 after that', async () => {
    const minted = await mint({ expires_in: 600 });
    await sandbox.clock.advance('1d');
    expect((await clientOfToken(minted).get('/v1/account')).status).toBe(200);
    sleep(540);
    expect((await clientOfToken(minted).get('/v1/account')).status).toBe(200);
    sleep(61);
    const answer = await clientOfToken(minted).get('/v1/account');
    expectError(answer, 401, 'unauthorized');
    expect(answer.body.error.message).toContain('expired');
    expect(answer.headers['www-authenticate']).toContain('invalid_token');
    expect(answer.headers['x-sandbox-world']).toBe('default');
  });

  it('with a scope that its key lacks is scope_missing, naming the scope', async () => {
    const answer = await client.post('/v1/client-tokens', { scopes: ['calls:read', 'compliance:write'] });
    expectError(answer, 403, 'scope_missing');
    expect(answer.body.error.fields.scopes).toContain('compliance:write');
    expect(answer.headers['www-authenticate']).toContain('insufficient_scope');
    const narrow = clientOfToken(await mint({ scopes: ['tokens:mint', 'calls:read'] }));
    expectError(await narrow.post('/v1/client-tokens', { scopes: ['calls:write'] }), 403, 'scope_missing');
    expect((await clientOfToken(await mint({}, narrow)).get('/v1/calls')).status).toBe(200);
  });

  it.each<[what: string, body: object, field: string]>([
    ['an unknown scope', { scopes: ['calls:listen'] }, 'scopes.0'],
    ['a scope twice', { scopes: ['calls:read', 'calls:read'] }, 'scopes'],
    ['scopes as a string', { scopes: 'calls:read' }, 'scopes'],
    ['a lifetime of 0', { expires_in: 0 }, 'expires_in'],
    ['a lifetime of more than a day', { expires_in: 86_401 }, 'expires_in'],
    ['a lifetime of half a second', { expires_in: 0.5 }, 'expires_in'],
    ['a lifetime as a string', { expires_in: '60' }, 'expires_in'],
  ])('with %s is 400, naming the field', async (_, body, field) => {
    const answer = await client.post('/v1/client-tokens', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
  });

  it.skipIf(isOnRedis)('is signed again when its idempotency key is repeated, and works like the first', async () => {
    const headers = { 'Idempotency-Key': '3f0a7a52-6d0c-4d53-8a0e-5b1d6ad0c1f7' };
    const ask = async (): Promise<Answer> => client.post('/v1/client-tokens', { expires_in: 60 }, headers);
    const first = await ask();
    sleep(59);
    const second = await ask();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(decodeJwt(second.body.data.token).jti).toBe(decodeJwt(first.body.data.token).jti);
    sleep(2);
    expectError(await clientOfToken(first.body.data).get('/v1/account'), 401, 'unauthorized');
    expect((await clientOfToken(second.body.data).get('/v1/account')).status).toBe(200);
  });

  it.runIf(thorough)('is no longer valid after its world has minted 10,000 others', async () => {
    const own = await createSandbox({ clock: 'manual', rateLimit: 'off' });
    try {
      const maker = clientOf(own.url);
      const [oldest, next] = [await mint({}, maker), await mint({}, maker)];
      const status = async ({ token }: { token: string }): Promise<number> =>
        (await clientOf(own.url, token).get('/v1/me')).status;
      for (let made = 2; made < 10_000; made += 100) {
        await Promise.all(Array.from({ length: Math.min(100, 10_000 - made) }, () => mint({}, maker)));
      }
      expect(await status(oldest)).toBe(200);
      await mint({}, maker);
      expect([await status(oldest), await status(next)]).toEqual([401, 200]);
    } finally {
      await own.close();
    }
  });

  it('is no longer valid once its key is revoked', async () => {
    const made = (await client.post('/_sandbox/keys', {})).body.data;
    const by = clientOf(sandbox.url, made.api_key);
    const minted = await mint({}, by);
    expect((await clientOfToken(minted).get('/v1/account')).status).toBe(200);
    await client.delete(`/_sandbox/keys/${made.id}`);
    expectError(await clientOfToken(minted).get('/v1/account'), 401, 'unauthorized');
  });

  it('survives a reset like its key, and is no longer valid once its world is deleted', async () => {
    const ours = await mint();
    const theirs = await mint({}, clientOf(sandbox.url, 'svc_test_gone'));
    await sandbox.reset();
    expect((await clientOfToken(ours).get('/v1/account')).status).toBe(200);
    expect((await clientOfToken(await mint()).get('/v1/account')).status).toBe(200);
    expect((await clientOfToken(theirs).get('/v1/account')).headers['x-sandbox-world']).toBe('gone');
    await clientOf(sandbox.url, 'svc_test_gone').delete('/_sandbox/worlds/gone');
    expectError(await clientOfToken(theirs).get('/v1/account'), 401, 'unauthorized');
  });

  it("of a sub-entity's key sees that sub-entity alone", async () => {
    const child = await childOf(sandbox.url, client);
    const by = clientOfToken(await mint({}, child));
    expect((await by.get('/v1/contacts')).body.data.map(({ name }: Answer['body']) => name)).toEqual(['Ines Okonjo']);
  });

  it('joins no room', async () => {
    const { token } = await mint();
    const { data } = (await client.post('/v1/webrtc-token')).body;
    expect((await refused(joinUrl({ ...data, token }))).status).toBe(401);
    expect(await join(joinUrl(data))).not.toHaveProperty('status');
  });

  it('shares the rate limit of its key', async () => {
    const own = await createSandbox({ clock: 'manual' });
    try {
      const maker = clientOf(own.url);
      const minted = await mint({}, maker);
      const first = await maker.get('/v1/account');
      const second = await clientOf(own.url, minted.token).get('/v1/account');
      expect(Number(second.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1);
    } finally {
      await own.close();
    }
  });

  it('never appears in the journal', async () => {
    const minted = await mint();
    await clientOfToken(minted).get(`/v1/calls/${minted.token}`);
    const journal = (await client.get('/_sandbox/requests')).text;
    expect(journal).toContain('createClientToken');
    expect(journal).not.toContain(minted.token.split('.')[2]);
  });

  it('dials like its key, including the check of the caller ID', async () => {
    const by = clientOfToken(await mint({ scopes: ['voice:write'] }));
    expect((await by.dial('+12125550101')).status).toBe(202);
    const answer = await by.post('/v1/calls/dial', { from_number: '+14155550193', to_number: '+12125550101' });
    expectError(answer, 422, 'call_id_not_verified');
  });
});
