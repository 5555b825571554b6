// Checks responses of the control API against its OpenAPI document: status and body, errors included. `client.ts` checks
// everything that passes through it, so a deviation fails the test in which it appears.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { Node } from '../../src/contract/nodes.ts';
import { quickToCompile } from '../../src/contract/quick-to-compile.ts';
import { describeControl } from '../../src/control/openapi/document.ts';
import { controlNouns } from '../../src/control/routes.ts';
import type { CheckedAnswer } from './contract.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Node; readonly example?: unknown }>>;
}

interface ControlDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Operation['responses'];
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

/** With a control token, whose errors are those of a server without one and more. */
const document = describeControl(controlNouns, {
  version: '0.0.0',
  hasToken: true,
}) as unknown as ControlDocument;

const ajv = new Ajv2020({ strict: false, allErrors: true, code: quickToCompile });
addFormats.default(ajv, { mode: 'full' });
ajv.addSchema(document, 'control');

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const form = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return { method: method.toUpperCase(), form, ...operation };
  }),
);

/** Errors that any request can get, whatever its operation. */
const anyRequest = [403, 405, 421, 431, 500, 503];

const compiled = new Map<string, ValidateFunction>();

/** The operation of the document for a request. */
export function controlOperation(method: string, path: string): Operation | undefined {
  const plain = path.split('?')[0] as string;
  return operations.find((each) => each.method === method.toUpperCase() && each.form.test(plain));
}

/** Fails if the document does not describe a response. */
export function checkControlAnswer(method: string, path: string, answer: CheckedAnswer): void {
  // The dashboard is a page, and no operation.
  if (path.startsWith('/_sandbox/ui') && answer.status < 400) return;
  const operation = controlOperation(method, path);
  const deviations = operation ? deviationsOf(operation, answer) : errorDeviations(answer);
  if (deviations.length === 0) return;
  const what = `${method} ${path.slice(0, 200)} ${answer.status} ${answer.text.slice(0, 500)}`;
  expect(deviations, [what, ...deviations].join('\n')).toEqual([]);
}

function errorDeviations(answer: CheckedAnswer): string[] {
  if (answer.status < 400) return ['is not an operation of the document'];
  const { Error: any = {} } = document.components.responses;
  return [...violations('#/components/schemas/ErrorEnvelope', answer.body), ...headerDeviations(any, answer)];
}

/** Headers of HTTP itself and of browsers' cross-origin requests, which no response of a document declares. */
export const isOfHttp = (name: string): boolean =>
  /^(connection|content-length|content-type|date|upgrade|keep-alive|transfer-encoding|access-control-.*)$/.test(name);

/** Every other header of an answer is declared, and every required one is there. */
function headerDeviations({ headers: declared = {} }: Response, { status, headers }: CheckedAnswer): string[] {
  const names = Object.keys(declared);
  const undeclared = Object.keys(headers).filter(
    (name) => !isOfHttp(name) && !names.some((each) => each.toLowerCase() === name),
  );
  const required = names.filter(
    (name) => document.components.headers[name]?.required || (name === 'Allow' && status === 405),
  );
  return [
    ...undeclared.map((name) => `has the undeclared header ${name}`),
    ...required.filter((name) => headers[name.toLowerCase()] === undefined).map((name) => `lacks the header ${name}`),
  ];
}

function deviationsOf({ operationId, responses }: Operation, answer: CheckedAnswer): string[] {
  const declared = responses[answer.status] ?? (anyRequest.includes(answer.status) ? responses.default : undefined);
  if (!declared) return [`${operationId} declares no ${answer.status}`];
  const response = declared.$ref
    ? (document.components.responses[declared.$ref.split('/').at(-1) ?? ''] ?? {})
    : declared;
  const inHeaders = headerDeviations(response, answer);
  const { content } = response;
  if (!content) return answer.text === '' ? inHeaders : [`has a body: ${answer.text.slice(0, 100)}`, ...inHeaders];
  const [type = ''] = String(answer.headers['content-type'] ?? '').split(';');
  if (!Object.keys(content).some((each) => each === type || each === '*/*')) return [`has the undeclared type ${type}`];
  const json = type === 'application/json' ? content[type] : undefined;
  if (!json?.schema.$ref) return inHeaders;
  return [...violations(String(json.schema.$ref), answer.body), ...inHeaders];
}

function violations(pointer: string, value: unknown): string[] {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `control${pointer}` });
  compiled.set(pointer, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

/** What the document shows of an answer with a JSON body. */
interface Shown {
  /** `putScenario 201` for a success, the name of the response for an error. */
  readonly name: string;
  readonly schema: string;
  readonly example: unknown;
}

export function shownExamples(): Shown[] {
  const own = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, response]) => ({ name: `${operationId} ${status}`, response })),
  );
  const errors = Object.entries(document.components.responses).map(([name, response]) => ({ name, response }));
  return [...own, ...errors].flatMap(({ name, response }) => {
    const json = response.content?.['application/json'];
    return json ? [{ name, schema: String(json.schema.$ref), example: json.example }] : [];
  });
}

export const exampleViolations = ({ schema, example }: Shown): string[] => violations(schema, example);
