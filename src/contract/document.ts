// openapi.yaml, read once per process: the operations by id, their scopes, bodies and assumptions, and the enums that
// the rest of the program takes its lists of values from. Nothing here changes after loading, so all sandboxes of a
// process share it.
import { readFileSync } from 'node:fs';
import { yaml } from '../lazy-modules.ts';
import { precompiledYaml } from '../precompiled-yaml.ts';
import type { components, operations } from './wire.d.ts';

export type Schemas = components['schemas'];
/** Every operation that the server answers; the `on…` operations are callbacks, which it calls. */
export type OperationId = Exclude<keyof operations, `on${string}`>;
export type Scope = Schemas['Scope'];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A node of the document as it stands in the YAML. */
export type Node = { [key: string]: unknown };

export interface Operation {
  readonly id: OperationId;
  readonly method: Method;
  /** The path template, `/v1/calls/{id}`. */
  readonly path: string;
  /** Who may ask: an API key, or a lead source by its URL token and secret. */
  readonly asksFor: 'key' | 'source';
  /** A key needs any one of these. */
  readonly scopes: readonly Scope[];
  /** True where `spec.md` does not show the scope of this operation. */
  readonly scopesAssumed: boolean;
  readonly takesBody: boolean;
  /** Whether a request without a body is refused, where it takes one. */
  readonly bodyRequired: boolean;
  /** The largest body it takes; absent for the usual limit. */
  readonly maxBodyBytes?: number;
  readonly takesIdempotencyKey: boolean;
  /** Names of the query parameters, and which of them are whole numbers. */
  readonly query: readonly string[];
  readonly queryIntegers: readonly string[];
  readonly summary: string;
  /** Names of the assumptions that an answer of this status rests on, as the value of one header. */
  assumptionsOf(status: number): string;
}

export interface Contract {
  /** The file's own text, as `GET /openapi.yaml` serves it. */
  readonly text: string;
  readonly document: Node;
  readonly operations: ReadonlyMap<OperationId, Operation>;
  /** What its patterns and formats ask for, by their text: the `x-form` beside one of them speaks for all alike. */
  readonly forms: ReadonlyMap<string, Form>;
}

export interface Form {
  /** As a refusal says it: "must be …". */
  readonly words: string;
  /** Names of the assumptions that the refusal rests on. */
  readonly assumed: readonly string[];
}

/** Where the contract lies, beside `src/` and `dist/` alike. */
export const contractFile = new URL('../../openapi.yaml', import.meta.url);

let loaded: Contract | undefined;

/** The contract; throws where an operation lacks an id or scopes, or a reference leads nowhere. */
export function loadContract(): Contract {
  loaded ??= readContract(readFileSync(contractFile, 'utf8'));
  return loaded;
}

function readContract(text: string): Contract {
  const document = (precompiledYaml(text) ?? yaml().parse(text)) as Node;
  const found = new Map<OperationId, Operation>();
  for (const [path, item] of entries(document.paths)) {
    for (const method of METHODS) {
      const node = (item as Node)[method.toLowerCase()] as Node | undefined;
      if (node) found.set(node.operationId as OperationId, readOperation(document, path, method, item as Node, node));
    }
  }
  return { text, document, operations: found, forms: formsIn(document) };
}

function readOperation(document: Node, path: string, method: Method, item: Node, node: Node): Operation {
  const id = node.operationId as OperationId | undefined;
  const scopes = node['x-scopes'] as { any: Scope[]; 'x-assumed'?: string } | undefined;
  if (!id || !scopes) throw new Error(`openapi.yaml: ${method} ${path} needs an operationId and x-scopes`);
  const parameters = [...list(item.parameters), ...list(node.parameters)].map((each) => resolve(document, each));
  const inQuery = parameters.filter((each) => each.in === 'query');
  const perStatus = new Map<number, string>();
  return {
    id,
    method,
    path,
    asksFor: list(node.security).some((each) => 'sourceSecret' in each) ? 'source' : 'key',
    scopes: scopes.any,
    scopesAssumed: scopes['x-assumed'] !== undefined,
    takesBody: node.requestBody !== undefined,
    bodyRequired: (node.requestBody as Node | undefined)?.required === true,
    ...(typeof node['x-max-body-bytes'] === 'number' ? { maxBodyBytes: node['x-max-body-bytes'] } : {}),
    takesIdempotencyKey: parameters.some((each) => each.name === 'Idempotency-Key'),
    query: inQuery.map((each) => each.name as string),
    queryIntegers: inQuery
      .filter((each) => (each.schema as Node).type === 'integer')
      .map((each) => each.name as string),
    summary: String(node.summary),
    assumptionsOf(status) {
      let names = perStatus.get(status);
      if (names === undefined) {
        names = status < 400 ? assumptionsUnder(document, node, status).join(', ') : '';
        perStatus.set(status, names);
      }
      return names;
    },
  };
}

/** The names under `x-assumed` of an operation, of its scopes and of what its answer of this status is made of. */
function assumptionsUnder(document: Node, operation: Node, status: number): string[] {
  const { 'x-assumed': scope } = operation['x-scopes'] as Node;
  const names = new Set([list(operation['x-assumed']), scope ?? []].flat() as unknown as string[]);
  const seen = new Set<unknown>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) return node.forEach(walk);
    const target = resolve(document, node as Node);
    if (target !== node) return walk(target);
    for (const [key, value] of Object.entries(target)) {
      if (key === 'x-assumed') for (const name of [value].flat()) names.add(String(name));
      else walk(value);
    }
  };
  walk((operation.responses as Node)[String(status)]);
  return [...names].sort();
}

function formsIn(document: Node): Map<string, Form> {
  const forms = new Map<string, Form>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { 'x-form': words, 'x-assumed': assumed = [], pattern, format } = node as Node;
    for (const text of typeof words === 'string' ? [pattern, format] : []) {
      if (typeof text === 'string') forms.set(text, { words: words as string, assumed: [assumed].flat() as string[] });
    }
    Object.values(node).forEach(walk);
  };
  walk(document.components);
  return forms;
}

/** Follows a `$ref` of this document; throws where it leads nowhere. */
export function resolve(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = document;
  for (const part of node.$ref.slice(2).split('/')) target = (target as Node | undefined)?.[part];
  if (!target) throw new Error(`openapi.yaml: ${node.$ref} leads nowhere`);
  return resolve(document, target as Node);
}

/** The values of an enum under `components/schemas`, null left out. */
export function enumOf<Name extends keyof Schemas>(name: Name): readonly NonNullable<Schemas[Name]>[] {
  const schema = ((loadContract().document.components as Node).schemas as Node)[name] as Node;
  return list(schema.enum).filter((value) => value !== null) as unknown as NonNullable<Schemas[Name]>[];
}

/** The names of the fields of an object under `components/schemas`. */
export function fieldsOf(name: keyof Schemas): readonly string[] {
  const schema = ((loadContract().document.components as Node).schemas as Node)[name] as Node;
  return Object.keys(schema.properties as Node);
}

interface Callback {
  readonly post: { readonly requestBody: { readonly content: { readonly 'application/json': Shown } } };
}
interface Shown {
  readonly examples: Readonly<Record<string, { readonly value: Node }>>;
}

/** What subscribers get: the example of each event type that the callbacks of a subscription show. */
export function eventExamples(): ReadonlyMap<string, Node> {
  const { document, operations } = loadContract();
  const { path, method } = operations.get('createWebhookSubscription') as Operation;
  const { callbacks } = ((document.paths as Node)[path] as Node)[method.toLowerCase()] as Node;
  const posts = Object.values(callbacks as Record<string, Record<string, Callback>>).flatMap(Object.values<Callback>);
  const shown = posts.map(({ post }) => post.requestBody.content['application/json'].examples);
  return new Map(shown.flatMap(Object.entries<Shown['examples'][string]>).map(([type, { value }]) => [type, value]));
}

function entries(node: unknown): [string, unknown][] {
  return Object.entries((node ?? {}) as Node);
}

function list(node: unknown): Node[] {
  return (node ?? []) as Node[];
}
