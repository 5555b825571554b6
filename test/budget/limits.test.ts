// What a server does when its memory is full (`--memory`), and past the bounds of a world, as clients see it. A budget of
// 16 MB has 4 MB for records, 1.6 MB for pending deliveries and 2 MB for documents.
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { contentOf, dataOf, upload } from '../support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { LEADS, SECRET } from '../support/outbound.ts';
import { useReceivers } from '../support/receiver.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';

const SUBSCRIPTIONS = '/api/v1/webhook_subscriptions';
const startedReceiver = useReceivers();
const folderOf = temporaryFolders();

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(options: SandboxOptions = {}): Promise<Client> {
  const small = { memory: '16mb', rateLimit: 'off', concurrentCalls: 'off', clock: 'manual' } as const;
  sandbox = await createSandbox({ ...small, ...options });
  return clientOf(sandbox.url);
}

const shares = async () => (await clientOf(sandbox.url, null).get('/_sandbox/health')).body.data.memory.shares;
const world = (name: string): Client => clientOf(sandbox.url, `svc_test_${name}`);

/** Sends requests until one is refused, and returns that answer; fails after that many. */
async function untilRefused(most: number, send: (n: number) => Promise<Answer>): Promise<Answer> {
  for (let n = 1; n <= most; n++) {
    const answer = await send(n);
    if (answer.status >= 400) return answer;
  }
  throw new Error(`${most} requests were accepted`);
}

/** Subscribes receivers that never respond. */
async function subscribeSilent(client: Client, event_type: string, count: number): Promise<void> {
  const receiver = await startedReceiver();
  receiver.onDelivery = () => new Promise(() => {});
  for (let n = 0; n < count; n++) {
    const body = { webhook_url: `${receiver.url}/${n}`, event_type };
    expect((await client.post(SUBSCRIPTIONS, body)).status).toBe(201);
  }
}

describe('large bodies', () => {
  it('that have not arrived yet keep their memory, and are refused where it is taken', async () => {
    const client = await start();
    const size = 600 * 1024;
    const { port } = new URL(sandbox.url);
    const head = `Host: x\r\nAuthorization: Bearer svc_test_slow\r\nContent-Type: application/json\r\nContent-Length: ${size}`;
    const used = async (): Promise<number> => (await shares()).connections.used_bytes;
    const slow = [1, 2].map(() => connect(Number(port), '127.0.0.1'));
    for (const each of slow) each.write(`POST /v1/caller-trust/documents HTTP/1.1\r\n${head}\r\n\r\n`);
    await eventually(async () => expect(await used()).toBeGreaterThan(slow.length * 2 * size));
    const send = (): Promise<Answer> => upload(client, Buffer.alloc(size / 2, '%PDF-1.7 '));
    const refused = await send();
    expectError(refused, 429, 'rate_limited');
    expect(refused.text).toContain('connections and requests in progress');
    for (const each of slow) each.destroy();
    await eventually(async () => expect(await used()).toBeLessThan(size));
    expect((await send()).status).toBe(201);
  });
});

describe('pending deliveries', () => {
  it('that fill their memory refuse the request that causes more, until their subscriptions are deleted', async () => {
    const client = await start();
    await subscribeSilent(client, 'new_call', 40);
    const refused = await untilRefused(40, () => client.dial('+12125550199'));
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.body.error.message).toMatch(
      /^The server's memory for pending deliveries has no room: .* of 1\.6 MB/,
    );
    const { deliveries } = await shares();
    expect(deliveries.refused).toBe(1);
    expect(deliveries.used_bytes).toBeLessThan(deliveries.limit_bytes);
    // What was refused has changed nothing, other worlds have room, and reading goes on.
    const calls = (await client.get('/v1/calls')).body.meta.total_results;
    expectError(await client.dial('+12125550199'), 429, 'rate_limited');
    expect((await client.get('/v1/calls')).body.meta.total_results).toBe(calls);
    const other = world('other');
    await subscribeSilent(other, 'new_call', 10);
    expect((await other.dial('+12125550199')).status).toBe(202);
    const listed = (await client.get(`${SUBSCRIPTIONS}?page_size=100`)).body.data;
    for (const { id } of listed) await client.delete(`${SUBSCRIPTIONS}/${id}`);
    expect((await client.dial('+12125550199')).status).toBe(202);
  });

  it('that a scheduled step would cause are recorded as failed instead, and can be sent again', async () => {
    const client = await start({ clock: 'instant' });
    await subscribeSilent(client, 'call_completed', 40);
    for (let n = 0; n < 20; n++) expect((await client.dial('+12125550100')).status).toBe(202);
    const { body } = await client.get('/_sandbox/deliveries?status=failed&page_size=1');
    expect(body.data[0]).toMatchObject({
      status: 'failed',
      attempts: [{ error_class: 'queue_full', hint: expect.stringContaining('receivers'), response: null }],
    });
    expect((await shares()).deliveries.refused).toBe(body.meta.total_results);
    expectError(await client.post(`/_sandbox/deliveries/${body.data[0].id}/redeliver`), 429, 'rate_limited');
    expect((await client.post('/_sandbox/reset')).status).toBe(204);
    expect((await shares()).deliveries.used_bytes).toBe(0);
  });
});

describe('documents', () => {
  it("give way to newer ones of their world, and are refused where other worlds' take the room", async () => {
    await start();
    const large = Buffer.alloc(900_000, 'x');
    const [a, b, c] = [world('a'), world('b'), world('c')];
    const first = dataOf(await upload(a, large), 201).document_id;
    const second = dataOf(await upload(a, large), 201).document_id;
    expectError(await a.get(`/_sandbox/documents/${first}/content`), 409, 'conflict');
    expect((await a.get(`/v1/caller-trust/documents/${first}`)).status).toBe(200);
    expect((await contentOf(sandbox.url, a, second)).bytes.length).toBe(large.length);
    expect((await upload(b, large)).status).toBe(201);
    const refused = await upload(c, large);
    expectError(refused, 429, 'rate_limited');
    expect(refused.body.error.message).toContain('memory for documents has no room: 1.7 MB of 2 MB are used');
    expect((await upload(c, Buffer.alloc(100_000))).status).toBe(201);
    await b.post('/_sandbox/reset');
    expect((await upload(c, large)).status).toBe(201);
  });
});

describe('records', () => {
  it('that stay are refused past half of their memory in one world, which still reads, changes and resets', async () => {
    await start({ memory: '16mb' });
    const [greedy, modest] = [world('greedy'), world('modest')];
    const add = (client: Client): Promise<Answer> =>
      client.post('/v1/jobs', { agent_id, to_numbers: Array.from({ length: 1000 }, (_, n) => `+1212556${1000 + n}`) });
    const agent_id = (await greedy.get('/v1/agents')).body.data[0].id;
    const refused = await untilRefused(10, () => add(greedy));
    expectError(refused, 429, 'rate_limited');
    expect(refused.body.error.message).toContain('memory for records has no room');
    // Both without what was refused.
    const told = /: ([\d.]+) MB of 4 MB are used, ([\d.]+) MB by this world/.exec(refused.body.error.message);
    expect(Number(told?.[2])).toBeLessThanOrEqual(Number(told?.[1]));
    expect((await shares()).records.refused).toBe(1);
    expect((await greedy.get('/v1/jobs')).status).toBe(200);
    expect((await greedy.patch(`/v1/agents/${agent_id}`, { greeting: 'Hello.' })).status).toBe(200);
    expect((await add(modest)).status).toBe(201);
    expect((await greedy.post('/_sandbox/reset')).status).toBe(204);
    expect((await add(greedy)).status).toBe(201);
  });

  it('that are set through the control API are refused likewise', async () => {
    await start({ memory: '16mb' });
    const greedy = world('greedy');
    const large = (n: number) => ({ path: '/v1/agents', respond: { status: 502, body: `${n}`.padEnd(200_000, 'x') } });
    const refused = await untilRefused(30, (n) => greedy.put('/_sandbox/faults', large(n)));
    expectError(refused, 429, 'rate_limited');
    expect(refused.body.error.message).toContain('memory for records has no room');
    const all = await greedy.put('/_sandbox/faults', { faults: [large(1)] });
    expect(all.status).toBe(200);
    expect((await greedy.get('/_sandbox/faults')).body.meta.total_results).toBe(1);
  });

  it.runIf(thorough)(
    'make room for worlds: with no memory for another, the longest idle one of a test key goes',
    async () => {
      await start();
      const big = { system_prompt: 'p'.repeat(130_000) };
      const fill = async (name: string): Promise<Answer> => {
        const client = world(name);
        const { id } = (await client.get('/v1/agents')).body.data[0];
        return client.patch(`/v1/agents/${id}`, big, { 'Idempotency-Key': crypto.randomUUID() });
      };
      for (let n = 0; n < 45; n++) await fill(`w-${n}`);
      const back = await world('w-0').get('/v1/me');
      expect(back.headers['x-sandbox-world']).toBe('w-0;recreated');
      expect((await world('w-44').get('/v1/me')).headers['x-sandbox-world']).toBe('w-44');
      const posted = await world('w-44').post('/_sandbox/worlds', { name: 'posted' });
      expect(posted.status).toBe(201);
      // Whatever is full, every world can be read.
      for (let n = 45; n < 90; n++) expect((await fill(`w-${n}`)).status).toBe(200);
      for (const path of ['/v1/me', '/v1/calls', '/v1/agents']) {
        expect((await world('w-89').get(path)).status).toBe(200);
        expect((await world('default').get(path)).status).toBe(200);
      }
      const { records } = await shares();
      expect(records.used_bytes).toBeLessThan(records.limit_bytes * 1.05);
    },
  );

  it('count the same after a restart with --state as before', async () => {
    const state = `${folderOf({})}/state.json`;
    const client = await start({ state });
    await client.dial('+12125550100');
    await upload(client, Buffer.alloc(100_000));
    await client.post(SUBSCRIPTIONS, { webhook_url: 'http://127.0.0.1:9/', event_type: 'new_call' });
    const before = await shares();
    await sandbox.close();
    await start({ state });
    const after = await shares();
    expect(after.documents).toEqual(before.documents);
    expect(after.journals.used_bytes).toBe(before.journals.used_bytes);
    expect(after.records.used_bytes).toBeGreaterThan(before.records.used_bytes / 2);
  });
});

describe('finished calls', () => {
  it('past --max-calls go, the oldest first, with their transcripts; what goes is counted', async () => {
    const client = await start({ maxCalls: 3, clock: 'instant' });
    const calls = (await client.get('/v1/calls')).body.meta.total_results;
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await client.dial('+12125550100')).body.call_id);
    for (const id of ids.slice(0, 2)) {
      expectError(await client.get(`/v1/calls/${id}`), 404, 'not_found');
      expectError(await client.get(`/v1/calls/${id}/transcript`), 404, 'not_found');
      expectError(await client.post(`/v1/calls/${id}/hangup`), 404, 'not_found');
    }
    for (const id of ids.slice(2)) expect((await client.get(`/v1/calls/${id}`)).body.data.status).toBe('COMPLETED');
    // Those of the fixture are shared by all worlds, and stay.
    expect((await client.get('/v1/calls')).body.meta.total_results).toBe(calls + 3);
    expect((await shares()).records.dropped).toBe(2);
  });

  it('in progress are not among them', async () => {
    const client = await start({ maxCalls: 1 });
    const live = (await client.dial('+12125550108')).body.call_id;
    for (let n = 0; n < 3; n++) await client.dial('+12125550106');
    await sandbox.clock.advance('5s');
    expect((await client.get(`/v1/calls/${live}`)).status).toBe(200);
    expect((await shares()).records.dropped).toBe(2);
  });
});

describe('names that clients make up', () => {
  it('count as what they take', async () => {
    const client = await start();
    const { used_bytes } = (await shares()).records;
    const lead = { metadata: { ['n'.repeat(100_000)]: 1 } };
    expect((await clientOf(sandbox.url, null).post(LEADS, lead, SECRET)).status).toBe(201);
    expect((await shares()).records.used_bytes).toBeGreaterThan(used_bytes + 100_000);
    const fault = { path: '/v1/me', respond: { status: 500, body: { ['n'.repeat(100_000)]: 1 } } };
    expect((await client.put('/_sandbox/faults', fault)).status).toBe(201);
    expect((await shares()).records.used_bytes).toBeGreaterThan(used_bytes + 200_000);
  });
});
