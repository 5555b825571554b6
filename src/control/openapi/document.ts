// Generates the OpenAPI document of the control API from the routes and from the schemas of their input and answers. It
// describes the running server: with a control token, it lists other credentials and a header that names the world.
import type { Node } from '../../contract/nodes.ts';
import type { ControlNoun } from '../route.ts';
import { bodiesOf, errorResponses, operationOf, pathOf } from './operations.ts';
import { schemasFor } from './schemas.ts';

const INTRODUCTION = `Controls the sandbox: its clock, scenarios, worlds, keys and journals. Answers have their content in \`data\`, lists have
\`meta\`, and errors use the platform's envelope. Requests are not rate limited; what they add is refused with 429 while the memory
for it is full. In a body, null or an empty list in an optional field is the same as leaving it out, unless the field says what it
means.`;

const withoutToken = `A request is about the world of its API key, whatever the scopes of the key; without a key, about \`default\`.`;
const withToken = `A request carries the control token, and the header \`X-Sandbox-World\` names the world that it is about; or it
carries the \`control_key\` of a world, and is about that world.`;

export interface Facts {
  /** The server's. */
  readonly version: string;
  /** Whether the server has a control token. */
  readonly hasToken: boolean;
}

export function describeControl(nouns: readonly ControlNoun[], { version, hasToken }: Facts): Node {
  const paths: Record<string, Node> = {};
  for (const { name, routes } of nouns) {
    for (const route of routes) {
      const path = pathOf(route);
      paths[path] = { ...paths[path], [route.method]: operationOf(route, name, hasToken) };
    }
  }
  const routes = nouns.flatMap((noun) => noun.routes);
  const tags = nouns.map(({ name, description }) => ({ name, description }));
  const document: Node = {
    openapi: '3.1.0',
    info: {
      title: 'Ringback control API',
      version,
      license: { name: 'MIT', url: 'https://opensource.org/licenses/MIT' },
      description: `${INTRODUCTION}\n\n${hasToken ? withToken : withoutToken}`,
    },
    servers: [{ url: '/' }],
    security: hasToken ? [{ controlToken: [] }, { controlKey: [] }] : [{ apiKey: [] }, {}],
    tags: tags.sort((a, b) => (a.name < b.name ? -1 : 1)),
    paths,
  };
  return { ...document, components: componentsOf(document, bodiesOf(routes), hasToken) };
}

const securitySchemes = (hasToken: boolean): Node =>
  hasToken
    ? {
        controlToken: { type: 'http', scheme: 'bearer', description: 'The value of --control-token.' },
        controlKey: { type: 'http', scheme: 'bearer', description: 'The `control_key` of a world that was created.' },
      }
    : { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the world, with any scope.' } };

const parameters: Node = {
  'X-Sandbox-Scenario': {
    name: 'X-Sandbox-Scenario',
    in: 'header',
    description: 'The scenario to play, such as `no_answer` or `busy;ring=2s`.',
    schema: { type: 'string' },
  },
  'X-Sandbox-World': {
    name: 'X-Sandbox-World',
    in: 'header',
    description: 'The world that the request is about.',
    schema: { type: 'string', default: 'default' },
  },
};

const headers: Node = {
  'Accept-Ranges': { description: '`bytes`: a range of them can be asked for.', schema: { type: 'string' } },
  Allow: { description: 'On a 405, the methods that the path supports.', schema: { type: 'string' } },
  'Content-Disposition': { description: 'The name under which to save the bytes.', schema: { type: 'string' } },
  'Content-Range': { description: 'Which bytes these are, of how many.', required: true, schema: { type: 'string' } },
  ETag: { description: 'Names these bytes; `If-Range` and `If-None-Match` take it.', schema: { type: 'string' } },
  'Retry-After': { description: 'The seconds to wait.', required: true, schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'The credentials to send.', required: true, schema: { type: 'string' } },
  'X-Content-Type-Options': { description: 'Where the bytes come from a user.', schema: { type: 'string' } },
  'X-Sandbox-World': {
    description:
      'The world that the request was about; `;recreated` follows if it had expired and was created again. Absent if the request was refused before its world was known.',
    schema: { type: 'string' },
  },
};

/** Every component that the document refers to, and no more. */
function componentsOf(document: Node, bodies: Node, hasToken: boolean): Node {
  const responses = usedIn([document], 'responses', errorResponses());
  return {
    securitySchemes: securitySchemes(hasToken),
    parameters: usedIn([document], 'parameters', parameters),
    headers: usedIn([document, responses], 'headers', headers),
    responses,
    schemas: schemasFor([document, responses], bodies),
  };
}

/** Those components of a kind to which one of these parts refers. */
function usedIn(parts: readonly Node[], kind: string, all: Node): Node {
  const text = JSON.stringify(parts);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}
