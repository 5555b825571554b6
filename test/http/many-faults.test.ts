// Requests with more faults than an error lists: the answer stays small and says how many more there are.
import { describe, expect, it, vi } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { agentsOf, JOBS } from '../support/outbound.ts';
import { useSandbox } from '../support/sandbox.ts';

const { client } = useSandbox({ clock: 'manual' });

const LEAD = { 'X-Source-Secret': 'sandbox_lead_secret' };

function expectCapped(answer: Answer, unlisted: number): void {
  expectError(answer, 400, 'validation_error');
  expect(Object.keys(answer.body.error.fields)).toHaveLength(100);
  expect(answer.body.error.message).toContain(`${unlisted} more fault`);
  expect(answer.text.length).toBeLessThan(64 * 1024);
}

const strayFields = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`stray_field_${n}`, n]));

describe('an error with more than 100 faults', () => {
  it('lists 100 fields of a body that the contract does not know, and counts the others', async () => {
    const body = { webhook_url: 'http://127.0.0.1:9/', event_type: 'new_call', ...strayFields(4900) };
    expectCapped(await client.post('/api/v1/webhook_subscriptions', body), 4800);
  });

  it('lists 100 items of a list, whether the contract refuses them or their numbers cannot be called', async () => {
    const [agent_id] = await agentsOf(client);
    expectCapped(await client.post(JOBS, { agent_id, to_numbers: Array.from({ length: 3000 }, (_, n) => n) }), 2900);
    const services = Array.from({ length: 300 }, (_, n) => `+1900555${1000 + n}`);
    expectCapped(await client.post(JOBS, { agent_id, to_numbers: services }), 200);
  });

  it('lists 100 fields of a body of the control API, and of a scenario', async () => {
    expectCapped(await client.post('/_sandbox/keys', strayFields(5000)), 4900);
    const scenario = { kind: 'call', summary: 'Too much.', extends: 'busy', ...strayFields(500) };
    expectCapped(await client.put('/_sandbox/scenarios/too_much', scenario), 400);
  });

  it('looks for no more misspellings than it lists, in an event by hand and where others are refused', async () => {
    const strays = strayFields(4900);
    // Each comparison of two names ignores their case.
    const compared = vi.spyOn(String.prototype, 'toLowerCase');
    expectCapped(await client.post('/_sandbox/events', { event_type: 'new_call', data: strays }), 4800);
    await client.put('/_sandbox/assumptions/unknown_body_fields', { value: 'refused' });
    expectCapped(await client.post('/v1/leads/lead_default', strays, LEAD), 4800);
    await client.put('/_sandbox/assumptions/unknown_body_fields', { value: 'specified' });
    const calls = compared.mock.calls.length;
    compared.mockRestore();
    // Of each listed field with each of some twenty that there are.
    expect(calls).toBeLessThan(2 * 100 * 50);
  });

  it('reads no more of a list than it may have, and says how many items were sent', async () => {
    const sent = Array.from({ length: 30_000 }, () => 'a');
    const cases: [path: string, field: string, most: number][] = [
      [JOBS, 'contact_ids', 5000],
      [JOBS, 'to_numbers', 5000],
      ['/v1/caller-trust/reputation/remediations', 'phone_numbers', 2000],
      ['/v1/brand/campaigns', 'phone_numbers', 400],
      ['/v1/client-tokens', 'scopes', 100],
    ];
    for (const [path, field, most] of cases) {
      const answer = await client.post(path, { [field]: sent });
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.fields[field]).toBe(`has 30000 items; must have at most ${most}`);
      const unlisted = Number(/(\d+) more fault/.exec(answer.body.error.message)?.[1]);
      expect([path, unlisted <= most]).toEqual([path, true]);
    }
  });

  it('reads no item of a list of the control API that is too long', async () => {
    const sent = Array.from({ length: 30_000 }, () => 'a');
    const cases: [path: string, method: 'post' | 'put', field: string, reason: string][] = [
      ['/_sandbox/keys', 'post', 'scopes', 'must be at most 100 items long'],
      ['/_sandbox/faults', 'put', 'drift', 'must be at most 3 items long'],
      ['/_sandbox/faults', 'put', 'faults', 'must be at most 100 items long'],
      ['/_sandbox/webhook-plan', 'put', 'retries', 'must be at most 100 durations'],
      ['/_sandbox/calling-rules', 'put', 'do_not_call', 'must be at most 10000 items long'],
      ['/_sandbox/calling-rules', 'put', 'days', 'must be at most 100 items long'],
    ];
    for (const [path, method, field, reason] of cases) {
      const answer = await client[method](path, { [field]: sent });
      expectError(answer, 400, 'validation_error');
      expect([path, answer.body.error.fields]).toEqual([path, { [field]: reason }]);
    }
  });

  it('compares a glob that is too long with nothing', async () => {
    for (const field of ['path', 'method', 'operation']) {
      const answer = await client.put('/_sandbox/faults', { [field]: '*a'.repeat(10_000), error: 'not_found' });
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.fields).toEqual({ [field]: 'must be at most 256 characters long' });
    }
  });

  it('quotes the beginning of a long name', async () => {
    const answer = await client.post('/_sandbox/worlds', { fixtures: 'x'.repeat(200_000) });
    expectError(answer, 400, 'validation_error');
    expect(answer.text.length).toBeLessThan(2000);
    expectError(await client.post('/_sandbox/worlds', { assumptions: strayFields(5000) }), 400, 'validation_error');
  });

  it('counts one fault more as one', async () => {
    const body = { webhook_url: 'http://127.0.0.1:9/', event_type: 'new_call', ...strayFields(101) };
    const answer = await client.post('/api/v1/webhook_subscriptions', body);
    expect(answer.body.error.message).toBe('The request is not valid. 1 more fault is not listed.');
  });
});
