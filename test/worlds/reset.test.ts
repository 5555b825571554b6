// Reset: `interface.md` section 5. Records, journals and counters start again; keys, overlays and assumptions stay.
import { describe, expect, it, vi } from 'vitest';
import { type Client, expectError } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { stretched } from '../support/until.ts';
import { START } from '../support/world.ts';
import { dataOf, useWorlds, withSandbox } from './setup.ts';

const { sandbox, client, receiver, withKey, inWorld } = useWorlds();

describe('a reset', () => {
  const lists = ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers', '/api/v1/webhook_subscriptions'];
  const shownBy = (client: Client): Promise<unknown[]> =>
    Promise.all(lists.map(async (path) => (await client.get(path)).body));

  it('is 204 and restores every record of the fixture', async () => {
    const client = inWorld('reset-records');
    const before = await shownBy(client);
    await client.call('+12125550100');
    await client.post('/v1/caller-ids', { phone_number: '+12125550160' });
    await client.post('/api/v1/webhook_subscriptions', { webhook_url: `${receiver.url}/`, event_type: 'new_call' });
    const [agent] = await dataOf(client, '/v1/agents');
    await client.patch(`/v1/agents/${agent.id}`, { name: 'Changed' });
    const [callerId] = await dataOf(client, '/v1/caller-ids');
    await client.delete(`/v1/caller-ids/${callerId.caller_id_id}`);
    expect(await shownBy(client)).not.toEqual(before);

    const answer = await client.post('/_sandbox/reset');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await shownBy(client)).toEqual(before);
  });

  it('empties the journals and the schedule', async () => {
    const client = inWorld('reset-journals');
    await client.post('/api/v1/webhook_subscriptions', { webhook_url: `${receiver.url}/`, event_type: 'call_busy' });
    await client.call('+12125550101');
    await sandbox.world('reset-journals').clock.untilIdle();
    await client.call('+12125550100');
    const journals = ['/_sandbox/requests', '/_sandbox/events', '/_sandbox/deliveries'];
    for (const path of journals) expect((await client.get(path)).body.meta.total_results, path).toBeGreaterThan(0);
    expect((await dataOf(client, '/_sandbox/clock')).pending).toBeGreaterThan(0);
    await client.post('/_sandbox/reset');
    for (const path of journals) expect((await client.get(path)).body, path).toMatchObject({ data: [] });
    expect((await dataOf(client, '/_sandbox/clock')).pending).toBe(0);
  });

  it('removes active scenarios and the counts of scenarios', async () => {
    const client = inWorld('reset-scenarios');
    await client.put('/_sandbox/active-scenarios/call', { use: 'busy' });
    await client.dial('+12125550135', { 'X-Sandbox-Scenario': 'flaky_provider' });
    await client.post('/_sandbox/reset');
    expect((await dataOf(client, '/_sandbox/active-scenarios/call')).use).toBeNull();
    const statuses = [];
    for (let dials = 0; dials < 3; dials++) statuses.push((await client.dial('+12125550135')).status);
    expect(statuses).toEqual([502, 502, 202]);
  });

  it('deletes idempotency keys and rate windows', async () => {
    const client = inWorld('reset-windows');
    const key = { 'Idempotency-Key': '5b7a2a0e-6d1c-4b6e-9a55-0d8c3f9f2f11' };
    const first = await client.dial('+12125550100', key);
    expectError(await client.dial('+12125550101', key), 409, 'idempotency_conflict');
    await client.post('/_sandbox/reset');
    const again = await client.dial('+12125550101', key);
    expect(again.status).toBe(202);
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['x-ratelimit-remaining']).toBe('599');
    expect(again.body.call_id).toBe(first.body.call_id);
  });

  it('allocates the same ids again, so that a run can be repeated', async () => {
    const client = inWorld('reset-ids');
    const run = async (): Promise<string[]> => {
      const callerId = await client.post('/v1/caller-ids', { phone_number: '+12125550160' });
      const body = { webhook_url: `${receiver.url}/`, event_type: 'new_call' };
      const subscription = await client.post('/api/v1/webhook_subscriptions', body);
      return [
        await client.call('+12125550100'),
        await client.call('+12125550101'),
        callerId.body.data.caller_id_id,
        subscription.body.id,
      ];
    };
    const first = await run();
    await client.post('/_sandbox/reset');
    expect(await run()).toEqual(first);
  });

  it('keeps keys, and revoked keys stay revoked', async () => {
    const client = inWorld('reset-keys');
    const kept = (await client.post('/_sandbox/keys', { scopes: ['account:read'] })).body.data;
    const revoked = (await client.post('/_sandbox/keys', {})).body.data;
    await client.delete(`/_sandbox/keys/${revoked.id}`);
    const before = await dataOf(client, '/_sandbox/keys');
    await client.post('/_sandbox/reset');
    expect(await dataOf(client, '/_sandbox/keys')).toEqual(before);
    expect((await dataOf(withKey(kept.api_key), '/v1/me')).scopes).toEqual(['account:read']);
    expectError(await withKey(revoked.api_key).get('/v1/me'), 401, 'unauthorized');
  });

  it('does not repeat the keys created before it, which stay unchanged', async () => {
    const client = inWorld('reset-new-key');
    const before = (await client.post('/_sandbox/keys', { scopes: ['account:read'] })).body.data;
    const revoked = (await client.post('/_sandbox/keys', {})).body.data;
    await client.delete(`/_sandbox/keys/${revoked.id}`);
    await client.post('/_sandbox/reset');
    const made = [];
    for (let keys = 0; keys < 2; keys++) made.push((await client.post('/_sandbox/keys', {})).body.data.api_key);
    expect(made).not.toContain(before.api_key);
    expect(made).not.toContain(revoked.api_key);
    expect((await dataOf(withKey(before.api_key), '/v1/me')).scopes).toEqual(['account:read']);
    expectError(await withKey(revoked.api_key).get('/v1/me'), 401, 'unauthorized');
    expect((await client.get('/_sandbox/keys')).body.meta.total_results).toBe(4);
  });

  it('keeps scenario overlays and assumption values', async () => {
    const client = inWorld('reset-kept');
    const source = 'kind: call\nsummary: Kept.\nextends: busy\n';
    await client.put('/_sandbox/scenarios/kept', source, { 'Content-Type': 'application/yaml' });
    await client.put('/_sandbox/assumptions/dial_response_envelope', { value: 'data' });
    await client.post('/_sandbox/reset');
    const answer = await client.dial('+12125550100', { 'X-Sandbox-Scenario': 'kept' });
    expect(answer.status).toBe(202);
    expect(answer.body.data.status).toBe('QUEUED');
    await sandbox.world('reset-kept').clock.untilIdle();
    expect((await client.readCall(answer.body.data.call_id)).status).toBe('BUSY');
  });

  it('keeps the organization and its id', async () => {
    const client = inWorld('reset-organization');
    const before = await dataOf(client, '/v1/account');
    await client.post('/_sandbox/reset');
    expect(await dataOf(client, '/v1/account')).toEqual(before);
  });

  it.each(['manual', 'instant'])('sets a %s clock back to its start and keeps its mode', async (mode) => {
    const name = `reset-${mode}`;
    await client.post('/_sandbox/worlds', { name, clock: mode });
    const user = inWorld(name);
    await user.put('/_sandbox/clock', { now: '2026-03-01T00:00:00.000Z' });
    expect((await dataOf(user, '/_sandbox/clock')).now).toBe('2026-03-01T00:00:00.000Z');
    await user.post('/_sandbox/reset');
    expect(await dataOf(user, '/_sandbox/clock')).toMatchObject({ mode, now: START, pending: 0 });
  });

  it.each(['real', '20x'])('sets a %s clock back to the system time and keeps its mode', async (mode) => {
    const name = `reset-${mode}`;
    await client.post('/_sandbox/worlds', { name, clock: mode });
    const user = inWorld(name);
    const ahead = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await user.put('/_sandbox/clock', { now: ahead });
    await user.post('/_sandbox/reset');
    const shown = await dataOf(user, '/_sandbox/clock');
    expect(shown.mode).toBe(mode);
    expect(Math.abs(Date.parse(shown.now) - Date.now())).toBeLessThan(stretched(60_000));
    const [call] = await dataOf(user, '/v1/calls');
    expect(Math.abs(Date.parse(call.started_at) - (Date.now() - 7_200_000))).toBeLessThan(stretched(60_000));
  });

  it.skipIf(isOnRedis)('dates the fixture of a world with a running clock relative to the reset', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      await withSandbox({ clock: 'real', worldTtl: '1d' }, async (own) => {
        const client = inWorld('dated-again', own);
        const startedAt = async (): Promise<number> => Date.parse((await dataOf(client, '/v1/calls'))[0].started_at);
        const before = await startedAt();
        vi.setSystemTime(Date.now() + 5 * 3_600_000);
        expect(await startedAt()).toBe(before);
        await client.post('/_sandbox/reset');
        expect(await startedAt()).toBe(before + 5 * 3_600_000);
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps a clock mode that was set after the start', async () => {
    const client = inWorld('reset-mode');
    await client.put('/_sandbox/clock', { mode: 'instant' });
    await client.post('/_sandbox/reset');
    expect(await dataOf(client, '/_sandbox/clock')).toMatchObject({ mode: 'instant', now: START });
  });

  it('does not change other worlds', async () => {
    const [reset, other] = [inWorld('reset-here'), inWorld('not-reset')];
    const id = await other.call('+12125550108');
    await sandbox.world('not-reset').clock.advance('5s');
    const before = [await shownBy(other), await sandbox.world('not-reset').events()];
    await reset.post('/_sandbox/reset');
    expect([await shownBy(other), await sandbox.world('not-reset').events()]).toEqual(before);
    expect((await other.readCall(id)).status).toBe('IN_PROGRESS');
    expect(await sandbox.world('not-reset').clock.now()).toBe('2026-01-05T15:00:05.000Z');
  });
});
