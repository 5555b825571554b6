// Checks responses and deliveries against openapi.yaml: status, headers and body, errors included. `client.ts`,
// `wire.ts` and `receiver.ts` check everything that passes through them, so a deviation fails the test in which it
// appears. Schemas are compiled once per process, on first use.
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { violations, violationsAt } from '../../src/contract/check.ts';
import { loadContract, type Operation, type OperationId } from '../../src/contract/document.ts';
import { type Node, resolve } from '../../src/contract/nodes.ts';
import { categoryOnCalls, type ErrorCode, type ErrorRow, errors } from '../../src/errors/catalogue.ts';
import { type EventType, eventDefinition } from '../../src/events/catalogue.ts';
import { createMatcher } from '../../src/http/match.ts';
import { SIGNATURE_HEADER } from '../../src/webhooks/sign.ts';
import { checkControlAnswer, isOfHttp } from './control-contract.ts';
import { inUsualForm } from './other-values.ts';

/** The parts of a response that the contract describes. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  readonly text: string;
}

const { document, operations } = loadContract();
const match = createMatcher(operations.values());
const ENVELOPE = '#/components/schemas/ErrorEnvelope';

/** Operations on which call-related errors carry their category. */
const placingCalls: readonly string[] = ['dialCall', 'createCall'];

const isPlatform = (path: string): boolean => /^\/(v1|api\/v1)\//.test(path);
const isControl = (path: string): boolean => path.startsWith('/_sandbox/');
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Fails if the contract does not declare a response, or the document of the control API one of that.
 */
export function checkAgainstContract(method: string, path: string, answer: CheckedAnswer): void {
  if (answer.text === undefined) return;
  if (isControl(path)) checkControlAnswer(method, path, answer);
  if (!isPlatform(path)) return checkEvents(path, answer);
  const found = match(method, path.split('?')[0] as string);
  const operation = found && 'operation' in found ? found.operation : undefined;
  const deviations = operation ? deviationsOf(operation, method, answer) : errorOnlyDeviations(method, answer);
  expectNone(deviations, `${method} ${path.slice(0, 200)} ${answer.status} ${answer.text.slice(0, 500)}`);
}

/** An assertion costs more than a check of a response, so there is one only if it fails. Its message says what deviates. */
function expectNone(deviations: readonly string[], what: string): void {
  if (deviations.length > 0) expect(deviations, [what, ...deviations].join('\n')).toEqual([]);
}

/** Fails if an event or delivery that the control API shows does not have the payload of its type. */
function checkEvents(path: string, { body }: CheckedAnswer): void {
  if (!/^\/_sandbox\/(events|deliveries)\b/.test(path)) return;
  const { data = [] } = (body ?? {}) as { data?: unknown };
  for (const { event_type, body: text } of [data].flat() as { event_type?: EventType; body?: string }[]) {
    if (event_type === undefined || text === undefined) continue;
    const sent: Node = JSON.parse(text);
    // A world can assume that events have an envelope.
    const payload = sent.triggerEvent === event_type ? sent.payload : sent;
    if (payload !== sent) expectNone(violations('EnvelopedEvent', sent), text);
    expectNone(violations(eventDefinition(event_type).schema, payload), `${event_type} ${text}`);
  }
}

/** Fails if an error is not in the envelope, or its code does not have that status. */
export function checkError(answer: CheckedAnswer): void {
  expect(errorOnlyDeviations('GET', answer), answer.text.slice(0, 500)).toEqual([]);
}

function errorOnlyDeviations(method: string, answer: CheckedAnswer): string[] {
  if (method === 'HEAD') return withoutBody(answer);
  return [...violationsAt(ENVELOPE, answer.body), ...errorDeviations(undefined, answer), ...mediaType(answer)];
}

function deviationsOf(operation: Operation, method: string, answer: CheckedAnswer): string[] {
  const { status } = answer;
  const item = (document.paths as Node)[operation.path] as Node;
  const { responses } = item[operation.method.toLowerCase()] as { responses: Node };
  const isDeclared = Object.hasOwn(responses, String(status));
  // A world can assume that every success is 200.
  const created = status === 200 ? ['201', '202'].find((success) => Object.hasOwn(responses, success)) : undefined;
  const name = isDeclared ? String(status) : (created ?? 'default');
  if (name === 'default' && status < 400) return [`${operation.id} declares no ${status}`];
  const response = resolve(document, responses[name] as Node);
  const headers = headerDeviations(response, answer);
  if (method === 'HEAD') return [...withoutBody(answer), ...headers];
  const content = response.content as Record<string, { schema: Node }> | undefined;
  if (!content) return [...withoutBody(answer), ...headers];
  const { schema } = content['application/json'] as { schema: Node };
  const at = `#/paths/${escaped(operation.path)}/${operation.method.toLowerCase()}/responses/${name}`;
  const pointer = (schema.$ref as string | undefined) ?? `${at}/content/application~1json/schema`;
  const own = status >= 400 ? errorDeviations(operation.id, answer) : [];
  const usual = inUsualForm(pointer.split('/').pop(), answer);
  const isKnown = usual === answer.body && lastValid.get(pointer) === answer.text;
  const problems = usual === undefined || isKnown ? [] : violationsAt(pointer, usual);
  if (usual === answer.body && problems.length === 0) lastValid.set(pointer, answer.text);
  return [...problems, ...own, ...mediaType(answer), ...headers];
}

/** The last valid body by the JSON pointer of its schema: tests often read a list again that has not changed. */
const lastValid = new Map<string, string>();

const withoutBody = ({ text }: CheckedAnswer): string[] => (text === '' ? [] : [`has a body: ${text.slice(0, 100)}`]);

function mediaType({ headers }: CheckedAnswer): string[] {
  const type = headers['content-type'];
  return type === 'application/json' ? [] : [`has the media type ${type}`];
}

/** Codes for which a world can assume another status. */
const otherStatuses: { readonly [Code in ErrorCode]?: readonly number[] } = {
  scope_missing: [401, 403],
  // A host that is not this server's.
  forbidden: [403, 421],
  not_found: [404, 410],
};

/** The code must have that status in the catalogue, and its category on operations that place calls only. */
function errorDeviations(id: OperationId | undefined, { status, body }: CheckedAnswer): string[] {
  const { code, category } = ((body as Node)?.error ?? {}) as { code: ErrorCode; category?: string };
  if (!Object.hasOwn(errors, code)) return [`has the unknown code ${code}`];
  const row: ErrorRow = errors[code];
  const allowed = otherStatuses[code] ?? [row.status];
  const wrong = allowed.includes(status) ? [] : [`${code} is ${row.status}, not ${status}`];
  const onCalls = id !== undefined && placingCalls.includes(id);
  if (category !== undefined && !(onCalls && category === categoryOnCalls(code))) {
    wrong.push(`${code} has the category ${category} on ${id}`);
  }
  if (onCalls && row.category !== undefined && category === undefined) wrong.push(`${code} has no category on ${id}`);
  return wrong;
}

/** A response has no header that is not declared, every required one, and by its status the challenge of a 401 and the methods of a 405. */
function headerDeviations(
  { headers: declared = {} }: { headers?: Node },
  { status, headers }: CheckedAnswer,
): string[] {
  const all = declaredHeaders(declared);
  const names = new Set(all.map(({ field }) => field));
  const undeclared = Object.keys(headers).filter((name) => !names.has(name) && !isOfHttp(name));
  const wrong = all.flatMap(({ name, field, isInteger, required, schema }) => {
    const value = headers[field];
    const expected = required || status === statusOf[name];
    if (value === undefined) return expected ? [`lacks the header ${name}`] : [];
    const read = isInteger && /^-?\d+$/.test(String(value)) ? Number(value) : value;
    return violationsAt(schema, read).map((problem) => `${name}: ${value} ${problem}`);
  });
  return [...undeclared.map((name) => `has the undeclared header ${name}`), ...wrong];
}

interface DeclaredHeader {
  readonly name: string;
  /** The name in lower case, as Node has it. */
  readonly field: string;
  readonly isInteger: boolean;
  readonly required: boolean;
  /** The JSON pointer of its schema. */
  readonly schema: string;
}

const headersOf = new WeakMap<Node, readonly DeclaredHeader[]>();

/** The headers that a response of the contract declares, read once. */
function declaredHeaders(declared: Node): readonly DeclaredHeader[] {
  const known = headersOf.get(declared);
  if (known) return known;
  const found = Object.entries(declared as Record<string, Node>).map(([name, node]) => {
    const { schema, required } = resolve(document, node) as { schema: Node; required?: boolean };
    return {
      name,
      field: name.toLowerCase(),
      isInteger: schema.type === 'integer',
      required: required === true,
      schema: `#/components/headers/${name}/schema`,
    };
  });
  headersOf.set(declared, found);
  return found;
}

/** Headers that a response has only with one status of those that declare it. */
const statusOf: Readonly<Record<string, number>> = { Allow: 405, 'WWW-Authenticate': 401 };

/** The payload schemas of the contract's webhooks, by JSON pointer; those that are signed are marked. */
const payloads = payloadsOf(document.webhooks as Record<string, { post: Webhook }>);

interface Webhook {
  readonly parameters?: readonly Node[];
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: Node } } };
}

function payloadsOf(
  webhooks: Record<string, { post: Webhook }>,
): { readonly pointer: string; readonly signed: boolean }[] {
  const all = Object.values(webhooks).map(({ post: { parameters = [], requestBody } }) => {
    const names = parameters.map((parameter) => String(resolve(document, parameter).name).toLowerCase());
    return {
      pointer: String(requestBody.content['application/json'].schema.$ref),
      signed: names.includes(SIGNATURE_HEADER.toLowerCase()),
    };
  });
  return [...new Map(all.map((each) => [each.pointer, each])).values()];
}

/** How a delivery deviates from the contract's webhooks; empty if one of them allows it. */
export function deliveryDeviations(method: string | undefined, headers: IncomingHttpHeaders, body: unknown): string[] {
  const signed = headers[SIGNATURE_HEADER.toLowerCase()] !== undefined;
  const wrong = method === 'POST' ? [] : [`is sent by ${method}`];
  if (headers['content-type'] !== 'application/json') wrong.push(`has the media type ${headers['content-type']}`);
  const enveloped = { pointer: '#/components/schemas/EnvelopedEvent', signed };
  const found = [...payloads, enveloped]
    .filter((payload) => payload.signed === signed)
    .map(({ pointer }) => ({ pointer, problems: violationsAt(pointer, body) }))
    .sort((a, b) => a.problems.length - b.problems.length)[0];
  if (!found) return [...wrong, 'belongs to no family of events'];
  return [...wrong, ...found.problems.map((problem) => `${problem} (${found.pointer})`)];
}
