// `ringback readyz` and its exit codes (`interface.md` section 7).
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readinessProblem } from '../../src/cli/readiness.ts';
import { commandLines, type Environment, programs } from '../support/program.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';

const { run, serve } = programs();
const line = commandLines();

/** An address where nothing listens. */
async function closedAddress(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return `http://127.0.0.1:${port}`;
}

const closed = await closedAddress();

describe.concurrent('readyz', () => {
  const { sandbox: server } = useSandbox();

  it('exits with 0 when the server named by --url, RINGBACK_URL or --port is ready', async () => {
    const { port } = new URL(server.url);
    const elsewhere = await closedAddress();
    const closedPort = new URL(elsewhere).port;
    const lines: readonly (readonly [args: readonly string[], environment: Environment])[] = [
      [['--url', server.url], { RINGBACK_URL: elsewhere, RINGBACK_PORT: closedPort }],
      [[], { RINGBACK_URL: `${server.url}/`, RINGBACK_PORT: closedPort }],
      [['--port', port], { RINGBACK_PORT: closedPort }],
    ];
    const tried = thorough ? lines : lines.slice(0, 1);
    const ends = tried.map(([args, environment]) => run(['readyz', ...args], environment));
    for (const { code, stdout, stderr } of await Promise.all(ends)) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toBe(`${server.url} is ready\n`);
    }
  });

  const notReady = line(['readyz', '--url', closed]);
  it('exits with 1 when nothing listens, and names the address', () => {
    const { code, stdout, stderr } = notReady();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`${closed} is not ready: nothing listens there (ECONNREFUSED)\n`);
  });

  it('says what the server or the network says of why it is not ready', async () => {
    const other = createServer((req, res) => {
      const stopping = req.url?.startsWith('/stopping');
      res.writeHead(stopping ? 503 : 404).end(stopping ? '{"data":{"status":"stopping"}}' : 'no such page');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const problem = (url: string): Promise<string | undefined> => readinessProblem(url);
    expect(await problem(`http://${address}/stopping`)).toBe('it responded with 503 (stopping)');
    expect(await problem(`http://${address}`)).toBe('it responded with 404');
    expect(await problem(`http://${address}/stopping`)).toBe('it responded with 503 (stopping)');
    expect(await problem(`${server.url}/nowhere`)).toMatch(/^it responded with 404 \(There is no path /);
    expect(await problem(`https://${address}`)).toMatch(/^it does not speak TLS; use http: \(/);
    other.close();
  });

  it.runIf(thorough)('exits with 1 for a path of the server that does not exist', async () => {
    const { code } = await run(['readyz', '--url', `${server.url}/nowhere`]);
    expect(code).toBe(1);
  });

  it.runIf(thorough)('exits with 1 when another server responds', async () => {
    const pages = ['<html></html>', '', '{"data":null}', '{"data":{"status":"ok"}}'];
    for (const page of pages) {
      const other = createServer((_req, res) => res.end(page)).listen(0, '127.0.0.1');
      await once(other, 'listening');
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const { code, stderr } = await run(['readyz', '--url', url]);
      other.close();
      expect({ code, stderr }).toEqual({ code: 1, stderr: `${url} is not ready: another server responds there\n` });
    }
  });

  const notReadyJson = line(['readyz', '--json', '--url', closed]);
  it('prints one JSON object with --json when it is not ready', () => {
    const { code, stdout } = notReadyJson();
    expect(code).toBe(1);
    expect(JSON.parse(stdout || 'null')).toMatchObject({ url: closed, ready: false });
  });

  it.runIf(thorough)('prints one JSON object with --json when it is ready', async () => {
    const { stdout } = await run(['readyz', '--json', '--url', server.url]);
    expect(JSON.parse(stdout)).toEqual({ url: server.url, ready: true });
  });

  it.runIf(thorough)('waits with --wait for a server that starts later', async () => {
    const url = await closedAddress();
    const exit = run(['readyz', '--url', url, '--wait', '40s']);
    await sleep(700);
    const late = await serve(['--port', new URL(url).port]);
    const { code } = await exit;
    await late.stop();
    expect(code).toBe(0);
  });

  it.runIf(thorough)('exits with 1 when the time of --wait is over', async () => {
    const began = performance.now();
    const { code } = await run(['readyz', '--url', await closedAddress(), '--wait', '1500ms']);
    expect(code).toBe(1);
    expect(performance.now() - began).toBeGreaterThan(1200);
  });

  const invalidFlags = [
    { flag: '--wait', end: line(['readyz', '--wait', 'soon']) },
    { flag: '--port', end: line(['readyz', '--port', 'http']) },
    { flag: '--url', end: line(['readyz', '--url', 'no address']) },
    { flag: '--now', end: line(['readyz', '--now']) },
  ];
  it.each(invalidFlags)('exits with 2 and one line for a malformed or unknown $flag', ({ flag, end }) => {
    const { code, stderr } = end();
    expect({ code, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({ code: 2, lines: 1 });
    expect(stderr).toContain(flag);
  });
});
