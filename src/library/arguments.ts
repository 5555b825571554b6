// Checks arguments of the library before anything is asked of a server.
import { clockForm, parseClockSetting, parseTimestamp, timestampForm } from '../clock/clock.ts';
import { durationForm, parseDuration } from '../clock/duration.ts';

/** Parses an argument; throws a TypeError that says what is allowed. */
export function parsed<Value>(text: string, form: string, parse: (text: string) => Value | undefined): Value {
  const value = parse(text);
  if (value === undefined) throw new TypeError(`"${text}" is not valid; must be ${form}`);
  return value;
}

/** The duration in milliseconds. */
export const milliseconds = (text: string): number => parsed(text, durationForm, parseDuration);

const checked =
  (form: string, parse: (text: string) => unknown) =>
  (text: string): string => {
    parsed(text, form, parse);
    return text;
  };

/** These return the argument as it was given. */
export const checkedDuration = checked(durationForm, parseDuration);
export const checkedInstant = checked(timestampForm, parseTimestamp);
export const checkedClock = checked(clockForm, parseClockSetting);
