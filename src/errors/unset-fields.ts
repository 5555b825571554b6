// Recognizes fields that a client leaves unset: many serializers write null or an empty list where others omit the
// field.
import { z } from 'zod';

/**
 * The value without the fields that are not set: those that can be left out and are null although null is not a value of
 * theirs, or are an empty list. A list that must not be empty stays, and is refused.
 */
export function withoutUnset(schema: z.core.$ZodType, value: unknown): unknown {
  const form = bare(schema);
  if (form instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((item) => withoutUnset(form.element, item)) : value;
  }
  if (!(form instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const fields = new Map<string, z.core.$ZodType>(Object.entries(form.shape));
  const set = Object.entries(value).flatMap(([name, given]): [string, unknown][] => {
    const field = fields.get(name);
    if (!field) return [[name, given]];
    return isUnset(field, given) ? [] : [[name, withoutUnset(field, given)]];
  });
  return Object.fromEntries(set);
}

function isUnset(field: z.core.$ZodType, given: unknown): boolean {
  const accepts = (value: unknown): boolean => z.safeParse(field, value).success;
  if (given === null) return !accepts(null) && accepts(undefined);
  const isEmpty = Array.isArray(given) && given.length === 0;
  return isEmpty && bare(field) instanceof z.ZodArray && accepts(given) && accepts(undefined);
}

/** The schema of what is given, without what makes a field optional and what is done with its value. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  )
    return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}
