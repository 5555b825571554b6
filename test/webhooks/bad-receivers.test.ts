// Receivers that misbehave: an error class in the attempt, nothing else delayed, memory flat. `interface.md` section 6.
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/webhooks/failures.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { selfSigned } from '../support/self-signed.ts';
import { stretched, until } from '../support/until.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { UNLIMITED } from './setup.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
});

async function listening(server: Server): Promise<string> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes a part again and again, as fast as the other side reads or at an interval, until the connection is closed. */
function pour(socket: Socket, part: string | Buffer, everyMs = 0): void {
  if (everyMs > 0) {
    const timer = setInterval(() => socket.write(part), everyMs);
    socket.once('close', () => clearInterval(timer));
    return;
  }
  const more = (): void => {
    while (!socket.destroyed && socket.write(part)) {}
  };
  socket.on('drain', more);
  more();
}

const OK = 'HTTP/1.1 200 OK\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1000);
const MEBIBYTE = Buffer.alloc(1024 * 1024, 'x');
const GIBIBYTE = 1024 ** 3;

/** Short only where the limit is what ends the attempt: on a busy machine, the others take their time. */
function limitsFor(errorClass: RegExp): { answer: string; total: string } {
  if (/total/.test(errorClass.source)) return { answer: '30s', total: '400ms' };
  return { answer: /timeout/.test(errorClass.source) ? '150ms' : '30s', total: '45s' };
}

/** What a receiver does with a connection once it has got a delivery, and how the attempt ends. */
const misdeeds: readonly [name: string, (socket: Socket) => unknown, errorClass: RegExp][] = [
  ['hangs', () => {}, /^headers_timeout$/],
  [
    'drips the headers of its response',
    (socket) => {
      socket.write(`${OK}X-Slow: `);
      pour(socket, 'x', 20);
    },
    /^headers_timeout$/,
  ],
  [
    'drips the body of its response',
    (socket) => {
      socket.write(`${OK}Content-Length: 100000\r\n\r\n`);
      pour(socket, 'x', 20);
    },
    /^total_timeout$/,
  ],
  [
    'stops in the middle of its response',
    (socket) => socket.write(`${OK}Content-Length: 9\r\n\r\nx`),
    /^body_timeout$/,
  ],
  ['closes early', (socket) => socket.end(`${OK}Content-Length: 9\r\n\r\nx`), /^reset$/],
  ['closes without a response', (socket) => socket.end(), /^reset$/],
  [
    'answers a gibibyte',
    (socket) => {
      socket.write(`${OK}Content-Length: ${GIBIBYTE}\r\n\r\n`);
      pour(socket, MEBIBYTE);
    },
    /^too_large$/,
  ],
  [
    'answers headers without end',
    (socket) => {
      socket.write(OK);
      pour(socket, `X-Header: ${'x'.repeat(1000)}\r\n`);
    },
    /^too_large$/,
  ],
  ['answers interim responses without end', (socket) => pour(socket, EARLY_HINTS), /^too_large$/],
  ['switches to another protocol', (socket) => socket.write('HTTP/1.1 101 X\r\n\r\n'), /^(http_status|other)$/],
  [
    'answers a status that does not exist',
    (socket) => socket.write('HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n'),
    /^(http_status|other)$/,
  ],
  ['answers what is not HTTP', (socket) => socket.write('220 mail.example.com ESMTP\r\n'), /^other$/],
];

it.each([
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_CHAIN_TOO_LONG', 'CERT_REVOKED', 'CRL_HAS_EXPIRED'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'UNSPECIFIED'],
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'],
])('a receiver with which TLS fails by %s is told to be one', (code) => {
  const error = Object.assign(new Error('it is refused'), { code });
  const failure = failureOf(error, 'receiver.example', { connect: 1, response: 1, total: 1 });
  expect(failure).toEqual({
    error_class: 'tls',
    error: `no TLS connection to receiver.example: it is refused (${code})`,
  });
});

describe.each(['fresh', 'reuse'])('over %s connections, a receiver that', (webhookConnections) => {
  const { sandbox } = useSandbox({ ...UNLIMITED, webhookConnections });
  const newReceiver = useReceivers();

  /** The attempt of a delivery to a URL with these time limits, while another receiver gets its own at once. */
  async function attemptAt(url: string, timeout = { answer: '30s', total: '45s' }) {
    const { client, world } = freshWorld(sandbox);
    const good = await newReceiver();
    const [id] = await subscribe(client, url, 'call_busy');
    await subscribe(client, good.url, 'call_busy');
    await client.put(`/_sandbox/webhook-subscriptions/${id}`, { plan: { timeout } });
    await fire(client, 'call_busy');
    const advanced = world.clock.advance('0s');
    await until(() => good.got.length).toBe(1);
    await advanced;
    const [delivery, other] = await deliveriesOf(client);
    expect([delivery.status, other.status]).toEqual(['failed', 'delivered']);
    return delivery.attempts[0];
  }

  it.each(misdeeds)('%s', async (_, misbehave, errorClass) => {
    let written = 0;
    const server = createServer((socket) => {
      socket.once('data', () => misbehave(socket));
      socket.once('close', () => {
        written += socket.bytesWritten;
      });
    });
    const attempt = await attemptAt(`http://${await listening(server)}/hook`, limitsFor(errorClass));
    expect(attempt.error_class).toMatch(errorClass);
    expect([attempt.error, attempt.hint]).toEqual([expect.stringMatching(/^.+$/), expect.stringMatching(/./)]);
    expect(attempt.error).not.toContain('assert');
    expect(attempt.latency_ms).toBeLessThan(stretched(3000));
    expect(attempt.response?.body.length ?? 0).toBeLessThanOrEqual(4096);
    // What is in the buffers of the system besides.
    expect(written).toBeLessThan(64 * MEBIBYTE.length);
  });

  it('presents a certificate that nobody trusts', async () => {
    const server = createHttpsServer(selfSigned, (_, res) => res.end());
    const attempt = await attemptAt(`https://${await listening(server)}/hook`);
    expect(attempt).toMatchObject({ error_class: 'tls', response: null, hint: expect.stringContaining('trusts') });
  });

  it('redirects in a loop gets one request', async () => {
    const receiver = await newReceiver();
    receiver.onDelivery = ({ path }, res) => res.writeHead(307, { Location: path }).end();
    expect((await attemptAt(`${receiver.url}/loop`)).error_class).toBe('http_status');
    expect(receiver.got).toHaveLength(1);
  });

  it('answers less than a mebibyte is heard to the end, and 4 KiB of it are kept', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.end('y'.repeat(1_000_000));
    await subscribe(client, receiver.url, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ status, attempts }] = await deliveriesOf(client);
    expect([status, attempts[0].response.body]).toEqual(['delivered', 'y'.repeat(4096)]);
  });
});
