// openapi.yaml, read once per process: the operations by id with their scopes, bodies and assumptions, and the enums
// that other modules take their values from. Nothing changes after loading, so all sandboxes of a process share it.
import { readFileSync } from 'node:fs';
import { yaml } from '../lazy-modules.ts';
import { packageFile } from '../package-files.ts';
import { precompiledYaml } from '../precompiled-yaml.ts';
import { assumptionsOfStatus, usesByAssumption } from './assumption-marks.ts';
import { type Drifter, extraFields, unknownEnums } from './drift.ts';
import { childNodes, findNode, isNode, type Node, nodeAt, nodesIn, resolve, stringsIn } from './nodes.ts';
import { type Rewrite, timestampRewriter } from './timestamps.ts';
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
  /** The names of the fields of its body; undefined if it takes any. */
  readonly bodyFields: readonly string[] | undefined;
  /** Whether a request without a body is refused, if it takes one. */
  readonly bodyRequired: boolean;
  /** The size limit of the body in bytes; absent for the usual limit. */
  readonly maxBodyBytes?: number;
  /** The fields of the body that are files, in base64. */
  readonly fileFields: readonly string[];
  /** The optional fields of the body for which null, or an empty list, means that they are not sent. */
  readonly optionalFields: readonly OptionalField[];
  readonly takesIdempotencyKey: boolean;
  /** Names of the query parameters, and of those that are integers. */
  readonly query: readonly string[];
  readonly queryIntegers: readonly string[];
  readonly summary: string;
  /**
   * Names of the assumptions that a response with this status rests on, joined as the value of one header. A success
   * with a status that the contract does not declare, as a world can assume, counts as the declared one.
   */
  assumptionsOf(status: number): string;
  /** Formats the timestamps in the body of such a success; undefined if it has none. */
  timestampsOf(status: number): Rewrite | undefined;
  /** Adds fields to the body of such a response that the contract does not have; undefined if it has no objects. */
  extraFieldsOf(status: number): Drifter | undefined;
  /** Puts values into the open enums of such a response that the contract does not have; undefined if it has none. */
  unknownEnumsOf(status: number): Drifter | undefined;
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
  /** Where an assumption is used: operations and webhooks. */
  usesOf(assumption: string): readonly string[];
  /** Formats the timestamps in a value of a component schema; undefined if it has none. */
  timestampsIn(schema: keyof Schemas): Rewrite | undefined;
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
  let uses: ReturnType<typeof usesByAssumption> | undefined;
  return {
    text,
    document,
    operations,
    forms: formsIn(document),
    usesOf(assumption) {
      uses ??= usesByAssumption(document);
      return uses.get(assumption) ?? [];
    },
    timestampsIn: once((schema) => timestampRewriter(document, findNode(document, 'components', 'schemas', schema))),
  };
}

/** A function that computes each value on first use. */
function once<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const computed = new Map<Key, { readonly value: Value }>();
  return (key) => {
    let found = computed.get(key);
    if (!found) {
      found = { value: compute(key) };
      computed.set(key, found);
    }
    return found.value;
  };
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
    bodyFields: bodyFieldsOf(document, node),
    bodyRequired: findNode(node, 'requestBody')?.required === true,
    ...(typeof maxBodyBytes === 'number' ? { maxBodyBytes } : {}),
    fileFields: fileFieldsOf(document, node),
    optionalFields: method === 'PATCH' ? [] : optionalFieldsOf(document, node),
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    query: inQuery.map(({ name }) => String(name)),
    queryIntegers: integers.map(({ name }) => String(name)),
    summary: String(summary),
    assumptionsOf: once((status) => assumptionsOfStatus(document, node, declaredStatus(node, status))),
    timestampsOf: once((status) => timestampRewriter(document, bodyOf(document, node, status))),
    extraFieldsOf: once((status) => extraFields(document, anyBodyOf(document, node, status))),
    unknownEnumsOf: once((status) => unknownEnums(document, anyBodyOf(document, node, status))),
  };
}

/** The status itself if the operation declares it; for any other success, its own success. */
function declaredStatus(operation: Node, status: number): number {
  const declared = Object.keys(nodeAt(operation, 'responses')).map(Number);
  return declared.includes(status) || status >= 400 ? status : (declared.find((other) => other < 300) ?? status);
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

function fileFieldsOf(document: Node, operation: Node): string[] {
  const given = findNode(operation, 'requestBody', 'content', 'application/json', 'schema');
  const properties = given && findNode(resolve(document, given), 'properties');
  return childNodes(properties ?? {}).flatMap(([name, { format }]) => (format === 'byte' ? [name] : []));
}

/** The same for an error too, and for a success with a status that only a world assumes. */
function anyBodyOf(document: Node, operation: Node, status: number): Node | undefined {
  if (status >= 400) return findNode(document, 'components', 'schemas', 'ErrorEnvelope');
  return bodyOf(document, operation, declaredStatus(operation, status));
}

/** The schema of the body of a response. */
function bodyOf(document: Node, operation: Node, status: number): Node | undefined {
  const response = findNode(operation, 'responses', String(status));
  return response && findNode(resolve(document, response), 'content', 'application/json', 'schema');
}

function bodyFieldsOf(document: Node, operation: Node): string[] | undefined {
  const schema = findNode(operation, 'requestBody', 'content', 'application/json', 'schema');
  return schema && Object.keys(findNode(resolve(document, schema), 'properties') ?? {});
}

function scopeNamed(document: Node, name: string): Scope {
  const scope = valuesOf(document, 'Scope').find((value) => value === name);
  if (!scope) throw new Error(`openapi.yaml: "${name}" is not a known scope`);
  return scope;
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
