// openapi.yaml, read once per process: the operations by id with their scopes, bodies and assumptions, and the enums
// that other modules take their values from. Nothing changes after loading, so all sandboxes of a process share it.

import { readFileSync } from 'node:fs';
import { yaml } from '../lazy-modules.ts';
import { packageFile } from '../package-files.ts';
import { precompiledYaml } from '../precompiled-yaml.ts';
import { childNodes, findNode, isNode, type Node, nodeAt, nodesIn, resolve, stringsIn } from './nodes.ts';
import type { components, operations } from './wire.d.ts';

export type Schemas = components['schemas'];
/** Every operation that the server offers; the `on…` operations are webhooks, which it sends. */
export type OperationId = Exclude<keyof operations, `on${string}`>;
export type Scope = Schemas['Scope'];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export interface Operation {
  readonly id: OperationId;
  readonly method: Method;
  /** The path template, `/v1/calls/{id}`. */
  readonly path: string;
  /** What the caller authenticates with: an API key, or a lead source's URL token and secret. */
  readonly credentials: 'key' | 'source';
  /** A key needs any one of these. */
  readonly scopes: readonly Scope[];
  /** True if `spec.md` does not name the scope of this operation. */
  readonly scopesAssumed: boolean;
  readonly takesBody: boolean;
  /** Whether a request without a body is refused, if it takes one. */
  readonly bodyRequired: boolean;
  /** The size limit of the body in bytes; absent for the usual limit. */
  readonly maxBodyBytes?: number;
  /** The optional fields of the body for which null, or an empty list, means that they are not sent. */
  readonly optionalFields: readonly OptionalField[];
  readonly takesIdempotencyKey: boolean;
  /** Names of the query parameters, and of those that are integers. */
  readonly query: readonly string[];
  readonly queryIntegers: readonly string[];
  readonly summary: string;
  /** Names of the assumptions that a response with this status rests on, joined as the value of one header. */
  assumptionsOf(status: number): string;
}

export interface OptionalField {
  readonly name: string;
  readonly isList: boolean;
}

export interface Contract {
  /** The text of the file, as `GET /openapi.yaml` serves it. */
  readonly text: string;
  readonly document: Node;
  readonly operations: ReadonlyMap<OperationId, Operation>;
  /** The meaning of patterns and formats, by their text: an `x-form` next to one of them holds for all equal ones. */
  readonly forms: ReadonlyMap<string, Form>;
}

export interface Form {
  /** As an error message contains it: "must be …". */
  readonly words: string;
  /** Names of the assumptions that the rule rests on. */
  readonly assumed: readonly string[];
}

export const contractFile = packageFile('openapi.yaml');

let loaded: Contract | undefined;

/** The contract. Throws if an operation lacks an id or scopes, or a reference has no target. */
export function loadContract(): Contract {
  loaded ??= readContract(readFileSync(contractFile, 'utf8'));
  return loaded;
}

function readContract(text: string): Contract {
  const document: unknown = precompiledYaml(text) ?? yaml().parse(text);
  if (!isNode(document)) throw new Error('openapi.yaml: must be an object');
  const operations = new Map<OperationId, Operation>();
  for (const [path, item] of childNodes(nodeAt(document, 'paths'))) {
    for (const method of METHODS) {
      const node = findNode(item, method.toLowerCase());
      if (!node) continue;
      const operation = readOperation(document, path, method, item, node);
      operations.set(operation.id, operation);
    }
  }
  return { text, document, operations, forms: formsIn(document) };
}

function readOperation(document: Node, path: string, method: Method, item: Node, node: Node): Operation {
  const { operationId, summary, 'x-max-body-bytes': maxBodyBytes } = node;
  const security = nodesIn(node.security);
  if (typeof operationId !== 'string' || security.length === 0)
    throw new Error(`openapi.yaml: ${method} ${path} needs an operationId and security`);
  const parameters = [...nodesIn(item.parameters), ...nodesIn(node.parameters)].map((parameter) =>
    resolve(document, parameter),
  );
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const integers = inQuery.filter((parameter) => findNode(parameter, 'schema')?.type === 'integer');
  return {
    // The generated types list exactly the operations of this file.
    id: operationId as OperationId,
    method,
    path,
    credentials: security.some((scheme) => 'sourceSecret' in scheme) ? 'source' : 'key',
    scopes: security.flatMap(({ apiKey }) => stringsIn(apiKey)).map((name) => scopeNamed(document, name)),
    scopesAssumed: stringsIn(node['x-assumed']).includes('operation_scopes'),
    takesBody: node.requestBody !== undefined,
    bodyRequired: findNode(node, 'requestBody')?.required === true,
    ...(typeof maxBodyBytes === 'number' ? { maxBodyBytes } : {}),
    optionalFields: method === 'PATCH' ? [] : optionalFieldsOf(document, node),
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    query: inQuery.map(({ name }) => String(name)),
    queryIntegers: integers.map(({ name }) => String(name)),
    summary: String(summary),
    assumptionsOf: assumptionsByStatus(document, node),
  };
}

function optionalFieldsOf(document: Node, operation: Node): OptionalField[] {
  const given = findNode(operation, 'requestBody', 'content', 'application/json', 'schema');
  if (!given) return [];
  const { properties, required } = resolve(document, given);
  const always = stringsIn(required);
  return Object.entries(isNode(properties) ? properties : {}).flatMap(([name, schema]) => {
    const types = isNode(schema) ? stringsIn(schema.type) : [];
    return types.includes('null') && !always.includes(name) ? [{ name, isList: types.includes('array') }] : [];
  });
}

function scopeNamed(document: Node, name: string): Scope {
  const scope = valuesOf(document, 'Scope').find((value) => value === name);
  if (!scope) throw new Error(`openapi.yaml: "${name}" is not a known scope`);
  return scope;
}

/** Finds the assumptions per status on first use, since most statuses of most operations are never needed. */
function assumptionsByStatus(document: Node, operation: Node): Operation['assumptionsOf'] {
  const byStatus = new Map<number, string>();
  return (status) => {
    let names = byStatus.get(status);
    if (names === undefined) {
      names = status < 400 ? assumptionsBehind(document, operation, status).join(', ') : '';
      byStatus.set(status, names);
    }
    return names;
  };
}

/** The `x-assumed` names of an operation and of everything in its response with this status. */
function assumptionsBehind(document: Node, operation: Node, status: number): string[] {
  const names = new Set(stringsIn(operation['x-assumed']));
  const seen = new Set<unknown>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!isNode(node) || seen.has(node)) return;
    seen.add(node);
    const target = resolve(document, node);
    if (target !== node) return walk(target);
    for (const [key, value] of Object.entries(target)) {
      if (key === 'x-assumed') for (const name of stringsIn(value)) names.add(name);
      else walk(value);
    }
  };
  walk(findNode(operation, 'responses', String(status)));
  return [...names].sort();
}

function formsIn(document: Node): Map<string, Form> {
  const forms = new Map<string, Form>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!isNode(node)) return;
    const { 'x-form': words, 'x-format': ownFormat, pattern, format } = node;
    if (typeof words === 'string') {
      for (const text of stringsIn([pattern, format, ownFormat]))
        forms.set(text, { words, assumed: stringsIn(node['x-assumed']) });
    }
    Object.values(node).forEach(walk);
  };
  walk(document.components);
  return forms;
}

/** The values of an enum under `components/schemas`. */
export function enumOf<Name extends keyof Schemas>(name: Name): readonly Schemas[Name][] {
  return valuesOf(loadContract().document, name);
}

function valuesOf<Name extends keyof Schemas>(document: Node, name: Name): readonly Schemas[Name][] {
  // The generated type of the schema is the union of these values.
  return stringsIn(nodeAt(document, 'components', 'schemas', name).enum) as Schemas[Name][];
}

/** The names of the fields of an object under `components/schemas`. */
export function fieldsOf(name: keyof Schemas): readonly string[] {
  return Object.keys(nodeAt(loadContract().document, 'components', 'schemas', name, 'properties'));
}

/** An example of the body of each event type. */
export function eventExamples(): ReadonlyMap<string, Node> {
  return new Map(
    childNodes(nodeAt(loadContract().document, 'webhooks')).map(([type, item]) => [
      type,
      nodeAt(item, 'post', 'requestBody', 'content', 'application/json', 'examples', type, 'value'),
    ]),
  );
}
