// Which Host names are answered (`--allowed-hosts`, `interface.md` section 1), so that a web page whose name leads to this
// machine (DNS rebinding) gets nothing.
import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/index.ts';
import { useSandbox } from '../support/sandbox.ts';
import { answerOf, sendBytes } from '../support/wire.ts';

const local = ['localhost', 'LOCALHOST:4747', 'app.localhost', '127.0.0.1:80', '127.8.9.1', '[::1]:4747', 'ringback'];
const named = ['host.docker.internal:4747', 'printer.local', 'localhost.', 'ringback_1'];
const foreign = ['evil.example', 'evil.example:4747', 'localhost.evil.example', '192.168.1.5', '0.0.0.0', '[fd00::1]'];
/** Loopback as a gateway or tunnel would embed it: another address for a browser. */
const embedded = ['[64:ff9b::7f00:1]', '[::127.0.0.1]', '[2002:7f00:1::]', '[2600::5efe:127.0.0.1]'];

interface Case {
  readonly answered: readonly string[];
  readonly refused: readonly string[];
}

describe.each<[string, SandboxOptions, Case]>([
  ['bound to loopback', {}, { answered: [...local, ...named, ''], refused: [...foreign, ...embedded] }],
  ['bound to all addresses', { host: '0.0.0.0' }, { answered: [...local, ...named, ...foreign], refused: [] }],
  [
    'with a list',
    { allowedHosts: 'Sandbox.example.com, *.ci.example.com,10.0.0.7' },
    {
      answered: [
        ...local,
        ...named,
        'sandbox.example.com',
        'SANDBOX.example.com:443',
        'a.b.ci.example.com',
        '10.0.0.7',
      ],
      refused: [...foreign, 'example.com', 'x.sandbox.example.com', 'ci.example.com', 'evilci.example.com', '10.0.0.8'],
    },
  ],
  [
    'bound to all addresses with a list',
    { host: '0.0.0.0', allowedHosts: 'sandbox.example.com' },
    { answered: [...local, 'sandbox.example.com'], refused: foreign },
  ],
  ['that allows every name', { allowedHosts: '*' }, { answered: [...local, ...foreign], refused: [] }],
])('a server %s', (_, options, { answered, refused }) => {
  const { sandbox } = useSandbox(options);
  const request = (host: string, more: string[] = [], path = '/v1/me'): string =>
    [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Authorization: Bearer svc_sandbox_default', ...more, '', ''].join(
      '\r\n',
    );
  const closing = ['Connection: close'];

  it('answers to the hosts of this machine and its networks, and to those of the list', async () => {
    const got = await Promise.all(answered.map((host) => sendBytes(sandbox.url, request(host, closing))));
    expect(got.map(({ statuses }, n) => [answered[n], ...statuses])).toEqual(answered.map((host) => [host, 200]));
  });

  it('refuses any other host with 421, wherever the request goes', async () => {
    for (const path of ['/v1/me', '/_sandbox/health', '/nowhere']) {
      const got = await Promise.all(refused.map((host) => sendBytes(sandbox.url, request(host, [], path))));
      for (const raw of got) {
        expect([raw.outcome, ...raw.statuses]).toEqual(['ended', 421]);
        const { error } = answerOf(raw).body;
        expect([error.code, Object.keys(error.fields)]).toEqual(['forbidden', ['Host']]);
        expect(error.resolution_hint).toContain('--allowed-hosts');
      }
    }
  });

  it('judges the host of the first line in the same way', async () => {
    const absolute = (host: string): string => request(host, closing, `http://${host}/v1/me`);
    const hosts = [...answered.filter((host) => host !== ''), ...refused];
    const got = await Promise.all(hosts.map((host) => sendBytes(sandbox.url, absolute(host))));
    expect(got.map(({ statuses }, n) => [hosts[n], ...statuses])).toEqual(
      hosts.map((host) => [host, refused.includes(host) ? 421 : 200]),
    );
  });

  it('refuses an upgrade to a WebSocket in the same way', async () => {
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: eA==',
    ];
    for (const host of refused.slice(0, 1)) {
      const got = await sendBytes(sandbox.url, request(host, upgrade, '/rooms/any'));
      expect([got.outcome, ...got.statuses]).toEqual(['ended', 421]);
    }
  });
});
