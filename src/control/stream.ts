// The stream of a world over a WebSocket: who may open it, and the route that documents it. `interface.md` section 5.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { readControlHeaders } from '../http/control-headers.ts';
import { isFromForeignPage } from '../http/foreign-page.ts';
import { streamTypes } from '../stream/messages.ts';
import type { StreamRequest } from '../stream/streams.ts';
import { enterWorldAs } from './enter-world.ts';
import { defineRoute, upgraded } from './route.ts';
import { checked, foreignPage } from './serve-routes.ts';

export const STREAM_PATH = '/_sandbox/stream';

const typeNames = streamTypes.join(', ');

const streamQuery = z.strictObject({
  since: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'The `entry` of the last message that was read, or the id of a journal entry: the stream goes on after it. `start`: it begins with everything that the journals keep.',
    ),
  types: z
    .string()
    .transform((text, context) => {
      const names = text.split(',').map((name) => name.trim());
      const types = streamTypes.filter((type) => names.includes(type));
      if (types.length === new Set(names).size) return types;
      context.addIssue({ code: 'custom', message: `must be one or more of ${typeNames}, with commas between them` });
      return z.NEVER;
    })
    .optional()
    .describe(`Which messages to send: one or more of ${typeNames}, with commas between them; all by default.`),
  token: z.string().optional().describe('What the Authorization header would carry, for clients that cannot set it.'),
  world: z.string().optional().describe('What the X-Sandbox-World header would carry.'),
});

export const streamRoutes = [
  defineRoute({
    id: 'openStream',
    method: 'get',
    path: '/stream',
    summary: 'Watch what happens, over a WebSocket',
    description:
      'A WebSocket that sends requests, steps, events, deliveries, what inboxes receive and moves of the clock as they happen, one JSON object a message. It resumes after the `entry` of a message; it is closed with 4409 if entries after that are gone, 4429 if it is read too slowly, 4404 if the world is deleted, and 1001 if the server stops. A web page, which cannot set headers, offers the subprotocols `ringback` and `ringback.bearer.<key or token in base64url>`. A request without an upgrade is 426.',
    query: streamQuery,
    errors: ['rate_limited', 'validation_error'],
    answer: upgraded,
    handle() {
      throw new ApiError('validation_error', {
        status: 426,
        message: 'The stream takes WebSocket connections only.',
        hint: `Open ${STREAM_PATH} with a WebSocket client.`,
        fields: { Upgrade: 'must be websocket' },
        headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
      });
    },
  }),
];

/**
 * A page cannot set headers of a WebSocket, and a secret has no place in an address, where logs and histories keep it. So
 * a page offers two subprotocols: one that is accepted, and one that carries what the Authorization header would.
 */
const BEARER_PROTOCOL = 'ringback.bearer.';

function offeredToken({ headers }: IncomingMessage): string | undefined {
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  const encoded = offered?.find((name) => name.startsWith(BEARER_PROTOCOL))?.slice(BEARER_PROTOCOL.length);
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();
}

/** A parameter that is repeated stays a list, which no check lets through. */
const onlyOne = (values: readonly string[]): string | readonly string[] | undefined =>
  values.length === 1 ? values[0] : values;

/** A request for a stream that is well formed. */
export interface AskedStream extends Pick<StreamRequest, 'since' | 'types'> {
  /** Whose it is: the headers that it has, or has in place of them. */
  readonly headers: Pick<IncomingMessage['headers'], 'authorization' | 'x-sandbox-world'>;
}

/** Reads what a request for a stream asks for; throws ApiError. */
export function readAskedStream({ settings }: Pick<SandboxContext, 'settings'>, req: IncomingMessage): AskedStream {
  if (isFromForeignPage(req)) throw foreignPage();
  if (req.method !== 'GET') throw invalidField('method', 'must be GET to open a WebSocket');
  const hasToken = settings.controlToken !== null;
  readControlHeaders(req, hasToken ? 'x-sandbox-world' : undefined);
  const { since, types, token, world: named } = checked(streamQuery, givenIn(req), 'query');
  if (named !== undefined && !hasToken)
    throw invalidField('world', 'is for servers with a control token: the key names the world');
  const secret = offeredToken(req) ?? token;
  const bearer = secret === undefined ? undefined : `Bearer ${secret}`;
  const { authorization = bearer, 'x-sandbox-world': world = named } = req.headers;
  return {
    headers: { authorization, 'x-sandbox-world': world },
    since: since ?? null,
    types: types ? new Set(types) : null,
  };
}

function givenIn({ url = '' }: IncomingMessage): Record<string, string | readonly string[] | undefined> {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
  return Object.fromEntries([...query.keys()].map((name) => [name, onlyOne(query.getAll(name))]));
}

/** Checks whether a stream may be opened; throws ApiError. */
export async function authorizeStream(
  sandbox: SandboxContext,
  { headers, since, types }: AskedStream,
): Promise<StreamRequest> {
  const credentials = { authorization: headers.authorization, world: headers['x-sandbox-world'] };
  const { world, organization } = await enterWorldAs(sandbox, {}, credentials);
  const facts = await sandbox.store.world(world);
  const isOwn = organization === undefined || organization === facts?.organization_id;
  const release = sandbox.worlds.acquire(world);
  return {
    world,
    organization: isOwn ? null : organization,
    since,
    types,
    onEnd: () => release?.(),
  };
}
