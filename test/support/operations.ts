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
}

interface Parameter {
  readonly $ref?: string;
}

interface Described {
  readonly operationId: string;
  readonly 'x-scopes': { readonly any: string[] };
  readonly 'x-max-body-bytes'?: number;
  readonly requestBody?: { readonly required?: boolean };
  readonly parameters?: readonly Parameter[];
}

const text = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
const { paths } = parse(text) as { paths: Record<string, Record<string, Described>> };

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
    })),
);

/** Those that an API key may do; lead intake takes none. */
export const keyedOperations = operations.filter(({ scopes }) => scopes.length > 0);

/** The methods that each path takes, HEAD wherever GET is. */
export const methodsByPath: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(operations.map(({ path }) => path))].map((path) => {
    const methods = operations.filter((each) => each.path === path).map(({ method }) => method);
    return [path, methods.includes('GET') ? [...methods, 'HEAD'] : methods];
  }),
);
