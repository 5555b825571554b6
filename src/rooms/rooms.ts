// Rooms, where a browser meets an agent: the WebSocket that `room_url` names. It lets in who holds the room's token and
// says who is there; the sockets are this process's, the rooms are records of their worlds.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemNow } from '../clock/clock.ts';
import type { Log } from '../engine/sandbox-context.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { tokenOf } from '../errors/bearer.ts';
import type { Row } from '../model.ts';
import { NoSuchWorld, type Store } from '../store/store.ts';
import { readJoinToken } from '../tokens/join-token.ts';

/** What a browser sends into a room is small; media does not pass through here. */
const MOST_MESSAGE_BYTES = 64 * 1024;
/** A browser that has gone silent is let go after two of these. */
const HEARTBEAT_MS = 30_000;

/** Close codes: the server stops, and the room went with its world. */
const GOING_AWAY = 1001;
const ROOM_IS_GONE = 4404;

const roomPath = /^\/rooms\/([\w-]{1,100})$/;

/** Whether an address is below that of the rooms. */
export const isRoomPath = (path: string): boolean => path === '/rooms' || path.startsWith('/rooms/');

/** A place in a room, for one who may take it. */
export interface Admission {
  readonly world: string;
  readonly room: Row<'rooms'>;
}

interface Participant extends Admission {
  /** Whether the other side has been heard of since the last heartbeat. */
  alive: boolean;
}

export interface RoomsOptions {
  readonly store: Store;
  readonly log: Log;
}

export class Rooms {
  readonly #parts: RoomsOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  readonly #taken = new Map<WebSocket, Participant>();
  #heartbeat: NodeJS.Timeout | undefined;

  /** `onMalformed` answers a handshake that is none, on the bare socket. */
  constructor(parts: RoomsOptions, onMalformed: (error: Error, socket: Duplex, req: IncomingMessage) => void) {
    this.#parts = parts;
    this.#server.on('wsClientError', onMalformed);
  }

  /**
   * The seat that a request for a WebSocket may take. Throws ApiError: `not_found` for a room that there is not,
   * `unauthorized` without a token or with one that is not good, `forbidden` with the token of another room.
   */
  async admit(req: IncomingMessage): Promise<Admission> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'ws://rooms');
    const name = roomPath.exec(pathname)?.[1];
    if (name === undefined) throw noSuchRoom(pathname);
    if (req.method !== 'GET') throw invalidField('method', 'must be GET; a WebSocket is asked for by GET');
    const claims = await readJoinToken(joinTokenOf(req, searchParams), systemNow());
    if (typeof claims === 'string') throw unauthorized(claims);
    const seat = await this.#find(name);
    if (!seat) throw noSuchRoom(pathname);
    if (claims.room !== name) {
      throw new ApiError('forbidden', {
        message: `The token is for the room ${quote(claims.room)}, not for this one.`,
        hint: 'Open the room_url that came with the token.',
      });
    }
    if (claims.identity !== seat.room.private.identity) throw unauthorized('The token is of an earlier room.');
    return seat;
  }

  async #find(name: string): Promise<Admission | undefined> {
    const { store } = this.#parts;
    const place = await store.locate('rooms', name);
    if (!place) return undefined;
    try {
      const room = await store.transaction(place.world, (tx) => tx.get('rooms', place.id));
      return room && { world: place.world, room };
    } catch (error) {
      if (error instanceof NoSuchWorld) return undefined;
      throw error;
    }
  }

  /** Completes the handshake and lets the browser in; a malformed one goes to `onMalformed`. */
  enter(req: IncomingMessage, socket: Duplex, head: Buffer, seat: Admission): void {
    this.#server.handleUpgrade(req, socket, head, (client) => this.#seat(client, seat));
  }

  #seat(client: WebSocket, seat: Admission): void {
    const taken: Participant = { ...seat, alive: true };
    this.#taken.set(client, taken);
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    const { room, world } = seat;
    client.on('pong', () => {
      taken.alive = true;
    });
    client.on('message', () => say(client, refusal));
    client.on('error', (error) => this.#parts.log.debug({ err: error, world, room: room.id }, 'a room lost a browser'));
    client.on('close', () => {
      this.#taken.delete(client);
      this.#tell(room, { type: 'participant_left', identity: room.private.identity });
      if (this.#taken.size > 0) return;
      clearInterval(this.#heartbeat);
      this.#heartbeat = undefined;
    });
    this.#tell(room, { type: 'participant_joined', identity: room.private.identity }, client);
    say(client, {
      type: 'joined',
      room_name: room.id,
      identity: room.private.identity,
      participants:
        room.agent_id === null ? [] : [{ identity: `agent_${room.agent_id}`, kind: 'agent', agent_id: room.agent_id }],
    });
  }

  /** Says something to everyone in a room but one. */
  #tell(room: Row<'rooms'>, message: object, except?: WebSocket): void {
    for (const [client, { room: theirs }] of this.#taken) {
      if (client !== except && theirs.id === room.id) say(client, message);
    }
  }

  #beat(): void {
    for (const [client, taken] of this.#taken) {
      if (!taken.alive) {
        client.terminate();
        continue;
      }
      taken.alive = false;
      client.ping();
    }
  }

  /** Sends everyone away from the rooms of a world that are no more. */
  closeOf(world: string): void {
    for (const [client, seat] of this.#taken) {
      if (seat.world === world) client.close(ROOM_IS_GONE, 'the room is gone');
    }
  }

  /** Sends everyone away, and waits that long for goodbyes. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#heartbeat);
    const leaving = [...this.#taken.keys()].map(
      (client) =>
        new Promise<void>((resolve) => {
          client.once('close', () => resolve());
          client.close(GOING_AWAY, 'the server stops');
        }),
    );
    if (leaving.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(leaving), timeUp]);
    clearTimeout(timer);
    for (const client of this.#taken.keys()) client.terminate();
  }
}

/** What a browser hears that says something. */
const refusal = {
  type: 'error',
  error: { code: 'validation_error', message: 'This room takes no messages; it says who is there.' },
};

function say(client: WebSocket, message: object): void {
  if (client.readyState === client.OPEN) client.send(JSON.stringify(message));
}

/** As LiveKit's clients send it, as the sandbox's own stream takes one, or as clients that are no browsers can. */
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
    message: `There is no room at ${quote(path)}.`,
    hint: 'Open the room_url of POST /v1/agents/{id}/web-call.',
  });
}
