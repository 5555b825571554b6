// The session that `POST /v1/agents/{id}/web-call` answers with (`spec.md` "Browser call session"; the assumptions join_tokens,
// room_url and disabled_agent). What becomes of the call is in web-calls.test.ts.
import { createHmac, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { clientOf, expectError } from '../support/client.ts';
import { joined } from '../support/rooms.ts';
import { eventually } from '../support/until.ts';
import { childOf } from '../support/world.ts';
import { joinKey, nowInSeconds, useWebCalls } from './setup.ts';

const { sandbox, client, wire, agentId, webCall } = useWebCalls();

describe('the session of a web call', () => {
  it('returns a browser call session with every field of the specification', async () => {
    const session = await webCall();
    expect(session).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      room_url: `${sandbox.url.replace('http:', 'ws:')}/rooms/${session.room_name}`,
      room_name: expect.stringMatching(/^room_[0-9a-f]{24}$/),
      expires_in: 21_600,
      agent_id: agentId(),
      ice_servers: [
        { urls: ['stun:127.0.0.1:3478'] },
        {
          urls: ['turn:127.0.0.1:3478?transport=udp', 'turn:127.0.0.1:3478?transport=tcp'],
          username: expect.any(String),
          credential: expect.any(String),
        },
      ],
    });
  });

  it("carries a real JWT with LiveKit's claims, valid for expires_in from now", async () => {
    const before = nowInSeconds();
    const { token, room_name, expires_in } = await webCall();
    const after = nowInSeconds();
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { payload } = await jwtVerify(token, joinKey, { issuer: 'sandbox_join_key', algorithms: ['HS256'] });
    expect(payload).toMatchObject({
      sub: expect.stringMatching(/^caller_/),
      video: { roomJoin: true, room: room_name, canPublish: true, canSubscribe: true, canPublishData: true },
    });
    const { nbf = 0, exp = 0 } = payload;
    expect(exp - nbf).toBe(expires_in);
    expect(nbf).toBeGreaterThanOrEqual(before);
    expect(nbf).toBeLessThanOrEqual(after);
  });

  it('carries TURN credentials derived from the identity, which expire with the token', async () => {
    const { token, ice_servers } = await webCall();
    const [until, ...identity] = ice_servers[1].username.split(':');
    expect(Number(until)).toBe(decodeJwt(token).exp);
    expect(identity.join(':')).toBe(decodeJwt(token).sub);
    const expected = createHmac('sha1', joinKey).update(ice_servers[1].username).digest('base64');
    expect(ice_servers[1].credential).toBe(expected);
  });

  it('creates a new room each time', async () => {
    const names = [await webCall(), await webCall()].map(({ room_name }) => room_name);
    expect(new Set(names).size).toBe(2);
  });

  it('needs no phone number of the agent', async () => {
    const world = clientOf(sandbox.url, 'svc_test_no-number');
    const agents = (await world.get('/v1/agents')).body.data;
    expect((await webCall(world, agents[1].id)).agent_id).toBe(agents[1].id);
    // It creates no call record before a browser joins.
    expect((await world.get('/v1/calls')).body.meta.total_results).toBe(7);
  });

  it('with a disabled agent is 409, naming the state and what is allowed', async () => {
    await client.patch(`/v1/agents/${agentId()}`, { enabled: false });
    const answer = await client.post(`/v1/agents/${agentId()}/web-call`);
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toMatch(/disabled.*enabled/);
    expect(answer.headers['x-sandbox-assumptions']).toContain('disabled_agent');
    await client.patch(`/v1/agents/${agentId()}`, { enabled: true });
    await webCall();
  });

  it.each(['nope', '00000000-0000-4000-8000-000000000000'])('with the unknown agent %s is 404', async (id) => {
    expectError(await client.post(`/v1/agents/${id}/web-call`), 404, 'not_found');
  });

  it("with another tenant's or the parent's agent is 404", async () => {
    for (const by of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await by.post(`/v1/agents/${agentId()}/web-call`), 404, 'not_found');
    }
  });

  it('ignores a body', async () => {
    for (const body of ['{"agent_id": 5}', 'no JSON']) {
      expect((await client.post(`/v1/agents/${agentId()}/web-call`, body)).status).toBe(201);
    }
  });

  it('names the server by the address that the client uses', async () => {
    const { port } = new URL(sandbox.url);
    const answer = await wire.send({
      method: 'POST',
      path: `/v1/agents/${agentId()}/web-call`,
      headers: { Host: 'voice.internal:8080' },
    });
    expect(answer.body.data.room_url).toMatch(/^ws:\/\/voice\.internal:8080\/rooms\//);
    expect(answer.body.data.ice_servers[0].urls).toEqual(['stun:voice.internal:3478']);
    expect((await webCall()).room_url).toContain(`:${port}/`);
  });

  it('leaves no token in the journal', async () => {
    const { token } = await webCall();
    const [latest] = (await client.get('/_sandbox/requests?operation=createAgentWebCall')).body.data;
    const entry = (await client.get(`/_sandbox/requests/${latest.id}`)).text;
    expect(entry).toContain('[redacted]');
    expect(entry).not.toContain(token.split('.')[2] as string);
  });
});

describe('the session of a repeated web call', () => {
  it('has the room of the first, a token that joins it, and the address of the repeat', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const path = `/v1/agents/${agentId()}/web-call`;
    const first = (await client.post(path, undefined, headers)).body.data;
    const repeat = await wire.send({ method: 'POST', path, headers: { ...headers, Host: 'elsewhere:81' } });
    expect(repeat.status).toBe(201);
    expect(repeat.headers['idempotency-replayed']).toBe('true');
    const { token, room_url, room_name } = repeat.body.data;
    expect(room_name).toBe(first.room_name);
    expect(room_url).toBe(`ws://elsewhere:81/rooms/${room_name}`);
    expect(decodeJwt(token).sub).toBe(decodeJwt(first.token).sub);
    for (const each of [first.token, token]) {
      const seat = await joined(`${first.room_url}?access_token=${each}`);
      seat.leave();
      await seat.closed;
    }
  });

  it('is signed again', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await webCall(client, agentId(), headers);
    // The token states its time in whole seconds of system time.
    const { iat = 0 } = decodeJwt(first.token);
    await eventually(() => expect(nowInSeconds()).toBeGreaterThan(iat));
    const repeat = await webCall(client, agentId(), headers);
    expect(decodeJwt(repeat.token).iat).toBeGreaterThan(iat);
    expect(repeat.room_name).toBe(first.room_name);
  });
});
