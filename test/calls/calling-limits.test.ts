// Calling rules: the number of calls a day, the order of the rules (`spec.md` "Compliance block"), and those of a fixture.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, clientOf, expectError } from '../support/client.ts';
import { codeOf, useRegulated } from './regulated.ts';

const { regulated, ruled, folderOf } = useRegulated();

describe('the number of calls a day in the regulated world', () => {
  const LOS_ANGELES = '+12135550199';
  const noon = '2026-01-05T20:00:00.000Z';

  it('is three to one number, in one day at the destination', async () => {
    const { dial } = await regulated('2026-01-05T12:00:00.000Z');
    expect(codeOf(await dial(LOS_ANGELES, '2026-01-05T16:00:00.000Z'))).toBe('allowed');
    expect(codeOf(await dial(LOS_ANGELES, '2026-01-05T23:59:59.999Z'))).toBe('allowed');
    // The next day in UTC, the same one there.
    expect(codeOf(await dial(LOS_ANGELES, '2026-01-06T00:00:00.000Z'))).toBe('allowed');
    expect(codeOf(await dial(LOS_ANGELES, '2026-01-06T04:59:59.999Z'))).toBe('frequency_exceeded');
    for (const time of ['16:00:00.000', '16:00:00.001', '20:00:00.000']) {
      expect(codeOf(await dial(LOS_ANGELES, `2026-01-06T${time}Z`)), time).toBe('allowed');
    }
    expect(codeOf(await dial(LOS_ANGELES, '2026-01-06T20:00:00.000Z'))).toBe('frequency_exceeded');
  });

  it('is enforced with 429, category compliance_block, the current rate headers and Retry-After', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    for (let calls = 0; calls < 3; calls++) await dial(LOS_ANGELES, noon);
    const answer = await dial(LOS_ANGELES, noon);
    expectError(answer, 429, 'frequency_exceeded');
    expect(answer.body.error.category).toBe('compliance_block');
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['x-ratelimit-remaining']).toBe('596');
    expect((await client.get('/v1/calls')).body.meta.total_results).toBe(3);
  });

  it('counts calls from every caller ID, with any outcome', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    await dial('+12135550101', noon);
    await dial('+12135550102', noon);
    for (let calls = 0; calls < 2; calls++) expect(codeOf(await dial('+12135550101', noon))).toBe('allowed');
    const body = { from_number: '+14155550191', to_number: '+12135550101' };
    expect(codeOf(await client.post('/v1/calls/dial', body))).toBe('frequency_exceeded');
    expect(codeOf(await client.post('/v1/calls/dial', { ...body, to_number: '+12135550102' }))).toBe('allowed');
  });

  it('does not count refused calls', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    const refused: readonly [what: string, ask: () => Promise<Answer>][] = [
      ['outside_call_window', () => dial(LOS_ANGELES, '2026-01-05T15:00:00.000Z')],
      ['validation_error', () => client.post('/v1/calls/dial', { to_number: LOS_ANGELES })],
      ['dnc_suppressed', () => client.dial(LOS_ANGELES, { 'X-Sandbox-Scenario': 'dnc_suppressed' })],
      ['provider_api_error', () => client.dial(LOS_ANGELES, { 'X-Sandbox-Error': 'provider_api_error' })],
      [
        'call_id_not_verified',
        () => client.post('/v1/calls/dial', { from_number: '+14155550193', to_number: LOS_ANGELES }),
      ],
    ];
    for (const [what, ask] of refused) {
      expect(codeOf(await ask())).toBe(what);
    }
    for (let calls = 0; calls < 3; calls++) expect(codeOf(await dial(LOS_ANGELES, noon))).toBe('allowed');
    expect(codeOf(await dial(LOS_ANGELES, noon))).toBe('frequency_exceeded');
  });

  it('does not count a dial refused for lack of capacity', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z', { concurrentCalls: 1 });
    const busy = await dial('+12135550108', noon);
    for (let calls = 0; calls < 3; calls++) expect(codeOf(await dial(LOS_ANGELES, noon))).toBe('rate_limited');
    await client.post(`/v1/calls/${busy.body.call_id}/hangup`);
    expect(codeOf(await dial(LOS_ANGELES, noon))).toBe('allowed');
  });

  it('counts an idempotent replay once', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    expect(codeOf(await dial('+12135550198', noon))).toBe('allowed');
    const key = { 'Idempotency-Key': randomUUID() };
    for (let calls = 0; calls < 5; calls++) expect(codeOf(await client.dial(LOS_ANGELES, key))).toBe('allowed');
    for (let calls = 0; calls < 2; calls++) expect(codeOf(await client.dial(LOS_ANGELES))).toBe('allowed');
    expect(codeOf(await client.dial(LOS_ANGELES))).toBe('frequency_exceeded');
  });

  it('does not count inbound calls, and starts over after a reset', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    const inbound = { from_number: LOS_ANGELES, to_number: '+14155550191' };
    await dial('+12135550198', noon);
    expect((await client.post('/_sandbox/simulate/inbound-call', inbound)).status).toBe(201);
    for (let calls = 0; calls < 3; calls++) expect(codeOf(await client.dial(LOS_ANGELES))).toBe('allowed');
    expect(codeOf(await client.dial(LOS_ANGELES))).toBe('frequency_exceeded');
    await client.post('/_sandbox/reset');
    expect(codeOf(await dial(LOS_ANGELES, noon))).toBe('allowed');
  });
});

describe('the order of the rules', () => {
  const sundayNight = '2026-01-11T06:00:00.000Z';
  const sundayNoon = '2026-01-11T17:00:00.000Z';

  it.each([
    ['+12125550170', 'dnc_suppressed'],
    ['+12125550171', 'recipient_opted_out'],
    ['+12125550172', 'no_consent'],
    ['+12125550173', 'contact_automation_paused'],
  ])('checks the list that contains %s before hours and days', async (to, code) => {
    const { dial } = await regulated('2026-01-10T00:00:00.000Z');
    expect(codeOf(await dial(to, '2026-01-10T17:00:00.000Z'))).toBe(code);
    expect(codeOf(await dial(to, sundayNight))).toBe(code);
    expect(codeOf(await dial(to, sundayNoon))).toBe(code);
  });

  it('checks hours before days, and both before the number of calls', async () => {
    const { dial } = await regulated('2026-01-10T00:00:00.000Z');
    const to = '+12125550199';
    for (let calls = 0; calls < 3; calls++) await dial(to, '2026-01-10T17:00:00.000Z');
    expect(codeOf(await dial(to, '2026-01-10T17:00:00.000Z'))).toBe('frequency_exceeded');
    expect(codeOf(await dial(to, '2026-01-11T02:00:00.000Z'))).toBe('outside_call_window');
    expect(codeOf(await dial(to, sundayNight))).toBe('outside_call_window');
    expect(codeOf(await dial(to, sundayNoon))).toBe('day_not_allowed');
  });

  it.each([
    ['+12125550170', 'dnc_suppressed', ['opted_out', 'paused', 'no_consent']],
    ['+12125550171', 'recipient_opted_out', ['paused', 'no_consent']],
    ['+12125550173', 'contact_automation_paused', ['no_consent']],
  ])('is that of the specification for %s, which is on several lists', async (to, code, lists) => {
    const { dial } = await ruled(
      '2026-01-05T12:00:00.000Z',
      ...lists.map((list) => [`${list}: [`, `${list}: ['${to}', `] as const),
    );
    expect(codeOf(await dial(to, '2026-01-05T17:00:00.000Z'))).toBe(code);
  });
});

describe('the rules of a fixture', () => {
  it('set other hours, days and numbers of calls', async () => {
    const { dial } = await ruled(
      '2026-01-05T06:00:00.000Z',
      ["from: '08:00:00'", "from: '09:30:00'"],
      ["until: '20:59:59'", "until: '17:00:00'"],
      ['calls_per_day: 3', 'calls_per_day: 1'],
      ['days: [Monday, Tuesday, ', 'days: [Tuesday, '],
    );
    const to = '+12125550199';
    expect(codeOf(await dial(to, '2026-01-05T17:00:00.000Z')), 'Monday').toBe('day_not_allowed');
    expect(codeOf(await dial(to, '2026-01-06T14:29:59.999Z'))).toBe('outside_call_window');
    expect(codeOf(await dial(to, '2026-01-06T14:30:00.000Z'))).toBe('allowed');
    expect(codeOf(await dial(to, '2026-01-06T14:30:00.000Z'))).toBe('frequency_exceeded');
    expect(codeOf(await dial('+12125550198', '2026-01-06T22:00:00.999Z')), 'the whole last second').toBe('allowed');
    expect(codeOf(await dial('+12125550197', '2026-01-06T22:00:01.000Z'))).toBe('outside_call_window');
  });

  it.each([
    ['an invalid hour', "until: '20:59:59'", "until: '24:00:00'", 'calling_rules.until', '08:00:00'],
    ['an end before the start', "until: '20:59:59'", "until: '07:59:59'", 'calling_rules.until', 'earlier'],
    ['an unknown day', 'days: [Monday', 'days: [Mon', 'calling_rules.days.0', 'Monday'],
    [
      'an empty list of days',
      'days: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday]',
      'days: []',
      'calling_rules.days',
      'empty',
    ],
    ['a limit of zero calls', 'calls_per_day: 3', 'calls_per_day: 0', 'calling_rules.calls_per_day', '0'],
    ['an unknown time zone', 'America/New_York', 'America/Gotham', 'calling_rules.time_zone', 'IANA'],
    ['an invalid number', "do_not_call: ['+1", "do_not_call: ['", 'calling_rules.do_not_call.0', 'E.164'],
  ])('prevent the start with %s', async (_, from, to, field, says) => {
    const text = readFileSync('fixtures/regulated.yaml', 'utf8');
    expect(text).toContain(from);
    const folder = folderOf({ 'regulated.yaml': text.replace(from, to) });
    await expect(createSandbox({ fixtures: folder })).rejects.toThrow(
      new RegExp(`^${join(folder, 'regulated.yaml')}:\\d+:\\d+: ${field}: .*${says}`),
    );
  });

  it('apply to each world created from it, with separate counts', async () => {
    const { url, client, dial } = await regulated('2026-01-05T17:00:00.000Z');
    const created = await client.post('/_sandbox/worlds', { name: 'outreach', fixtures: 'regulated' });
    const other = clientOf(url, created.body.data.api_key);
    for (let calls = 0; calls < 3; calls++) await dial('+12125550199', '2026-01-05T17:00:00.000Z');
    expect(codeOf(await client.dial('+12125550199'))).toBe('frequency_exceeded');
    expect(codeOf(await other.dial('+12125550199'))).toBe('allowed');
    expect(codeOf(await other.dial('+12125550170'))).toBe('dnc_suppressed');
  });
});
