// Rooms, where a browser meets an agent: the WebSocket behind `room_url`. A valid join token is required; participants
// are notified of who joins and leaves. Sockets belong to this process; rooms are records of their worlds.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import type { WebSocket, WebSocketServer } from 'ws';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { tokenOf } from '../errors/bearer.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { Log } from '../log.ts';
import type { Row } from '../model.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Store, Tx } from '../store/store.ts';
import { readJoinToken } from '../tokens/join-token.ts';
import { lifeProblem, tokenTime } from '../tokens/token-life.ts';
import { createWebSocketServer, type OnMalformed } from '../websocket-server.ts';

/** Messages of browsers are small; media does not pass through here. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** What may wait for a browser that does not read. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** A browser that does not respond is disconnected after two of these. */
const HEARTBEAT_MS = 30_000;

/** Close codes: the server is stopping; the room was deleted with its world. */
const GOING_AWAY = 1001;
const ROOM_DELETED = 4404;

const roomPath = /^\/rooms\/([\w-]{1,100})$/;

/** Whether a path is that of a room. */
export const isRoomPath = (path: string): boolean => path === '/rooms' || path.startsWith('/rooms/');

/** The result of a successful check: a request may enter this room. */
export interface Admission {
  readonly world: string;
  readonly room: Row<'rooms'>;
}

interface Participant extends Admission {
  /** Whether the browser has responded since the last heartbeat. */
  alive: boolean;
}

export interface RoomsOptions {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly log: Log;
}

export class Rooms {
  readonly #parts: RoomsOptions;
  readonly #server: WebSocketServer;
  readonly #participants = new Map<WebSocket, Participant>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(parts: RoomsOptions, onMalformed: OnMalformed) {
    this.#parts = parts;
    this.#server = createWebSocketServer(MAX_MESSAGE_BYTES, onMalformed);
  }

  /**
   * Checks whether a request may enter the room it names. Throws ApiError: `not_found` if the room does not exist,
   * `unauthorized` without a valid token, `forbidden` with the token of another room.
   */
  async authorize(req: IncomingMessage): Promise<Admission> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'ws://rooms');
    const name = roomPath.exec(pathname)?.[1];
    if (name === undefined) throw noSuchRoom(pathname);
    if (req.method !== 'GET') throw invalidField('method', 'must be GET to open a WebSocket');
    const claims = await readJoinToken(this.#parts.secrets, joinTokenOf(req, searchParams));
    if (typeof claims === 'string') throw unauthorized(claims);
    const found = await this.#find(name);
    const problem = lifeProblem(claims, found?.now ?? this.#parts.store.systemTime());
    if (problem) throw unauthorized(`The token ${problem}`);
    if (!found) throw noSuchRoom(pathname);
    const { admission } = found;
    if (claims.room !== name) {
      throw new ApiError('forbidden', {
        message: `The token is for the room ${quote(claims.room)}, not for this one.`,
        hint: 'Open the room_url that came with the token.',
      });
    }
    if (claims.identity !== admission.room.private.identity)
      throw unauthorized('The token belongs to an earlier room.');
    return admission;
  }

  /** The room of that name, and the present of the clock by which its tokens expire. */
  async #find(name: string): Promise<{ admission: Admission; now: number } | undefined> {
    const { store } = this.#parts;
    const place = await store.locate('rooms', name);
    if (!place) return undefined;
    const find = (tx: Tx) => {
      const room = tx.get('rooms', place.id);
      return room && { admission: { world: place.world, room }, now: tokenTime(tx) };
    };
    return store.transaction(place.world, find).catch(ifGone(undefined));
  }

  /**
   * Completes the handshake and adds the participant; a malformed handshake goes to `onMalformed`. Returns whether it was
   * completed.
   */
  enter(req: IncomingMessage, socket: Duplex, head: Buffer, admission: Admission): boolean {
    let entered = false;
    this.#server.handleUpgrade(req, socket, head, (client) => {
      entered = true;
      this.#add(client, admission);
    });
    return entered;
  }

  #add(client: WebSocket, admission: Admission): void {
    const participant: Participant = { ...admission, alive: true };
    this.#participants.set(client, participant);
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    const { room, world } = admission;
    client.on('pong', () => {
      participant.alive = true;
    });
    client.on('message', () => this.#send(client, refusal));
    // `ws` answers it by itself.
    client.on('ping', () => this.#endIfUnread(client));
    client.on('error', (error) =>
      this.#parts.log.debug({ err: error, world, room: room.id }, 'a room connection failed'),
    );
    client.on('close', () => {
      this.#participants.delete(client);
      this.#announce(room, { type: 'participant_left', identity: room.private.identity });
      if (this.#participants.size > 0) return;
      clearInterval(this.#heartbeat);
      this.#heartbeat = undefined;
    });
    this.#announce(room, { type: 'participant_joined', identity: room.private.identity }, client);
    this.#send(client, {
      type: 'joined',
      room_name: room.id,
      identity: room.private.identity,
      participants:
        room.agent_id === null ? [] : [{ identity: `agent_${room.agent_id}`, kind: 'agent', agent_id: room.agent_id }],
    });
  }

  /** Sends a message to everyone in a room, except one. */
  #announce(room: Row<'rooms'>, message: object, except?: WebSocket): void {
    for (const [client, participant] of this.#participants) {
      if (client !== except && participant.room.id === room.id) this.#send(client, message);
    }
  }

  #send(client: WebSocket, message: object): void {
    if (client.readyState === client.OPEN) client.send(JSON.stringify(message));
    this.#endIfUnread(client);
  }

  /** Ends a connection whose other end sends and never reads: what waits for it would fill the memory. */
  #endIfUnread(client: WebSocket): void {
    if (client.bufferedAmount <= MAX_UNREAD_BYTES || client.readyState === client.CLOSED) return;
    const { world, room } = this.#participants.get(client) ?? {};
    this.#parts.log.info({ world, room: room?.id, unread: client.bufferedAmount }, 'a room connection was not read');
    client.terminate();
  }

  #beat(): void {
    for (const [client, participant] of this.#participants) {
      if (!participant.alive) {
        client.terminate();
        continue;
      }
      participant.alive = false;
      client.ping();
    }
  }

  /** Closes the connections to all rooms of a world. */
  onEmptied(world: string): void {
    for (const [client, participant] of this.#participants) {
      if (participant.world === world) client.close(ROOM_DELETED, 'the room no longer exists');
    }
  }

  /** Closes every connection, waiting at most `graceMs` for the browsers to close theirs. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#heartbeat);
    const leaving = [...this.#participants.keys()].map(
      (client) =>
        new Promise<void>((resolve) => {
          client.once('close', () => resolve());
          client.close(GOING_AWAY, 'the server is stopping');
        }),
    );
    if (leaving.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(leaving), timeUp]);
    clearTimeout(timer);
    for (const client of this.#participants.keys()) client.terminate();
  }
}

/** The reply to any message of a browser. */
const refusal = {
  type: 'error',
  error: { code: 'validation_error', message: 'This room accepts no messages; it only announces participants.' },
};

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
