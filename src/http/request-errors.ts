// What a 400 says of each field that the contract refuses: what was given, and what is allowed, in words. The
// validator's own sentences are those of JSON Schema, and say the second alone.
import { type Form, loadContract, type Node, type Operation } from '../contract/document.ts';
import { quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { describeValue } from '../errors/schema-errors.ts';

/** What of a request the contract speaks about. */
export interface Validated {
  readonly params: Readonly<Record<string, string>>;
  /** Numbers are read in place. */
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

/** What the validator says is wrong. */
export interface ValidatorError {
  readonly path: string;
  readonly message: string;
  readonly errorCode: string;
}

/** The validator's errors as `fields`: dotted names, each with its first problem. */
export function fieldsOf(
  operation: Operation,
  errors: readonly ValidatorError[],
  request: Validated,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const error of errors) {
    const [, where = '', ...rest] = error.path.split('/');
    const name = rest.length > 0 ? rest.join('.') : where === 'body' ? 'body' : where;
    if (!Object.hasOwn(fields, name)) fields[name] = fieldError(operation, error, valueAt(request, where, rest));
  }
  return fields;
}

const PAGING: readonly string[] = ['/query/cursor', '/query/page_size'];

/** The assumptions that such a refusal rests on, where it rests on some. */
export function assumptionsBehind(errors: readonly ValidatorError[]): { assumption?: string } {
  const names = new Set(errors.flatMap(({ message }) => formAskedFor(message)?.assumed ?? []));
  if (errors.some(({ path }) => PAGING.includes(path))) names.add('paging');
  if (errors.some(({ errorCode }) => errorCode.startsWith('additionalProperties'))) names.add('unknown_body_fields');
  return names.size > 0 ? { assumption: [...names].sort().join(', ') } : {};
}

/** What the pattern or format that a value has failed asks for, where the contract has words for it. */
function formAskedFor(message: string): Form | undefined {
  const text = /^must match (?:pattern|format) "(.*)"$/s.exec(message)?.[1];
  return text === undefined ? undefined : loadContract().forms.get(text);
}

/** The types of JSON Schema, as the validator names them. */
const types: Readonly<Record<string, string>> = {
  'must be string': 'must be a string',
  'must be integer': 'must be a whole number',
  'must be boolean': 'must be true or false',
  'must be array': 'must be a list',
  'must be object': 'must be a JSON object',
};

function fieldError(operation: Operation, { message, errorCode }: ValidatorError, value: unknown): string {
  const limit = /\d+/.exec(message)?.[0] ?? '';
  switch (errorCode.split('.')[0]) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `is no field of this body (${operation.id} takes a closed one)`;
    case 'enum': {
      const allowed = /allowed values: (.*)$/.exec(message)?.[1]?.split(', ') ?? [];
      if (allowed.length === 1) return `is ${told(value)}; must be "${allowed[0]}"`;
      const suggestion = typeof value === 'string' ? didYouMean(value, allowed) : '';
      return `is ${told(value)}; must be one of ${allowed.join(', ')}${suggestion}`;
    }
    case 'maxLength':
    case 'minLength': {
      const length = [...String(value)].length;
      return `has ${counted(length, 'character')}; must have at ${bound(errorCode)} ${limit}`;
    }
    case 'maxItems':
    case 'minItems':
      return `has ${counted((value as unknown[]).length, 'item')}; must have at ${bound(errorCode)} ${limit}`;
    case 'maximum':
    case 'minimum':
      return `is ${told(value)}; must be at ${bound(errorCode)} ${limit}`;
    case 'uniqueItems': {
      const [one, other] = (message.match(/\d+/g) ?? []).map(Number).sort((a, b) => a - b);
      return `has the same item at ${one} and ${other}; must have each once`;
    }
    default:
      return `is ${told(value)}; ${formAskedFor(message)?.words ?? types[message] ?? message}`;
  }
}

const bound = (errorCode: string): string => (errorCode.startsWith('max') ? 'most' : 'least');
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Texts are shown too: unlike those of the control API, no body of the platform carries a secret. */
const told = (value: unknown): string => (typeof value === 'string' ? quote(value) : describeValue(value));

function valueAt(request: Validated, where: string, path: readonly string[]): unknown {
  let value: unknown = where === 'body' ? request.body : where === 'query' ? request.query : undefined;
  for (const name of path) value = (value as Node | undefined)?.[name];
  return value;
}
