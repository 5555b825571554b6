// Number reputation that moves: carriers flag a number and drop the flag again, checks find it as often as check_frequency
// says, and a remediation can go by it.
import { describe, expect, it } from 'vitest';
import { useFixtures, WITH_NUMBER } from '../fixtures/setup.ts';
import {
  approve,
  DETAILS,
  dataOf,
  draft,
  enterpriseOf,
  REMEDIATIONS,
  REPUTATION,
  sign,
} from '../support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM, playing } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';

const SECOND = '+14155550191';
const PROVISIONING = '+14155550192';
const THIRD = '+14155550193';
const NUMBERS = '/v1/phone-numbers';

const { sandbox, client } = useFreshSandbox({ clock: 'manual', rateLimit: 'off' });

const advance = async (by: Client, to: object): Promise<void> => {
  expect((await by.post('/_sandbox/clock/advance', to)).status).toBe(200);
};
const reputationOf = async (number: string, by = client): Promise<Answer['body']> =>
  dataOf(await by.get(`${REPUTATION}?page_size=100`)).find(
    ({ phone_number }: Answer['body']) => phone_number === number,
  );
const orderFlagged = async (scenario: string): Promise<string> =>
  dataOf(await client.post(NUMBERS, { area_code: '212' }, playing(scenario)), 201).phone_number;

describe('a number that carriers flag', () => {
  it('shows it with the next check, at nine on working days, in its score and in the usage too', async () => {
    // It is Monday, ten in the morning in New York.
    const number = await orderFlagged('reputation_flagged;wait=5s;flagged=2h');
    await advance(client, { by: '1m' });
    const enrolled_at = '2026-01-05T15:00:05.000Z';
    expect(await reputationOf(number)).toMatchObject({ spam_risk: 'low', enrolled_at, last_checked_at: enrolled_at });
    const before = dataOf(await client.get('/v1/usage')).spam_risk_distribution;
    await advance(client, { to: '2026-01-06T13:59:59.999Z' });
    expect(await reputationOf(number)).toMatchObject({ spam_risk: 'low', last_checked_at: enrolled_at });
    await advance(client, { by: '1ms' });
    const flagged = await reputationOf(number);
    expect(flagged).toMatchObject({ spam_risk: 'high', last_checked_at: '2026-01-06T14:00:00.000Z' });
    expect(flagged.spam_score).toBeGreaterThanOrEqual(70);
    expect(dataOf(await client.get('/v1/usage')).spam_risk_distribution).toEqual({
      ...before,
      low: before.low - 1,
      high: before.high + 1,
    });
  });

  it('recovers by itself with reputation_recovers', async () => {
    const number = await orderFlagged('reputation_recovers;wait=5s;flagged=1h;recovered=3d');
    await advance(client, { to: '2026-01-06T14:00:00.000Z' });
    expect((await reputationOf(number)).spam_risk).toBe('high');
    await advance(client, { to: '2026-01-09T13:00:00.000Z' });
    expect((await reputationOf(number)).spam_risk).toBe('high');
    await advance(client, { to: '2026-01-09T14:00:00.000Z' });
    expect((await reputationOf(number)).spam_risk).toBe('low');
  });

  it('is no longer flagged when it was released before', async () => {
    const number = dataOf(await client.post(NUMBERS, {}, playing('reputation_flagged;flagged=1h')), 201);
    await advance(client, { by: '10s' });
    await client.delete(`${NUMBERS}/${number.id}`);
    await advance(client, { until: 'idle' });
    expect(await sandbox.clock.now()).toBe('2026-01-05T15:00:10.000Z');
  });

  it('leaves nothing on the schedule that an idle world would wait for', async () => {
    await approve(client, sandbox);
    await orderFlagged('reputation_recovers');
    await advance(client, { until: 'idle' });
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });
});

describe('check_frequency', () => {
  it.each([
    ['business_daily', '2026-01-09T14:00:00.000Z'],
    ['daily', '2026-01-11T14:00:00.000Z'],
    ['weekly', '2026-01-05T15:00:40.000Z'],
    ['never', '2026-01-05T15:00:40.000Z'],
  ])('%s, which the enterprise asked for, decides when numbers were last checked', async (check_frequency, last) => {
    dataOf(await draft(client, { ...DETAILS, check_frequency }), 201);
    expect(dataOf(await sign(client, {}, playing('vetting_approved;wait=40s'))).reputation).toMatchObject({
      status: 'pending',
      check_frequency,
    });
    await advance(client, { by: '40s' });
    // On Sunday evening.
    await advance(client, { to: '2026-01-11T23:00:00.000Z' });
    expect((await enterpriseOf(client)).reputation.check_frequency).toBe(check_frequency);
    expect((await reputationOf(FROM)).last_checked_at).toBe(last);
    expect((await reputationOf(PROVISIONING)).last_checked_at).toBeNull();
  });

  it.each([
    ['weekly', '2026-02-23T14:00:00.000Z'],
    ['biweekly', '2026-02-16T14:00:00.000Z'],
    ['monthly', '2026-03-01T14:00:00.000Z'],
  ])('%s as the value of the world holds for numbers under the umbrella', async (value, last) => {
    await client.put('/_sandbox/assumptions/check_frequency', { value });
    await advance(client, { to: '2026-03-01T20:00:00.000Z' });
    expect((await reputationOf(FROM)).last_checked_at).toBe(last);
    // It would outlive the reset.
    await client.put('/_sandbox/assumptions/check_frequency', { value: 'business_daily' });
  });

  it('keeps to nine in the morning over the change to daylight saving time, in the zone of the calling rules', async () => {
    await advance(client, { to: '2026-03-09T13:30:00.000Z' });
    expect((await reputationOf(FROM)).last_checked_at).toBe('2026-03-09T13:00:00.000Z');
    await client.put('/_sandbox/calling-rules', { time_zone: 'America/Los_Angeles' });
    expect((await reputationOf(FROM)).last_checked_at).toBe('2026-03-06T17:00:00.000Z');
  });

  it('can be changed with the rejected enterprise, and is refused if there is no such frequency', async () => {
    dataOf(await draft(client), 201);
    dataOf(await client.patch('/v1/caller-trust/enterprise', { check_frequency: 'monthly' }));
    expect(dataOf(await sign(client)).reputation.check_frequency).toBe('monthly');
    const answer = await client.patch('/v1/caller-trust/enterprise', { check_frequency: 'hourly' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['check_frequency']);
  });
});

describe('remediation by reputation', () => {
  const remediate = async (phone_numbers: string[], use?: string): Promise<string[]> => {
    const headers = use ? playing(use) : {};
    const { request_id } = dataOf(await client.post(REMEDIATIONS, { phone_numbers }, headers), 202);
    await advance(client, { by: '60s' });
    const { status, numbers } = dataOf(await client.get(`${REMEDIATIONS}/${request_id}`));
    expect(status).toBe('completed');
    return numbers.map(({ outcome }: Answer['body']) => outcome);
  };

  it('gives each number what follows from it, and a second request finds no flag', async () => {
    await approve(client, sandbox);
    const numbers = [FROM, SECOND, PROVISIONING, THIRD];
    const first = await remediate(numbers, 'remediation_by_reputation');
    expect(first).toEqual(['not_flagged', 'remediated', 'ineligible', 'remediated']);
    for (const number of [FROM, SECOND, THIRD]) expect((await reputationOf(number)).spam_risk).toBe('low');
    const second = await remediate(numbers, 'remediation_by_reputation');
    expect(second).toEqual(['not_flagged', 'not_flagged', 'ineligible', 'not_flagged']);
  });

  it('works for a number that was flagged meanwhile, whose reputation recovers at once', async () => {
    await approve(client, sandbox);
    const number = await orderFlagged('reputation_flagged;flagged=1h');
    await advance(client, { to: '2026-01-06T14:00:00.000Z' });
    expect((await reputationOf(number)).spam_risk).toBe('high');
    expect(await remediate([number], 'remediation_by_reputation')).toEqual(['remediated']);
    expect((await reputationOf(number)).spam_risk).toBe('low');
    await advance(client, { by: '30d' });
    expect((await reputationOf(number)).spam_risk).toBe('low');
  });

  it('leaves the scripted scenarios as they are, the default among them', async () => {
    await approve(client, sandbox);
    expect(await remediate([FROM, SECOND])).toEqual(['remediated', 'remediated']);
    expect(await remediate([FROM], 'refused')).toEqual(['refused']);
  });

  it('can be made the rule for a world', async () => {
    await approve(client, sandbox);
    await client.put('/_sandbox/active-scenarios/remediation', { use: 'remediation_by_reputation' });
    expect(await remediate([FROM])).toEqual(['not_flagged']);
  });
});

describe('risk_changes of a fixture', () => {
  const { open, fileOf } = useFixtures();

  it('move the reputation of a number on the clock, past the start and before it', async () => {
    const changes = '[{ at: 3h, spam_risk: high }, { at: -10d, spam_risk: medium }, { at: 50h, spam_risk: low }]';
    const world = await open({
      fixtures: fileOf(WITH_NUMBER.replace('id: 9190,', `id: 9190, risk_changes: ${changes},`)),
    });
    const by = clientOf(world.url, 'svc_garage');
    const risks = [];
    for (const day of ['05', '06', '07', '08']) {
      await advance(by, { to: `2026-01-${day}T16:00:00.000Z` });
      const [number] = dataOf(await by.get(REPUTATION));
      risks.push(number.spam_risk);
    }
    expect(risks).toEqual(['medium', 'high', 'high', 'low']);
  });
});
