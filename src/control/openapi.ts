// The control API described by itself: an OpenAPI document made from the schemas that check its requests.
import { z } from 'zod';
import { type Route, route, YAML } from './route.ts';

type JsonSchema = { properties?: Record<string, object>; required?: string[] };

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

function operationOf({ path, summary, open, query, body, bodyMayBeYaml }: Route): object {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = query ? schemaOf(query) : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  const media = body && { schema: schemaOf(body) };
  return {
    summary,
    parameters: [...inPath, ...inQuery],
    ...(open ? { security: [] } : {}),
    ...(media
      ? {
          requestBody: { content: { 'application/json': media, ...(bodyMayBeYaml ? { [YAML]: {} } : {}) } },
        }
      : {}),
    responses: {
      '2XX': {
        description:
          'The content of `data`, and `meta` for a list (for a journal with `dropped`, the entries no longer kept); nothing for a deletion.',
      },
      default: { description: "An error in the platform's envelope." },
    },
  };
}

/** The document; `version` is the server's. */
export function describeControl(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const each of routes) {
    const path = `/_sandbox${each.path.replace(/:(\w+)/g, '{$1}')}`;
    const item = paths[path] ?? {};
    item[each.method] = operationOf(each);
    paths[path] = item;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ringback control API', version },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
}

/** The route that serves it, about the routes that it is told. */
export const openapiRoute = (routes: () => readonly Route[]): Route =>
  route({
    method: 'get',
    path: '/openapi.json',
    summary: 'This API, as OpenAPI',
    handle: ({ sandbox }) => ({
      raw: { type: 'application/json', content: JSON.stringify(describeControl(routes(), sandbox.version)) },
    }),
  });
