// The plan runs out by use: `spec.md` "Account limit", voice_usage_exhausted and no_active_subscription.
import { describe, expect, it } from 'vitest';
import { type Client, clientOf, expectError, FROM, playing } from '../support/client.ts';
import { agentsOf, JOBS } from '../support/outbound.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf } from '../support/world.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

let worlds = 0;

async function worldWith(assumptions: object): Promise<Client> {
  worlds += 1;
  const { body } = await clientOf(sandbox.url).post('/_sandbox/worlds', { name: `plan-${worlds}`, assumptions });
  return clientOf(sandbox.url, body.data.api_key);
}

const minutesOf = async (client: Client): Promise<number> => (await client.get('/v1/usage')).body.data.minutes_used;
const advance = async (client: Client, by: object): Promise<void> => {
  expect((await client.post('/_sandbox/clock/advance', by)).status).toBe(200);
};
const idle = { until: 'idle' };
const talking = (talk: string) => playing(`answered;ring=2s;talk=${talk}`);

describe('the included minutes', () => {
  it('run out by use: the dial after the last minute is 402, and GET /v1/usage shows why', async () => {
    const client = await worldWith({ included_minutes: 9 });
    expect(await minutesOf(client)).toBe(6);
    for (const [talk, used] of [
      ['61s', 8],
      ['10s', 9],
    ] as const) {
      await client.call('+12125550100', talking(talk));
      await advance(client, idle);
      expect(await minutesOf(client)).toBe(used);
    }
    const refused = await client.dial('+12125550100');
    expectError(refused, 402, 'voice_usage_exhausted');
    expect(refused.body.error).toMatchObject({
      category: 'account_limit',
      message: expect.stringContaining('9 of the 9'),
    });
    const [agent] = await agentsOf(client);
    const body = { agent_id: agent, to_number: '+12125550100' };
    expectError(await client.post('/v1/calls', body), 402, 'voice_usage_exhausted');
    expect((await client.get('/v1/usage')).body.data.calls_placed).toBe(9);
  });

  it('count what GET /v1/usage counts, whatever ends first', async () => {
    const client = await worldWith({ included_minutes: 30 });
    // The first call goes on while later ones end, and is hung up last.
    const long = await client.call('+12125550100', talking('20m'));
    for (let n = 0; n < 3; n++) {
      await client.call('+12125550100', talking('70s'));
      await advance(client, { by: '2m' });
      expectError(await client.dial('not a number'), 400, 'destination_invalid');
    }
    expect(await minutesOf(client)).toBe(12);
    await client.put('/_sandbox/assumptions/included_minutes', { value: 13 });
    const placed = await client.call('+12125550102');
    await client.post(`/v1/calls/${long}/hangup`);
    expect(await minutesOf(client)).toBe(18);
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
    await client.post(`/v1/calls/${placed}/hangup`);
    expect(await minutesOf(client)).toBe(18);
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
    await client.put('/_sandbox/assumptions/included_minutes', { value: 19 });
    expect((await client.dial('+12125550100')).status).toBe(202);
  });

  it('do not cut off calls in progress, nor refuse inbound ones', async () => {
    const client = await worldWith({ included_minutes: 7 });
    const calls = [await client.call('+12125550100', talking('3m')), await client.call('+12125550100', talking('3m'))];
    await client.post('/_sandbox/simulate/inbound-call', { scenario: 'inbound_answered;talk=90s' });
    await advance(client, idle);
    for (const id of calls) expect(await client.readCall(id)).toMatchObject({ duration_seconds: 180 });
    expect(await minutesOf(client)).toBe(14);
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
    expect((await client.post('/_sandbox/simulate/inbound-call', {})).status).toBe(201);
  });

  it('are there again in the next month', async () => {
    const client = await worldWith({ included_minutes: 6 });
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
    await advance(client, { to: '2026-02-01T00:00:00.000Z' });
    expect((await client.dial('+12125550100', talking('6m'))).status).toBe(202);
    await advance(client, idle);
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
  });

  it('are those of each organization: a sub-entity has its own', async () => {
    const client = await worldWith({ included_minutes: 3 });
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
    const child = await childOf(sandbox.url, client);
    expect(await minutesOf(child)).toBe(1);
    const from_number = '+14155550194';
    expect((await child.post('/v1/calls/dial', { from_number, to_number: '+12125550100' })).status).toBe(202);
  });

  it('come after the calling rules and before the caps, and a scenario before both', async () => {
    const client = await worldWith({ included_minutes: 0, concurrent_calls: 1 });
    expectError(await client.dial('+12125550120'), 402, 'voice_usage_exhausted');
    expectError(await client.dial('+12125550111'), 403, 'dnc_suppressed');
    await client.put('/_sandbox/calling-rules', { do_not_call: ['+12125550199'] });
    expectError(await client.dial('+12125550199'), 403, 'dnc_suppressed');
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
  });

  it('end a job, whose contacts are refused with the code', async () => {
    const client = await worldWith({ included_minutes: 8 });
    const [agent] = await agentsOf(client);
    const to_numbers = ['+12125550100', '+13125550100', '+14155550100', '+15125550100'];
    const job = await client.post(JOBS, { agent_id: agent, from_number: FROM, to_numbers, concurrency: 1 });
    await advance(client, idle);
    const { status, progress } = (await client.get(`${JOBS}/${job.body.data.id}`)).body.data;
    expect([status, progress.completed, progress.outcomes.answered, progress.outcomes.refused]).toEqual([
      'completed',
      4,
      2,
      2,
    ]);
    const { data } = (await client.get('/_sandbox/events?event_type=workflow_contact_completed')).body;
    expect(data[0].payload).toMatchObject({ outcome: 'refused', failure_code: 'voice_usage_exhausted' });
  });

  it('are an integer or unlimited', async () => {
    const client = await worldWith({});
    for (const value of [-1, 1.5, '10', 'none', 1e9]) {
      const answer = await client.put('/_sandbox/assumptions/included_minutes', { value });
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.fields.value).toBe('must be an integer from 0 to 1000000, or unlimited');
    }
    expect((await client.put('/_sandbox/assumptions/included_minutes', { value: 'unlimited' })).status).toBe(200);
  });
});

describe('an ended subscription', () => {
  it('refuses dials before minutes are counted, and nothing else', async () => {
    const client = await worldWith({ account_subscription: 'ended', included_minutes: 0 });
    const refused = await client.dial('+12125550100');
    expectError(refused, 402, 'no_active_subscription');
    expect(refused.headers['x-sandbox-assumptions']).toContain('account_subscription');
    expect((await client.get('/v1/account')).body.data.plan).toBe('growth');
    await client.put('/_sandbox/assumptions/account_subscription', { value: 'active' });
    expectError(await client.dial('+12125550100'), 402, 'voice_usage_exhausted');
  });
});
