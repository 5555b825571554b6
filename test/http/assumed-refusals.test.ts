// A refusal names the assumptions that it rests on in `X-Sandbox-Assumptions`: `interface.md` sections 3 and 9.
import { describe, expect, it } from 'vitest';
import { assumptionNames } from '../../src/assumptions/catalogue.ts';
import { type Answer, type Client, clientOf, FROM, NOWHERE } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });
const keyed = (key: string): Client => clientOf(sandbox.url, key);
const dial = (body: object): Promise<Answer> => client.post('/v1/calls/dial', body);

const named = ({ status, headers, text }: Answer): string[] => {
  expect(status, text).toBeGreaterThanOrEqual(400);
  const names = headers['x-sandbox-assumptions']?.split(', ') ?? [];
  expect(names.filter((name) => !assumptionNames.some((known) => known === name))).toEqual([]);
  return names;
};

/** Monday, 10:00 in New York and 5:00 in Hawaii. */
const regulated = (to: string) => (): Promise<Answer> => keyed('svc_sandbox_regulated').dial(to);

describe('a refusal by a calling rule', () => {
  it.each([
    ['dnc_suppressed', '+12125550170'],
    ['recipient_opted_out', '+12125550171'],
    ['no_consent', '+12125550172'],
    ['contact_automation_paused', '+12125550173'],
    ['outside_call_window', '+18085550174'],
  ])('names calling_rules: %s', async (code, to) => {
    const answer = await regulated(to)();
    expect(answer.body.error.code).toBe(code);
    expect(named(answer)).toEqual(['calling_rules']);
  });

  it('names calling_rules for a day that is not permitted', async () => {
    const own = keyed('svc_test_days');
    await own.put('/_sandbox/calling-rules', { days: ['Sunday'] });
    const answer = await own.dial('+12125550100');
    expect(answer.body.error.code).toBe('day_not_allowed');
    expect(named(answer)).toEqual(['calling_rules']);
  });

  it('names frequency_counting too if it counts calls', async () => {
    const own = keyed('svc_test_counted');
    await own.put('/_sandbox/calling-rules', { calls_per_day: 1 });
    await own.call('+12125550100');
    expect(named(await own.dial('+12125550100'))).toEqual(['calling_rules', 'frequency_counting']);
  });
});

describe('a refusal of the number that a call comes from', () => {
  it.each([
    ['a number of nobody', '+14155550150'],
    ['a number of a sub-entity', '+14155550194'],
  ])('names caller_id_ownership for %s', async (_, from_number) => {
    const answer = await dial({ from_number, to_number: '+12125550100' });
    expect(answer.body.error.code).toBe('call_id_not_verified');
    expect(named(answer)).toEqual(['caller_id_ownership']);
  });

  it('names none for an own number that is not verified, as the specification says', async () => {
    const answer = await dial({ from_number: '+14155550193', to_number: '+12125550100' });
    expect(answer.body.error.code).toBe('call_id_not_verified');
    expect(answer.headers).not.toHaveProperty('x-sandbox-assumptions');
  });

  it('names create_call if the account has none to choose', async () => {
    const own = keyed('svc_test_numberless');
    const numbers = (await own.get('/v1/phone-numbers')).body.data;
    for (const { id } of numbers) await own.delete(`/v1/phone-numbers/${id}`);
    const [{ id: agent_id }] = (await own.get('/v1/agents')).body.data;
    const answer = await own.post('/v1/calls', { agent_id, to_number: '+12125550100' });
    expect(answer.body.error.code).toBe('no_active_number');
    expect(named(answer)).toContain('create_call');
  });
});

const agentId = async (): Promise<string> => (await client.get('/v1/agents')).body.data[0].id;

describe('a refusal of a request', () => {
  it.each([
    ['dialable_numbers', 'no destination', () => dial({ from_number: FROM })],
    ['dialable_numbers', 'an emergency number', () => dial({ from_number: FROM, to_number: '911' })],
    ['dialable_numbers', 'a number that cannot be dialed', () => dial({ from_number: FROM, to_number: '+15' })],
    ['dialable_numbers', 'a caller ID that cannot be', () => client.post('/v1/caller-ids', { phone_number: '+1911' })],
    ['dial_checks', 'a dial without from_number', () => dial({ to_number: '+12125550100' })],
    ['foreign_ids', 'an unknown id in a path', () => client.get(`/v1/calls/${NOWHERE}`)],
    [
      'foreign_ids',
      'an unknown id in a body',
      () => client.post('/v1/calls', { agent_id: NOWHERE, to_number: '+12125550100' }),
    ],
    ['request_forms', 'an unknown path', () => client.get('/v1/nowhere')],
    ['request_forms', 'an unknown method', () => client.delete('/v1/me')],
    [
      'webhook_urls',
      'a webhook URL',
      () =>
        client.post('/api/v1/webhook_subscriptions', { webhook_url: 'http://example.com/', event_type: 'new_call' }),
    ],
    [
      'extra_event_types',
      'an unknown event type',
      () => client.post('/api/v1/webhook_subscriptions', { webhook_url: 'https://example.com/', event_type: 'x' }),
    ],
    ['jobs', 'a job without agent_id', () => client.post('/v1/jobs', { to_numbers: ['+12125550100'] })],
    [
      'jobs',
      'a job that names a number twice in other words',
      async () => client.post('/v1/jobs', { agent_id: await agentId(), to_numbers: ['+12125550100', '+12125550100'] }),
    ],
    [
      'provision_number',
      'a number in another area code',
      () => client.post('/v1/phone-numbers', { phone_number: '+14155550160', area_code: '212' }),
    ],
    [
      'provision_number',
      'a number that is not on offer',
      () => client.post('/v1/phone-numbers', { phone_number: FROM }),
    ],
  ] as const)('names %s for %s', async (name, _, ask) => {
    expect(named(await ask())).toContain(name);
  });

  it('names content_policy for a transcript under HIPAA', async () => {
    const own = keyed('svc_sandbox_hipaa');
    const calls: { id: string; has_transcript: boolean }[] = (await own.get('/v1/calls')).body.data;
    const { id } = calls.find(({ has_transcript }) => has_transcript) ?? { id: NOWHERE };
    expect(named(await own.get(`/v1/calls/${id}/transcript`))).toContain('content_policy');
  });

  it('names rate_window for one request too many in a minute', async () => {
    const { api_key } = (await client.post('/_sandbox/keys', { requests_per_minute: 1 })).body.data;
    const narrow = keyed(api_key);
    await narrow.get('/v1/me');
    expect(named(await narrow.get('/v1/me'))).toEqual(['rate_window']);
  });

  it('names none for a body of which the specification shows the form', async () => {
    const answer = await client.patch(`/v1/agents/${await agentId()}`, { enabled: 'yes' });
    expect(answer.status).toBe(400);
    expect(answer.headers).not.toHaveProperty('x-sandbox-assumptions');
  });
});
