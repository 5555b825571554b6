// Checks arguments of the library before any request is sent.
import { inspect } from 'node:util';
import { clockForm, parseClockSetting, parseTimestamp, timestampForm } from '../clock/clock.ts';
import { durationForm, parseDuration } from '../clock/duration.ts';

/** How a message shows what was given: anything but text as Node prints it. */
export const shown = (given: unknown): string =>
  typeof given === 'string' ? `"${given}"` : inspect(given, { depth: 0 });

/** Parses an argument, which in JavaScript can be anything; throws a TypeError that says what is allowed. */
export function parsed<Value>(text: unknown, form: string, parse: (text: string) => Value | undefined): Value {
  const value = typeof text === 'string' ? parse(text) : undefined;
  if (value === undefined) throw new TypeError(`${shown(text)} is not valid; must be ${form}`);
  return value;
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws a TypeError for anything but an object that has these fields alone. */
export function checkFields(what: string, given: unknown, known: readonly string[]): void {
  if (!isObject(given)) {
    throw new TypeError(`${what}: ${shown(given)} is not valid; must be an object with any of ${known.join(', ')}`);
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${what}: "${unknown}" is not a known field; must be one of ${known.join(', ')}`);
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
