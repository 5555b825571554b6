// What transactions do when their bodies run twice, as a store across a network may run them: the same, through the front
// door. `vitest run --mode twice` runs all tests so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { type Client, clientOf } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { impure, runTwice } from '../support/run-twice.ts';

const startedReceiver = useReceivers();
const DIAL = '/v1/calls/dial';
const numbers = { from_number: '+14155550190', to_number: '+12125550100' };

describe('a sandbox whose transaction bodies run twice', () => {
  let end: () => void;
  let sandbox: Sandbox;
  let client: Client;
  beforeAll(async () => {
    end = runTwice();
    sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
    client = clientOf(sandbox.url);
  });
  afterAll(async () => {
    await sandbox.close();
    end();
  });

  it('journals each request once, and writes the same each time', async () => {
    const { status, body } = await client.post(DIAL, numbers);
    expect(status).toBe(202);
    const { data } = (await client.get('/_sandbox/requests')).body;
    expect(data.filter(({ path }: { path: string }) => path === DIAL)).toHaveLength(1);
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect((await client.get(`/v1/calls/${body.call_id}`)).status).toBe(200);
    expect(impure).toEqual([]);
  });

  it('delivers each event once', async () => {
    const receiver = await startedReceiver();
    const subscription = { event_type: 'call_completed', webhook_url: receiver.url };
    expect((await client.post('/api/v1/webhook_subscriptions', subscription)).status).toBe(201);
    await client.post(DIAL, numbers);
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect(receiver.got).toHaveLength(1);
    expect(impure).toEqual([]);
  });

  it('plays an instant clock to its end', async () => {
    await client.put('/_sandbox/clock', { mode: 'instant' });
    for (let n = 0; n < 3; n++) expect((await client.post(DIAL, numbers)).status).toBe(202);
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
    expect(impure).toEqual([]);
  });

  it('restores a snapshot, and resets', async () => {
    expect((await client.post('/_sandbox/snapshots', { name: 'here' })).status).toBe(201);
    await client.post(DIAL, numbers);
    expect((await client.post('/_sandbox/snapshots/here/restore')).status).toBe(200);
    expect((await client.post('/_sandbox/reset')).status).toBe(204);
    expect(impure).toEqual([]);
  });
});
