// Web calls: `spec.md` "Browser call session" and `POST /v1/agents/{id}/web-call`; the rows join_tokens, room_url and
// disabled_agent of `interface.md` section 9. Tokens live on machine time.
import { createHmac, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { join, joined, refused } from './support/rooms.ts';
import { answerIn, exchange, type Wire, wireTo } from './support/wire.ts';
import { childOf } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;
let wire: Wire;
let agentId: string;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  client = clientOf(sandbox.url);
  wire = wireTo(sandbox.url);
});
beforeEach(async () => {
  await sandbox.reset();
  agentId = (await client.get('/v1/agents')).body.data[0].id;
});
afterAll(async () => {
  wire.close();
  await sandbox.close();
});

type Session = Answer['body'];

async function webCall(by: Client = client, id = agentId, headers = {}): Promise<Session> {
  const answer = await by.post(`/v1/agents/${id}/web-call`, undefined, headers);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

const withToken = ({ room_url, token }: Session): string => `${room_url}?access_token=${token}`;
const key = new TextEncoder().encode('sandbox_join_secret_for_browser_calls');
const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** A token with those claims, signed with the published key unless another is given. */
function tokenWith(claims: object, signedWith: Uint8Array = key): Promise<string> {
  return new SignJWT(claims as never).setProtectedHeader({ alg: 'HS256' }).sign(signedWith);
}

/** The claims of a session's token, some of them others. */
function claimsOf({ token }: Session, changed: object = {}): object {
  return { ...decodeJwt(token), ...changed };
}

describe('a web call', () => {
  it('answers a browser call session with every field of the specification', async () => {
    const session = await webCall();
    expect(session).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      room_url: `${sandbox.url.replace('http:', 'ws:')}/rooms/${session.room_name}`,
      room_name: expect.stringMatching(/^room_[0-9a-f]{24}$/),
      expires_in: 21_600,
      agent_id: agentId,
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

  it("carries a real JWT with LiveKit's claims, good from now for expires_in", async () => {
    const before = nowInSeconds();
    const { token, room_name, expires_in } = await webCall();
    const after = nowInSeconds();
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { payload } = await jwtVerify(token, key, { issuer: 'sandbox_join_key', algorithms: ['HS256'] });
    expect(payload).toMatchObject({
      sub: expect.stringMatching(/^caller_/),
      video: { roomJoin: true, room: room_name, canPublish: true, canSubscribe: true, canPublishData: true },
    });
    const { nbf = 0, exp = 0 } = payload;
    expect(exp - nbf).toBe(expires_in);
    expect(nbf).toBeGreaterThanOrEqual(before);
    expect(nbf).toBeLessThanOrEqual(after);
  });

  it('carries TURN credentials that follow from the name and expire with the token', async () => {
    const { token, ice_servers } = await webCall();
    const [until, ...identity] = ice_servers[1].username.split(':');
    expect(Number(until)).toBe(decodeJwt(token).exp);
    expect(identity.join(':')).toBe(decodeJwt(token).sub);
    const expected = createHmac('sha1', key).update(ice_servers[1].username).digest('base64');
    expect(ice_servers[1].credential).toBe(expected);
  });

  it('makes a room of its own each time', async () => {
    const names = [await webCall(), await webCall()].map(({ room_name }) => room_name);
    expect(new Set(names).size).toBe(2);
  });

  it('needs no phone number of the agent', async () => {
    const world = clientOf(sandbox.url, 'svc_test_no-number');
    const agents = (await world.get('/v1/agents')).body.data;
    expect((await webCall(world, agents[1].id)).agent_id).toBe(agents[1].id);
    // No call record stands for it: there is no number that was called.
    expect((await world.get('/v1/calls')).body.meta.total_results).toBe(7);
  });

  it('with a disabled agent is 409, naming the state and what is allowed', async () => {
    await client.patch(`/v1/agents/${agentId}`, { enabled: false });
    const answer = await client.post(`/v1/agents/${agentId}/web-call`);
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toMatch(/disabled.*enabled/);
    expect(answer.headers['x-sandbox-assumptions']).toContain('disabled_agent');
    await client.patch(`/v1/agents/${agentId}`, { enabled: true });
    await webCall();
  });

  it.each(['nope', '00000000-0000-4000-8000-000000000000'])('with no agent is 404: %s', async (id) => {
    expectError(await client.post(`/v1/agents/${id}/web-call`), 404, 'not_found');
  });

  it("with another tenant's or the parent's agent is 404", async () => {
    for (const by of [clientOf(sandbox.url, 'svc_sandbox_other'), await childOf(sandbox.url, client)]) {
      expectError(await by.post(`/v1/agents/${agentId}/web-call`), 404, 'not_found');
    }
  });

  it('ignores a body', async () => {
    for (const body of ['{"agent_id": 5}', 'no JSON']) {
      expect((await client.post(`/v1/agents/${agentId}/web-call`, body)).status).toBe(201);
    }
  });

  it('names the server by the address that the client used', async () => {
    const { port } = new URL(sandbox.url);
    const answer = await wire.send({
      method: 'POST',
      path: `/v1/agents/${agentId}/web-call`,
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

describe('a repeated web call', () => {
  it('has the room of the first, a token that joins it, and the address of the repeat', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const path = `/v1/agents/${agentId}/web-call`;
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

  it('is signed anew', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await webCall(client, agentId, headers);
    // The token says its instant in whole seconds of the machine's time.
    const { iat = 0 } = decodeJwt(first.token);
    let repeat = await webCall(client, agentId, headers);
    while (nowInSeconds() <= iat) repeat = await webCall(client, agentId, headers);
    repeat = await webCall(client, agentId, headers);
    expect(decodeJwt(repeat.token).iat).toBeGreaterThan(iat);
    expect(repeat.room_name).toBe(first.room_name);
  });
});

describe('a room', () => {
  it('lets in who holds its token, and says who is there', async () => {
    const session = await webCall();
    const seat = await joined(withToken(session));
    expect(await seat.hear('joined')).toEqual({
      type: 'joined',
      room_name: session.room_name,
      identity: decodeJwt(session.token).sub,
      participants: [{ identity: `agent_${agentId}`, kind: 'agent', agent_id: agentId }],
    });
    seat.leave();
    await seat.closed;
  });

  it.each(['access_token', 'token'])('takes the token as %s in the query', async (name) => {
    const { room_url, token } = await webCall();
    const seat = await joined(`${room_url}?${name}=${token}`);
    seat.leave();
    await seat.closed;
  });

  it('takes the token as a Bearer token', async () => {
    const { room_url, token } = await webCall();
    const seat = await joined(room_url, { Authorization: `Bearer ${token}` });
    seat.leave();
    await seat.closed;
  });

  it('tells those who are there of who comes and goes', async () => {
    const session = await webCall();
    const [one, two] = [await joined(withToken(session)), await joined(withToken(session))];
    await one.hear('participant_joined');
    two.leave();
    await one.hear('participant_left');
    one.leave();
    await Promise.all([one.closed, two.closed]);
    expect(two.heard.map(({ type }) => type)).toEqual(['joined']);
  });

  it('says that it takes no messages', async () => {
    const seat = await joined(withToken(await webCall()));
    seat.say('{"type":"hello"}');
    expect((await seat.hear('error')).error.code).toBe('validation_error');
    seat.leave();
    await seat.closed;
  });

  it('lets go of a browser that sends too much, and of no other', async () => {
    const session = await webCall();
    const [loud, quiet] = [await joined(withToken(session)), await joined(withToken(session))];
    loud.say('x'.repeat(64 * 1024 + 1));
    expect(await loud.closed).toBe(1009);
    await quiet.hear('participant_left');
    quiet.leave();
    await quiet.closed;
  });

  const forgeries: readonly [string, (session: Session) => string | Promise<string>][] = [
    ['who brings no token', () => ''],
    ['a token that is no JWT', () => 'nonsense'],
    ['an API key for a token', () => 'svc_sandbox_default'],
    ['a token signed with another key', (s) => tokenWith(claimsOf(s), new TextEncoder().encode('x'.repeat(40)))],
    ['an altered token', ({ token }) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
    [
      'a token that is not signed',
      (s) =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claimsOf(s))).toString('base64url')}.`,
    ],
    ['an expired token', (s) => tokenWith(claimsOf(s, { exp: nowInSeconds() - 1 }))],
    ['a token that is not good yet', (s) => tokenWith(claimsOf(s, { nbf: nowInSeconds() + 60 }))],
    ['a token of another issuer', (s) => tokenWith(claimsOf(s, { iss: 'another' }))],
    ['a token without an end', (s) => tokenWith(claimsOf(s, { exp: undefined }))],
    ['a token that grants no room', (s) => tokenWith(claimsOf(s, { video: { room: s.room_name } }))],
    ['a token of someone else', (s) => tokenWith(claimsOf(s, { sub: 'caller_someone' }))],
  ];

  it.each(forgeries)('refuses %s with 401', async (_, forge) => {
    const session = await webCall();
    const answer = await refused(`${session.room_url}?access_token=${await forge(session)}`);
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="rooms"');
    expect(answer.body.error.doc_url).toBe(`${sandbox.url}/docs/errors#unauthorized`);
  });

  it('refuses the token of another room with 403', async () => {
    const [mine, other] = [await webCall(), await webCall()];
    const answer = await refused(`${mine.room_url}?access_token=${other.token}`);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  });

  it('that there is not is 404', async () => {
    const { token, room_url, room_name } = await webCall();
    for (const url of [
      room_url.replace(room_name, 'room_unheard-of'),
      room_url.replace(`/${room_name}`, ''),
      room_url.replace(room_name, `${room_name}/rtc`),
      room_url.replace(room_name, '%zz'),
    ]) {
      const answer = await refused(`${url}?access_token=${token}`);
      expect([answer.status, answer.body.error.code], url).toEqual([404, 'not_found']);
    }
  });

  it('closes with a reset; its token opens no room after it, though one of the same name is made', async () => {
    const session = await webCall();
    const seat = await joined(withToken(session));
    await sandbox.reset();
    expect(await seat.closed).toBe(4404);
    expect((await refused(withToken(session))).status).toBe(404);
    const again = await webCall();
    expect(again.room_name).toBe(session.room_name);
    expect((await refused(`${again.room_url}?access_token=${session.token}`)).status).toBe(401);
    const anew = await joined(withToken(again));
    anew.leave();
    await anew.closed;
  });

  it('closes with its world, and no other world with it', async () => {
    const ids: string[] = [];
    const seats = [];
    for (const world of ['goes', 'stays']) {
      const by = clientOf(sandbox.url, `svc_test_${world}`);
      const [{ id }] = (await by.get('/v1/agents')).body.data;
      ids.push(id);
      seats.push(await joined(withToken(await webCall(by, id))));
    }
    const [goes, stays] = seats as [Awaited<ReturnType<typeof joined>>, Awaited<ReturnType<typeof joined>>];
    expect((await client.delete('/_sandbox/worlds/goes')).status).toBe(204);
    expect(await goes.closed).toBe(4404);
    stays.say('still there?');
    await stays.hear('error');
    stays.leave();
    await stays.closed;
  });
});

describe('what is no WebSocket', () => {
  it('is told with 426 that a room is one', async () => {
    const answer = await wire.send({ path: '/rooms/room_1', key: null });
    expectError(answer, 426, 'validation_error');
    expect(answer.headers.upgrade).toBe('websocket');
  });

  const upgrade = (path: string, more: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;

  it('a handshake without a key is 400, in the envelope', async () => {
    const { room_name, token } = await webCall();
    const path = `/rooms/${room_name}?access_token=${token}`;
    for (const more of ['', 'Sec-WebSocket-Version: 13\r\n', 'Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n']) {
      const answer = answerIn(await exchange(sandbox.url, upgrade(path, more)));
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.doc_url).toBe('http://x/docs/errors#validation_error');
    }
  });

  it('a handshake of an unknown version is 400, and told which are known', async () => {
    const { room_name, token } = await webCall();
    const more = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 99\r\n';
    const answer = answerIn(await exchange(sandbox.url, upgrade(`/rooms/${room_name}?access_token=${token}`, more)));
    expectError(answer, 400, 'validation_error');
    expect(answer.headers['sec-websocket-version']).toBe('13, 8');
  });

  it('a handshake that is broken off harms nobody', async () => {
    const { room_name, token } = await webCall();
    const whole = upgrade(
      `/rooms/${room_name}?access_token=${token}`,
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
    );
    for (let n = 0; n < 20; n++) await exchange(sandbox.url, whole, 1);
    for (let n = 0; n < 20; n++) await exchange(sandbox.url, upgrade('/rooms/room_1', ''), 1);
    expect((await client.get('/v1/me')).status).toBe(200);
  });

  it('a frame that is none closes its own socket only', async () => {
    const { room_name, token } = await webCall();
    const whole = upgrade(
      `/rooms/${room_name}?access_token=${token}`,
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
    );
    const bytes = Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0xff, 0xff, 0xff])]);
    const { statuses, outcome } = await exchange(sandbox.url, bytes);
    expect(statuses).toEqual([101]);
    expect(outcome).not.toBe('open');
    expect((await client.get('/v1/me')).status).toBe(200);
  });
});

describe('an offer of another protocol', () => {
  it.each(['h2c', 'TLS/1.3', 'websocket'])('%s elsewhere is passed over, and the request is served', async (name) => {
    const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
    const lines = (method: string, path: string, more: readonly string[]): string =>
      [
        `${method} ${path} HTTP/1.1`,
        'Host: x',
        'Authorization: Bearer svc_sandbox_default',
        `Connection: Upgrade, HTTP2-Settings`,
        `Upgrade: ${name}`,
        'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
        ...more,
        '',
        '',
      ].join('\r\n');
    const read = answerIn(await exchange(sandbox.url, lines('GET', '/v1/me', []), 300));
    expect(read.status, read.text).toBe(200);
    const head = lines('POST', '/v1/calls/dial', [
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]);
    // The body in one piece with the head, and one that comes behind it; a second request on the same connection.
    const twice = await exchange(sandbox.url, `${head}${body}${head}${body}`, 300);
    expect(twice.statuses).toEqual([202, 202]);
  });

  it('may come with every request of a connection', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on('warning', onWarning);
    const headers = { Connection: 'Upgrade, keep-alive', Upgrade: 'h2c' };
    for (let n = 0; n < 40; n++) expect((await wire.send({ path: '/v1/me', headers })).status).toBe(200);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('is passed over where it comes with a chunked body', async () => {
    const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
    const request = [
      'POST /v1/calls/dial HTTP/1.1',
      'Host: x',
      'Authorization: Bearer svc_sandbox_default',
      'Connection: close, Upgrade',
      'Upgrade: h2c',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ].join('\r\n');
    const answered = await exchange(sandbox.url, request);
    expect(answered.statuses).toEqual([202]);
    expect(answered.outcome).toBe('ended');
  });
});

describe('a server that stops', () => {
  it('says goodbye to every room with 1001, and is not kept by a socket', async () => {
    const own = await createSandbox({ clock: 'manual' });
    const by = clientOf(own.url);
    const [{ id }] = (await by.get('/v1/agents')).body.data;
    const session = await webCall(by, id);
    const seats = await Promise.all([joined(withToken(session)), joined(withToken(session))]);
    // A connection that has asked for a room and does not take its refusal.
    const silent = exchange(
      own.url,
      'GET /rooms/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await silent;
    await own.close();
    expect(await Promise.all(seats.map(({ closed }) => closed))).toEqual([1001, 1001]);
    await expect(join(withToken(session))).rejects.toThrow(/ECONNREFUSED/);
  });
});
