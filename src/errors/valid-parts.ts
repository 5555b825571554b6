// Extracts the valid parts of a value that does not match its schema, so that checks between its parts can go on and
// all problems of a file are reported at once.
import { z } from 'zod';

/** A value of which any part may be missing, because it is not given or does not fit. */
export type Parts<Value> = Value extends readonly (infer Item)[]
  ? readonly (Parts<Item> | undefined)[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Parts<Value[Key]> | undefined }
    : Value;

type Issue = z.core.$ZodIssue;

/** The parts of a value that fit. Arrays keep their length, so that positions in them stay what they are. */
export function validParts<Data>(schema: z.ZodType<Data>, value: unknown): Parts<Data> | undefined {
  // `fitting` returns for each part what its own schema returns, or undefined.
  return fitting(schema, value) as Parts<Data> | undefined;
}

function fitting(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value);
  return parsed.success ? parsed.data : fittingParts(schema, value, parsed.error.issues, 0);
}

/**
 * The parts without issues of a value that has these, whose paths lead to it by their first so many segments. The issues
 * say where to look: to parse each part anew at each level would take the depth of a file times its length.
 */
function fittingParts(schema: z.core.$ZodType, value: unknown, issues: readonly Issue[], depth: number): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fittingParts(schema.unwrap(), value, issues, depth);
  if (schema instanceof z.ZodLazy) return fittingParts(schema.unwrap(), value, issues, depth);
  if (schema instanceof z.ZodUnion) return fittingOption(schema, value, issues, depth);
  const partIssues = byPart(issues, depth);
  const fittingPart = (part: z.core.$ZodType, name: PropertyKey, given: unknown): unknown => {
    const its = partIssues.get(name);
    return its ? fittingParts(part, given, its, depth + 1) : fitting(part, given);
  };
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((item, index) => fittingPart(schema.element, index, item)) : undefined;
  if (!isObject(value)) return undefined;
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape);
    return Object.fromEntries(fields.map(([name, field]) => [name, fittingPart(field, name, value[name])]));
  }
  if (schema instanceof z.ZodRecord) {
    const { valueType } = schema;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fittingPart(valueType, name, item)]));
  }
  return undefined;
}

/** Issues by the part of a value that they are about; a part fits also under a name that does not. */
function byPart(issues: readonly Issue[], depth: number): ReadonlyMap<PropertyKey | undefined, readonly Issue[]> {
  const groups = new Map<PropertyKey | undefined, Issue[]>();
  for (const issue of issues) {
    if (issue.code === 'invalid_key' && issue.path.length === depth + 1) continue;
    const name = issue.path[depth];
    const group = groups.get(name);
    if (group) group.push(issue);
    else groups.set(name, [issue]);
  }
  return groups;
}

/** The parts that fit the option which knows most of the value's fields. */
function fittingOption({ options }: z.ZodUnion, value: unknown, issues: readonly Issue[], depth: number): unknown {
  if (!isObject(value)) return undefined;
  const objects = options.filter((option) => option instanceof z.ZodObject);
  const knownTo = ({ shape }: z.ZodObject): number =>
    Object.keys(value).filter((name) => Object.hasOwn(shape, name)).length;
  const [best] = objects.sort((a, b) => knownTo(b) - knownTo(a));
  if (!best) return undefined;
  // The issues are those of the only option that was meant, unless none was.
  const none = issues.find((issue) => issue.code === 'invalid_union' && issue.path.length === depth);
  if (none?.code !== 'invalid_union') return fittingParts(best, value, issues, depth);
  const own = none.errors[options.indexOf(best)];
  return own ? fittingParts(best, value, own, 0) : fitting(best, value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
