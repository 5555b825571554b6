// Media rooms: who may join, what participants see, and when a room closes (the assumptions join_tokens and room_url).
import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createSandbox } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { join, joined, refused } from '../support/rooms.ts';
import { sample } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { sendBytes } from '../support/wire.ts';
import { joinKey, joinUrl, nowInSeconds, type Session, useWebCalls } from './setup.ts';

const { sandbox, agentId, webCall } = useWebCalls();

/** A token with those claims. */
function tokenWith(claims: object, signedWith: Uint8Array = joinKey): Promise<string> {
  return new SignJWT(claims as never).setProtectedHeader({ alg: 'HS256' }).sign(signedWith);
}

/** The claims of a session's token, some of them changed. */
function claimsOf({ token }: Session, changed: object = {}): object {
  return { ...decodeJwt(token), ...changed };
}

describe('a room', () => {
  it('admits the holder of its token, and lists the participants', async () => {
    const session = await webCall();
    const browser = await joined(joinUrl(session));
    expect(await browser.waitFor('joined')).toEqual({
      type: 'joined',
      room_name: session.room_name,
      identity: decodeJwt(session.token).sub,
      participants: [{ identity: `agent_${agentId()}`, kind: 'agent', agent_id: agentId() }],
    });
    browser.leave();
    await browser.closed;
  });

  it.each(['access_token', 'token'])('accepts the token as %s in the query', async (name) => {
    const { room_url, token } = await webCall();
    const browser = await joined(`${room_url}?${name}=${token}`);
    browser.leave();
    await browser.closed;
  });

  it('accepts the token as a Bearer token', async () => {
    const { room_url, token } = await webCall();
    const browser = await joined(room_url, { Authorization: `Bearer ${token}` });
    browser.leave();
    await browser.closed;
  });

  it('notifies its participants of joins and leaves', async () => {
    const session = await webCall();
    const [one, two] = [await joined(joinUrl(session)), await joined(joinUrl(session))];
    await one.waitFor('participant_joined');
    two.leave();
    await one.waitFor('participant_left');
    one.leave();
    await Promise.all([one.closed, two.closed]);
    expect(two.messages.map(({ type }) => type)).not.toContain('participant_left');
  });

  it('answers a message with an error', async () => {
    const browser = await joined(joinUrl(await webCall()));
    browser.send('{"type":"hello"}');
    expect((await browser.waitFor('error')).error.code).toBe('validation_error');
    browser.leave();
    await browser.closed;
  });

  it('disconnects only the browser that sends too much', async () => {
    const session = await webCall();
    const [loud, quiet] = [await joined(joinUrl(session)), await joined(joinUrl(session))];
    loud.send('x'.repeat(64 * 1024 + 1));
    expect(await loud.closed).toBe(1009);
    await quiet.waitFor('participant_left');
    quiet.leave();
    await quiet.closed;
  });

  const forgeries: readonly [string, (session: Session) => string | Promise<string>][] = [
    ['a request without a token', () => ''],
    ['a token that is not a JWT', () => 'nonsense'],
    ['an API key in place of a token', () => 'svc_sandbox_default'],
    ['a token signed with another key', (s) => tokenWith(claimsOf(s), new TextEncoder().encode('x'.repeat(40)))],
    ['a token that is padded', ({ token }) => `${token}=`],
    ['an altered token', ({ token }) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
    [
      'a token that is not signed',
      (s) =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claimsOf(s))).toString('base64url')}.`,
    ],
    ['an expired token', (s) => tokenWith(claimsOf(s, { exp: nowInSeconds() - 1 }))],
    ['a token that is not valid yet', (s) => tokenWith(claimsOf(s, { nbf: nowInSeconds() + 60 }))],
    ['a token that is valid from no instant', (s) => tokenWith(claimsOf(s, { nbf: 'soon' }))],
    ['a token that is valid from no year', (s) => tokenWith(claimsOf(s, { nbf: 1e300 }))],
    ['a token of another issuer', (s) => tokenWith(claimsOf(s, { iss: 'another' }))],
    ['a token without an expiry', (s) => tokenWith(claimsOf(s, { exp: undefined }))],
    ['a token that grants no room', (s) => tokenWith(claimsOf(s, { video: { room: s.room_name } }))],
    ['a token of another identity', (s) => tokenWith(claimsOf(s, { sub: 'caller_someone' }))],
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

  it('that does not exist is 404', async () => {
    const { token, room_url, room_name } = await webCall();
    for (const url of [
      room_url.replace(room_name, 'room_unknown'),
      room_url.replace(`/${room_name}`, ''),
      room_url.replace(room_name, `${room_name}/rtc`),
      room_url.replace(room_name, '%zz'),
    ]) {
      const answer = await refused(`${url}?access_token=${token}`);
      expect([answer.status, answer.body.error.code], url).toEqual([404, 'not_found']);
    }
  });

  it('closes on a reset, and its token opens no later room of the same name', async () => {
    const session = await webCall();
    const browser = await joined(joinUrl(session));
    await sandbox.reset();
    expect(await browser.closed).toBe(4404);
    expect((await refused(joinUrl(session))).status).toBe(404);
    const again = await webCall();
    expect(again.room_name).toBe(session.room_name);
    expect((await refused(`${again.room_url}?access_token=${session.token}`)).status).toBe(401);
    const rejoined = await joined(joinUrl(again));
    rejoined.leave();
    await rejoined.closed;
  });

  it('closes when its world is deleted, while rooms of other worlds stay open', async () => {
    const ids: string[] = [];
    const browsers = [];
    for (const world of ['goes', 'stays']) {
      const by = clientOf(sandbox.url, `svc_test_${world}`);
      const [{ id }] = (await by.get('/v1/agents')).body.data;
      ids.push(id);
      browsers.push(await joined(joinUrl(await webCall(by, id))));
    }
    const [leaving, staying] = browsers as [Awaited<ReturnType<typeof joined>>, Awaited<ReturnType<typeof joined>>];
    expect((await clientOf(sandbox.url, 'svc_test_goes').delete('/_sandbox/worlds/goes')).status).toBe(204);
    expect(await leaving.closed).toBe(4404);
    staying.send('hello');
    await staying.waitFor('error');
    staying.leave();
    await staying.closed;
  });
});

it('serves requests between the messages of a burst', async () => {
  const socket = new WebSocket(joinUrl(await webCall()));
  await new Promise((resolve) => socket.once('open', resolve));
  let answered = 0;
  socket.on('message', (text) => {
    if (JSON.parse(String(text)).type === 'error') answered += 1;
  });
  for (let n = 0; n < 300; n++) socket.send('x');
  await (await fetch(`${sandbox.url}/_sandbox/health`)).arrayBuffer();
  expect(answered).toBeLessThan(150);
  await until(() => answered).toBe(300);
  socket.close();
});

describe('a connection that is never read', () => {
  it.each(sample(['message', 'ping'], () => 'one'))('is ended when too much waits for it (%s)', async (kind) => {
    const socket = new WebSocket(joinUrl(await webCall()), { autoPong: false });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.on('error', () => {});
    socket.pause();
    let ended = false;
    socket.once('close', () => {
      ended = true;
    });
    // What it sends makes answers of some bytes more each; the system's buffers take a few megabytes of them.
    const payload = 'x'.repeat(120);
    for (let n = 0; !ended && n < 400; n++) {
      for (let m = 0; m < 500; m++) kind === 'ping' ? socket.ping(payload) : socket.send(payload);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => ended).toBe(true);
    const other = await joined(joinUrl(await webCall()));
    other.leave();
    await other.closed;
  });
});

describe('a server that stops', () => {
  it('closes every room with 1001, and does not wait for open sockets', async () => {
    const own = await createSandbox({ clock: 'manual' });
    const by = clientOf(own.url);
    const [{ id }] = (await by.get('/v1/agents')).body.data;
    const session = await webCall(by, id);
    const browsers = await Promise.all([joined(joinUrl(session)), joined(joinUrl(session))]);
    // A connection that asks for a room and does not read the refusal.
    const silent = sendBytes(
      own.url,
      'GET /rooms/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await silent;
    await own.close();
    expect(await Promise.all(browsers.map(({ closed }) => closed))).toEqual([1001, 1001]);
    await expect(join(joinUrl(session))).rejects.toThrow(/ECONNREFUSED/);
  });
});
