// Requests whose world is reset or deleted while they run: `interface.md` section 5.
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FROM } from '../support/client.ts';
import { eventually } from '../support/until.ts';
import { gate } from '../support/webhooks.ts';
import { JSON_TYPE, wireTo } from '../support/wire.ts';
import { dataOf, useWorlds, withSandbox } from './setup.ts';

const { sandbox, client, receiver, withKey, inWorld, worldNames } = useWorlds();

/** Starts a POST of `{}` but sends the second byte only on `end()`, which resolves to status and body as one string. */
async function halfOf(path: string, headers: Record<string, string>): Promise<{ end: () => Promise<string> }> {
  const outgoing = request(sandbox.url + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': 2 },
  });
  const answered = new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', async (incoming) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      resolve(`${incoming.statusCode} ${text}`);
    });
  });
  await new Promise<unknown>((resolve) => outgoing.write('{', resolve));
  return {
    end() {
      outgoing.end('}');
      return answered;
    },
  };
}

describe('a world that is deleted', () => {
  it('rejects a request that is still arriving: 401 for a key of that world, 404 for a lead source', async () => {
    await client.post('/_sandbox/worlds', { name: 'short-lived' });
    const { api_key } = (await inWorld('short-lived').post('/_sandbox/keys', {})).body.data;
    const lead = { 'X-Source-Secret': 'sandbox_lead_secret' };
    const half = [
      await halfOf('/v1/webrtc-token', { Authorization: `Bearer ${api_key}` }),
      await halfOf('/v1/leads/lead_short-lived', lead),
    ];
    // A request has entered the world once the rate limit has counted it.
    for (const probe of [
      () => withKey(api_key).get('/v1/me'),
      () => withKey('').post('/v1/leads/lead_short-lived', {}, lead),
    ]) {
      for (let attempts = 1; ; attempts++) {
        const answer = await probe();
        if (Number(answer.headers['x-ratelimit-remaining']) < 600 - attempts) break;
      }
    }
    await inWorld('short-lived').delete('/_sandbox/worlds/short-lived');
    const [byKey, bySource] = await Promise.all(half.map((request) => request.end()));
    expect([byKey, bySource]).toEqual([
      expect.stringMatching(/^401 .*"unauthorized".*unknown or revoked/),
      expect.stringMatching(/^404 .*"not_found".*No lead source/),
    ]);
  });

  it('still sends the response of a job that its instant clock is running', async () => {
    await client.post('/_sandbox/worlds', { name: 'short-lived', clock: 'instant' });
    const user = inWorld('short-lived');
    const [{ id: agent_id }] = await dataOf(user, '/v1/agents');
    const to_numbers = Array.from({ length: 3000 }, (_, n) => `+1212556${String(n).padStart(4, '0')}`);
    await user.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'new_call' });
    let isAnswered = false;
    const deleted = new Promise((resolve) => {
      receiver.onDelivery = () => {
        receiver.onDelivery = () => undefined;
        expect(isAnswered).toBe(false);
        resolve(user.delete('/_sandbox/worlds/short-lived'));
      };
    });
    const answer = user.post('/v1/jobs', { agent_id, to_numbers, concurrency: 100 }).finally(() => {
      isAnswered = true;
    });
    await deleted;
    expect((await answer).status).toBe(201);
  });
});

describe('a world that changes during a request', () => {
  it.each([
    ['was reset', 'was-reset-then', 'post', '/_sandbox/reset', 1],
    ['was deleted', 'was-deleted-then', 'delete', '/_sandbox/worlds/was-deleted-then', 0],
    ['was recreated', 'was-recreated-then', 'delete', '/_sandbox/worlds/was-recreated-then', 1],
  ] as const)(
    'serves a request whose body arrives after the world %s in its new state',
    async (_, world, method, path, others) => {
      const wire = wireTo(sandbox.url);
      const body = gate();
      const client = inWorld(world);
      const dialled = wire.send({
        method: 'POST',
        path: '/v1/calls/dial',
        key: client.key,
        headers: JSON_TYPE,
        body: JSON.stringify({ from_number: FROM, to_number: '+12125550100' }),
        bodyAfter: body.opened,
      });
      await eventually(async () => expect(await worldNames()).toContain(world));
      expect((await client[method](path)).status).toBe(204);
      const between = others === 0 ? [] : [await client.get('/v1/me')];
      body.open();
      const answer = await dialled;
      expect(answer.status, answer.text).toBe(202);
      expect((await client.readCall(answer.body.call_id)).status).toBe('QUEUED');
      const journal = (await sandbox.world(world).requests()).slice(0, others + 1);
      expect(journal.map((entry) => [entry.id, entry.path])).toEqual([
        ...between.map(({ headers }) => [headers['x-sandbox-request-id'], '/v1/me']),
        [answer.headers['x-sandbox-request-id'], '/v1/calls/dial'],
      ]);
      wire.close();
    },
  );

  it('responds with what was done before the deletion, although its instant clock was still running tasks', async () => {
    await withSandbox({ clock: 'instant' }, async (own) => {
      const client = inWorld('run-out', own);
      const [agent] = await dataOf(client, '/v1/agents');
      const to_numbers = Array.from({ length: 5000 }, (_, n) => `+1212${2_000_000 + n}`);
      const made = client.post('/v1/jobs', { agent_id: agent.id, to_numbers });
      await eventually(async () => expect(await dataOf(client, '/_sandbox/events')).not.toEqual([]), 1);
      expect((await client.delete('/_sandbox/worlds/run-out')).status).toBe(204);
      expect((await made).status).toBe(201);
    });
  });
});
