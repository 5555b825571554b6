// The shutdown of `serve` and of a sandbox in a process (`interface.md` section 5, `ready`, and section 7).
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { programs, root } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { eventually, stretched } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';
import { journalShows } from './setup.ts';

const folderOf = temporaryFolders();
const { node, serve } = programs();

describe('a shutdown', () => {
  // In `npm test`, SIGINT ends a server in test/cli/log.test.ts.
  it.runIf(thorough)('by SIGINT ends an idle server at once with exit code 0', async () => {
    const server = await serve();
    // The client keeps its connection open.
    await fetch(`${server.url}/_sandbox/health`);
    const began = performance.now();
    server.signal('SIGINT');
    const { code, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(performance.now() - began).toBeLessThan(stretched(5000));
  });

  it.runIf(thorough)('finishes the requests in progress, and the server is not ready meanwhile', async () => {
    const server = await serve();
    const client = clientOf(server.url);
    const response = client.dial('+12125550101', { 'X-Sandbox-Delay': '4s' });
    await journalShows(client, '/v1/calls/dial');
    const began = performance.now();
    server.signal('SIGTERM');
    await eventually(async () => {
      const ready = await fetch(`${server.url}/_sandbox/ready`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ data: { status: 'not_ready' } });
    });
    expect((await fetch(`${server.url}/_sandbox/health`)).status).toBe(200);
    const { status, body } = await response;
    expect(status).toBe(202);
    expect(body.status).toBe('QUEUED');
    expect((await server.ended).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(stretched(5500));
  });

  it.runIf(thorough)('does not wait for responses to a client that has disconnected', async () => {
    const server = await serve();
    const ask = (path: string, header = ''): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_sandbox_default\r\n${header}\r\n`;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(ask('/v1/me', 'X-Sandbox-Delay: 60s\r\n') + ask('/v1/account'));
    await journalShows(clientOf(server.url), '/v1/account');
    socket.destroy();
    const began = performance.now();
    expect((await server.stop()).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(stretched(4000));
  });

  it('of a sandbox in a process is complete when close resolves, also when called twice', async () => {
    const sandbox = await createSandbox({ clock: 'manual' });
    const response = clientOf(sandbox.url).get('/v1/me', { 'X-Sandbox-Delay': '300ms' });
    await eventually(async () => expect(await sandbox.requests()).toHaveLength(1), 5);
    const stopped = sandbox.close();
    expect((await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(503);
    await sandbox.close();
    await expect(fetch(`${sandbox.url}/_sandbox/health`)).rejects.toThrow();
    await stopped;
    expect((await response).status).toBe(200);
  });

  it('answers a wait for an event, and takes no time for it', async () => {
    const sandbox = await createSandbox({ clock: 'manual' });
    const client = clientOf(sandbox.url);
    const waiting = Promise.all(['5s', '60s'].map((timeout) => client.get(`/_sandbox/wait?timeout=${timeout}`)));
    // Each wait keeps a connection.
    const metrics = async (): Promise<string> => (await client.get('/_sandbox/metrics')).text;
    await eventually(async () => expect(await metrics()).toMatch(/^ringback_connections 3$/m));
    await sandbox.close();
    for (const answer of await waiting) {
      expectError(answer, 408, 'timeout');
      expect(answer.body.error.message).toBe('The server stopped during the wait.');
    }
  });

  it.runIf(thorough)('of a sandbox in a process leaves nothing that keeps the process alive', async () => {
    const folder = folderOf({
      'stop.mjs': `
        import { createSandbox } from ${JSON.stringify(join(root, 'dist', 'index.js'))};
        const sandbox = await createSandbox({ clock: 'manual' });
        const leaving = new AbortController();
        const headers = { Authorization: 'Bearer svc_sandbox_default', 'X-Sandbox-Delay': '60s' };
        const answered = fetch(sandbox.url + '/v1/me', { headers, signal: leaving.signal }).catch(() => {});
        while ((await sandbox.requests()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        leaving.abort();
        await answered;
        await sandbox.close();`,
    });
    const began = performance.now();
    const { code, stdout, stderr } = await node(join(folder, 'stop.mjs')).ended;
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(performance.now() - began).toBeLessThan(stretched(30_000));
  });

  it.runIf(thorough)('waits for a delivery in flight', async () => {
    let accepted = 0;
    const slow = createServer((req, res) => {
      req.resume();
      setTimeout(() => {
        accepted += 1;
        res.end();
      }, 500);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const server = await serve();
    const client = clientOf(server.url);
    await subscribe(client, `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`, 'new_call');
    await client.call('+12125550101');
    const { code } = await server.stop();
    slow.close();
    expect(code).toBe(0);
    expect(accepted).toBe(1);
  });

  it.runIf(thorough)(
    'aborts what is left after 6 s, records deliveries as `shutdown`, and exits with 0 within 8 s',
    async () => {
      const silent = createServer((req) => req.resume()).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const state = join(folderOf(), 'state.json');
      const server = await serve(['--state', state]);
      const client = clientOf(server.url);
      await subscribe(client, `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`, 'new_call');
      const ids = [await client.call('+12125550108'), await client.call('+12125550108')];
      const held = client.get('/v1/account', { 'X-Sandbox-Delay': '30s' }).then(
        () => 'answered',
        () => 'aborted',
      );
      await journalShows(client, '/v1/account');
      const began = performance.now();
      const { code, stderr } = await server.stop();
      const took = performance.now() - began;
      silent.closeAllConnections();
      silent.close();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(took).toBeGreaterThan(5500);
      expect(took).toBeLessThan(stretched(8000));
      expect(await held).toBe('aborted');

      const next = await createSandbox({ state });
      const deliveries = await next.deliveries();
      await next.close();
      expect(deliveries.map(({ body }) => JSON.parse(body).id)).toEqual(ids);
      for (const { status, attempts } of deliveries) {
        expect(status).toBe('failed');
        expect(attempts.map(({ error_class }) => error_class)).toEqual(['shutdown']);
      }
    },
  );
});
