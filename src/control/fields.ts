// Fields that bodies and queries of several routes share; each error says what is allowed.
import { z } from 'zod';
import { clockForm, parseClockSetting, parseTimestamp, timestampForm } from '../clock/clock.ts';
import { durationForm, parseDuration } from '../clock/duration.ts';

/** A string that `parse` reads; what it returns undefined for is refused. */
export function parsedField<Value>(form: string, parse: (text: string) => Value | undefined) {
  const error = `must be ${form}`;
  return z.string({ error }).transform((text, context): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });
}

/** A duration such as `30s`, as milliseconds. */
export const durationField = parsedField(durationForm, parseDuration);

/** An ISO 8601 timestamp, as milliseconds. */
export const instantField = parsedField(timestampForm, parseTimestamp);

/** `real`, `manual`, `instant` or a speed such as `20x`. */
export const clockSettingField = parsedField(clockForm, parseClockSetting);

/** Reads a number of a query. Only plain digits are numbers there: `0x10` and the empty string are not. */
function fromDigits<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text), schema);
}

/** An integer of a query. */
export const integerInQuery = fromDigits(z.int({ error: 'must be an integer' }).min(0).max(999_999_999));

/** The query of every list of the control API. */
export const paging = {
  cursor: z.string().optional(),
  page_size: fromDigits(z.int({ error: 'must be an integer from 1 to 1000' }).min(1).max(1000).default(100)),
};
