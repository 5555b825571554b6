// Every operation of openapi.yaml, as a reader of the file finds them.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  /** As the contract writes it, `/v1/calls/{id}`. */
  readonly template: string;
  /** The same with an id that names nothing. */
  readonly path: string;
  readonly scopes: readonly string[];
  readonly takesBody: boolean;
  readonly needsBody: boolean;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  readonly takesKey: boolean;
  /** The status of its success. */
  readonly success: number;
  /** What its success is: one resource under `data`, a list there, a body without `data`, or none. */
  readonly shape: 'single' | 'list' | 'flat' | 'empty';
  /** An example of its body, where the contract gives one. */
  readonly example?: object;
  /** The schema of its body, references followed. */
  readonly bodySchema?: Schema;
  /** Its query parameters. */
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
}

/** A schema of the contract, as far as tests read it. */
export interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
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
  readonly 'x-scopes': { readonly any: string[] };
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
const document = parse(text) as { paths: Record<string, Record<string, Described>> };
const { paths } = document;

/** A node with every reference in it followed. */
function followed<T>(node: T): T {
  if (Array.isArray(node)) return node.map(followed) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, followed(each)])) as T;
  let target: unknown = document;
  for (const part of $ref.slice(2).split('/')) target = (target as Record<string, unknown>)[part];
  return followed(target) as T;
}

export const operations: readonly ContractOperation[] = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item)
    .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
    .map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      template,
      path: template.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
      scopes: described['x-scopes'].any,
      takesBody: described.requestBody !== undefined,
      needsBody: described.requestBody?.required === true,
      maxBodyBytes: described['x-max-body-bytes'] ?? 256 * 1024,
      takesKey: (described.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/idempotency_key')),
      ...successOf(described),
      query: followed(described.parameters ?? [])
        .filter((each) => each.in === 'query')
        .map(({ name = '', schema = {} }) => ({ name, schema })),
      ...bodyOf(described),
    })),
);

/** Those that an API key may do; lead intake takes none. */
export const keyedOperations = operations.filter(({ scopes }) => scopes.length > 0);
function successOf({ responses }: Described): Pick<ContractOperation, 'success' | 'shape'> {
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const schema = followed(responses[success]?.content?.['application/json'].schema);
  const data = schema?.properties?.data;
  const shape =
    schema === undefined ? 'empty' : data === undefined ? 'flat' : data.type === 'array' ? 'list' : 'single';
  return { success: Number(success), shape };
}

function bodyOf({ requestBody }: Described): { bodySchema?: Schema; example?: object } {
  const media = requestBody?.content['application/json'];
  if (!media) return {};
  const bodySchema = followed(media.schema);
  const example = media.example ?? bodySchema.example;
  return { bodySchema, ...(example ? { example } : {}) };
}

/** The methods that each path takes, HEAD wherever GET is. */
export const methodsByPath: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(operations.map(({ path }) => path))].map((path) => {
    const methods = operations.filter((each) => each.path === path).map(({ method }) => method);
    return [path, methods.includes('GET') ? [...methods, 'HEAD'] : methods];
  }),
);
