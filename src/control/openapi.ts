// The control API as an OpenAPI document, generated from the schemas that check its requests.
import { z } from 'zod';
import { defineRoute, type Route } from './route.ts';
import { YAML } from './serve-routes.ts';

const success =
  'The content of `data`, and `meta` for a list (with `dropped` for a journal: the number of entries no longer kept); no body for a deletion.';

function jsonSchemaOf(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function parametersOf({ path, query }: Route): object[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = query ? jsonSchemaOf(query) : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

function operationOf(route: Route): object {
  const { summary, open, body, bodyMayBeYaml } = route;
  const json = body && { schema: jsonSchemaOf(body) };
  return {
    summary,
    parameters: parametersOf(route),
    ...(open ? { security: [] } : {}),
    ...(json
      ? { requestBody: { content: { 'application/json': json, ...(bodyMayBeYaml ? { [YAML]: {} } : {}) } } }
      : {}),
    responses: {
      '2XX': { description: success },
      default: { description: "An error in the platform's envelope." },
    },
  };
}

/** The document; `version` is the server's. */
function describeControl(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/_sandbox${route.path.replace(/:(\w+)/g, '{$1}')}`;
    const item = paths[path] ?? {};
    item[route.method] = operationOf(route);
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

/** The route that serves the document of these routes. */
export const openapiRoute = (routes: () => readonly Route[]): Route =>
  defineRoute({
    method: 'get',
    path: '/openapi.json',
    aboutServer: true,
    anyOrigin: true,
    summary: 'Read the OpenAPI document of this API',
    handle: ({ sandbox }) => ({
      raw: { type: 'application/json', content: JSON.stringify(describeControl(routes(), sandbox.version)) },
    }),
  });
