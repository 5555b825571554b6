// Requests that are sent on one connection without waiting for the responses before: whatever they ask for, responses keep
// their order, and what cannot be understood takes no memory while it waits for its turn.
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { sendBytes } from '../support/wire.ts';

const { sandbox } = useSandbox({ rateLimit: 'off', clock: 'manual' });

const lines = (...given: string[]): string => `${given.join('\r\n')}\r\n\r\n`;
const key = 'Authorization: Bearer svc_sandbox_default';
const read = lines('GET /v1/me HTTP/1.1', 'Host: x', key);
const delayed = lines('GET /v1/me HTTP/1.1', 'Host: x', key, 'X-Sandbox-Delay: 100ms');
const upgrade = (path: string, to: string, ...more: string[]): string =>
  lines(
    ...[`GET ${path} HTTP/1.1`, 'Host: x', key, 'Connection: Upgrade', `Upgrade: ${to}`, ...more],
    ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
  );

describe('after requests that are still being answered', () => {
  it.each<[string, string, number]>([
    ['a CONNECT', lines('CONNECT x:1 HTTP/1.1', 'Host: x:1'), 405],
    ['a WebSocket that is refused', upgrade('/rooms/none', 'websocket'), 401],
    ['a WebSocket to another host', upgrade('/rooms/none', 'websocket').replace('Host: x', 'Host: evil.example'), 421],
    ['a WebSocket that is opened', upgrade('/_sandbox/stream', 'websocket'), 101],
    ['an upgrade that is ignored', upgrade('/v1/me', 'h2c'), 200],
    ['an unsupported Expect', lines('GET /v1/me HTTP/1.1', 'Host: x', key, 'Expect: tea'), 400],
    ['bytes that are not HTTP', 'garbage\r\n\r\n', 400],
  ])('%s gets its response last', async (_, bytes, status) => {
    for (const before of [read, delayed, read + delayed + read]) {
      const expected = [...Array.from(before.match(/GET/g) ?? [], () => 200), status];
      const got = await sendBytes(sandbox.url, before + bytes, { responses: expected.length });
      expect(got.statuses).toEqual(expected);
    }
  });

  it('a WebSocket is not opened if the one before ends the connection', async () => {
    const last = delayed.replace('Host: x', 'Host: x\r\nConnection: close');
    const got = await sendBytes(sandbox.url, last + upgrade('/_sandbox/stream', 'websocket'));
    expect([got.outcome, ...got.statuses]).toEqual(['ended', 200]);
  });

  it('what follows bytes that are not HTTP is not read', async () => {
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname);
    const part = Buffer.alloc(1024 * 1024, 'x');
    const more = (): void => {
      while (socket.writable && socket.bytesWritten < 512 * part.length && socket.write(part)) {}
    };
    socket.on('error', () => {}).on('drain', more);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`${delayed.replace('100ms', '500ms')}garbage\r\n\r\n`);
    more();
    let taken = 0;
    await new Promise((resolve) => {
      socket.once('close', resolve).once('end', () => {
        taken = socket.bytesWritten - socket.writableLength;
        socket.destroy();
      });
    });
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    // What is in the buffers of the system.
    expect(taken).toBeLessThan(32 * part.length);
  });
});
