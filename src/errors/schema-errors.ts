// What a schema finds wrong, in words: what is allowed, what was given, what may have been meant. For whatever zod
// reads: bodies and queries of the control API, scenario and fixture files. Where a schema has a sentence of its own,
// that one is taken.
import type { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';

type RawIssue = z.core.$ZodRawIssue;

/** What zod calls the types, as people do. */
const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

/** What is wrong in one place of what was read. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

/** What a value is as that schema has it; throws what is made of the faults where it has any. */
export function parseWith<Data>(
  schema: z.ZodType<Data>,
  value: unknown,
  refusal: (faults: readonly [Fault, ...Fault[]]) => Error,
): Data {
  const parsed = schema.safeParse(value, { error: issueMessage });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [key]) : [[]];
    return names.map((name): Fault => ({ path: [...issue.path, ...name], reason: issue.message }));
  });
  throw refusal(faults as [Fault, ...Fault[]]);
}

function issueMessage(issue: RawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined
        ? 'is required'
        : `must be ${kinds[issue.expected] ?? issue.expected}, not ${describeValue(input)}`;
    case 'invalid_value':
      return `${input === undefined ? 'is required: ' : 'must be '}${choice(issue.values.map(String), input)}`;
    case 'invalid_union':
      return input === undefined ? 'is required' : unionOf(issue);
    case 'too_small':
      return atLeast(issue);
    case 'too_big':
      return `must be at most ${sized(issue.origin, Number(issue.maximum))}`;
    case 'unrecognized_keys':
      return unknownKeys(issue);
    default:
      return undefined;
  }
}

function choice(allowed: readonly string[], input: unknown): string {
  const [only] = allowed;
  if (allowed.length === 1) return `"${only}"`;
  return `one of ${allowed.join(', ')}${typeof input === 'string' ? didYouMean(input, allowed) : ''}`;
}

/** Each way that was open says by itself what it would have taken. */
function unionOf({ errors, input }: Extract<RawIssue, { code: 'invalid_union' }>): string | undefined {
  const wanted = errors.map(([issue]) => (issue?.code === 'invalid_type' ? kinds[issue.expected] : undefined));
  return wanted.length > 0 && wanted.every(Boolean)
    ? `must be ${wanted.join(' or ')}, not ${describeValue(input)}`
    : undefined;
}

function atLeast({ origin, minimum, inclusive }: Extract<RawIssue, { code: 'too_small' }>): string {
  const least = Number(minimum);
  if (least === 1 && (origin === 'string' || origin === 'array')) return 'must not be empty';
  return `must be ${inclusive === false ? 'more than' : 'at least'} ${sized(origin, least)}`;
}

function sized(origin: string, size: number): string {
  if (origin === 'string') return `${size} characters long`;
  if (origin === 'array') return `${size} entries long`;
  return String(size);
}

/** The sentence goes for each of the keys. */
function unknownKeys({ keys, inst }: Extract<RawIssue, { code: 'unrecognized_keys' }>): string {
  const known = Object.keys((inst as unknown as { shape?: object } | undefined)?.shape ?? {});
  if (known.length === 0) return 'is not known here';
  const [key = ''] = keys;
  return `is not known here; one of ${known.join(', ')}${keys.length === 1 ? didYouMean(key, known) : ''}`;
}

/** What was given, without the text where it is one, which could be a secret in the wrong place. */
export function describeValue(input: unknown): string {
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object' && input !== null) return 'an object';
  return typeof input === 'string' ? 'a text' : String(input);
}
