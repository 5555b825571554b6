// Replays under an idempotency key: what they repeat, what they need, and what is never stored. The assumption
// `idempotency`, and the order of checks of `interface.md` section 3.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Outgoing } from '../support/wire.ts';
import { expectFirst, expectReplay, isReplay, useIdempotency } from './idempotency-setup.ts';
import { BODY_LIMIT } from './setup.ts';

const { sandbox, client, dial, countCalls, eventTypes, expectOneCall } = useIdempotency();

describe('a replayed dial', () => {
  it('is still QUEUED after the call has ended', async () => {
    const key = randomUUID();
    const first = await dial(key);
    await sandbox.clock.untilIdle();
    expect((await client.readCall(first.body.call_id)).status).toBe('COMPLETED');
    expectReplay(await dial(key), first);
    expect(first.body.status).toBe('QUEUED');
  });

  it('names the scenario of the first dial, not the one that the repeat asks for', async () => {
    const key = randomUUID();
    const first = await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'busy' } });
    const repeat = await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'no_answer;ring=5s' } });
    expectReplay(repeat, first);
    expect(repeat.headers['x-sandbox-scenario']).toBe('busy');
    await sandbox.clock.untilIdle();
    expect((await client.readCall(first.body.call_id)).status).toBe('BUSY');
  });

  it('uses up none of the active scenarios', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer'] });
    const key = randomUUID();
    await dial(key);
    expect(isReplay(await dial(key))).toBe(true);
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual(['no_answer']);
  });

  it('sends no second webhook', async () => {
    const receiver: Receiver = await startReceiver();
    try {
      await client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'new_call' });
      const key = randomUUID();
      const first = await dial(key);
      await dial(key);
      await sandbox.clock.advance('0s');
      await dial(key);
      await sandbox.clock.advance('0s');
      expect(receiver.got.map(({ body }) => body.id)).toEqual([first.body.call_id]);
    } finally {
      await receiver.close();
    }
  });

  it('is marked as a replay in the journal, with its own id', async () => {
    const key = randomUUID();
    const answers = [await dial(key), await dial(key)];
    const journaled = await sandbox.requests();
    expect(journaled.map(({ id, replayed, status }) => [id, replayed, status])).toEqual([
      [answers[0]?.headers['x-sandbox-request-id'], false, 202],
      [answers[1]?.headers['x-sandbox-request-id'], true, 202],
    ]);
    expect(answers[0]?.headers['x-sandbox-request-id']).not.toBe(answers[1]?.headers['x-sandbox-request-id']);
  });

  it('is served before validation and lookups', async () => {
    const key = randomUUID();
    const { body } = await client.post('/v1/caller-ids', { phone_number: '+14155550157' });
    const { caller_id_id } = body.data;
    const { verification_code } = (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body
      .data;
    await client.post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code });
    const first = await dial(key, { from_number: '+14155550157' });
    expectFirst(first, 202);
    await client.delete(`/v1/caller-ids/${caller_id_id}`);
    expectReplay(await dial(key, { from_number: '+14155550157' }), first);
    expectError(await dial(randomUUID(), { from_number: '+14155550157' }), 422, 'call_id_not_verified');
  });
});

describe('a replay', () => {
  it('needs a valid API key', async () => {
    const key = randomUUID();
    const made = (await client.post('/_sandbox/keys', {})).body.data;
    expectFirst(await dial(key, {}, { key: made.api_key }), 202);
    expect(isReplay(await dial(key, {}, { key: made.api_key }))).toBe(true);
    await client.delete(`/_sandbox/keys/${made.id}`);
    expectError(await dial(key, {}, { key: made.api_key }), 401, 'unauthorized');
    expectError(await dial(key, {}, { key: null }), 401, 'unauthorized');
  });

  it('needs the scope', async () => {
    const key = randomUUID();
    await dial(key);
    expectError(await dial(key, {}, { key: 'svc_sandbox_metadata' }), 403, 'scope_missing');
  });

  it('needs quota, and uses it', async () => {
    const { api_key } = (await client.post('/_sandbox/keys', { requests_per_minute: 3 })).body.data;
    const key = randomUUID();
    const left: string[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const { status, headers } = await dial(key, {}, { key: api_key });
      expect(status).toBe(202);
      left.push(headers['x-ratelimit-remaining'] as string);
    }
    expect(left).toEqual(['2', '1', '0']);
    expectError(await dial(key, {}, { key: api_key }), 429, 'rate_limited');
  });

  it('gives way to an injected error and to an invalid header', async () => {
    const key = randomUUID();
    const first = await dial(key);
    expectError(await dial(key, {}, { headers: { 'X-Sandbox-Error': 'no_consent' } }), 403, 'no_consent');
    expectError(await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'no_such' } }), 400, 'validation_error');
    expectError(
      await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'verification_call' } }),
      400,
      'validation_error',
    );
    expectError(await dial(key, {}, { headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_media_type');
    expectReplay(await dial(key), first);
  });

  it('can be delayed', async () => {
    const key = randomUUID();
    const first = await dial(key);
    const began = performance.now();
    expectReplay(await dial(key, {}, { headers: { 'X-Sandbox-Delay': '120ms' } }), first);
    expect(performance.now() - began).toBeGreaterThanOrEqual(119);
  });
});

describe('only successes are stored', () => {
  it('a scripted 502 can be retried under its key until it succeeds', async () => {
    const key = randomUUID();
    const before = await countCalls();
    const flaky = { to_number: '+12125550135' };
    expectError(await dial(key, flaky), 502, 'provider_api_error');
    expectError(await dial(key, flaky), 502, 'provider_api_error');
    const success = await dial(key, flaky);
    expectFirst(success, 202);
    expectReplay(await dial(key, flaky), success);
    await expectOneCall(success.body.call_id, before);
    expect(await eventTypes()).toEqual(['new_call']);
  });

  it.each<[failure: string, status: number, code: string, fields: object, rest: Partial<Outgoing>]>([
    ['a validation error', 400, 'validation_error', { from_number: 'x' }, {}],
    ['a missing destination', 400, 'destination_missing', { to_number: null }, {}],
    ['a scripted refusal', 403, 'dnc_suppressed', { to_number: '+12125550111' }, {}],
    ['a scripted 429', 429, 'frequency_exceeded', { to_number: '+12125550117' }, {}],
    ['an unverified caller ID', 422, 'call_id_not_verified', { from_number: '+14155550193' }, {}],
    ['an inactive number', 409, 'no_active_number', { from_number: '+14155550192' }, {}],
    ['an injected error', 500, 'internal_error', {}, { headers: { 'X-Sandbox-Error': 'internal_error' } }],
    ['an unknown key', 401, 'unauthorized', {}, { key: 'svc_nobody' }],
    ['a missing scope', 403, 'scope_missing', {}, { key: 'svc_sandbox_metadata' }],
    ['malformed JSON', 400, 'validation_error', {}, { body: '{' }],
    ['a body over the limit', 413, 'payload_too_large', { note: 'x'.repeat(BODY_LIMIT) }, {}],
  ])('%s leaves the key free for any body', async (_, status, code, fields, rest) => {
    const key = randomUUID();
    expectError(await dial(key, fields, rest), status, code);
    const success = await dial(key);
    expectFirst(success, 202);
    expectReplay(await dial(key), success);
  });

  it('a conflict leaves the stored response unchanged', async () => {
    const key = randomUUID();
    const first = await dial(key);
    expectError(await dial(key, { note: 1 }), 409, 'idempotency_conflict');
    expectError(await dial(key, { note: 1 }), 409, 'idempotency_conflict');
    expectReplay(await dial(key), first);
  });
});
