// What passes as a timestamp in the body of an event: RFC 3339, whether it is written as the sandbox writes it or not.
import { expect, it } from 'vitest';
import { violations } from '../../src/contract/check.ts';

/** Whether nothing is wrong with the one timestamp of a call event. */
const isTimestamp = (created_at: string): boolean =>
  !violations('CallEvent', { created_at }).some((violation) => violation.startsWith('created_at'));

it.each([
  '2026-01-05T15:00:00.000Z',
  '2026-12-31T23:59:59.999Z',
  '2028-02-29T00:00:00.000Z',
  '2026-01-05T15:00:00Z',
  '2026-01-05T15:00:00.123456+05:30',
])('%s is one', (text) => expect(isTimestamp(text)).toBe(true));

it.each([
  '2026-02-29T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-04-31T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-00-01T00:00:00.000Z',
  '2026-01-00T00:00:00.000Z',
  '2026-01-05T24:00:00.000Z',
  '2026-01-05T15:60:00.000Z',
  '2026-01-05T15:00:00.000',
  '2026-01-05',
  'x2026-01-05T15:00:00.000Z',
  '2026-01-05T15:00:00.000Z\n',
])('%j is none', (text) => expect(isTimestamp(text)).toBe(false));
