// Fields that the bodies and queries of several routes share; each error names what is allowed.
import { z } from 'zod';
import { clockForm, clockPattern, parseClockSetting, parseTimestamp, timestampForm } from '../clock/clock.ts';
import { durationForm, durationPattern, parseDuration } from '../clock/duration.ts';
import { eventTypes } from '../events/catalogue.ts';
import { recordId } from '../identity/record-id.ts';

/** A string that `parse` reads; what it returns undefined for is refused. `shown` is what the document says of it. */
export function parsedField<Value>(
  form: string,
  parse: (text: string) => Value | undefined,
  shown: { format: string } | { pattern: string },
) {
  const error = `must be ${form}`;
  return z
    .string({ error })
    .meta(shown)
    .transform((text, context): Value => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    });
}

/** Any JSON. */
export const anyJson = z.unknown();

/** A duration such as `30s`, as milliseconds. */
export const durationField = parsedField(durationForm, parseDuration, { pattern: durationPattern });

/** An ISO 8601 timestamp, as milliseconds. */
export const instantField = parsedField(timestampForm, parseTimestamp, { format: 'date-time' });

/** The id of a record, as the store keeps it. */
export const recordIdField = z.string().transform(recordId);

/** How many records a query can name. */
export const MOST_IDS = 100;

/** The ids of records, with commas between them. */
export const namedIds = z
  .string()
  .transform((text) => text.split(',').map((id) => recordId(id.trim())))
  .refine((list) => list.length <= MOST_IDS, { error: `must be at most ${MOST_IDS} ids, with commas between them` });

/** `real`, `manual`, `instant` or a speed such as `20x`. */
export const clockSettingField = parsedField(clockForm, parseClockSetting, { pattern: clockPattern });

/** An event type; the document shows the contract's enum. */
export const eventTypeField = z.enum(eventTypes).meta({ component: 'EventType' });

/** Reads a number of a query. Only plain digits are numbers there: `0x10` and the empty string are not. */
export function fromDigits<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text), schema);
}

/** An integer of a query. */
export const integerInQuery = fromDigits(z.int({ error: 'must be an integer, 0 or more' }).min(0).max(999_999_999));

/** What is wrong with a parameter of a query that is there twice. */
export const REPEATED = 'is given more than once; give it once';

/** The query of every list of the control API. */
export const paging = {
  cursor: z.string().optional().describe('The `cursor` of the page before.'),
  page_size: fromDigits(
    z
      .int({ error: 'must be an integer from 1 to 1000' })
      .min(1)
      .max(1000)
      .default(100)
      .describe('The most entries that the page can have.'),
  ),
};
