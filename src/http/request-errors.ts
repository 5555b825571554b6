// The `fields` of a 400 for values that the contract rejects: what was given and what is allowed. The validator's own
// messages, those of JSON Schema, give only what is allowed.
import { type Form, loadContract, type Operation } from '../contract/document.ts';
import { findNode, type Node, nodeAt, resolve, stringsIn } from '../contract/nodes.ts';
import type { RequestContent } from '../engine/check-request.ts';
import { faultsOf, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { describeValue } from '../errors/schema-errors.ts';
import { redactedUrl } from '../redaction/urls.ts';

/** A problem that the validator found. */
export interface ValidatorError {
  readonly path: string;
  readonly message: string;
  readonly errorCode: string;
}

/** The validator's errors as `fields`: dotted names, each with its first problem. */
export function fieldsOf(
  operation: Operation,
  errors: readonly ValidatorError[],
  request: RequestContent,
): ReturnType<typeof faultsOf> {
  const pathOf = ({ path }: ValidatorError): string[] => path.split('/').slice(1);
  return faultsOf(
    errors,
    (error) => {
      const [part = '', ...rest] = pathOf(error);
      return rest.length > 0 ? rest.join('.') : part;
    },
    (error) => {
      const [part = '', ...rest] = pathOf(error);
      const value = valueAt(request, part, rest);
      return fieldError(operation, error, rest.includes('webhook_url') ? withoutSecretsOf(value) : value);
    },
  );
}

const PAGING: readonly string[] = ['/query/cursor', '/query/page_size'];

/** The assumptions that these errors rest on, if any. */
export function assumptionsBehind(operation: Operation, all: readonly ValidatorError[]): { assumption?: string } {
  const errors = atDifferentPlaces(all);
  const names = new Set(errors.flatMap(({ message }) => expectedForm(message)?.assumed ?? []));
  const inBody = errors.filter(({ path }) => path.startsWith('/body'));
  for (const name of inBody.length > 0 ? assumedOfBody(operation, inBody) : []) names.add(name);
  if (errors.some(({ path }) => PAGING.includes(path))) names.add('paging');
  if (errors.some(({ path }) => path === '/query/page_size')) names.add('page_size_limit');
  if (errors.some(({ errorCode }) => errorCode.startsWith('additionalProperties'))) names.add('unknown_body_fields');
  return names.size > 0 ? { assumption: [...names].sort().join(', ') } : {};
}

/** Places of the contract that are looked up for an error; a small body can have tens of thousands of unknown fields. */
const MAX_PLACES = 200;

/** One error of each kind and each place of the contract, which all items of a list share. */
function atDifferentPlaces(errors: readonly ValidatorError[]): ValidatorError[] {
  const found = new Map<string, ValidatorError>();
  for (const error of errors) {
    const place = `${error.errorCode} ${error.path.replace(/\/\d+(?=\/|$)/g, '/0')}`;
    if (!found.has(place)) found.set(place, error);
    if (found.size === MAX_PLACES) break;
  }
  return [...found.values()];
}

/** What the fields at fault are marked with, and what the whole body is: its first mark, if the body is our choice. */
function assumedOfBody(operation: Operation, errors: readonly ValidatorError[]): string[] {
  const { document } = loadContract();
  const body = schemaOfBody(operation);
  const [shape = ''] = stringsIn(body['x-assumed']);
  const ofFields = errors.flatMap(({ path }) => {
    const names: string[] = [];
    let schema = body;
    for (const name of path.split('/').slice(2)) {
      const field = findNode(schema, 'properties', name) ?? findNode(schema, 'items') ?? {};
      schema = resolve(document, field);
      names.push(...stringsIn(field['x-assumed']), ...stringsIn(schema['x-assumed']));
    }
    return names;
  });
  return shape === '' || shape === 'unknown_body_fields' ? ofFields : [shape, ...ofFields];
}

/** The pattern or format that a value does not match, if the contract describes it in words. */
function expectedForm(message: string): Form | undefined {
  const text = /^must match (?:pattern|format) "(.*)"$/s.exec(message)?.[1];
  return text === undefined ? undefined : loadContract().forms.get(text);
}

/** The types of JSON Schema, as the validator names them. */
const types: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

/** The allowed types in words, if a value is of the wrong type; not null, which is how clients say nothing. */
function expectedType(message: string): string | undefined {
  const names = /^must be ([a-z]+(?:,[a-z]+)*)$/.exec(message)?.[1]?.split(',') ?? [];
  const words = names.flatMap((name) => types[name] ?? []);
  return words.length > 0 ? `must be ${words.join(' or ')}` : undefined;
}

function fieldError(operation: Operation, { path, message, errorCode }: ValidatorError, value: unknown): string {
  const limit = /\d+/.exec(message)?.[0] ?? '';
  switch (errorCode.split('.')[0]) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `is not a known field${allowedFields(operation, path)}`;
    case 'enum': {
      const allowed = /allowed values: (.*)$/.exec(message)?.[1]?.split(', ') ?? [];
      if (allowed.length === 1) return `is ${given(value)}; must be "${allowed[0]}"`;
      const suggestion = typeof value === 'string' ? didYouMean(value, allowed) : '';
      return `is ${given(value)}; must be one of ${allowed.join(', ')}${suggestion}`;
    }
    case 'maxLength':
    case 'minLength': {
      const length = [...String(value)].length;
      return `has ${counted(length, 'character')}; must have at ${bound(errorCode)} ${limit}`;
    }
    case 'maxItems':
    case 'minItems':
      return `has ${counted(Array.isArray(value) ? value.length : 0, 'item')}; must have at ${bound(errorCode)} ${limit}`;
    case 'maximum':
    case 'minimum':
      return `is ${given(value)}; must be at ${bound(errorCode)} ${limit}`;
    case 'uniqueItems': {
      const [one, other] = (message.match(/\d+/g) ?? []).map(Number).sort((a, b) => a - b);
      return `has the same item at ${one} and ${other}; each must occur once`;
    }
    default:
      return `is ${given(value)}; ${expectedForm(message)?.words ?? expectedType(message) ?? message}`;
  }
}

const bound = (errorCode: string): string => (errorCode.startsWith('max') ? 'most' : 'least');
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The address of a webhook can have a token in its path or query. */
const withoutSecretsOf = (value: unknown): unknown => (typeof value === 'string' ? redactedUrl(value) : value);

/** Strings are quoted: unlike those of the control API, other fields of the platform carry no secrets. */
const given = (value: unknown): string => (typeof value === 'string' ? quote(value) : describeValue(value));

/** The allowed fields of a body, for an unknown field at its top level. */
function allowedFields(operation: Operation, field: string): string {
  if (!/^\/body\/[^/]+$/.test(field)) return '';
  const properties = findNode(schemaOfBody(operation), 'properties');
  return properties ? `; allowed: ${Object.keys(properties).join(', ')}` : '';
}

function schemaOfBody({ path, method }: Operation): Node {
  const { document } = loadContract();
  const operation = nodeAt(document, 'paths', path, method.toLowerCase());
  return resolve(document, nodeAt(operation, 'requestBody', 'content', 'application/json', 'schema'));
}

function valueAt(request: RequestContent, part: string, path: readonly string[]): unknown {
  let value: unknown = part === 'body' ? request.body : part === 'query' ? request.query : undefined;
  for (const name of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return value;
}
