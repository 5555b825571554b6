// Rooms, where a browser meets an agent: the WebSocket behind `room_url`. Participants are told who joins and leaves,
// that a call has begun with the first of them, and what is said on it. Sockets belong to this process; rooms and calls
// are records of their worlds.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import type { Schemas } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Commit } from '../store/store.ts';
import { createWebSocketServer, type OnMalformed } from '../websocket-server.ts';
import { type Admission, admit } from './admission.ts';
import { type BrowserMessage, readMessage, refusal, refusalOf } from './messages.ts';
import { endedCallOf, join, leave, type RoomParts, say } from './web-call.ts';

/** Messages of browsers are small; media does not pass through here. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** What may wait for a browser that does not read. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** What a browser may say before the agent has answered the first of it. */
const MAX_WAITING = 16;
/** A browser that does not respond is disconnected after two of these. */
const HEARTBEAT_MS = 30_000;

/** Close codes: the call is over; the server is stopping; the room was deleted with its world. */
const CALL_ENDED = 1000;
const GOING_AWAY = 1001;
const ROOM_DELETED = 4404;

interface Participant extends Admission {
  /** Whether the browser has responded since the last heartbeat. */
  alive: boolean;
  /** The call in the room; undefined before it has begun, and if there is none. */
  call: string | undefined;
  /** What is done for it, in the order in which it was asked. */
  work: Promise<void>;
  waiting: number;
}

export class Rooms {
  readonly #parts: RoomParts;
  readonly #server: WebSocketServer;
  readonly #participants = new Map<WebSocket, Participant>();
  /** Per world with participants, what stops listening to it. */
  readonly #watched = new Map<string, () => void>();
  /** Calls that end because their last browser has left. */
  readonly #leaving = new Set<Promise<void>>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(parts: RoomParts, onMalformed: OnMalformed) {
    this.#parts = parts;
    this.#server = createWebSocketServer(MAX_MESSAGE_BYTES, onMalformed);
  }

  /** Checks whether a request may enter the room it names; throws ApiError if it may not. */
  authorize(req: IncomingMessage): Promise<Admission> {
    return admit(this.#parts, req);
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
    const participant: Participant = {
      ...admission,
      alive: true,
      call: undefined,
      work: Promise.resolve(),
      waiting: 0,
    };
    const { room, world } = admission;
    this.#participants.set(client, participant);
    this.#watch(world);
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    client.on('pong', () => {
      participant.alive = true;
    });
    client.on('message', (data) => this.#receive(client, participant, data));
    // `ws` answers it by itself.
    client.on('ping', () => this.#endIfUnread(client));
    client.on('error', (error) =>
      this.#parts.log.debug({ err: error, world, room: room.id }, 'a room connection failed'),
    );
    client.on('close', () => this.#remove(client, participant));
    this.#announce(room.id, { type: 'participant_joined', identity: room.private.identity }, client);
    this.#send(client, {
      type: 'joined',
      room_name: room.id,
      identity: room.private.identity,
      participants:
        room.agent_id === null ? [] : [{ identity: `agent_${room.agent_id}`, kind: 'agent', agent_id: room.agent_id }],
    });
    if (room.agent_id !== null) this.#work(client, participant, () => this.#join(client, participant));
  }

  async #join(client: WebSocket, participant: Participant): Promise<void> {
    const joined = await join(this.#parts, participant, (call) => {
      participant.call = call;
    });
    if (!joined) return;
    this.#send(client, { type: 'call_started', call_id: joined.call_id });
    for (const turn of joined.turns) this.#send(client, { type: 'turn', ...turn });
  }

  #receive(client: WebSocket, participant: Participant, data: RawData): void {
    const message = readMessage(data.toString());
    if (message.type === 'error') return this.#send(client, message);
    if (participant.waiting >= MAX_WAITING)
      return this.#send(client, refusal('rate_limited', `Wait for the agent: ${MAX_WAITING} messages are unanswered.`));
    participant.waiting += 1;
    this.#work(client, participant, async () => {
      participant.waiting -= 1;
      await this.#do(client, participant, message);
    });
  }

  async #do(client: WebSocket, participant: Participant, message: BrowserMessage): Promise<void> {
    if (participant.call === undefined) return this.#send(client, nobodyTalks);
    if (message.type === 'hang_up') return leave(this.#parts, participant);
    const turns = await say(this.#parts, participant, message.text);
    for (const turn of turns) this.#announce(participant.room.id, { type: 'turn', ...turn });
  }

  /** Does one thing after the other for a participant, and tells it of what fails. */
  #work(client: WebSocket, participant: Participant, body: () => Promise<void>): void {
    participant.work = participant.work.then(body).catch((error) => {
      const known = error instanceof ApiError ? error : undefined;
      if (!known)
        this.#parts.log.error({ err: error, world: participant.world }, 'a message of a room could not be served');
      this.#send(client, known ? refusalOf(known) : refusal('internal_error', 'The server failed.'));
    });
  }

  #remove(client: WebSocket, participant: Participant): void {
    const { room, world } = participant;
    this.#participants.delete(client);
    this.#announce(room.id, { type: 'participant_left', identity: room.private.identity });
    const left = [...this.#participants.values()];
    if (room.agent_id !== null && !left.some((other) => other.room.id === room.id)) this.#endCall(participant);
    if (!left.some((other) => other.world === world)) {
      this.#watched.get(world)?.();
      this.#watched.delete(world);
    }
    if (left.length > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #endCall(participant: Participant): void {
    const ended: Promise<void> = participant.work
      .then(() => leave(this.#parts, participant))
      .catch((error) =>
        this.#parts.log.error({ err: error, world: participant.world }, 'a web call could not be ended'),
      )
      .finally(() => this.#leaving.delete(ended));
    this.#leaving.add(ended);
  }

  #watch(world: string): void {
    if (this.#watched.has(world)) return;
    this.#watched.set(
      world,
      this.#parts.store.watch(world, (commit) => commit && this.#onCommit(commit)),
    );
  }

  /** A call may end in any way: by a browser, by the platform's API, by the clock. */
  #onCommit({ world, appended }: Commit): void {
    for (const { journal, entry } of appended) {
      if (journal !== 'steps' || entry.subject.table !== 'calls') continue;
      const there = [...this.#participants].filter(([, { call }]) => call === entry.subject.id);
      if (there.length > 0) void this.#tellEnd(world, entry.subject.id, there);
    }
  }

  async #tellEnd(world: string, id: string, there: readonly [WebSocket, Participant][]): Promise<void> {
    const call: Schemas['Call'] | undefined = await endedCallOf(this.#parts, world, id).catch(() => undefined);
    if (!call) return;
    for (const [client] of there) {
      this.#send(client, { type: 'call_ended', call });
      client.close(CALL_ENDED, 'the call has ended');
    }
  }

  /** Sends a message to everyone in a room, except one. */
  #announce(room: string, message: object, except?: WebSocket): void {
    for (const [client, participant] of this.#participants) {
      if (client !== except && participant.room.id === room) this.#send(client, message);
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

  /** Closes every connection, waiting at most `graceMs` for the browsers to close theirs, and for their calls to end. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#heartbeat);
    const closing = [...this.#participants.keys()].map(
      (client) =>
        new Promise<void>((resolve) => {
          client.once('close', () => resolve());
          client.close(GOING_AWAY, 'the server is stopping');
        }),
    );
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all(closing), timeUp]);
    for (const client of this.#participants.keys()) client.terminate();
    await Promise.race([Promise.all(this.#leaving), timeUp]);
    clearTimeout(timer);
  }
}

const nobodyTalks = refusal(
  'conflict',
  'Nobody talks in this room: no agent is in it, its call has ended, or the world assumes that web_calls is none.',
);
