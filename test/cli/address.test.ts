// The address that `serve` listens on (`interface.md` section 1): `--host`, `--port`, RINGBACK_PORT and PORT.
import { createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { commandLines, freePort, programs } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { refusalOf } from './setup.ts';

const { serve } = programs();
const line = commandLines();

const other = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => other.once('listening', resolve));
const { port } = other.address() as { port: number };
afterAll(() => other.close());

describe.concurrent('the address of the server', () => {
  it.runIf(thorough)('has a free port for port 0, and is printed', async () => {
    const servers = await Promise.all([serve(['--port', '0']), serve([], { RINGBACK_PORT: '0' })]);
    const ports = servers.map(({ url }) => new URL(url).port);
    expect(new Set(ports).size).toBe(2);
    for (const { url } of servers) {
      expect(Number(new URL(url).port)).toBeGreaterThan(0);
      expect((await fetch(`${url}/_sandbox/ready`)).status).toBe(200);
    }
    for (const server of servers) await server.stop();
  });

  it.runIf(thorough)('has the port of RINGBACK_PORT rather than that of PORT', async () => {
    const [ringbackPort, commonPort] = [await freePort(), await freePort()];
    const cases: [Record<string, string>, number][] = [
      [{ RINGBACK_PORT: String(ringbackPort), PORT: String(commonPort) }, ringbackPort],
      [{ PORT: String(commonPort) }, commonPort],
    ];
    for (const [environment, port] of cases) {
      const server = await serve([], environment);
      expect(server.url).toBe(`http://127.0.0.1:${port}`);
      await server.stop();
    }
  });

  it.runIf(thorough)('is port 4747 of the loopback interface by default', async () => {
    // If another program uses the port, the error names the address.
    const address = await serve([], { PORT: '' }).then(
      async (server) => {
        await server.stop();
        return server.url;
      },
      (error: Error) => error.message,
    );
    expect(address).toContain('127.0.0.1:4747');
  });

  const readyz = line(['readyz', '--json'], { PORT: '1' });
  it('has the port of PORT for serve only', () => {
    const { stdout, stderr } = readyz();
    expect(JSON.parse(stdout || stderr).url).toBe('http://127.0.0.1:4747');
  });

  const inUse = line(['serve', '--port', String(port)]);
  it('with a port in use is rejected with one line that names the address and --port', async () => {
    const { code, stdout, stderr } = inUse();
    const inProcess = await refusalOf({ port });
    expect(inProcess).toContain(`127.0.0.1:${port}`);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`127.0.0.1:${port}`);
    expect(stderr).toContain('--port (RINGBACK_PORT), or 0 for a free one');
  });

  const foreign = (thorough ? ['203.0.113.7', 'nowhere.invalid'] : ['203.0.113.7']).map(
    (host) => [host, line(['serve', '--port', '0', '--host', host])] as const,
  );
  it.each(foreign)('with %s, which is not a host of this machine, is rejected with one line', (host, end) => {
    const { code, stdout, stderr } = end();
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(host);
    expect(stderr).toMatch(
      /^ringback: --host \(RINGBACK_HOST\): ".+" is .*; must be an address or a name of this machine/,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
