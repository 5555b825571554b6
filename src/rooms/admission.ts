// Who may enter a room: the holder of a valid join token for it.
import type { IncomingMessage } from 'node:http';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { tokenOf } from '../errors/bearer.ts';
import type { Row } from '../model.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Tx } from '../store/store.ts';
import { readJoinToken } from '../tokens/join-token.ts';
import { lifeProblem, tokenTime } from '../tokens/token-life.ts';

const roomPath = /^\/rooms\/([\w-]{1,100})$/;

/** Whether a path is that of a room. */
export const isRoomPath = (path: string): boolean => path === '/rooms' || path.startsWith('/rooms/');

/** The result of a successful check: a request may enter this room. */
export interface Admission {
  readonly world: string;
  readonly room: Row<'rooms'>;
}

type Parts = Pick<SandboxContext, 'store' | 'secrets'>;

/**
 * Checks whether a request may enter the room it names. Throws ApiError: `not_found` if the room does not exist,
 * `unauthorized` without a valid token, `forbidden` with the token of another room.
 */
export async function admit(parts: Parts, req: IncomingMessage): Promise<Admission> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'ws://rooms');
  const name = roomPath.exec(pathname)?.[1];
  if (name === undefined) throw noSuchRoom(pathname);
  if (req.method !== 'GET') throw invalidField('method', 'must be GET to open a WebSocket');
  const claims = await readJoinToken(parts.secrets, joinTokenOf(req, searchParams));
  if (typeof claims === 'string') throw unauthorized(claims);
  const found = await find(parts, name);
  const problem = lifeProblem(claims, found?.now ?? parts.store.systemTime());
  if (problem) throw unauthorized(`The token ${problem}`);
  if (!found) throw noSuchRoom(pathname);
  const { admission } = found;
  if (claims.room !== name) {
    throw new ApiError('forbidden', {
      message: `The token is for the room ${quote(claims.room)}, not for this one.`,
      hint: 'Open the room_url that came with the token.',
    });
  }
  if (claims.identity !== admission.room.private.identity) throw unauthorized('The token belongs to an earlier room.');
  return admission;
}

/** The room of that name, and the present of the clock by which its tokens expire. */
async function find({ store }: Parts, name: string): Promise<{ admission: Admission; now: number } | undefined> {
  const place = await store.locate('rooms', name);
  if (!place) return undefined;
  const read = (tx: Tx) => {
    const room = tx.get('rooms', place.id);
    return room && { admission: { world: place.world, room }, now: tokenTime(tx) };
  };
  return store.transaction(place.world, read).catch(ifGone(undefined));
}

/** LiveKit's clients send `access_token`, others `token`; clients that are not browsers can send a header. */
function joinTokenOf(req: IncomingMessage, query: URLSearchParams): string {
  const token = query.get('access_token') ?? query.get('token') ?? tokenOf(req.headers.authorization) ?? '';
  if (token === '') throw unauthorized('The request carries no join token.');
  return token;
}

function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', {
    message,
    hint: 'Send the token of POST /v1/agents/{id}/web-call as the query parameter access_token.',
    headers: { 'WWW-Authenticate': 'Bearer realm="rooms"' },
    assumption: 'join_tokens',
  });
}

function noSuchRoom(path: string): ApiError {
  return new ApiError('not_found', {
    message: `No room exists at ${quote(path)}.`,
    hint: 'Open the room_url of POST /v1/agents/{id}/web-call.',
  });
}
