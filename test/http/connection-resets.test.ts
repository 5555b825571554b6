// Connections that a client resets: whatever it had sent, nothing of it is left unhandled, which would end the process.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/listen.ts';
import { useSandbox } from '../support/sandbox.ts';
import { unhandledDuring } from '../support/unhandled.ts';
import { resetAfter } from '../support/wire.ts';

const { sandbox, client } = useSandbox({ rateLimit: 'off', clock: 'manual' });

const lines = (...given: string[]): string => `${given.join('\r\n')}\r\n\r\n`;
const upgrade = (path: string, to: string): string =>
  lines(`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', `Upgrade: ${to}`, 'Sec-WebSocket-Version: 13');
const dial = lines('POST /v1/calls/dial HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked');

describe('a connection that its client resets', () => {
  it.each<[string, string]>([
    ['a CONNECT', lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')],
    ['a CONNECT and bytes for the tunnel', `${lines('CONNECT example.com:443 HTTP/1.1', 'Host: x')}\x16\x03\x01`],
    ['an upgrade to a WebSocket', upgrade('/rooms/none', 'websocket')],
    ['an upgrade to a WebSocket elsewhere', upgrade('/v1/me', 'websocket')],
    ['an upgrade to HTTP/2', upgrade('/v1/me', 'h2c')],
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
    ['the beginning of a body', `${dial}8\r\n{"from_n`],
    ['a malformed chunk', `${dial}ZZ\r\n`],
    ['a request', lines('GET /v1/me HTTP/1.1', 'Host: x')],
    ['several requests', lines('GET /v1/me HTTP/1.1', 'Host: x').repeat(20)],
    ['an Expect', lines('POST /v1/calls/dial HTTP/1.1', 'Host: x', 'Expect: tea')],
    ['a delayed request', lines('GET /v1/me HTTP/1.1', 'Host: x', 'X-Sandbox-Delay: 5ms')],
  ])('after %s leaves no error unhandled', async (_, bytes) => {
    const unhandled = await unhandledDuring(async () => {
      for (const ticks of [0, 1, 2, 5, 20]) await resetAfter(sandbox.url, bytes, ticks);
      expect((await client.get('/v1/me')).status).toBe(200);
    });
    expect(unhandled).toEqual([]);
  });
});

describe('a server that cannot accept connections', () => {
  it('goes on, and the log says so once in a while', async () => {
    const logged: string[] = [];
    const log = { error: (_: object, message: string) => logged.push(message) };
    const server = createServer();
    await listen(server, { port: 0, host: '127.0.0.1' }, { ...quiet, ...log });
    const shortage = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
    for (let n = 0; n < 3; n++) server.emit('error', shortage);
    server.close();
    expect(logged).toEqual(['connections could not be accepted']);
  });
});

const quiet = { info() {}, debug() {}, line() {}, shows: () => false, dropped: 0 };
