// Every operation of openapi.yaml, as the file says; nothing but the parsing of its text is shared with the sandbox.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { precompiledYaml } from '../../src/precompiled-yaml.ts';

export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  /** The path of the contract, such as `/v1/calls/{id}`. */
  readonly template: string;
  /** The same with an id that names no record. */
  readonly path: string;
  readonly scopes: readonly string[];
  readonly takesBody: boolean;
  readonly needsBody: boolean;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  readonly takesKey: boolean;
  /** The status of its success. */
  readonly success: number;
  /** The body of its success: one resource under `data`, a list there, a body without `data`, or no body. */
  readonly shape: 'single' | 'list' | 'flat' | 'empty';
  /** An example of its body, if the contract has one. */
  readonly example?: object;
  /** The schema of its body, with references resolved. */
  readonly bodySchema?: Schema;
  /** Its query parameters. */
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
}

/** The parts of a schema that tests read. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly example?: object;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Schema;
}

interface Described {
  readonly operationId: string;
  readonly security: readonly { readonly apiKey?: readonly string[] }[];
  readonly 'x-max-body-bytes'?: number;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: object } };
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { readonly schema: Schema } } }>
  >;
  readonly parameters?: readonly Parameter[];
}

const text = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
// Parsing takes a second, and each worker reads it.
const document = (precompiledYaml(text) ?? parse(text)) as { paths: Record<string, Record<string, Described>> };
const { paths } = document;

/** A node with every reference in it resolved. */
function resolved<T>(node: T): T {
  if (Array.isArray(node)) return node.map(resolved) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, resolved(each)])) as T;
  let target: unknown = document;
  for (const part of $ref.slice(2).split('/')) target = (target as Record<string, unknown>)[part];
  return resolved(target) as T;
}

export const operations: readonly ContractOperation[] = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item)
    .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
    .map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      template,
      path: template.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
      scopes: described.security.flatMap(({ apiKey = [] }) => apiKey),
      takesBody: described.requestBody !== undefined,
      needsBody: described.requestBody?.required === true,
      maxBodyBytes: described['x-max-body-bytes'] ?? 256 * 1024,
      takesKey: (described.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/idempotency_key')),
      ...successOf(described),
      query: resolved(described.parameters ?? [])
        .filter((each) => each.in === 'query')
        .map(({ name = '', schema = {} }) => ({ name, schema })),
      ...bodyOf(described),
    })),
);

/** The operations that take an API key; lead intake takes none. */
export const keyedOperations = operations.filter(({ scopes }) => scopes.length > 0);

function successOf({ responses }: Described): Pick<ContractOperation, 'success' | 'shape'> {
  // A world can assume 200 in place of the others.
  const success = Object.keys(responses).findLast((status) => status.startsWith('2')) ?? '';
  const schema = resolved(responses[success]?.content?.['application/json'].schema);
  const shape = schema === undefined ? 'empty' : shapeOf(schema);
  return { success: Number(success), shape };
}

function shapeOf({ properties, required = [] }: Schema): ContractOperation['shape'] {
  if (!required.includes('data')) return 'flat';
  return properties?.data?.type === 'array' ? 'list' : 'single';
}

function bodyOf({ requestBody }: Described): { bodySchema?: Schema; example?: object } {
  const media = requestBody?.content['application/json'];
  if (!media) return {};
  const bodySchema = resolved(media.schema);
  const example = media.example ?? bodySchema.example;
  return { bodySchema, ...(example ? { example } : {}) };
}

/** The methods that each path supports; GET implies HEAD. */
export const methodsByPath: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(operations.map(({ path }) => path))].map((path) => {
    const methods = operations.filter((each) => each.path === path).map(({ method }) => method);
    return [path, methods.includes('GET') ? [...methods, 'HEAD'] : methods];
  }),
);
