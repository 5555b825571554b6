// `GET /_sandbox/coverage`: `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import { clientOf } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useCoveredWorlds } from './setup.ts';

const { sandbox, newWorld } = useCoveredWorlds();
const startReceiver = useReceivers();

describe('what a world has met', () => {
  it('counts requests by operation, status and error code, and names the operations never called', async () => {
    const { client, world, coverage } = newWorld();
    await client.call('+12125550100');
    await client.dial('+12125550111');
    await client.dial('+12125550111');
    await client.get('/v1/nowhere');
    const { operations, error_codes, requests, ...scope } = await coverage();
    expect(scope).toMatchObject({ worlds: [world], world_count: 1, worlds_forgotten: 0, minimum: null });
    expect(requests).toBe(4);
    const total = loadContract().operations.size;
    expect(operations).toMatchObject({
      total,
      met: 1,
      percent: Math.floor(1000 / total) / 10,
      counts: { dialCall: 3 },
    });
    expect(operations.not_met).toHaveLength(total - 1);
    expect(operations.not_met).toContain('getCall');
    expect(operations.answers).toEqual({
      dialCall: {
        requests: 3,
        statuses: { 202: 1, 403: 2 },
        error_codes: { dnc_suppressed: 2 },
        statuses_not_met: expect.arrayContaining(['400', '429', '502']),
      },
    });
    expect(error_codes).toMatchObject({ total: 35, met: 2, counts: { dnc_suppressed: 2, not_found: 1 } });
    expect(error_codes.not_met).toContain('rate_limited');
    expect(error_codes.not_met).not.toContain('conflict');
  });

  it('counts outcomes of calls, their failure codes, the scenarios played and the statuses of other records', async () => {
    const { client, coverage, untilIdle } = newWorld();
    for (const number of ['00', '01', '05']) await client.call(`+121255501${number}`);
    await client.post('/v1/sms/send', { to_number: '+12125550140', body: 'Hi' });
    await untilIdle();
    const { call_outcomes, error_codes, scenarios, record_statuses, event_types } = await coverage();
    expect(call_outcomes).toEqual({
      total: 6,
      met: 3,
      percent: 50,
      counts: { answered: 1, busy: 1, failed: 1 },
      not_met: ['no_answer', 'voicemail', 'canceled'],
    });
    expect(error_codes.counts).toEqual({ busy: 1, number_unreachable: 1 });
    expect(scenarios.counts).toEqual({ answered: 1, busy: 1, number_unreachable: 1, sms_delivered: 1 });
    expect(scenarios.not_met).toContain('long_call');
    expect(record_statuses.counts).toEqual({ 'messages.sent': 1, 'messages.delivered': 1 });
    expect(record_statuses.not_met).toContain('enterprises.APPROVED');
    expect(event_types).toMatchObject({ met: 0, emitted: { new_call: 3, call_busy: 1, call_failed: 1 } });
  });

  it('counts an event type as met when a receiver has accepted it, and what receivers answered', async () => {
    const { client, coverage, untilIdle } = newWorld();
    const receiver = await startReceiver();
    const statuses = [500, 404, 301, 200];
    receiver.onDelivery = (_, res) => {
      const status = statuses.shift();
      if (status === undefined) return res.socket?.resetAndDestroy();
      return res.writeHead(status).end();
    };
    const refusing = { webhook_url: 'http://127.0.0.1:1/', event_type: 'new_call' };
    await client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'call_busy' });
    await client.post('/api/v1/webhook_subscriptions', refusing);
    for (let call = 0; call < 5; call++) {
      await client.call('+12125550101');
      await untilIdle();
    }
    const { event_types, receiver_answers } = await coverage();
    expect(receiver_answers).toEqual({
      total: 5,
      met: 4,
      percent: 80,
      counts: { '2xx': 1, '4xx': 1, '5xx': 1, reset: 1, '3xx': 1, refused: 5 },
      not_met: ['timeout'],
    });
    expect(event_types).toMatchObject({ met: 1, counts: { call_busy: 1 } });
    expect(event_types.not_met).toContain('new_call');
  });

  it('counts what faults and control headers did, and no answer where the connection broke', async () => {
    const { client, coverage } = newWorld();
    await client.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' });
    await client.get('/v1/me', { 'X-Sandbox-Delay': '1ms' });
    await client.get('/v1/me', { 'X-Sandbox-Fault': 'reset' }).catch(() => {});
    await client.get('/v1/me', { 'X-Sandbox-Fault': 'empty;when=before' }).catch(() => {});
    for (const fault of [
      { respond: { status: 502 }, times: 1 },
      { drift: ['extra_fields'], latency: '1ms', times: 1 },
    ]) {
      await client.put('/_sandbox/faults', fault);
      await client.get('/v1/me');
    }
    const { faults, operations, error_codes } = await coverage();
    expect(faults.counts).toEqual({ error: 1, latency: 2, reset: 1, empty: 1, respond: 1, extra_fields: 1 });
    expect(faults.not_met).toEqual(['truncate', 'timeout', 'unknown_enum', 'timestamps_offset']);
    expect(operations.answers.getMe.statuses).toEqual({ 500: 1, 200: 2, broken: 2, 502: 1 });
    expect(error_codes.counts).toEqual({ internal_error: 1 });
  });

  it('counts replays, and control requests not at all', async () => {
    const { client, coverage } = newWorld();
    const key = { 'Idempotency-Key': '6f1b8f0e-4c8a-4a57-9d1e-0d3c1f6a2b11' };
    await client.call('+12125550100', key);
    await client.call('+12125550100', key);
    for (const path of ['/clock', '/requests', '/coverage', '/nowhere']) await client.get(`/_sandbox${path}`);
    expect(await coverage()).toMatchObject({ requests: 2, replayed: 1 });
  });

  it('counts on over a reset, and over a return to a snapshot', async () => {
    const { client, coverage } = newWorld();
    await client.get('/v1/me');
    await client.post('/_sandbox/snapshots', { name: 'before' });
    await client.get('/v1/me');
    await client.post('/_sandbox/snapshots/before/restore');
    expect((await coverage()).requests).toBe(2);
    await client.post('/_sandbox/reset');
    await client.get('/v1/me');
    expect((await coverage()).requests).toBe(3);
  });

  it('counts no scenario that a world has defined itself, unless it takes the place of one of the server', async () => {
    const { client, coverage } = newWorld();
    for (const name of ['mine', 'busy']) {
      await client.put(`/_sandbox/scenarios/${name}`, { kind: 'call', summary: 'Ours.', extends: 'answered' });
      await client.call('+12125550147', { 'X-Sandbox-Scenario': name });
    }
    expect((await coverage()).scenarios.counts).toEqual({ busy: 1 });
  });
});

describe('the library', () => {
  it('has the coverage of each world, and of several', async () => {
    const [one, other] = [sandbox.world('library-1'), sandbox.world('library-2')];
    for (const { apiKey } of [one, other]) await clientOf(sandbox.url, apiKey).get('/v1/me');
    expect((await one.coverage()).operations.counts).toEqual({ getMe: 1 });
    expect(await sandbox.coverage({ worlds: 'library-*', min: 0 })).toMatchObject({
      requests: 2,
      minimum: { passed: true },
    });
  });
});
