// The forms of the fields that a record made for an event takes over from `data`.
import { parseTimestamp, timestamp } from '../../clock/clock.ts';
import type { JsonObject } from '../../contract/json.ts';
import { isDialable } from '../../number-plan.ts';

export interface Form<Value> {
  /** Follows "must be". */
  readonly text: string;
  accepts(value: unknown): value is Value;
}

export type Forms = Readonly<Record<string, Form<unknown>>>;

interface Given {
  readonly data: JsonObject;
}

/** The value of a field of `data` if it has that form; undefined if it has not, or was not given. */
export function given<Value>({ data }: Given, field: string, form: Form<Value>): Value | undefined {
  const value = Object.hasOwn(data, field) ? data[field] : undefined;
  return form.accepts(value) ? value : undefined;
}

const MAX_LENGTH = 65_536;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_LENGTH;

/** A form that null has too. */
export function orNull<Value>({ text, accepts }: Form<Value>): Form<Value | null> {
  return {
    text: `${text}, or null`,
    accepts: (value): value is Value | null => value === null || accepts(value),
  };
}

export const anyText: Form<string> = { text: `a text of at most ${MAX_LENGTH} characters`, accepts: isText };

export const filledText: Form<string> = {
  text: 'a text that is not blank',
  accepts: (value): value is string => isText(value) && value.trim() !== '',
};

export const filledTexts: Form<string[]> = {
  text: 'a list of texts that is not empty',
  accepts: (value): value is string[] =>
    Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(filledText.accepts),
};

export const phoneNumber: Form<string> = {
  text: 'a dialable phone number in E.164 form, such as +14155550170',
  accepts: (value): value is string => typeof value === 'string' && isDialable(value),
};

export const email: Form<string> = {
  text: 'an email address',
  accepts: (value): value is string => isText(value) && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value),
};

/** A day, which is longer than any call. */
const MAX_SECONDS = 86_400;

export const seconds: Form<number> = {
  text: `a whole number of seconds from 0 to ${MAX_SECONDS}`,
  accepts: (value): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_SECONDS,
};

export const timeZone: Form<string> = {
  text: 'an IANA time zone, such as America/New_York',
  accepts: (value): value is string =>
    value === 'UTC' || (typeof value === 'string' && Intl.supportedValuesOf('timeZone').includes(value)),
};

/** The id of a record that exists: of another record than the one that the event is about. */
export function idOf(noun: string): Form<string> {
  return { text: `the id of ${noun}`, accepts: (value): value is string => typeof value === 'string' };
}

export const instantForm: Form<string> = {
  text: 'an ISO 8601 timestamp from 1970 to 9999, such as 2026-01-05T15:00:00.000Z',
  // Earlier ones have other forms of their years.
  accepts: (value): value is string => Date.parse(instantIn(value) ?? '') >= 0,
};

/** A timestamp in the form in which records keep it; undefined for anything else. */
export function instantIn(value: unknown): string | undefined {
  const at = typeof value === 'string' ? parseTimestamp(value) : undefined;
  return at === undefined ? undefined : timestamp(at);
}
