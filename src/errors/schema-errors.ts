// Messages for the issues that zod reports: what is allowed, what was given, what may have been meant. Used for bodies
// and queries of the control API and for scenario, fixture and state files. A schema's own message takes precedence.
import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';

type RawIssue = z.core.$ZodRawIssue;

/** zod's names of types, as messages say them. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** What is wrong with one field. */
export interface FieldError {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

/** What is wrong with a value, in the schema's order; empty if nothing is. */
export function fieldErrorsOf(schema: z.ZodType, value: unknown): readonly FieldError[] {
  const parsed = schema.safeParse(value, { error: issueMessage });
  return parsed.success ? [] : parsed.error.issues.flatMap(fieldErrors);
}

/** Parses a value with a schema. Throws the error that `toError` makes of the field errors, in the schema's order. */
export function parseWith<Data>(
  schema: z.ZodType<Data>,
  value: unknown,
  toError: (errors: readonly [FieldError, ...FieldError[]]) => Error,
): Data {
  const parsed = schema.safeParse(value, { error: issueMessage });
  if (parsed.success) return parsed.data;
  const [first, ...rest] = parsed.error.issues.flatMap(fieldErrors);
  if (!first) throw parsed.error;
  throw toError([first, ...rest]);
}

/**
 * One error per field: zod reports all unknown keys of an object as one issue, and whatever is wrong within a union as an
 * issue of the union.
 */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: [...path, key], reason: message }));
  const meant = issue.code === 'invalid_union' ? optionOfSameType(issue.errors) : undefined;
  if (!meant) return [{ path, reason: message }];
  return meant.flatMap(fieldErrors).map((error) => ({ ...error, path: [...path, ...error.path] }));
}

/** The issues of the only option of a union that the value has the type of, if they are about parts of the value. */
function optionOfSameType(options: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] | undefined {
  const [only, ...others] = options.filter(([first]) => first && first.path.length > 0);
  return others.length === 0 ? only : undefined;
}

function issueMessage(issue: RawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined
        ? 'is required'
        : `must be ${typeNames[issue.expected] ?? issue.expected}, not ${describeValue(input)}`;
    case 'invalid_value':
      return `${input === undefined ? 'is required: ' : 'must be '}${allowedValues(issue.values.map(String), input)}`;
    case 'invalid_union':
      return input === undefined ? 'is required' : (unionMessage(issue) ?? 'has none of the allowed forms');
    case 'too_small':
      return minimumMessage(issue);
    case 'too_big':
      return `must be at most ${sized(issue.origin, Number(issue.maximum))}`;
    case 'unrecognized_keys':
      return unknownKeysMessage(issue);
    default:
      return undefined;
  }
}

function allowedValues(allowed: readonly string[], input: unknown): string {
  const [only] = allowed;
  if (allowed.length === 1) return `"${only}"`;
  return `one of ${allowed.join(', ')}${typeof input === 'string' ? didYouMean(input, allowed) : ''}`;
}

/** Names the types that the options expect, each once; undefined if the value has one of them. */
function unionMessage({ errors, input }: Extract<RawIssue, { code: 'invalid_union' }>): string | undefined {
  const expected = new Set(
    errors.map(([issue]) => (issue?.code === 'invalid_type' && issue.path.length === 0 ? issue.expected : undefined)),
  );
  const words = [...expected].map((type) => type && (typeNames[type] ?? type));
  if (words.length === 0 || !words.every(Boolean)) return undefined;
  return `must be ${words.join(' or ')}, not ${describeValue(input)}`;
}

function minimumMessage({ origin, minimum, inclusive }: Extract<RawIssue, { code: 'too_small' }>): string {
  const least = Number(minimum);
  if (least === 1 && (origin === 'string' || origin === 'array')) return 'must not be empty';
  return `must be ${inclusive === false ? 'more than' : 'at least'} ${sized(origin, least)}`;
}

function sized(origin: string, size: number): string {
  if (origin === 'string') return `${size} characters long`;
  if (origin === 'array') return `${size} items long`;
  return String(size);
}

/** One message for all unknown keys of an object. */
function unknownKeysMessage({ keys, inst }: Extract<RawIssue, { code: 'unrecognized_keys' }>): string {
  const allowed = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  if (allowed.length === 0) return 'is not a known field';
  const [key = ''] = keys;
  return `is not a known field; allowed: ${allowed.join(', ')}${keys.length === 1 ? didYouMean(key, allowed) : ''}`;
}

/** The type of a value, or the value itself if it is short. A string is never quoted: it could be a secret. */
export function describeValue(input: unknown): string {
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'object' && input !== null) return 'an object';
  return typeof input === 'string' ? 'a string' : String(input);
}
