// Calling rules in force: `spec.md` "Compliance block", the key svc_sandbox_regulated of `interface.md` section 2 (at most
// 3 calls a day to one number, Monday to Saturday 08:00:00 to 20:59:59 at the destination). Every boundary by the
// millisecond, in the time zone of the number that is called.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';

const folderOf = temporaryFolders();
const opened: Sandbox[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

interface Regulated {
  readonly client: Client;
  /** Dials that number at that instant. */
  dial(to: string, at: string): Promise<Answer>;
}

async function regulated(start: string, options: SandboxOptions = {}): Promise<Regulated> {
  const sandbox = await createSandbox({ clock: 'manual', start, ...options });
  opened.push(sandbox);
  const client = clientOf(sandbox.url, 'svc_sandbox_regulated');
  return {
    client,
    async dial(to, at) {
      await sandbox.world('regulated').clock.advance({ to: at });
      return client.dial(to);
    },
  };
}

/** A sandbox whose regulated world has other rules. */
async function ruled(start: string, ...changes: readonly (readonly [from: string, to: string])[]): Promise<Regulated> {
  let text = readFileSync('fixtures/regulated.yaml', 'utf8');
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  return regulated(start, { fixtures: folderOf({ 'regulated.yaml': text }) });
}

const everyDay = ['Friday, Saturday]', 'Friday, Saturday, Sunday]'] as const;
const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();
const codeOf = (answer: Answer): string => (answer.status === 202 ? 'allowed' : answer.body.error.code);

/** The first instant at which a number may be called on a day, and the first at which it may not any more. */
type Window = readonly [where: string, to: string, opens: string, closes: string];

async function expectWindow({ dial }: Regulated, to: string, opens: string, closes: string): Promise<void> {
  expect(codeOf(await dial(to, justBefore(opens))), `before ${opens}`).toBe('outside_call_window');
  expect(codeOf(await dial(to, opens)), opens).toBe('allowed');
  expect(codeOf(await dial(to, justBefore(closes))), `before ${closes}`).toBe('allowed');
  expect(codeOf(await dial(to, closes)), closes).toBe('outside_call_window');
}

describe('the hours of the regulated world', () => {
  const windows: readonly Window[] = [
    ['New York', '+12125550199', '2026-01-05T13:00:00.000Z', '2026-01-06T02:00:00.000Z'],
    ['Chicago', '+13125550199', '2026-01-05T14:00:00.000Z', '2026-01-06T03:00:00.000Z'],
    ['Denver', '+13035550199', '2026-01-05T15:00:00.000Z', '2026-01-06T04:00:00.000Z'],
    ['Phoenix', '+16025550199', '2026-01-05T15:00:00.000Z', '2026-01-06T04:00:00.000Z'],
    ['Los Angeles', '+12135550199', '2026-01-05T16:00:00.000Z', '2026-01-06T05:00:00.000Z'],
    ['Honolulu', '+18085550199', '2026-01-05T18:00:00.000Z', '2026-01-06T07:00:00.000Z'],
    ['London', '+442079460123', '2026-01-05T08:00:00.000Z', '2026-01-05T21:00:00.000Z'],
    [
      'Sydney, whose day begins the evening before',
      '+61255501234',
      '2026-01-05T21:00:00.000Z',
      '2026-01-06T10:00:00.000Z',
    ],
    ['Delhi, half an hour off', '+911123456789', '2026-01-06T02:30:00.000Z', '2026-01-06T15:30:00.000Z'],
  ];

  it.each(windows)('are those of the destination, to the millisecond: %s', async (_, to, opens, closes) => {
    await expectWindow(await regulated('2026-01-05T06:00:00.000Z'), to, opens, closes);
  });

  it.each([
    ['Idaho, in Mountain and Pacific time', '+12085550199', '2026-01-05T16:00:00.000Z', '2026-01-06T04:00:00.000Z'],
    ['Alaska, with the Aleutians', '+19075550199', '2026-01-05T18:00:00.000Z', '2026-01-06T06:00:00.000Z'],
    ['Newfoundland and Labrador', '+17095550199', '2026-01-05T12:00:00.000Z', '2026-01-06T00:30:00.000Z'],
  ] satisfies Window[])('are those that all time zones of the area code share: %s', async (_, to, opens, closes) => {
    await expectWindow(await regulated('2026-01-05T06:00:00.000Z'), to, opens, closes);
  });

  it.each([
    ['an area code that nobody has', '+15225550199'],
    ['a toll-free number', '+18005550199'],
    ['an area code that came after the tables', '+18755550199'],
  ])("are those of the rules' own time zone for %s", async (_, to) => {
    const eastern = await regulated('2026-01-05T06:00:00.000Z');
    await expectWindow(eastern, to, '2026-01-05T13:00:00.000Z', '2026-01-06T02:00:00.000Z');
    const western = await ruled('2026-01-05T06:00:00.000Z', ['America/New_York', 'America/Los_Angeles']);
    await expectWindow(western, to, '2026-01-05T16:00:00.000Z', '2026-01-06T05:00:00.000Z');
  });

  it.each([
    [
      'New York, the Saturday before the clocks go forward',
      '+12125550199',
      '2026-03-07T13:00:00.000Z',
      '2026-03-08T02:00:00.000Z',
    ],
    ['New York, the Sunday on which they do', '+12125550199', '2026-03-08T12:00:00.000Z', '2026-03-09T01:00:00.000Z'],
    [
      'New York, the Saturday before they go back',
      '+12125550199',
      '2026-10-31T12:00:00.000Z',
      '2026-11-01T01:00:00.000Z',
    ],
    ['New York, the Sunday on which they do', '+12125550199', '2026-11-01T13:00:00.000Z', '2026-11-02T02:00:00.000Z'],
    [
      'London, which changes three weeks later',
      '+442079460123',
      '2026-03-28T08:00:00.000Z',
      '2026-03-28T21:00:00.000Z',
    ],
    ['London, the Sunday on which it does', '+442079460123', '2026-03-29T07:00:00.000Z', '2026-03-29T20:00:00.000Z'],
    ['Phoenix, which never changes', '+16025550199', '2026-07-06T15:00:00.000Z', '2026-07-07T04:00:00.000Z'],
    ['Idaho in summer', '+12085550199', '2026-07-06T15:00:00.000Z', '2026-07-07T03:00:00.000Z'],
  ] satisfies Window[])('follow daylight saving: %s', async (_, to, opens, closes) => {
    await expectWindow(await ruled(justBefore(justBefore(opens)), everyDay), to, opens, closes);
  });

  it('say what time it is there, and carry the category of compliance', async () => {
    const { dial } = await regulated('2026-01-05T06:00:00.000Z');
    const answer = await dial('+12135550199', '2026-01-05T15:59:59.999Z');
    expectError(answer, 403, 'outside_call_window');
    expect(answer.body.error.category).toBe('compliance_block');
    for (const time of ['07:59:59', '08:00:00', '20:59:59']) expect(answer.body.error.message).toContain(time);
  });
});

describe('the days of the regulated world', () => {
  it.each([
    ['New York', '+12125550199', 5],
    ['Los Angeles', '+12135550199', 8],
    ['Honolulu', '+18085550199', 10],
  ])('are Monday to Saturday at the destination, from the first to the last moment: %s', async (_, to, behind) => {
    const { dial } = await regulated('2026-01-10T12:00:00.000Z');
    const at = (day: number, hour: number): string => new Date(Date.UTC(2026, 0, day, hour + behind)).toISOString();
    expect(codeOf(await dial(to, justBefore(at(10, 21)))), 'Saturday night').toBe('allowed');
    expect(codeOf(await dial(to, at(10, 21))), 'Saturday, too late').toBe('outside_call_window');
    expect(codeOf(await dial(to, justBefore(at(11, 8)))), 'Sunday, too early').toBe('outside_call_window');
    expect(codeOf(await dial(to, at(11, 8))), 'Sunday morning').toBe('day_not_allowed');
    expect(codeOf(await dial(to, justBefore(at(11, 21)))), 'Sunday night').toBe('day_not_allowed');
    expect(codeOf(await dial(to, at(12, 8))), 'Monday morning').toBe('allowed');
  });

  it('are those of the destination: in Sydney the week begins on our Sunday and ends on our Saturday', async () => {
    const { dial } = await regulated('2026-01-10T00:00:00.000Z');
    const SYDNEY = '+61255501234';
    expect(codeOf(await dial(SYDNEY, '2026-01-10T09:59:59.999Z')), 'Saturday night there').toBe('allowed');
    expect(codeOf(await dial(SYDNEY, '2026-01-10T21:00:00.000Z')), 'Sunday there, Saturday here').toBe(
      'day_not_allowed',
    );
    expect(codeOf(await dial('+12125550199', '2026-01-10T21:00:00.000Z')), 'Saturday here').toBe('allowed');
    expect(codeOf(await dial(SYDNEY, '2026-01-11T21:00:00.000Z')), 'Monday there, Sunday here').toBe('allowed');
    expect(codeOf(await dial('+12125550199', '2026-01-11T21:00:00.000Z')), 'Sunday here').toBe('day_not_allowed');
  });

  it('keep to the calendar where the clocks change on a Sunday', async () => {
    const { dial } = await regulated('2026-03-08T00:00:00.000Z');
    expect(codeOf(await dial('+12125550199', '2026-03-08T11:59:59.999Z'))).toBe('outside_call_window');
    expect(codeOf(await dial('+12125550199', '2026-03-08T12:00:00.000Z'))).toBe('day_not_allowed');
    expect(codeOf(await dial('+12125550199', '2026-03-09T12:00:00.000Z'))).toBe('allowed');
  });

  it('know no holidays', async () => {
    const { dial } = await regulated('2026-12-25T00:00:00.000Z');
    expect(codeOf(await dial('+12125550199', '2026-12-25T17:00:00.000Z'))).toBe('allowed');
  });
});

describe('the number of calls a day in the regulated world', () => {
  const LOS_ANGELES = '+12135550199';
  const noon = '2026-01-05T20:00:00.000Z';

  it('is three to one number, within a day of the destination and not of another place', async () => {
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

  it('is refused as 429 with the category of compliance, the rate headers as they stand, and Retry-After', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    for (let calls = 0; calls < 3; calls++) await dial(LOS_ANGELES, noon);
    const answer = await dial(LOS_ANGELES, noon);
    expectError(answer, 429, 'frequency_exceeded');
    expect(answer.body.error.category).toBe('compliance_block');
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['x-ratelimit-remaining']).toBe('596');
    expect((await client.get('/v1/calls')).body.meta.total_results).toBe(3);
  });

  it('counts a number that is called from any of ours, however the call ended', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    await dial('+12135550101', noon);
    await dial('+12135550102', noon);
    for (let calls = 0; calls < 2; calls++) expect(codeOf(await dial('+12135550101', noon))).toBe('allowed');
    const body = { from_number: '+14155550191', to_number: '+12135550101' };
    expect(codeOf(await client.post('/v1/calls/dial', body))).toBe('frequency_exceeded');
    expect(codeOf(await client.post('/v1/calls/dial', { ...body, to_number: '+12135550102' }))).toBe('allowed');
  });

  it('does not count what was refused', async () => {
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

  it('does not count a dial for which there was no capacity', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z', { concurrentCalls: 1 });
    const busy = await dial('+12135550108', noon);
    for (let calls = 0; calls < 3; calls++) expect(codeOf(await dial(LOS_ANGELES, noon))).toBe('rate_limited');
    await client.post(`/v1/calls/${busy.body.call_id}/hangup`);
    expect(codeOf(await dial(LOS_ANGELES, noon))).toBe('allowed');
  });

  it('counts a repeated request once', async () => {
    const { client, dial } = await regulated('2026-01-05T12:00:00.000Z');
    expect(codeOf(await dial('+12135550198', noon))).toBe('allowed');
    const key = { 'Idempotency-Key': randomUUID() };
    for (let calls = 0; calls < 5; calls++) expect(codeOf(await client.dial(LOS_ANGELES, key))).toBe('allowed');
    for (let calls = 0; calls < 2; calls++) expect(codeOf(await client.dial(LOS_ANGELES))).toBe('allowed');
    expect(codeOf(await client.dial(LOS_ANGELES))).toBe('frequency_exceeded');
  });

  it('does not count calls that come in, and begins anew with a reset', async () => {
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
  ])('puts what is known of %s before hours and days', async (to, code) => {
    const { dial } = await regulated('2026-01-10T00:00:00.000Z');
    expect(codeOf(await dial(to, '2026-01-10T17:00:00.000Z'))).toBe(code);
    expect(codeOf(await dial(to, sundayNight))).toBe(code);
    expect(codeOf(await dial(to, sundayNoon))).toBe(code);
  });

  it('puts hours before days, and both before the number of calls', async () => {
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
  ])('of the specification decides for %s, which is on several lists', async (to, code, lists) => {
    const { dial } = await ruled(
      '2026-01-05T12:00:00.000Z',
      ...lists.map((list) => [`${list}: [`, `${list}: ['${to}', `] as const),
    );
    expect(codeOf(await dial(to, '2026-01-05T17:00:00.000Z'))).toBe(code);
  });
});

describe('the rules of a fixture', () => {
  it('are what it says: other hours, days and numbers of calls', async () => {
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
    ['an hour that there is not', "until: '20:59:59'", "until: '24:00:00'", 'calling_rules.until', '08:00:00'],
    ['an end before the beginning', "until: '20:59:59'", "until: '07:59:59'", 'calling_rules.until', 'earlier'],
    ['a day that there is not', 'days: [Monday', 'days: [Mon', 'calling_rules.days.0', 'Monday'],
    [
      'no day',
      'days: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday]',
      'days: []',
      'calling_rules.days',
      'empty',
    ],
    ['no call at all', 'calls_per_day: 3', 'calls_per_day: 0', 'calling_rules.calls_per_day', '0'],
    ['a time zone that there is not', 'America/New_York', 'America/Gotham', 'calling_rules.time_zone', 'IANA'],
    ['a number that is none', "do_not_call: ['+1", "do_not_call: ['", 'calling_rules.do_not_call.0', 'E.164'],
  ])('refuse the start where they name %s', async (_, from, to, field, says) => {
    const text = readFileSync('fixtures/regulated.yaml', 'utf8');
    expect(text).toContain(from);
    const folder = folderOf({ 'regulated.yaml': text.replace(from, to) });
    const starting = createSandbox({ fixtures: folder }).then((each) => opened.push(each));
    await expect(starting).rejects.toThrow(new RegExp(`^${join(folder, 'regulated.yaml')}:\\d+: ${field}: .*${says}`));
  });

  it('hold for a world that is made from it, counted by itself', async () => {
    const { client, dial } = await regulated('2026-01-05T17:00:00.000Z');
    const posted = await client.post('/_sandbox/worlds', { name: 'outreach', fixtures: 'regulated' });
    const base = opened[0]?.url as string;
    const other = clientOf(base, posted.body.data.api_key);
    for (let calls = 0; calls < 3; calls++) await dial('+12125550199', '2026-01-05T17:00:00.000Z');
    expect(codeOf(await client.dial('+12125550199'))).toBe('frequency_exceeded');
    expect(codeOf(await other.dial('+12125550199'))).toBe('allowed');
    expect(codeOf(await other.dial('+12125550170'))).toBe('dnc_suppressed');
  });
});
