// Bounds of connections and of large bodies: how many connections one address may open, what a body may take before its
// request is authenticated, and how long silent clients are waited for.
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BODY_LIMIT, receiveBody } from '../../src/http/body.ts';
import { MAX_AT_ONCE, MAX_PER_ADDRESS, MAX_UNANSWERED } from '../../src/http/connections.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { type Client, clientOf, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { unhandledDuring } from '../support/unhandled.ts';
import { stretched, until } from '../support/until.ts';
import { answerOf, JSON_TYPE, resetAfter, sendBytes, wireTo } from '../support/wire.ts';

const small = useFreshSandbox({ clock: 'manual', memory: '64mb' });
const usual = useFreshSandbox({ clock: 'manual', memory: '1gb' });

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** The connections' share of the memory, as health shows it. */
async function shareOf(client: Client): Promise<{ used_bytes: number; limit_bytes: number; refused: number }> {
  return (await client.get('/_sandbox/health')).body.data.memory.shares.connections;
}

const EACH = 32 * 1024;

/** Closes the connection that the reset of the world was sent on, and waits until that of health is alone. */
async function onlyHealth({ sandbox, client }: typeof usual): Promise<void> {
  sandbox.control.close();
  await until(async () => (await shareOf(client)).used_bytes).toBe(EACH);
}

/** Opens connections, and waits until the server has accepted them. */
async function open({ sandbox: { url }, client }: typeof usual, count: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const opened = Array.from({ length: count }, async () => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket.on('error', () => {}));
    await new Promise((resolve) => socket.once('connect', resolve));
  });
  await Promise.all(opened);
  // Health has a connection, too.
  await until(async () => (await shareOf(client)).used_bytes).toBeGreaterThanOrEqual((count + 1) * EACH);
}

const me = 'GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_sandbox_default\r\nConnection: close\r\n\r\n';

const handshake = (path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ].join('\r\n');

describe('connections', () => {
  it.runIf(thorough)(`from one address are refused with 429 past ${MAX_PER_ADDRESS}, until one is closed`, async () => {
    const { url } = usual.sandbox;
    await onlyHealth(usual);
    await open(usual, MAX_PER_ADDRESS - 1);
    const got = await sendBytes(url, me);
    expect([got.outcome, ...got.statuses]).toEqual(['ended', 429]);
    expect(answerOf(got).body.error.message).toContain(`More than ${MAX_PER_ADDRESS} connections from 127.0.0.1`);
    expect(answerOf(got).headers['retry-after']).toBe('1');
    sockets.pop()?.destroy();
    await until(async () => (await sendBytes(url, me)).statuses).toEqual([200]);
  });

  it('are refused with 429 past their share of the memory, and free it when they are closed', async () => {
    const { sandbox, client } = small;
    await onlyHealth(small);
    const { used_bytes: used, limit_bytes: limit } = await shareOf(client);
    await open(small, Math.floor((limit - used) / EACH));
    const got = await sendBytes(sandbox.url, me);
    expect(got.statuses).toEqual([429]);
    expect(answerOf(got).body.error.message).toContain("The server's memory for connections");
    expect((await shareOf(client)).refused).toBeGreaterThan(0);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => (await shareOf(client)).used_bytes).toBeLessThan(10 * EACH);
  });

  it('leave no error unhandled when they are refused and reset', async () => {
    const { sandbox, client } = small;
    await onlyHealth(small);
    const { used_bytes: used, limit_bytes: limit, refused } = await shareOf(client);
    await open(small, Math.floor((limit - used) / EACH));
    const unhandled = await unhandledDuring(async () => {
      for (const ticks of [0, 1, 2, 5, 20]) await resetAfter(sandbox.url, me, ticks);
      expect((await shareOf(client)).refused).toBeGreaterThan(refused);
    });
    expect(unhandled).toEqual([]);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => (await shareOf(client)).used_bytes).toBeLessThan(10 * EACH);
  });

  it(`have ${MAX_UNANSWERED} requests at most that wait for one another, and are closed past that`, async () => {
    const { sandbox, client } = usual;
    await onlyHealth(usual);
    const next = me.replace('Connection: close\r\n', '');
    const most = await sendBytes(sandbox.url, next.repeat(MAX_UNANSWERED - 1) + me);
    expect(most.statuses).toEqual(Array.from({ length: MAX_UNANSWERED }, () => 200));
    // They are read at once, and most are never served.
    const got = await sendBytes(sandbox.url, next.repeat(5000));
    expect(got.outcome).not.toBe('open');
    expect(got.statuses.length).toBeLessThan(5000);
    await until(async () => (await shareOf(client)).used_bytes).toBe(EACH);
  });

  it('are closed when a request waits for others that has a body, which nobody would read', async () => {
    const { sandbox, client } = usual;
    await onlyHealth(usual);
    const before = me.replace('Connection: close\r\n', '').repeat(MAX_AT_ONCE);
    const dial = me.replace('GET /v1/me', 'POST /v1/calls/dial').replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n{}');
    const got = await sendBytes(sandbox.url, before + dial);
    expect(got.outcome).not.toBe('open');
    expect(got.statuses.filter((status) => status !== 200)).toEqual([]);
    await until(async () => (await shareOf(client)).used_bytes).toBe(EACH);
  });

  it('give back what long answers take that wait for others when the client leaves', async () => {
    const { sandbox, client } = usual;
    await onlyHealth(usual);
    const long = 'GET /_sandbox/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const ticks of [0, 1, 2, 5, 20, 50]) await resetAfter(sandbox.url, long.repeat(MAX_AT_ONCE), ticks);
    await until(async () => (await shareOf(client)).used_bytes).toBe(EACH);
  });

  it.each(['Accept: */*', 'Expect: more'])(
    'take memory for each waiting request, or are closed (%s)',
    async (header) => {
      const { sandbox, client } = small;
      await onlyHealth(small);
      const { used_bytes: used, limit_bytes: limit, refused } = await shareOf(client);
      await open(small, Math.floor((limit - used) / EACH) - 10);
      const got = await sendBytes(sandbox.url, me.replace('Connection: close', header).repeat(50));
      expect(got.outcome).not.toBe('open');
      expect((await shareOf(client)).refused).toBeGreaterThan(refused);
      for (const socket of sockets.splice(0)) socket.destroy();
      await until(async () => (await shareOf(client)).used_bytes).toBeLessThan(10 * EACH);
    },
  );

  it.each([
    ['whose request is malformed', 'no HTTP\r\n\r\n', 400],
    ['that asks for a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 405],
    ['whose handshake is refused', `${handshake('/rooms/none')}\r\n\r\n`, 401],
  ])('%s is closed by the server where the client leaves it half open', async (_, bytes, status) => {
    const { hostname, port } = new URL(usual.sandbox.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    sockets.push(socket.on('error', () => {}));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const ended = new Promise((resolve) => socket.once('end', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(bytes);
    await ended;
    expect(text).toContain(`HTTP/1.1 ${status} `);
    const writing = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(writing);
  });

  it.runIf(thorough)('whose headers or body stop arriving are ended in time', async () => {
    const { url } = usual.sandbox;
    const key = 'Host: x\r\nAuthorization: Bearer svc_sandbox_default';
    const body = `POST /v1/calls/dial HTTP/1.1\r\n${key}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    const began = performance.now();
    const lasting = async (bytes: string): Promise<[string, number]> => {
      const { outcome } = await sendBytes(url, bytes);
      return [outcome, (performance.now() - began) / 1000];
    };
    const [headers, bodies] = await Promise.all([lasting(`GET /v1/me HTTP/1.1\r\n${key}`), lasting(body)]);
    for (const [[outcome, seconds], limit] of [[headers, 10] as const, [bodies, 30] as const]) {
      expect(outcome).toBe('ended');
      expect(seconds).toBeGreaterThan(limit - 1);
      expect(seconds).toBeLessThan(limit + stretched(4));
    }
  });
});

describe('a large body', () => {
  const upload = (bytes: number): string =>
    JSON.stringify({
      filename: 'large.pdf',
      content_type: 'application/pdf',
      content_base64: Buffer.from(`%PDF-1.4 ${'x'.repeat(bytes)}`).toString('base64'),
    });
  const send = (
    url: string,
    body: string,
    key: string,
    chunked: boolean,
  ): ReturnType<ReturnType<typeof wireTo>['send']> =>
    wireTo(url).send({ method: 'POST', path: '/v1/caller-trust/documents', key, headers: JSON_TYPE, body, chunked });

  it.each([false, true])('is read to its end once its request is authenticated (chunked: %s)', async (chunked) => {
    expect((await send(usual.sandbox.url, upload(2_000_000), 'svc_sandbox_default', chunked)).status).toBe(201);
  });

  it('is not read beyond the usual limit before that', () => {
    for (const headers of [{ 'content-length': String(2 * BODY_LIMIT) }, { 'transfer-encoding': 'chunked' }]) {
      const req = Object.assign(new IncomingMessage(new Socket()), { headers });
      const body = receiveBody(req, 10 * BODY_LIMIT);
      req.push(Buffer.alloc(BODY_LIMIT));
      expect(req.isPaused()).toBe(false);
      req.read();
      req.push(Buffer.alloc(BODY_LIMIT));
      req.read();
      expect(req.isPaused()).toBe(true);
      body.admit({ turns: new Turns(), world: 'w' });
      expect(req.isPaused()).toBe(false);
    }
  });

  it('is 429 while the memory for requests in progress is full, and is given back afterwards', async () => {
    const { sandbox } = small;
    const answer = await send(sandbox.url, upload(9_000_000), 'svc_sandbox_default', false);
    expectError(answer, 429, 'rate_limited');
    expect(answer.body.error.message).toContain(
      "The server's memory for connections and requests in progress has no room",
    );
    for (let n = 0; n < 8; n++) {
      const { status, text } = await send(sandbox.url, upload(600_000), 'svc_sandbox_default', false);
      expect(status, text).toBe(201);
    }
  });

  it('is 401 with an unknown key, whatever the memory', async () => {
    for (const chunked of [false, true]) {
      expectError(await send(small.sandbox.url, upload(9_000_000), 'svc_nobody', chunked), 401, 'unauthorized');
    }
    expect((await clientOf(small.sandbox.url).get('/v1/me')).status).toBe(200);
  });
});
