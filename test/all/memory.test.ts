// A server with a small heap that is given more than it can hold: it refuses, deletes what has ended, and serves on.
import { truncateSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DOCUMENTS } from '../support/caller-trust.ts';
import { clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { LEADS, SECRET } from '../support/outbound.ts';
import { programs } from '../support/program.ts';

const { serve, run } = programs();
const folderOf = temporaryFolders();
const MB = 1024 ** 2;
const heapOf = (megabytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${megabytes}` });
const FLAGS = ['--clock', 'manual', '--rate-limit', 'off', '--concurrent-calls', 'off', '--log', 'error'];

let silent: Server | undefined;
afterEach(() => void silent?.close());

/** A port that accepts connections and never responds. */
async function silentPort(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  silent = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const post = (url: string, path: string, body: string, headers: Record<string, string>): Promise<number> =>
  fetch(url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
  );

describe('a server that is given more than its heap holds', () => {
  it('survives records without end, and serves other worlds', async () => {
    const server = await serve(FLAGS, heapOf(128));
    const lead = JSON.stringify({ metadata: { text: 'm'.repeat(200_000) } });
    const statuses = new Set<number>();
    for (let n = 0; n < 100; n++) {
      const sent = Array.from({ length: 8 }, () => post(server.url, LEADS, lead, SECRET));
      for (const status of await Promise.all(sent)) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([201, 429]);
    expect((await clientOf(server.url, 'svc_test_other').dial('+12125550199')).status).toBe(202);
    await server.stop();
  });

  it('survives deliveries to a receiver that never responds', async () => {
    const server = await serve(FLAGS, heapOf(128));
    const client = clientOf(server.url);
    const port = await silentPort();
    for (let n = 0; n < 500; n++) {
      const body = { webhook_url: `http://127.0.0.1:${port}/${'p'.repeat(1000)}${n}`, event_type: 'new_call' };
      expect((await client.post('/api/v1/webhook_subscriptions', body)).status).toBe(201);
    }
    let last = await client.dial('+12125550199');
    for (let n = 0; n < 150; n++) last = await client.dial('+12125550199');
    expectError(last, 429, 'rate_limited');
    const { shares } = (await client.get('/_sandbox/health')).body.data.memory;
    expect(shares.deliveries.refused).toBeGreaterThan(0);
    await server.stop();
  });

  it('survives large documents in many worlds', async () => {
    const server = await serve([...FLAGS, '--memory', '1gb'], heapOf(256));
    const content_base64 = Buffer.alloc(19 * MB, 'x').toString('base64');
    const body = JSON.stringify({ filename: 'a.pdf', content_type: 'application/pdf', content_base64 });
    const statuses = [];
    for (let n = 0; n < 14; n++) {
      statuses.push(await post(server.url, DOCUMENTS, body, { Authorization: `Bearer svc_test_w${n}` }));
    }
    expect([...new Set(statuses)]).toEqual([201, 429]);
    const { documents } = (await clientOf(server.url).get('/_sandbox/health')).body.data.memory.shares;
    expect(documents.used_bytes).toBeLessThanOrEqual(documents.limit_bytes);
    await server.stop();
  });
});

it('a start with a state file that is longer than the heap ends with one line that says how to raise it', async () => {
  const file = join(folderOf({ 'large.json': '' }), 'large.json');
  truncateSync(file, 200 * MB);
  const { code, stderr } = await run(['serve', '--port', '0', '--state', file], heapOf(64));
  expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 1 });
  expect(stderr).toContain(`${file}: is 200 MB long with its change logs`);
  expect(stderr).toContain('set NODE_OPTIONS=--max-old-space-size=400');
});
