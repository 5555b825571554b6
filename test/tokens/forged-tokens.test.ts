// Client tokens that this server did not sign, or that want more than the one who asks has: `interface.md` sections 2 and 9.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Secrets } from '../../src/identity/secrets.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { useSandbox } from '../support/sandbox.ts';
import { nowInSeconds } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());
afterEach(() => vi.useRealTimers());

/** Moves system time forward, and nothing else. */
const sleep = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() + seconds * 1000 });
};

const ask = (body: object = {}, by: Client = client, headers = {}): Promise<Answer> =>
  by.post('/v1/client-tokens', body, headers);

async function mint(body: object = {}, by: Client = client): Promise<Answer['body']> {
  const answer = await ask(body, by);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

const holder = ({ token }: { token: string }): Client => clientOf(sandbox.url, token);
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with these claims whose header says what to verify it with. */
function withOwnKey(claims: string): string {
  const key = Buffer.alloc(32);
  const content = `${encode({ alg: 'HS256', jwk: { kty: 'oct', k: key.toString('base64url') } })}.${claims}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

describe('a client token is refused', () => {
  /** What the server signs with: it has the published seed 1, no secret and no control token. */
  const key = Secrets.fromSeed(1).key('client tokens');
  const expectRefused = async (token: string, what = token): Promise<void> => {
    const answer = await clientOf(sandbox.url, token).get('/v1/account');
    expect(`${answer.status} ${answer.body.error?.code}`, what).toBe('401 unauthorized');
  };

  it('if its signature is missing, cut, of another key, of another algorithm or of another payload', async () => {
    const { token } = await mint();
    const [head, body = '', signature = ''] = token.split('.');
    const [, otherBody, otherSignature] = (await mint()).token.split('.');
    const claims = decodeJwt(token);
    const signed = (header: Partial<JWTHeaderParameters>, by: Uint8Array | string = key): Promise<string> =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', ...header })
        .sign(typeof by === 'string' ? new TextEncoder().encode(by) : by);
    const unsigned = (alg: string, end = ''): string => `${encode({ alg, typ: 'JWT' })}.${body}.${end}`;
    const long = Buffer.concat([key, key]);
    const bad: Record<string, string> = {
      'no signature': `${head}.${body}.`,
      'two parts': `${head}.${body}`,
      'four parts': `${token}.${signature}`,
      'one part': 'eyJ',
      'half a signature': `${head}.${body}.${signature.slice(0, 20)}`,
      'a signature without its last byte': `${head}.${body}.${signature.slice(0, 42)}`,
      'a payload with the signature of another': `${head}.${otherBody}.${signature}`,
      'a signature of another payload': `${head}.${body}.${otherSignature}`,
      none: unsigned('none'),
      None: unsigned('None'),
      'none with a signature': unsigned('none', signature),
      'no algorithm': `${encode({ typ: 'JWT' })}.${body}.${signature}`,
      HS512: await signed({ alg: 'HS512' }, long),
      HS384: await signed({ alg: 'HS384' }, long),
      'another key': await signed({}, 'another secret, long enough for the algorithm'),
      'an empty key': `${head}.${body}.${createHmac('sha256', '').update(`${head}.${body}`).digest('base64url')}`,
      'the key of join tokens': await signed({}, 'sandbox_join_secret_for_browser_calls'),
      'a key in its header': withOwnKey(body),
      'RS256 with the key as text': `${encode({ alg: 'RS256' })}.${body}.${signature}`,
    };
    for (const [what, each] of Object.entries(bad)) await expectRefused(each, what);
    // It is the signature that decides: the same claims, signed by the server's own key, are accepted.
    expect((await clientOf(sandbox.url, await signed({})).get('/v1/account')).status).toBe(200);
  });

  it('if its claims are not those of a client token, even if the signature is right', async () => {
    const claims = decodeJwt((await mint()).token);
    const signed = (changed: object): Promise<string> =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'HS256' }).sign(key);
    for (const changed of [
      { jti: 'tok_of_nobody' },
      { jti: '__proto__' },
      { jti: undefined },
      { jti: [claims.jti] },
      { iss: 'sandbox_join_key' },
      { exp: nowInSeconds() - 1 },
      { exp: undefined },
      { exp: 1e300 },
      ...['soon', 1e300, -1e300, 0.5, null].map((nbf) => ({ nbf })),
      { nbf: nowInSeconds() + 3600, exp: nowInSeconds() + 7200 },
    ]) {
      await expectRefused(await signed(changed), JSON.stringify(changed));
    }
    await expectRefused((await client.post('/v1/webrtc-token')).body.data.token);
  });

  it('if any one bit of it is another', async () => {
    const { token } = await mint();
    const bytes = Buffer.from(token);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 2), fc.nat(4), async (at, bit) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        fc.pre(/^eyJ[\w.-]+$/.test(changed.toString('latin1')));
        await expectRefused(changed.toString('latin1'));
      }),
      { numRuns: 15 },
    );
  });

  it('if it is spelled in another way, though its bytes are the same', async () => {
    const { token } = await mint();
    const bytesOf = (text: string): string =>
      Buffer.from(text.slice(text.lastIndexOf('.') + 1), 'base64url').toString('hex');
    // The last character of a signature has two bits that mean nothing.
    const last = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((letter) => token.slice(0, -1) + letter)
      .filter((other) => other !== token && bytesOf(other) === bytesOf(token));
    expect(last).toHaveLength(3);
    for (const other of [...last, `${token}=`]) await expectRefused(other);
    expect((await holder({ token }).get('/v1/account')).status).toBe(200);
  });

  it('outside the world that issued it, however its claims or headers name another', async () => {
    const theirs = await mint({}, clientOf(sandbox.url, 'svc_test_theirs'));
    const asOurs = await holder(theirs).get('/v1/account');
    expect(asOurs.headers['x-sandbox-world']).toBe('theirs');
    const named = await holder(theirs).get('/v1/account', { 'X-Sandbox-World': 'default' });
    expectError(named, 400, 'validation_error');
  });
});

describe('a client token cannot get more than it has', () => {
  const narrow = (expires_in: number): Promise<Answer['body']> =>
    mint({ scopes: ['tokens:mint', 'calls:read'], expires_in });

  it('in scopes: those that it asks for, and those that it gets by default, are among its own', async () => {
    const by = holder(await narrow(600));
    expectError(await ask({ scopes: ['calls:write'] }, by), 403, 'scope_missing');
    expectError(await ask({ scopes: ['calls:read', 'compliance:write'] }, by), 403, 'scope_missing');
    const successor = holder(await mint({ scopes: ['tokens:mint', 'calls:read'] }, by));
    expect((await mint({}, successor)).scopes).toEqual(['calls:read']);
    expectError(await ask({ scopes: ['sms:write'] }, successor), 403, 'scope_missing');
  });

  it.skipIf(isOnRedis)('in time: no successor lives longer, asked for or by default', async () => {
    const made = await narrow(60);
    const by = holder(made);
    const answer = await ask({ expires_in: 61 }, by);
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.expires_in).toMatch(/^is 61; must be at most (60|59), when the client token/);
    const successor = await mint({ scopes: ['tokens:mint'] }, by);
    expect(successor.expires_in).toBeLessThanOrEqual(60);
    expect(Date.parse(successor.expires_at)).toBeLessThanOrEqual(Date.parse(made.expires_at));
    const short = await mint({ expires_in: 10 }, holder(successor));
    expect(short.expires_in).toBe(10);
    sleep(61);
    for (const each of [made, successor]) expectError(await holder(each).get('/v1/calls'), 401, 'unauthorized');
  });

  it('by repeating the request of another under its idempotency key', async () => {
    const headers = { 'Idempotency-Key': '8c5c3c0e-3f3e-4a44-9a53-7c1b9a3b8d10' };
    const wide = await ask({}, client, headers);
    expect(wide.body.data.scopes).toContain('sms:write');
    expectError(await ask({}, holder(await narrow(600)), headers), 403, 'scope_missing');
    const all = [...wide.body.data.scopes, 'tokens:mint'];
    const made = await mint({ scopes: all, expires_in: 30 });
    const replayed = await ask({}, holder(made), headers);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(Date.parse(replayed.body.data.expires_at)).toBeLessThanOrEqual(Date.parse(made.expires_at));
    expect(decodeJwt(replayed.body.data.token).exp).toBe(Date.parse(replayed.body.data.expires_at) / 1000);
  });

  it('by the token of a room, which is not a key', async () => {
    const { token } = (await client.post('/v1/webrtc-token')).body.data;
    expectError(await clientOf(sandbox.url, token).post('/v1/client-tokens', {}), 401, 'unauthorized');
    expectError(await clientOf(sandbox.url, token).get('/_sandbox/keys'), 401, 'unauthorized');
  });
});
