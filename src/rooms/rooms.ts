// Rooms, where a browser meets an agent: the WebSocket behind `room_url`. Participants are told who joins and leaves,
// that a call has begun with the first of them, and what is said on it. Sockets belong to this process; rooms, who is in them
// and calls are records of their worlds, so that several processes can have the browsers of one room.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../errors/api-error.ts';
import { type Commit, NoSuchWorld } from '../store/store.ts';
import { StoreAway } from '../store/store-away.ts';
import { beat, createWebSocketServer, type OnMalformed } from '../websocket-server.ts';
import { type Admission, admit } from './admission.ts';
import { type BrowserMessage, readMessage, refusal, refusalOf } from './messages.ts';
import { enter, hangUp, leave, type News, newsFor, type RoomParts, say, type Visit } from './web-call.ts';

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
const GONE = 'the room no longer exists';

interface Participant extends Visit {
  /** Whether the browser has responded since the last heartbeat. */
  alive: boolean;
  /** That of its world when it came; undefined before. */
  epoch: number | undefined;
  /** The call in the room; undefined before it has begun, and if there is none. */
  call: string | undefined;
  /** Those of whom it knows that they are there too. */
  others: readonly string[];
  /** How many turns of the call it has heard. */
  heard: number;
  /** What is done for it, in the order in which it was asked. */
  work: Promise<void>;
  waiting: number;
}

/** A world with browsers in its rooms. */
interface WorldParticipants {
  readonly participants: Map<WebSocket, Participant>;
  readonly stopListening: () => void;
}

export class Rooms {
  readonly #parts: RoomParts;
  readonly #server: WebSocketServer;
  readonly #participants = new Map<WebSocket, Participant>();
  /** They are found by their world: there can be thousands of others. */
  readonly #worlds = new Map<string, WorldParticipants>();
  /** Worlds whose browsers are being told what is new, and whether something is new since. */
  readonly #telling = new Map<string, 'once' | 'again'>();
  /** Browsers that have gone, and are still part of their room. */
  readonly #leaving = new Set<Promise<void>>();
  #heartbeat: NodeJS.Timeout | undefined;
  #entered = 0;

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

  #newId(): string {
    this.#entered += 1;
    return `${this.#parts.processes.own}-${this.#entered}`;
  }

  #add(client: WebSocket, admission: Admission): void {
    const participant: Participant = {
      ...admission,
      alive: true,
      id: this.#newId(),
      epoch: undefined,
      call: undefined,
      others: [],
      heard: 0,
      work: Promise.resolve(),
      waiting: 0,
    };
    const { room, world } = admission;
    this.#participants.set(client, participant);
    this.#of(world).set(client, participant);
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
    this.#send(client, {
      type: 'joined',
      room_name: room.id,
      identity: room.private.identity,
      participants:
        room.agent_id === null ? [] : [{ identity: `agent_${room.agent_id}`, kind: 'agent', agent_id: room.agent_id }],
    });
    this.#work(client, participant, () => this.#enter(client, participant));
  }

  async #enter(client: WebSocket, participant: Participant): Promise<void> {
    const arrival = await enter(this.#parts, participant);
    if (!arrival) return client.close(ROOM_DELETED, GONE);
    participant.epoch = arrival.epoch;
    participant.call = arrival.call;
    participant.others = arrival.others;
    if (arrival.call !== undefined) this.#send(client, { type: 'call_started', call_id: arrival.call });
    await this.#tell(participant.world);
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
    if (message.type === 'hang_up') return hangUp(this.#parts, participant);
    await say(this.#parts, participant, message.text);
  }

  /** Does one thing after the other for a participant, and tells it of what fails. */
  #work(client: WebSocket, participant: Participant, body: () => Promise<void>): void {
    participant.work = participant.work.then(body).catch((error) => {
      // It is about to be told so.
      if (error instanceof NoSuchWorld) return;
      const known = error instanceof ApiError ? error : undefined;
      if (!known)
        this.#parts.log.error({ err: error, world: participant.world }, 'a message of a room could not be served');
      this.#send(client, known ? refusalOf(known) : refusal('internal_error', 'The server failed.'));
    });
  }

  #remove(client: WebSocket, participant: Participant): void {
    const { world } = participant;
    this.#participants.delete(client);
    this.#leave(participant);
    const own = this.#worlds.get(world);
    own?.participants.delete(client);
    if (own?.participants.size === 0) {
      own.stopListening();
      this.#worlds.delete(world);
    }
    if (this.#participants.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #leave(participant: Participant): void {
    const ended: Promise<void> = participant.work
      .then(() => leave(this.#parts, participant))
      .catch((error) =>
        this.#parts.log.error({ err: error, world: participant.world }, 'a browser could not leave its room'),
      )
      .finally(() => this.#leaving.delete(ended));
    this.#leaving.add(ended);
  }

  /** The participants of a world, which is listened to from then on. */
  #of(world: string): Map<WebSocket, Participant> {
    const known = this.#worlds.get(world)?.participants;
    if (known) return known;
    const participants = new Map<WebSocket, Participant>();
    const changed = (commit: Commit | null): void => void (commit ? this.#tell(world) : this.onEmptied(world));
    this.#worlds.set(world, { participants, stopListening: this.#parts.store.watch(world, changed) });
    return participants;
  }

  /** Tells the browsers in the rooms of a world what is new to them, whichever process has done it. */
  async #tell(world: string): Promise<void> {
    if (this.#telling.has(world)) {
      this.#telling.set(world, 'again');
      return;
    }
    do {
      this.#telling.set(world, 'once');
      await this.#tellNow(world).catch((error) => {
        if (error instanceof NoSuchWorld || error instanceof StoreAway) return;
        this.#parts.log.error({ err: error, world }, 'those in a room could not be told what is new');
      });
    } while (this.#telling.get(world) === 'again');
    this.#telling.delete(world);
  }

  async #tellNow(world: string): Promise<void> {
    const { participants = [] } = this.#worlds.get(world) ?? {};
    const there = [...participants].filter(([, { epoch }]) => epoch !== undefined);
    const visits = there.map(([, participant]) => participant);
    const news = await newsFor(this.#parts, world, visits);
    for (const [index, [client, participant]] of there.entries()) {
      const own = news[index];
      if (own) this.#tellOne(client, participant, own);
    }
  }

  #tellOne(client: WebSocket, participant: Participant, { epoch, others, turns, ended }: News): void {
    if (epoch !== participant.epoch) return client.close(ROOM_DELETED, GONE);
    const { identity } = participant.room.private;
    const known = participant.others;
    participant.others = others;
    for (const _ of others.filter((id) => !known.includes(id)))
      this.#send(client, { type: 'participant_joined', identity });
    for (const _ of known.filter((id) => !others.includes(id)))
      this.#send(client, { type: 'participant_left', identity });
    participant.heard += turns.length;
    for (const turn of turns) this.#send(client, { type: 'turn', ...turn });
    if (!ended || client.readyState !== client.OPEN) return;
    this.#send(client, { type: 'call_ended', call: ended });
    client.close(CALL_ENDED, 'the call has ended');
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
    // Nobody says that those have left whose process was killed.
    for (const world of this.#worlds.keys()) void this.#tell(world);
    beat([...this.#participants]);
  }

  /** Closes the connections to all rooms of a world. */
  onEmptied(world: string): void {
    for (const client of this.#worlds.get(world)?.participants.keys() ?? []) client.close(ROOM_DELETED, GONE);
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
