// What the server holds for clients who ask for much and do not read it: counted, refused where there is no room, and never so
// much that nothing is left for others. A budget of 64 MB has 16 MB for connections and what is in progress on them.
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { openStream } from '../stream/setup.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { type Client, clientOf, expectError } from '../support/client.ts';
import { LEADS, SECRET } from '../support/outbound.ts';
import { eventually } from '../support/until.ts';

const MB = 1024 ** 2;
const KEY = 'svc_sandbox_default';

let sandbox: Sandbox;
let client: Client;
let sockets: Socket[];
beforeEach(async () => {
  sandbox = await createSandbox({ memory: '64mb', rateLimit: 'off', concurrentCalls: 'off', clock: 'manual' });
  client = clientOf(sandbox.url);
  sockets = [];
});
afterEach(async () => {
  for (const each of sockets) each.destroy();
  await sandbox.close();
});

const connections = async () =>
  (await clientOf(sandbox.url, null).get('/_sandbox/health')).body.data.memory.shares.connections;

/** Asks for a path so often, and reads nothing of the answers. */
function leaveUnread(path: string, times: number, headers = ''): void {
  const { port } = new URL(sandbox.url);
  for (let n = 0; n < times; n++) {
    const socket = connect(Number(port), '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n${headers}\r\n`);
    sockets.push(socket);
  }
}

/** Leaves them unread until the world has no room for more, and expects that others have, and that it has again later. */
async function expectRefused(path: string): Promise<void> {
  await eventually(async () => {
    // Again each time: while the one below is read, others find no room.
    leaveUnread(path, 12);
    const answer = await client.get(path);
    expectError(answer, 429, 'rate_limited');
    // Where those that are being made are refused too, there may be room a moment later.
    expect(answer.body.error.message).toMatch(
      /^The server's memory for connections and requests in progress has no room: .* MB of 16 MB are used, .* MB by this world/,
    );
  });
  const { used_bytes, limit_bytes, refused } = await connections();
  expect(used_bytes).toBeLessThan(limit_bytes);
  expect(refused).toBeGreaterThan(0);
  expect((await clientOf(sandbox.url, 'svc_test_other').get(path)).status).toBe(200);
  for (const each of sockets) each.destroy();
  await eventually(async () => expect((await client.get(path)).status).toBe(200));
  expect((await connections()).used_bytes).toBeLessThan(2 * MB);
}

/** Fills a journal with some 6 MB. */
async function fillJournal(): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const body = { from_number: '+14155550190', to_number: '+12125550199', ignored: String(n).padEnd(60_000, 'x') };
    expect((await client.post('/v1/calls/dial', body)).status).toBe(202);
  }
}

describe('answers that nobody reads', () => {
  it('of a journal', async () => {
    await fillJournal();
    await expectRefused('/_sandbox/requests?page_size=1000');
  });

  it("of the platform's lists", async () => {
    for (let n = 0; n < 25; n++) {
      const lead = { metadata: { text: String(n).padEnd(200_000, 'x') } };
      expect((await clientOf(sandbox.url, null).post(LEADS, lead, SECRET)).status).toBe(201);
    }
    await expectRefused('/v1/contacts?page_size=100');
    // What the client got is in the journal.
    const { data } = (await client.get('/_sandbox/requests?operation=listContacts&status=429&page_size=1')).body;
    expect(data[0]).toMatchObject({ status: 429, error_code: 'rate_limited' });
  });

  it('of streams that begin with all that the journals keep', async () => {
    await fillJournal();
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    leaveUnread('/_sandbox/stream?since=start', 12, `${upgrade.join('\r\n')}\r\n`);
    // Before the one below, which would take the room of others for as long as it is read.
    await eventually(async () => expect((await connections()).refused).toBeGreaterThan(0));
    const open = (key: string) => openStream(sandbox.url, { since: 'start' }, { Authorization: `Bearer ${key}` });
    await eventually(async () => {
      const stream = await open(KEY);
      if (!('closed' in stream)) throw new Error('the stream was refused');
      expect(await stream.closed).toEqual({ code: 4429, reason: expect.stringContaining('rate_limited') });
    });
    const { used_bytes, limit_bytes } = await connections();
    expect(used_bytes).toBeLessThan(limit_bytes);
    await clientOf(sandbox.url, 'svc_test_other').get('/v1/me');
    const other = await open('svc_test_other');
    if (!('until' in other)) throw new Error('the stream was refused');
    await other.until(({ type }) => type === 'request');
    await other.leave();
    for (const each of sockets) each.destroy();
    await eventually(async () => expect((await connections()).used_bytes).toBeLessThan(2 * MB));
  });
});

describe('waits for what does not happen', () => {
  it('hold none of the events that are not meant', async () => {
    for (let n = 0; n < 200; n++) await client.call('+12125550199');
    const before = bytesInUse();
    leaveUnread('/_sandbox/wait?delivered=true&timeout=60s', 200);
    await eventually(async () => expect((await connections()).used_bytes).toBeGreaterThan(200 * 32 * 1024));
    // It comes after them.
    await client.get('/_sandbox/wait?delivered=true&timeout=1ms');
    expect(bytesInUse() - before).toBeLessThan(20 * MB);
  });
});

describe('bodies that do not arrive', () => {
  it('are counted with their requests, and refused where there is no room', async () => {
    const { port } = new URL(sandbox.url);
    const socketWith = (length: number): Socket => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      const head = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
      socket.write(`POST /v1/calls/dial HTTP/1.1\r\n${head}\r\n\r\n{`);
      sockets.push(socket);
      return socket;
    };
    for (let n = 0; n < 60; n++) socketWith(250_000);
    await eventually(async () => expect((await connections()).refused).toBeGreaterThan(0));
    // Connections that are closed make room for some.
    const more = Array.from({ length: 20 }, () => socketWith(250_000));
    const answerOf = (socket: Socket): Promise<string> =>
      new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())));
    const answer = await Promise.race(more.map(answerOf));
    expect(answer).toMatch(/^HTTP\/1.1 429 /);
    expect(answer).toContain('connections and requests in progress has no room');
    // Small requests have room, and further connections.
    expect((await client.dial('+12125550199')).status).toBe(202);
    const others = Array.from({ length: 10 }, () => fetch(`${sandbox.url}/_sandbox/ready`));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (const each of sockets) each.destroy();
    await eventually(async () => expect((await connections()).used_bytes).toBeLessThan(MB));
  });

  it('takes no more for coming in parts of a byte', async () => {
    const { port } = new URL(sandbox.url);
    const before = bytesInUse();
    const socket = connect(Number(port), '127.0.0.1');
    const head = 'Host: x\r\nAuthorization: Bearer svc_test_a\r\nContent-Type: application/json';
    socket.write(`POST /v1/calls/dial HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    for (let n = 0; n < 100; n++) {
      const parts = '1\r\n \r\n'.repeat(1024);
      if (!socket.write(parts)) await new Promise((resolve) => socket.once('drain', resolve));
    }
    // What it has sent is read when another request, which came later, is answered.
    await client.get('/v1/me');
    await client.get('/v1/me');
    expect(bytesInUse() - before).toBeLessThan(2 * MB);
    const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550199' });
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(answer.toString()).toContain('HTTP/1.1 202');
    socket.destroy();
  });

  it('take nothing where no body is meant, however long the answer is delayed', async () => {
    const before = bytesInUse();
    const head = 'X-Sandbox-Delay: 60s\r\nTransfer-Encoding: chunked\r\n\r\n';
    // The last part does not come.
    leaveUnread('/v1/me', 10, `${head}${'1\r\n \r\n'.repeat(16_000)}1`);
    await eventually(async () => expect((await connections()).used_bytes).toBeGreaterThan(10 * 250 * 1024));
    // What they have sent is read when another request, which came later, is answered.
    await client.get('/v1/me');
    await client.get('/v1/me');
    expect(bytesInUse() - before).toBeLessThan(5 * MB);
  });
});
