// Tokens of browsers: `POST /v1/webrtc-token` and `POST /v1/room-token` (`spec.md` "Other operations named without a
// shape"; the assumptions webrtc_token and room_token).
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Client, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { agentsOf } from '../support/outbound.ts';
import { joined, refused } from '../support/rooms.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf, clientWith } from '../support/world.ts';
import { joinKey, joinUrl } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());
// The time of a sandbox never goes back, so no test begins before another has ended.
afterAll(() => vi.useRealTimers());

/** Moves system time forward, and nothing else. */
const sleep = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() + seconds * 1000 });
};

const catalogued = async (): Promise<string[]> => (await client.get('/_sandbox/catalog')).body.data.scopes;

describe('a browser calling token', () => {
  const webrtc = (): Client => clientOf(sandbox.url, 'svc_sandbox_webrtc');

  it('is a real JWT for its own room, with the addresses that a browser needs', async () => {
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
    const browser = await joined(joinUrl(data));
    expect(await browser.waitFor('joined')).toMatchObject({ identity: data.identity, participants: [] });
    browser.leave();
  });

  it('opens no other room', async () => {
    const [one, other] = [await webrtc().post('/v1/webrtc-token'), await webrtc().post('/v1/webrtc-token')];
    const { token } = one.body.data;
    expect((await refused(joinUrl({ ...other.body.data, token }))).status).toBe(403);
  });

  it.skipIf(isOnRedis)('joins no room after it expires', async () => {
    const { data } = (await webrtc().post('/v1/webrtc-token')).body;
    sleep(data.expires_in + 1);
    expect((await refused(joinUrl(data))).status).toBe(401);
  });
});

describe('a room token', () => {
  it('is a browser call session with that agent, like a web call', async () => {
    const [agent_id] = await agentsOf(client);
    const answer = await client.post('/v1/room-token', { agent_id });
    expect(answer.status, answer.text).toBe(201);
    const { data } = answer.body;
    expect(Object.keys(data).sort()).toEqual(
      ['token', 'room_url', 'room_name', 'expires_in', 'agent_id', 'ice_servers'].sort(),
    );
    expect(data).toMatchObject({ agent_id, expires_in: 21_600 });
    const browser = await joined(joinUrl(data));
    expect((await browser.waitFor('joined')).participants).toEqual([
      { identity: `agent_${agent_id}`, kind: 'agent', agent_id },
    ]);
    browser.leave();
  });

  it.each<[what: string, body: object, status: number, code: string]>([
    ['no agent', {}, 400, 'validation_error'],
    ['an agent id that is not a UUID', { agent_id: 'nope' }, 400, 'validation_error'],
    ['an unknown agent', { agent_id: NOWHERE }, 404, 'not_found'],
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
