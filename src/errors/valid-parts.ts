// Extracts the valid parts of a value that does not match its schema, so that checks between its parts can go on and
// all problems of a file are reported at once.
import { z } from 'zod';

/** A value of which any part may be missing, because it is not given or does not fit. */
export type Parts<Value> = Value extends readonly (infer Item)[]
  ? readonly (Parts<Item> | undefined)[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Parts<Value[Key]> | undefined }
    : Value;

/** The parts of a value that fit. Arrays keep their length, so that positions in them stay what they are. */
export function validParts<Data>(schema: z.ZodType<Data>, value: unknown): Parts<Data> | undefined {
  // `fitting` returns for each part what its own schema returns, or undefined.
  return fitting(schema, value) as Parts<Data> | undefined;
}

function fitting(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fitting(schema.unwrap(), value);
  if (schema instanceof z.ZodLazy) return fitting(schema.unwrap(), value);
  if (schema instanceof z.ZodUnion) return fittingOption(schema, value);
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((item) => fitting(schema.element, item)) : undefined;
  if (!isObject(value)) return undefined;
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape);
    return Object.fromEntries(fields.map(([name, field]) => [name, fitting(field, value[name])]));
  }
  if (schema instanceof z.ZodRecord) {
    const { valueType } = schema;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fitting(valueType, item)]));
  }
  return undefined;
}

/** The parts that fit the option which knows most of the value's fields. */
function fittingOption({ options }: z.ZodUnion, value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const objects = options.filter((option) => option instanceof z.ZodObject);
  const knownTo = ({ shape }: z.ZodObject): number =>
    Object.keys(value).filter((name) => Object.hasOwn(shape, name)).length;
  const [best] = objects.sort((a, b) => knownTo(b) - knownTo(a));
  return best && fitting(best, value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
