// The operations of the control API's document: parameters, bodies, answers, errors and security of a route.
import { isNode, type Node, nodeAt } from '../../contract/nodes.ts';
import { type AnyCode, allErrors, type ErrorRow } from '../../errors/catalogue.ts';
import { keysOf } from '../../typed-keys.ts';
import { mayBeRefused } from '../hold-answer.ts';
import type { Answer, Route } from '../route.ts';
import { YAML } from '../serve-routes.ts';
import recorded from './examples.json' with { type: 'json' };
import { inputSchema, toAnswer } from './schemas.ts';

/** Recorded by `npm run generate`: successes by `putScenario 201`, errors by code. */
const examples: Readonly<Record<string, unknown>> = recorded;

const named = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: Node, example?: unknown): Node => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

/** The name of the envelope of an answer: `ClockResponse`, `DeliveryPage`. */
const envelopeName = (name: string, shape: Answer['shape']): string =>
  `${name}${shape === 'one' ? 'Response' : 'Page'}`;

/** The name of a schema for an answer that shares its status with an error. */
const orErrorName = (name: string): string => `${name}OrErrorResponse`;

/** The path in OpenAPI's notation. */
export const pathOf = ({ path }: Route): string => `/_sandbox${path.replace(/:(\w+)/g, '{$1}')}`;

export function operationOf(route: Route, tag: string, hasToken: boolean): Node {
  const { id, summary, description, open } = route;
  const requestBody = requestBodyOf(route);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(open ? { security: [] } : {}),
    parameters: parametersOf(route, hasToken),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(route, hasToken),
  };
}

/** A status that both an answer and an error have shows the forms of both. */
function responsesOf(route: Route, hasToken: boolean): Node {
  const successes = successesOf(route);
  const errors = errorsOf(route, hasToken);
  const { answer } = route;
  if (!('name' in answer)) return { ...successes, ...errors, default: named('responses', 'Error') };
  const shared = answer.statuses.filter((status) => errors[status] !== undefined);
  const both = shared.map((status): [string, Node] => {
    return [
      String(status),
      {
        ...nodeAt(successes, String(status)),
        content: json(named('schemas', orErrorName(answer.name)), examples[`${route.id} ${status}`]),
      },
    ];
  });
  return { ...successes, ...errors, ...Object.fromEntries(both), default: named('responses', 'Error') };
}

function parametersOf(
  { path, query, parameters = {}, headers = [], open, aboutServer }: Route,
  hasToken: boolean,
): Node[] {
  const described: Readonly<Record<string, string>> = parameters;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: described[name],
    schema: { type: 'string' },
  }));
  const { properties, required } = query ? inputSchema(query) : {};
  const needed = Array.isArray(required) ? required : [];
  const inQuery = Object.entries(isNode(properties) ? properties : {}).map(([name, field]) => {
    const { description, ...schema } = isNode(field) ? field : {};
    return { name, in: 'query', required: needed.includes(name), description, schema };
  });
  const inHeader = headers.map((header) => named('parameters', header));
  const world = hasToken && !open && !aboutServer ? [named('parameters', 'X-Sandbox-World')] : [];
  return [...inPath, ...inQuery, ...inHeader, ...world];
}

/** The name of the schema of a body: `AdvanceClockRequest`. */
const requestName = ({ id }: Route): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`;

function requestBodyOf(route: Route): Node | undefined {
  const { body, bodyName, bodyMayBeYaml, needsBody } = route;
  if (!body) return undefined;
  const schema = bodyName ? toAnswer(bodyName) : named('schemas', requestName(route));
  const yaml = bodyMayBeYaml ? { [YAML]: { schema: { type: 'string', description: 'The same as YAML.' } } } : {};
  return {
    required: needsBody || bodyName !== undefined || !body.safeParse({}).success,
    content: { ...json(schema), ...yaml },
  };
}

function successesOf({ id, answer, open, worldInQuery }: Route): Node {
  const names = [
    ...(open && !worldInQuery ? [] : ['X-Sandbox-World']),
    // Bytes of any type are those of a user.
    ...(answer.shape === 'bytes' && answer.type === '*/*' ? ['Content-Disposition', 'X-Content-Type-Options'] : []),
    ...(answer.shape === 'ranges' ? ['Accept-Ranges', 'ETag'] : []),
  ];
  const success = { description: descriptionOf(answer), ...withHeaders(names) };
  const successes = answer.statuses.map((status) => [
    status,
    { ...success, ...contentOf(answer, examples[`${id} ${status}`]) },
  ]);
  const whole = { ...success, ...contentOf(answer) };
  return {
    ...Object.fromEntries(successes),
    ...(answer.shape === 'ranges' ? rangeAnswers(whole, names, examples[`${id} 416`]) : {}),
  };
}

/** What a client gets besides all bytes: a part of them, nothing new, or nothing because they end before the range. */
const rangeAnswers = (whole: Node, names: readonly string[], pastTheEnd: unknown): Node => ({
  206: { ...whole, description: 'The bytes of the range.', ...withHeaders([...names, 'Content-Range']) },
  304: { description: 'The bytes are those that `If-None-Match` names.', ...withHeaders(names) },
  416: {
    description: 'No byte is in the range.',
    ...withHeaders(['Content-Range']),
    content: json(named('schemas', 'ErrorEnvelope'), pastTheEnd),
  },
});

/** The headers with these names, for an answer that has any. */
const withHeaders = (names: readonly string[]): Node =>
  names.length === 0 ? {} : { headers: Object.fromEntries(names.map((name) => [name, named('headers', name)])) };

function descriptionOf(answer: Answer): string {
  if (answer.shape === 'nothing') return answer.statuses[0] === 101 ? 'A WebSocket.' : 'It is done.';
  if ('type' in answer) return 'The bytes.';
  return answer.shape === 'one' ? 'The result.' : 'A page of the list.';
}

const schemasOfBytes: Readonly<Record<string, string>> = {
  'application/json': 'OpenApiDocument',
  'text/plain': 'Text',
};

function contentOf(answer: Answer, example?: unknown): Node {
  if (answer.shape === 'nothing') return {};
  if ('type' in answer) {
    const name = schemasOfBytes[answer.type] ?? 'Bytes';
    return { content: { [answer.type]: { schema: named('schemas', name) } } };
  }
  const { formats = [] } = answer;
  const text = { schema: named('schemas', 'Text') };
  return {
    content: {
      ...json(schemaOf(answer), example),
      ...Object.fromEntries(formats.map((type) => [type.split(';')[0], text])),
    },
  };
}

const schemaOf = ({ name, shape }: Extract<Answer, { readonly name: string }>): Node =>
  named('schemas', envelopeName(name, shape));

/** The schemas of the bodies that these routes take, and of the envelopes that they answer with, by name. */
export function bodiesOf(routes: readonly Route[]): Node {
  const all: Node = {
    Bytes: { type: 'string', format: 'binary', description: 'The bytes of a file.' },
    Text: { type: 'string', description: 'Lines of text.' },
    OpenApiDocument: { type: 'object', additionalProperties: true, description: 'An OpenAPI document.' },
  };
  for (const route of routes) {
    const { answer, body, bodyName } = route;
    if (body && !bodyName) all[requestName(route)] = inputSchema(body);
    if (!('name' in answer)) continue;
    const item = toAnswer(answer.name);
    const list = { type: 'array', items: item, description: 'The entries of the page.' };
    const meta = {
      ...toAnswer(answer.shape === 'journal' ? 'JournalMeta' : 'PageMeta'),
      description: 'Where the page is in the list.',
    };
    const single = { ...item, description: 'The object.' };
    if (answer.statuses.some((status) => status >= 400 && status < 500)) {
      const oneOf = [schemaOf(answer), named('schemas', 'ErrorEnvelope')];
      all[orErrorName(answer.name)] = { description: 'The result, or an error.', oneOf };
    }
    const properties: Node = answer.shape === 'one' ? { data: single } : { data: list, meta };
    const required = Object.keys(properties);
    all[envelopeName(answer.name, answer.shape)] = {
      type: 'object',
      description: answer.shape === 'one' ? 'One object under `data`.' : 'A page of a list.',
      required,
      additionalProperties: false,
      properties,
    };
  }
  return all;
}

/** The errors by status: what every request with such input can get, and what the route names. */
function errorsOf(route: Route, hasToken: boolean): Node {
  const codes = new Set<AnyCode>(route.errors);
  codes.add('validation_error');
  if (!route.open) codes.add('unauthorized');
  // What it writes may exceed a bound of the world, or the memory budget.
  if (route.method !== 'get' && route.method !== 'delete')
    for (const code of ['conflict', 'rate_limited'] as const) codes.add(code);
  if (mayBeRefused(route)) codes.add('rate_limited');
  // A world that does not exist, and one that a control key does not control.
  if (hasToken && !route.open) for (const code of ['not_found', 'forbidden'] as const) codes.add(code);
  if (route.path.includes(':')) codes.add('not_found');
  if (route.body) for (const code of ['payload_too_large', 'unsupported_media_type'] as const) codes.add(code);
  const rows = [...codes].map((code): [string, Node] => {
    const { status }: ErrorRow = allErrors[code];
    return [String(status ?? 'default'), named('responses', responseName(code))];
  });
  if (route.answer.statuses[0] === 101) rows.push(['426', named('responses', 'Error')]);
  return Object.fromEntries(rows);
}

/** `not_found` as `NotFound`. */
const responseName = (code: string): string => code.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());

/** The error responses that operations refer to, and the one of any other error. */
export function errorResponses(): Node {
  const content = (code: string): Node => json(named('schemas', 'ErrorEnvelope'), examples[code]);
  const rows = keysOf(allErrors).map((code) => {
    const { meaning } = allErrors[code];
    const description = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
    const own = code === 'unauthorized' ? ['WWW-Authenticate'] : code === 'rate_limited' ? ['Retry-After'] : [];
    return [responseName(code), { description, ...withHeaders(['X-Sandbox-World', ...own]), content: content(code) }];
  });
  const headers = withHeaders(['X-Sandbox-World', 'Allow']);
  const other = { description: 'Any other error.', ...headers, content: content('method_not_allowed') };
  return { ...Object.fromEntries(rows), Error: other };
}
