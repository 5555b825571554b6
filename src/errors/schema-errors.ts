// Messages for the issues that zod reports: what is allowed, what was given, and what may have been meant. Used for
// bodies and queries of the control API and for scenario, fixture and state files. A schema's own message takes
// precedence.
import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';

/**
 * The fields that an object could have in addition, by the list of those that it must not have. zod shows its schema only
 * while it asks for the message of all unknown fields together, but each field needs a suggestion of its own.
 */
type KnownFields = WeakMap<readonly string[], readonly string[]>;

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
  return validate(schema, value).errors;
}

/** The data of a value that fits its schema, else what is wrong with it, in the schema's order. */
export function validate<Data>(
  schema: z.ZodType<Data>,
  value: unknown,
): { readonly data?: Data; readonly errors: readonly FieldError[] } {
  const known: KnownFields = new WeakMap();
  const parsed = schema.safeParse(value, { error: (issue) => issueMessage(issue, known) });
  if (parsed.success) return { data: parsed.data, errors: [] };
  return { errors: parsed.error.issues.flatMap((issue) => fieldErrors(issue, known)) };
}

/** Parses a value with a schema. Throws the error that `toError` makes of the field errors, in the schema's order. */
export function parseWith<Data>(
  schema: z.ZodType<Data>,
  value: unknown,
  toError: (errors: readonly [FieldError, ...FieldError[]]) => Error,
): Data {
  const { data, errors } = validate(schema, value);
  const [first, ...rest] = errors;
  if (first) throw toError([first, ...rest]);
  // There is no error, so this is what the schema returned.
  return data as Data;
}

/** Of the unknown fields of an object, that are compared with the known ones; a body can have tens of thousands. */
const MAX_COMPARED = 100;

/**
 * One error per field: zod reports all unknown keys of an object as one issue, and whatever is wrong within a union as an
 * issue of the union.
 */
function fieldErrors(issue: z.core.$ZodIssue, known: KnownFields): FieldError[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    const allowed = known.get(issue.keys) ?? [];
    return issue.keys.map((key, index) => {
      const suggestion = index < MAX_COMPARED ? didYouMean(key, allowed) : '';
      return { path: [...path, key], reason: `${message}${suggestion}` };
    });
  }
  const meant = issue.code === 'invalid_union' ? optionMeant(issue.errors, known) : undefined;
  if (!meant) return [{ path, reason: message }];
  return meant
    .flatMap((each) => fieldErrors(each, known))
    .map((error) => ({ ...error, path: [...path, ...error.path] }));
}

/**
 * The issues of the option of a union that was meant: the only one that the value has the type of, too long as it may be,
 * or the one that knows most of its fields, misspelt ones included. Undefined if no option stands out.
 */
function optionMeant(
  options: readonly z.core.$ZodIssue[][],
  known: KnownFields,
): readonly z.core.$ZodIssue[] | undefined {
  const [best, next] = options
    .filter(
      ([first]) => first && (first.path.length > 0 || first.code === 'unrecognized_keys' || first.code === 'too_big'),
    )
    .map((issues) => ({ issues, strange: strangeFields(issues, known) }))
    .sort((a, b) => a.strange - b.strange);
  return best && best.strange !== next?.strange ? best.issues : undefined;
}

/** How many fields of the value itself an option does not know, and has no similar one for. */
function strangeFields(issues: readonly z.core.$ZodIssue[], known: KnownFields): number {
  const keys = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? [issue.keys] : [],
  );
  return keys.flatMap((list) =>
    list.filter((key, index) => index >= MAX_COMPARED || didYouMean(key, known.get(list) ?? []) === ''),
  ).length;
}

function issueMessage(issue: RawIssue, known: KnownFields): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined
        ? 'is required'
        : `is ${describeValue(input)}; must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `${input === undefined ? 'is required: ' : 'must be '}${allowedValues(issue.values.map(String), input)}`;
    case 'invalid_union':
      return input === undefined ? 'is required' : (unionMessage(issue) ?? 'has none of the allowed forms');
    case 'too_small':
      return minimumMessage(issue);
    case 'too_big':
      return `must be at most ${sized(issue.origin, Number(issue.maximum))}`;
    case 'unrecognized_keys':
      return unknownKeysMessage(issue, known);
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
  const last = words.pop();
  const all = words.length === 0 ? last : `${words.join(', ')} or ${last}`;
  return `is ${describeValue(input)}; must be ${all}`;
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

/** One message for all unknown keys of an object, without suggestions. */
function unknownKeysMessage(
  { keys, inst, input }: Extract<RawIssue, { code: 'unrecognized_keys' }>,
  known: KnownFields,
): string {
  const allowed = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  // A field that is given already cannot be what was meant: it would be there twice.
  const free = allowed.filter((name) => !Object.hasOwn(input ?? {}, name));
  known.set(keys, free);
  return allowed.length === 0 ? 'is not a known field' : `is not a known field; allowed: ${allowed.join(', ')}`;
}

/** The type of a value, or the value itself if it is short. A string is never quoted: it could be a secret. */
export function describeValue(input: unknown): string {
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'object' && input !== null) return 'an object';
  return typeof input === 'string' ? 'a string' : String(input);
}
