// The hours and days of the key svc_sandbox_regulated (`interface.md` section 2): Monday to Saturday, 08:00:00 to
// 20:59:59 at the destination. Each boundary is tested to the millisecond, in the time zone of the number called.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { codeOf, justBefore, type Regulated, useRegulated } from './regulated.ts';

const { regulated, ruled } = useRegulated();

const everyDay = ['Friday, Saturday]', 'Friday, Saturday, Sunday]'] as const;

/** The first instant of a day at which a number may be called, and the first after it at which it may not. */
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
    ['an unassigned area code', '+15225550199'],
    ['a toll-free number', '+18005550199'],
    ['an area code newer than the tables', '+18755550199'],
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

  it('are stated in the error with the local time and the category compliance_block', async () => {
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
  ])('are Monday to Saturday at the destination, to the millisecond: %s', async (_, to, behind) => {
    const { dial } = await regulated('2026-01-10T12:00:00.000Z');
    const at = (day: number, hour: number): string => new Date(Date.UTC(2026, 0, day, hour + behind)).toISOString();
    expect(codeOf(await dial(to, justBefore(at(10, 21)))), 'Saturday night').toBe('allowed');
    expect(codeOf(await dial(to, at(10, 21))), 'Saturday, too late').toBe('outside_call_window');
    expect(codeOf(await dial(to, justBefore(at(11, 8)))), 'Sunday, too early').toBe('outside_call_window');
    expect(codeOf(await dial(to, at(11, 8))), 'Sunday morning').toBe('day_not_allowed');
    expect(codeOf(await dial(to, justBefore(at(11, 21)))), 'Sunday night').toBe('day_not_allowed');
    expect(codeOf(await dial(to, at(12, 8))), 'Monday morning').toBe('allowed');
  });

  it('are those of the destination, even where it is already tomorrow', async () => {
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

  it('follow the calendar on a Sunday when the clocks change', async () => {
    const { dial } = await regulated('2026-03-08T00:00:00.000Z');
    expect(codeOf(await dial('+12125550199', '2026-03-08T11:59:59.999Z'))).toBe('outside_call_window');
    expect(codeOf(await dial('+12125550199', '2026-03-08T12:00:00.000Z'))).toBe('day_not_allowed');
    expect(codeOf(await dial('+12125550199', '2026-03-09T12:00:00.000Z'))).toBe('allowed');
  });

  it('ignore holidays', async () => {
    const { dial } = await regulated('2026-12-25T00:00:00.000Z');
    expect(codeOf(await dial('+12125550199', '2026-12-25T17:00:00.000Z'))).toBe('allowed');
  });
});
