// Requests with more faults than an error lists: the answer stays small and says how many more there are.
import { describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { agentsOf, JOBS } from '../support/outbound.ts';
import { useSandbox } from '../support/sandbox.ts';

const { client } = useSandbox({ clock: 'manual' });

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
    const body = { webhook_url: 'http://127.0.0.1:9/', event_type: 'new_call', ...strayFields(5000) };
    expectCapped(await client.post('/api/v1/webhook_subscriptions', body), 4900);
  });

  it('lists 100 items of a list, whether the contract refuses them or their numbers cannot be called', async () => {
    const [agent_id] = await agentsOf(client);
    expectCapped(await client.post(JOBS, { agent_id, to_numbers: Array.from({ length: 3000 }, (_, n) => n) }), 2900);
    const services = Array.from({ length: 300 }, (_, n) => `+1900555${1000 + n}`);
    expectCapped(await client.post(JOBS, { agent_id, to_numbers: services }), 200);
  });

  it('lists 100 fields of a body of the control API, and of a scenario', async () => {
    expectCapped(await client.post('/_sandbox/keys', strayFields(5000)), 4900);
    const scenario = { kind: 'call', summary: 'Too much.', extends: 'busy', ...strayFields(2000) };
    expectCapped(await client.put('/_sandbox/scenarios/too_much', scenario), 1900);
  });

  it('counts one fault more as one', async () => {
    const body = { webhook_url: 'http://127.0.0.1:9/', event_type: 'new_call', ...strayFields(101) };
    const answer = await client.post('/api/v1/webhook_subscriptions', body);
    expect(answer.body.error.message).toBe('The request is not valid. 1 more fault is not listed.');
  });
});
