// `X-Sandbox-Error`: `interface.md` section 3, with the statuses and categories of `spec.md` "Errors".
import { describe, expect, it } from 'vitest';
import { synchronousCodes } from '../../src/errors/catalogue.ts';
import { expectError } from '../support/client.ts';
import { usePlatform } from './setup.ts';

const { sandbox, client, dial, countCalls } = usePlatform();

describe('X-Sandbox-Error', () => {
  /** `spec.md` "Errors": status, and the category that the code has on a dial. */
  const table: readonly [code: string, status: number, category?: string][] = [
    ['destination_missing', 400, 'invalid_request'],
    ['destination_invalid', 400, 'invalid_request'],
    ['no_active_number', 409, 'invalid_request'],
    ['call_id_not_verified', 422, 'invalid_request'],
    ['destination_blocked', 403, 'compliance_block'],
    ['dnc_suppressed', 403, 'compliance_block'],
    ['recipient_opted_out', 403, 'compliance_block'],
    ['contact_automation_paused', 403, 'compliance_block'],
    ['no_consent', 403, 'compliance_block'],
    ['outside_call_window', 403, 'compliance_block'],
    ['day_not_allowed', 403, 'compliance_block'],
    ['frequency_exceeded', 429, 'compliance_block'],
    ['texting_not_ready', 403],
    ['content_policy_forbidden', 403],
    ['voice_usage_exhausted', 402, 'account_limit'],
    ['no_active_subscription', 402, 'account_limit'],
    ['no_number_available', 429, 'account_limit'],
    ['rate_limited', 429, 'account_limit'],
    ['room_creation_failed', 502, 'provider_error'],
    ['agent_dispatch_failed', 502, 'provider_error'],
    ['sip_gateway_failed', 502, 'provider_error'],
    ['provider_api_error', 502, 'provider_error'],
    ['internal_error', 500, 'provider_error'],
    ['validation_error', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['idempotency_conflict', 409],
    ['scope_missing', 403],
  ];

  it('accepts the 29 synchronous codes', () => {
    expect(table).toHaveLength(29);
    expect([...synchronousCodes].sort()).toEqual(table.map(([code]) => code).sort());
  });

  it.each(table)('%s is %i on a dial, with its category, and no call is placed', async (code, status, category) => {
    const before = await countCalls();
    const answer = await dial({}, { headers: { 'X-Sandbox-Error': code } });
    expectError(answer, status, code);
    expect(answer.body.error.category).toBe(category);
    expect(answer.headers).not.toHaveProperty('x-sandbox-scenario');
    expect(await countCalls()).toBe(before);
    expect(await sandbox.events()).toEqual([]);
  });

  it.each(table)('%s is %i on a GET, without a category', async (code, status) => {
    const answer = await client.get('/v1/account', { 'X-Sandbox-Error': code });
    expectError(answer, status, code);
    expect(answer.body.error).not.toHaveProperty('category');
  });

  it.each(['destination_missing', 'destination_invalid'])('%s carries fields.to_number', async (code) => {
    const answer = await dial({}, { headers: { 'X-Sandbox-Error': code } });
    expect(Object.keys(answer.body.error.fields)).toEqual(['to_number']);
  });

  it('texting_not_ready carries the reason and the registration status', async () => {
    const answer = await client.get('/v1/account', { 'X-Sandbox-Error': 'texting_not_ready' });
    const { reason, registration_status } = answer.body.error.fields;
    expect([
      'a2p_registration_required',
      'a2p_registration_pending',
      'a2p_registration_rejected',
      'no_sender',
    ]).toContain(reason);
    expect(['none', 'pending', 'rejected']).toContain(registration_status);
  });

  it('validation_error carries fields', async () => {
    const answer = await client.get('/v1/account', { 'X-Sandbox-Error': 'validation_error' });
    expect(Object.keys(answer.body.error.fields)).not.toHaveLength(0);
  });

  it('unauthorized and scope_missing carry their challenges', async () => {
    const challengeFor = async (code: string): Promise<string | undefined> =>
      (await client.get('/v1/account', { 'X-Sandbox-Error': code })).headers['www-authenticate'];
    expect(await challengeFor('unauthorized')).toBe('Bearer realm="voice-platform", error="invalid_token"');
    expect(await challengeFor('scope_missing')).toBe(
      'Bearer realm="voice-platform", error="insufficient_scope", scope="account:read"',
    );
  });

  it('changes nothing on operations that write', async () => {
    const agents = (await client.get('/v1/agents')).text;
    const callerIds = (await client.get('/v1/caller-ids')).text;
    const [{ id }] = (await client.get('/v1/agents')).body.data;
    const [{ caller_id_id }] = (await client.get('/v1/caller-ids')).body.data;
    const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'new_call' };
    const { id: subscriptionId } = (await client.post('/api/v1/webhook_subscriptions', subscription)).body;
    const error = { 'X-Sandbox-Error': 'provider_api_error' };
    const writes = [
      await client.patch(`/v1/agents/${id}`, { name: 'changed' }, error),
      await client.post('/v1/caller-ids', { phone_number: '+14155550150' }, error),
      await client.delete(`/v1/caller-ids/${caller_id_id}`, error),
      await client.post('/api/v1/webhook_subscriptions', subscription, error),
      await client.delete(`/api/v1/webhook_subscriptions/${subscriptionId}`, error),
    ];
    for (const answer of writes) expectError(answer, 502, 'provider_api_error');
    expect((await client.get('/v1/agents')).text).toBe(agents);
    expect((await client.get('/v1/caller-ids')).text).toBe(callerIds);
    const { data } = (await client.get('/api/v1/webhook_subscriptions')).body;
    expect(data.map((each: { id: string }) => each.id)).toEqual([subscriptionId]);
  });
});
