// Records, ids and calls in progress over a restart: `interface.md` section 1, --state.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { advance, useRestarts } from './setup.ts';

const { startServer, openReceiver } = useRestarts();

describe('a restart', () => {
  it('keeps records byte for byte', async () => {
    const server = await startServer();
    const { client } = server;
    const busy = await client.call('+12125550101');
    const answered = await client.call('+12125550100');
    await advance(client, '5m');
    const queued = await client.call('+12125550100');
    const [agent] = (await client.get('/v1/agents')).body.data;
    await client.patch(`/v1/agents/${agent.id}`, { name: 'Night desk', enabled: false });
    await client.post('/v1/caller-ids', { phone_number: '+14155550186' });
    const callerIds = (await client.get('/v1/caller-ids')).body.data;
    const verified = callerIds.find(({ phone_number }: { phone_number: string }) => phone_number === '+14155550191');
    await client.delete(`/v1/caller-ids/${verified.caller_id_id}`);
    const read = async (): Promise<unknown> => {
      const paths = [
        ...[busy, answered, queued].map((id) => `/v1/calls/${id}`),
        `/v1/calls/${answered}/transcript`,
        '/v1/calls?page_size=100',
        `/v1/agents/${agent.id}`,
        '/v1/agents',
        '/v1/caller-ids',
        '/v1/phone-numbers',
        '/v1/account',
        '/v1/me',
      ];
      const texts: string[] = [];
      for (const path of paths) {
        const answer = await server.client.get(path);
        expect(answer.status, path).toBe(200);
        texts.push(answer.text.replaceAll(server.sandbox.url, ''));
      }
      return texts;
    };
    const before = await read();
    await server.restart();
    expect(await read()).toEqual(before);
  });

  it('allocates new ids to records created afterwards', async () => {
    const server = await startServer();
    const ids = [await server.client.call('+12125550147'), await server.client.call('+12125550147')];
    await server.restart();
    ids.push(await server.client.call('+12125550147'));
    expect(new Set(ids).size).toBe(3);
    const requests = (await server.sandbox.requests()).map(({ id }) => id);
    expect(new Set(requests).size).toBe(requests.length);
    // The same calls without a restart between them.
    const other = await createSandbox({ clock: 'manual' });
    const client = clientOf(other.url);
    const same = [
      await client.call('+12125550147'),
      await client.call('+12125550147'),
      await client.call('+12125550147'),
    ];
    await other.close();
    expect(ids).toEqual(same);
  });

  it('continues a call in progress, which ends at its scheduled instant', async () => {
    const server = await startServer();
    const id = await server.client.call('+12125550147', { 'X-Sandbox-Scenario': 'answered;ring=3s;talk=10s' });
    await advance(server.client, '5s');
    expect((await server.client.readCall(id)).status).toBe('IN_PROGRESS');
    await server.restart();
    expect((await server.client.readCall(id)).status).toBe('IN_PROGRESS');
    await advance(server.client, '8499ms');
    expect((await server.client.readCall(id)).status).toBe('IN_PROGRESS');
    await advance(server.client, '1ms');
    expect(await server.client.readCall(id)).toMatchObject({
      status: 'COMPLETED',
      duration_seconds: 10,
      ended_at: '2026-01-05T15:00:13.500Z',
      has_transcript: true,
    });
    const types = (await server.sandbox.events()).map(({ event_type }) => event_type);
    expect(types).toEqual(['new_call', 'call_completed', 'phone_call.ended']);
  });

  it('keeps the tasks that an aborted advance did not reach, and runs them later', async () => {
    const receiver = await openReceiver();
    const server = await startServer();
    const { client, sandbox } = server;
    await client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'call_busy' });
    const calls: string[] = [];
    for (let seconds = 1; seconds <= 5; seconds++) {
      calls.push(await client.call('+12125550147', { 'X-Sandbox-Scenario': `busy;ring=${seconds}s` }));
    }
    const start = Date.parse(await sandbox.clock.now());
    // The server stops while it delivers the event of the second call.
    let closed = Promise.resolve();
    receiver.onDelivery = () => {
      if (receiver.got.length === 2) closed = sandbox.close();
    };
    const { body } = await client.post('/_sandbox/clock/advance', { until: 'idle' });
    await closed;
    const now = new Date(start + 2000).toISOString();
    expect(body.data).toMatchObject({ complete: false, now, totals: { steps: 2 } });
    await server.restart();
    expect(await server.sandbox.clock.now()).toBe(now);
    const statuses = async (): Promise<string[]> =>
      Promise.all(calls.map(async (id) => (await server.client.readCall(id)).status));
    expect(await statuses()).toEqual(['BUSY', 'BUSY', 'QUEUED', 'QUEUED', 'QUEUED']);
    await server.sandbox.clock.untilIdle();
    expect(await statuses()).toEqual(calls.map(() => 'BUSY'));
    expect(receiver.got.map((delivery) => delivery.body.id)).toEqual(calls);
    expect((await server.sandbox.deliveries()).map(({ status }) => status)).toEqual(calls.map(() => 'delivered'));
  });

  it('does not resume the timeline of a call that was hung up', async () => {
    const server = await startServer();
    const id = await server.client.call('+12125550102');
    await server.client.post(`/v1/calls/${id}/hangup`);
    await server.restart();
    expect((await server.client.get('/_sandbox/clock')).body.data.pending).toBe(0);
    await server.sandbox.clock.untilIdle();
    expect((await server.client.readCall(id)).status).toBe('CANCELED');
  });
});
