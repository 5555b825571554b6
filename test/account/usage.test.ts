// Usage: `spec.md` "Usage rollup (current month)" and `GET /v1/usage`; the assumption usage_rollup. Each figure is
// compared to the records that the API shows.
import { describe, expect, it } from 'vitest';
import { useFixtures, WITH_NUMBER } from '../fixtures/setup.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { childOf, pagesOf } from '../support/world.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

const usageOf = async (by: Client = client): Promise<Answer['body']> => {
  const answer = await by.get('/v1/usage');
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const talking = (talk: string): Record<string, string> => ({ 'X-Sandbox-Scenario': `answered;ring=2s;talk=${talk}` });
const minutes = (seconds: number[]): number => seconds.reduce((sum, each) => sum + Math.ceil(each / 60), 0);

interface ListedCall {
  readonly started_at: string;
  readonly direction: string;
  readonly duration_seconds: number | null;
}

describe('usage', () => {
  it('covers the calendar month of the clock, and counts the records of the fixture', async () => {
    expect(await usageOf()).toEqual({
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-01T00:00:00.000Z',
      calls_placed: 7,
      // 95, 4, 41 and 62 seconds; nobody answered the other calls.
      minutes_used: minutes([95, 4, 41, 62]),
      phone_numbers_active: 3,
      spam_risk_distribution: { low: 1, medium: 1, high: 1, unknown: 1 },
    });
  });

  it.each(['default', 'demo', 'hipaa', 'regulated', 'other'])('of the world %s matches its records', async (world) => {
    const by = clientOf(sandbox.url, `svc_sandbox_${world}`);
    const all: ListedCall[] = (await pagesOf(by, '/v1/calls', 100)).flatMap(({ data }) => data);
    const numbers: Answer['body'][] = (await by.get('/v1/phone-numbers?page_size=100')).body.data;
    const usage = await usageOf(by);
    const calls = all.filter(({ started_at }) => started_at >= usage.period_start);
    // The two weeks of the demo world start in the previous month.
    expect(calls.length < all.length).toBe(world === 'demo');
    expect(usage.calls_placed).toBe(calls.filter(({ direction }) => direction === 'outbound').length);
    expect(usage.minutes_used).toBe(minutes(calls.map(({ duration_seconds }) => duration_seconds ?? 0)));
    expect(usage.phone_numbers_active).toBe(numbers.filter(({ is_active }) => is_active).length);
    const { low, medium, high, unknown } = usage.spam_risk_distribution;
    expect(low + medium + high).toBe(numbers.filter((each) => each.reputation_enrolled_at !== null).length);
    expect(unknown).toBe(numbers.filter((each) => each.reputation_enrolled_at === null).length);
  });

  it('counts a call when it is placed, and its minutes, rounded up, once it has ended', async () => {
    const before = await usageOf();
    await client.call('+12125550199', talking('61s'));
    expect(await usageOf()).toEqual({ ...before, calls_placed: before.calls_placed + 1 });
    await sandbox.clock.advance('30s');
    expect((await usageOf()).minutes_used).toBe(before.minutes_used);
    await sandbox.clock.untilIdle();
    expect(await usageOf()).toEqual({
      ...before,
      calls_placed: before.calls_placed + 1,
      minutes_used: before.minutes_used + 2,
    });
  });

  it('counts unanswered calls as placed, without minutes', async () => {
    const before = await usageOf();
    for (const digits of ['01', '02', '05']) await client.call(`+121255501${digits}`);
    await sandbox.clock.untilIdle();
    expect(await usageOf()).toEqual({ ...before, calls_placed: before.calls_placed + 3 });
  });

  it('counts the minutes of inbound calls, but not the calls as placed', async () => {
    const before = await usageOf();
    const body = { scenario: 'inbound_answered;talk=90s' };
    expect((await client.post('/_sandbox/simulate/inbound-call', body)).status).toBe(201);
    await sandbox.clock.untilIdle();
    expect(await usageOf()).toEqual({ ...before, minutes_used: before.minutes_used + 2 });
  });

  it('does not count a refused dial', async () => {
    const before = await usageOf();
    expectError(await client.dial('+12125550111'), 403, 'dnc_suppressed');
    expect(await usageOf()).toEqual(before);
  });

  it('starts over with each month, to the millisecond', async () => {
    await sandbox.clock.advance({ to: '2026-01-31T23:59:59.999Z' });
    const january = await usageOf();
    expect(january.calls_placed).toBe(7);
    await client.call('+12125550199', talking('30s'));
    expect((await usageOf()).calls_placed).toBe(8);
    await sandbox.clock.advance('1ms');
    expect(await usageOf()).toEqual({
      ...january,
      period_start: '2026-02-01T00:00:00.000Z',
      period_end: '2026-03-01T00:00:00.000Z',
      calls_placed: 0,
      minutes_used: 0,
    });
    await client.call('+12125550199', talking('30s'));
    await sandbox.clock.untilIdle();
    // The call that started in January counts to January, although it ended in February.
    expect(await usageOf()).toMatchObject({ calls_placed: 1, minutes_used: 1 });
  });

  it('covers December up to the first of January', async () => {
    await sandbox.clock.advance({ to: '2026-12-31T12:00:00.000Z' });
    expect(await usageOf()).toMatchObject({
      period_start: '2026-12-01T00:00:00.000Z',
      period_end: '2027-01-01T00:00:00.000Z',
    });
  });

  it('covers the last month up to the last timestamp', async () => {
    await sandbox.clock.advance({ to: '9999-12-31T12:00:00.000Z' });
    expect(await usageOf()).toMatchObject({
      period_start: '9999-12-01T00:00:00.000Z',
      period_end: '9999-12-31T23:59:59.999Z',
    });
  });

  it('of a sub-entity covers only its own numbers and calls', async () => {
    const child = await childOf(sandbox.url, client);
    const before = await usageOf(child);
    expect(before).toMatchObject({ calls_placed: 1, minutes_used: 1, phone_numbers_active: 1 });
    await client.call('+12125550199', talking('30s'));
    await sandbox.clock.untilIdle();
    expect(await usageOf(child)).toEqual(before);
  });

  it('has a spam risk for every enrolled number from the start, without an enterprise', async () => {
    const { own_brand_enterprise, enrolled_reputation_numbers } = (await client.get('/v1/account')).body.data.footprint;
    expect(own_brand_enterprise).toBe(false);
    const { low, medium, high } = (await usageOf()).spam_risk_distribution;
    expect(low + medium + high).toBe(enrolled_reputation_numbers);
    expect(Math.min(low, medium, high)).toBeGreaterThan(0);
  });
});

describe('usage of a busy world', () => {
  const fixtures = useFixtures();

  it.runIf(thorough)('counts every call, even if there are more than one read returns', async () => {
    const call = '{ from: "+14155550190", to: "+12125550171", placed: -1h, outcome: busy, ring: 4s }';
    const calls = Array.from({ length: 1100 }, () => `  - ${call}\n`).join('');
    const { url } = await fixtures.open({ fixtures: fixtures.fileOf(`${WITH_NUMBER}calls:\n${calls}`) });
    expect((await usageOf(clientOf(url, 'svc_garage'))).calls_placed).toBe(1100);
  });
});

it('usage takes no query parameter', async () => {
  const answer = await client.get('/v1/usage?month=2026-01');
  expectError(answer, 400, 'validation_error');
  expect(Object.keys(answer.body.error.fields)).toEqual(['month']);
});

describe('the usage', () => {
  it('of an umbrella leaves its sub-entities out, or counts them where the ledger says with_children', async () => {
    const child = await childOf(sandbox.url, client);
    const [own, theirs] = [await usageOf(), await usageOf(child)];
    expect(theirs).toMatchObject({ calls_placed: 1, minutes_used: 1, phone_numbers_active: 1 });
    expect((await client.get('/v1/usage')).headers['x-sandbox-assumptions']).toContain('umbrella_usage');
    await client.put('/_sandbox/assumptions/umbrella_usage', { value: 'with_children' });
    try {
      const { low, ...risks } = own.spam_risk_distribution;
      expect(await usageOf()).toEqual({
        ...own,
        calls_placed: own.calls_placed + 1,
        minutes_used: own.minutes_used + 1,
        phone_numbers_active: own.phone_numbers_active + 1,
        spam_risk_distribution: { ...risks, low: low + 1 },
      });
      expect(await usageOf(child)).toEqual(theirs);
      await client.post('/v1/sub-entities', { name: 'Empty' });
      expect((await usageOf()).calls_placed).toBe(own.calls_placed + 1);
    } finally {
      await client.put('/_sandbox/assumptions/umbrella_usage', { value: 'own' });
    }
  });
});
