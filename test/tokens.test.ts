// Tokens: POST /v1/webrtc-token, /v1/client-tokens and /v1/room-token (`spec.md` "Authentication" and "Other operations
// named without a shape"; the ledger's webrtc_token, client_tokens, room_token). They live on the machine's time.
import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { agentsOf } from './support/outbound.ts';
import { join, joined, refused } from './support/rooms.ts';
import { thorough } from './support/thorough.ts';
import { type Wire, wireTo } from './support/wire.ts';
import { childOf, clientWith } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;
let wire: Wire;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
  wire = wireTo(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  wire.close();
  await sandbox.close();
});

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const joinKey = new TextEncoder().encode('sandbox_join_secret_for_browser_calls');
const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
/** Lets the machine's time pass, and nothing else. */
const later = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
};

const catalogued = async (): Promise<string[]> => (await client.get('/_sandbox/catalog')).body.data.scopes;
const mint = async (body: object = {}, by: Client = client): Promise<Answer['body']> => {
  const answer = await by.post('/v1/client-tokens', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const bearing = ({ token }: { token: string }): Client => clientOf(sandbox.url, token);
const withToken = ({ room_url, token }: Answer['body']): string => `${room_url}?access_token=${token}`;

describe('a browser calling token', () => {
  const webrtc = (): Client => clientOf(sandbox.url, 'svc_sandbox_webrtc');

  it('is a real JWT that joins a room of its own, with the addresses that a browser needs', async () => {
    const answer = await webrtc().post('/v1/webrtc-token', {});
    expect(answer.status, answer.text).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      token: expect.any(String),
      room_url: `${sandbox.url.replace('http:', 'ws:')}/rooms/${data.room_name}`,
      room_name: expect.stringMatching(/^room_[0-9a-f]{24}$/),
      expires_in: 21_600,
      identity: expect.stringMatching(/^caller_/),
      ice_servers: [{ urls: expect.any(Array) }, expect.objectContaining({ username: expect.any(String) })],
    });
    expect(decodeProtectedHeader(data.token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { payload } = await jwtVerify(data.token, joinKey, { issuer: 'sandbox_join_key', algorithms: ['HS256'] });
    expect(payload).toMatchObject({ sub: data.identity, video: { roomJoin: true, room: data.room_name } });
    expect((payload.exp as number) - (payload.nbf as number)).toBe(data.expires_in);
    const browser = await joined(withToken(data));
    expect(await browser.hear('joined')).toMatchObject({ identity: data.identity, participants: [] });
    browser.leave();
  });

  it('opens no other room', async () => {
    const [one, other] = [await webrtc().post('/v1/webrtc-token'), await webrtc().post('/v1/webrtc-token')];
    const { token } = one.body.data;
    expect((await refused(withToken({ ...other.body.data, token }))).status).toBe(403);
  });

  it('joins no more once it has expired', async () => {
    const { data } = (await webrtc().post('/v1/webrtc-token')).body;
    later(data.expires_in + 1);
    expect((await refused(withToken(data))).status).toBe(401);
  });
});

describe('a room token', () => {
  it('is a browser call session with that agent, as a web call', async () => {
    const [agent_id] = await agentsOf(client);
    const answer = await client.post('/v1/room-token', { agent_id });
    expect(answer.status, answer.text).toBe(201);
    const { data } = answer.body;
    expect(Object.keys(data).sort()).toEqual(
      ['token', 'room_url', 'room_name', 'expires_in', 'agent_id', 'ice_servers'].sort(),
    );
    expect(data).toMatchObject({ agent_id, expires_in: 21_600 });
    const browser = await joined(withToken(data));
    expect((await browser.hear('joined')).participants).toEqual([
      { identity: `agent_${agent_id}`, kind: 'agent', agent_id },
    ]);
    browser.leave();
  });

  it.each<[what: string, body: object, status: number, code: string]>([
    ['no agent', {}, 400, 'validation_error'],
    ['an agent that is no UUID', { agent_id: 'nope' }, 400, 'validation_error'],
    ['an agent of nobody', { agent_id: NOWHERE }, 404, 'not_found'],
  ])('with %s is refused, naming the field', async (_, body, status, code) => {
    const answer = await client.post('/v1/room-token', body);
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['agent_id']);
  });

  it("with another tenant's or the parent's agent is 404", async () => {
    const [agent_id] = await agentsOf(client);
    for (const by of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await by.post('/v1/room-token', { agent_id }), 404, 'not_found');
    }
  });

  it('with a disabled agent is 409', async () => {
    const [agent_id] = await agentsOf(client);
    await client.patch(`/v1/agents/${agent_id}`, { enabled: false });
    expectError(await client.post('/v1/room-token', { agent_id }), 409, 'conflict');
  });

  it('needs voice:write', async () => {
    const [agent_id] = await agentsOf(client);
    const scopes = (await catalogued()).filter((scope) => scope !== 'voice:write');
    const without = await clientWith(sandbox.url, client, { scopes });
    const answer = await without.post('/v1/room-token', { agent_id });
    expectError(answer, 403, 'scope_missing');
    expect(answer.headers['x-sandbox-assumptions']).toContain('operation_scopes');
    const narrow = await clientWith(sandbox.url, client, { scopes: ['voice:write'] });
    expect((await narrow.post('/v1/room-token', { agent_id })).status).toBe(201);
  });
});

describe('a client token', () => {
  it('is a real JWT with the scopes that were asked for and the life that was asked for', async () => {
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
    const by = bearing(await mint({ scopes: ['calls:write', 'calls:read'] }));
    const answer = await by.dial('+12125550100');
    expect(answer.status, answer.text).toBe(202);
    expect(answer.headers['x-sandbox-world']).toBe('default');
    expect((await by.readCall(answer.body.call_id)).status).toBe('QUEUED');
    expect((await client.readCall(answer.body.call_id)).status).toBe('QUEUED');
    expectError(await by.get('/v1/account'), 403, 'scope_missing');
    expectError(await by.post('/v1/client-tokens', {}), 403, 'scope_missing');
  });

  it('has every scope of its key but tokens:mint unless it is told otherwise, for a quarter of an hour', async () => {
    const minted = await mint();
    expect(minted.expires_in).toBe(900);
    const { scopes } = (await client.get('/v1/me')).body.data;
    expect([...minted.scopes].sort()).toEqual(scopes.filter((each: string) => each !== 'tokens:mint').sort());
    expect((await bearing(minted).get('/v1/me')).body.data.scopes).toEqual(minted.scopes);
    expect((await client.post('/v1/client-tokens')).status).toBe(201);
  });

  it('works until it expires, on the time of the machine, and is 401 from then on', async () => {
    const minted = await mint({ expires_in: 60 });
    await sandbox.clock.advance('1d');
    expect((await bearing(minted).get('/v1/account')).status).toBe(200);
    later(59);
    expect((await bearing(minted).get('/v1/account')).status).toBe(200);
    later(2);
    const answer = await bearing(minted).get('/v1/account');
    expectError(answer, 401, 'unauthorized');
    expect(answer.body.error.message).toContain('expired');
    expect(answer.headers['www-authenticate']).toContain('invalid_token');
    expect(answer.headers['x-sandbox-world']).toBe('default');
  });

  it('with a scope that its key lacks is scope_missing, and names it', async () => {
    const answer = await client.post('/v1/client-tokens', { scopes: ['calls:read', 'compliance:write'] });
    expectError(answer, 403, 'scope_missing');
    expect(answer.body.error.fields.scopes).toContain('compliance:write');
    expect(answer.headers['www-authenticate']).toContain('insufficient_scope');
    const narrow = bearing(await mint({ scopes: ['tokens:mint', 'calls:read'] }));
    expectError(await narrow.post('/v1/client-tokens', { scopes: ['calls:write'] }), 403, 'scope_missing');
    expect((await bearing(await mint({}, narrow)).get('/v1/calls')).status).toBe(200);
  });

  it.each<[what: string, body: object, field: string]>([
    ['a scope that there is not', { scopes: ['calls:listen'] }, 'scopes.0'],
    ['no scopes', { scopes: [] }, 'scopes'],
    ['a scope twice', { scopes: ['calls:read', 'calls:read'] }, 'scopes'],
    ['scopes as text', { scopes: 'calls:read' }, 'scopes'],
    ['no life', { expires_in: 0 }, 'expires_in'],
    ['a life of more than a day', { expires_in: 86_401 }, 'expires_in'],
    ['half a second', { expires_in: 0.5 }, 'expires_in'],
    ['a life as text', { expires_in: '60' }, 'expires_in'],
  ])('with %s is 400, naming the field', async (_, body, field) => {
    const answer = await client.post('/v1/client-tokens', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
  });

  it('that a repeat under its idempotency key answers is signed anew, and as good as the first', async () => {
    const headers = { 'Idempotency-Key': '3f0a7a52-6d0c-4d53-8a0e-5b1d6ad0c1f7' };
    const ask = async (): Promise<Answer> => client.post('/v1/client-tokens', { expires_in: 60 }, headers);
    const first = await ask();
    later(59);
    const second = await ask();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(decodeJwt(second.body.data.token).jti).toBe(decodeJwt(first.body.data.token).jti);
    later(2);
    expectError(await bearing(first.body.data).get('/v1/account'), 401, 'unauthorized');
    expect((await bearing(second.body.data).get('/v1/account')).status).toBe(200);
  });

  it.runIf(thorough)('is good no more once its world has minted 10,000 others', async () => {
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

  it('ends when its key is revoked', async () => {
    const made = (await client.post('/_sandbox/keys', {})).body.data;
    const by = clientOf(sandbox.url, made.api_key);
    const minted = await mint({}, by);
    expect((await bearing(minted).get('/v1/account')).status).toBe(200);
    await client.delete(`/_sandbox/keys/${made.id}`);
    expectError(await bearing(minted).get('/v1/account'), 401, 'unauthorized');
  });

  it('outlives a reset, as its key does, and ends with its world', async () => {
    const ours = await mint();
    const theirs = await mint({}, clientOf(sandbox.url, 'svc_test_gone'));
    await sandbox.reset();
    expect((await bearing(ours).get('/v1/account')).status).toBe(200);
    expect((await bearing(await mint()).get('/v1/account')).status).toBe(200);
    expect((await bearing(theirs).get('/v1/account')).headers['x-sandbox-world']).toBe('gone');
    await client.delete('/_sandbox/worlds/gone');
    expectError(await bearing(theirs).get('/v1/account'), 401, 'unauthorized');
  });

  it("of a sub-entity's key sees that child alone", async () => {
    const child = await childOf(sandbox.url, client);
    const by = bearing(await mint({}, child));
    expect((await by.get('/v1/contacts')).body.data.map(({ name }: Answer['body']) => name)).toEqual(['Ines Okonjo']);
  });

  it('is good only as it was signed', async () => {
    const { token } = await mint();
    const [head, body, signature = ''] = token.split('.');
    const claims = decodeJwt(token);
    const forged = (changed: object, secret: string, alg = 'HS256'): Promise<string> =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg, typ: 'JWT' })
        .sign(new TextEncoder().encode(secret));
    const own = 'sandbox_client_secret_for_client_tokens';
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const bad = [
      `${head}.${body}.${signature.slice(0, -2)}${signature.endsWith('AA') ? 'BB' : 'AA'}`,
      `${head}.${body}.`,
      `${unsigned}.${body}.`,
      `${head}.${body}`,
      'eyJ',
      `${head}.${body}.${createHmac('sha256', 'another').update(`${head}.${body}`).digest('base64url')}`,
      await forged({}, 'another secret, long enough for the algorithm'),
      await forged({ jti: 'tok_of_nobody' }, own),
      await forged({ jti: '__proto__' }, own),
      await forged({ iss: 'sandbox_join_key' }, own),
      await forged({ exp: nowInSeconds() - 1 }, own),
      (await client.post('/v1/webrtc-token')).body.data.token,
    ];
    for (const each of bad) expectError(await clientOf(sandbox.url, each).get('/v1/account'), 401, 'unauthorized');
    expect((await clientOf(sandbox.url, token).get('/v1/account')).status).toBe(200);
  });

  it('joins no room', async () => {
    const { token } = await mint();
    const { data } = (await client.post('/v1/webrtc-token')).body;
    expect((await refused(withToken({ ...data, token }))).status).toBe(401);
    expect(await join(withToken(data))).not.toHaveProperty('status');
  });

  it("counts its requests with its key's", async () => {
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

  it('stands nowhere in the journal, wherever it was sent', async () => {
    const minted = await mint();
    await bearing(minted).get(`/v1/calls/${minted.token}`);
    const journal = (await client.get('/_sandbox/requests')).text;
    expect(journal).toContain('createClientToken');
    expect(journal).not.toContain(minted.token.split('.')[2]);
  });

  it('dials from a mobile app as its key would, caller ID and all', async () => {
    const by = bearing(await mint({ scopes: ['voice:write'] }));
    expect((await by.dial('+12125550101')).status).toBe(202);
    const answer = await by.post('/v1/calls/dial', { from_number: '+14155550193', to_number: '+12125550101' });
    expectError(answer, 422, 'call_id_not_verified');
  });
});
