// One reader of a stream: its waiting messages, sent as fast as it reads. A reader that falls too far behind is
// disconnected with the reason, and can resume from the journals.
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import type { WebSocket } from 'ws';
import type { Share } from '../budget/budget.ts';
import { bytesOf, type Frame } from './frames.ts';
import type { StreamItem, StreamType } from './messages.ts';
import { type Place, writePlace } from './place.ts';

/** What may wait in the socket; the rest waits beside it. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** How many messages may wait beyond what the journals had when it came, and how much they may take. */
const MAX_WAITING = 10_000;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** How many messages are sent at once before others get their turn. */
const MAX_AT_ONCE = 200;
/** How long a reader may take to read the reason for which it is disconnected. */
const CLOSE_MS = 10_000;

/** Close codes; the first is that of WebSockets, the others are statuses of HTTP after 4000. */
export const closeCodes = { goingAway: 1001, worldGone: 4404, entriesGone: 4409, tooSlow: 4429 } as const;

/** The memory of a world's streams. */
export interface StreamMemory {
  readonly take: (bytes: number) => boolean;
  readonly give: (bytes: number) => void;
}

export const memoryOf = (share: Share, world: string): StreamMemory => ({
  take: (bytes) => share.takeFor(world, bytes),
  give: (bytes) => share.giveFor(world, bytes),
});

export interface ReaderOptions {
  readonly socket: Duplex;
  readonly memory: StreamMemory;
  /** Null for all. */
  readonly types: ReadonlySet<StreamType> | null;
  /** Called when it can go on to send. */
  readonly onReady: (reader: Reader) => void;
  /** Called when it has been disconnected for being too slow. */
  readonly onSlow: () => void;
}

export class Reader {
  readonly #client: WebSocket;
  readonly #options: ReaderOptions;
  #queue: StreamItem[] = [];
  /** Messages before this one have been sent. */
  #next = 0;
  #isListening = false;
  /** Up to where it has been told what happened when it began to send; undefined before. */
  #begunAt: Place | undefined;
  #closed = false;
  /** What the messages that wait take of the memory. */
  #bytes = 0;
  /** How many of those that wait were in the journals when it came, and what these take beside. */
  #backlog = 0;
  #backlogBytes = 0;
  #last: Place | null = null;
  /** Whether it goes on to send by itself. */
  #isWaiting = false;
  /** With what it is disconnected when nothing waits any more. */
  #farewell: [code: number, reason: string] | null = null;
  /** Whether it has answered since the last heartbeat. */
  alive = true;

  constructor(client: WebSocket, options: ReaderOptions) {
    this.#client = client;
    this.#options = options;
  }

  get client(): WebSocket {
    return this.#client;
  }

  /** Whether it has left, or has been disconnected. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** From now on, it keeps what is added: what has happened before is among what it begins with. */
  listen(): void {
    this.#isListening = true;
  }

  /**
   * Makes some of the first messages, a piece for each: it may not read them, and their entries would be twenty objects each.
   * Returns those that it wants; undefined, and disconnects it, if there is no memory for them.
   */
  *prepare(first: readonly StreamItem[]): Generator<void, StreamItem[] | undefined> {
    const wanted = first.filter((item) => this.#wants(item));
    for (const { bytes } of wanted) {
      if (this.#closed) return undefined;
      if (!this.#options.memory.take(bytes)) {
        this.end(closeCodes.tooSlow, 'rate_limited: messages of other streams that are not read fill the memory');
        return undefined;
      }
      this.#backlogBytes += bytes;
      yield;
    }
    return wanted;
  }

  /** Begins to send: messages that it has prepared, and what was added meanwhile and happened after that place. */
  start(backlog: readonly StreamItem[], after: Place): void {
    if (this.#closed) return;
    for (const item of this.#queue) if (!isNew(item, after)) this.#give(item);
    this.#queue = [...backlog, ...this.#queue.filter((item) => isNew(item, after))];
    this.#backlog = backlog.length;
    this.#begunAt = after;
    this.send();
  }

  add(item: StreamItem): void {
    if (this.#closed || !this.#isListening || !this.#wants(item)) return;
    if (this.#begunAt && !isNew(item, this.#begunAt)) return;
    const tail = this.#queue.at(-1);
    // Of the moves of a clock, those that are not read yet are told as one.
    if (item.type === 'clock' && tail?.type === 'clock' && this.#next < this.#queue.length) {
      this.#queue[this.#queue.length - 1] = item;
      return;
    }
    const waiting = this.#queue.length - this.#next - this.#backlog;
    // Its frame is made now, so that no entry waits with it: each would be some twenty objects.
    const { bytes } = item;
    const isTooMuch = waiting >= MAX_WAITING || this.#bytes + bytes > MAX_WAITING_BYTES;
    if (isTooMuch || !this.#options.memory.take(bytes)) return this.disconnect();
    this.#bytes += bytes;
    this.#queue.push(item);
  }

  #wants({ type }: StreamItem): boolean {
    const { types } = this.#options;
    return types === null || type === 'open' || type === 'reset' || types.has(type);
  }

  /** Sends as much as the reader takes. */
  send(): void {
    if (!this.#begunAt || this.#closed || this.#isWaiting || this.#next >= this.#queue.length) return;
    const frames = this.#takeFrames();
    // `ws` holds nothing back that this could overtake: it sends pings and the end of the stream at once.
    if (this.#client.readyState === this.#client.OPEN) this.#write(frames);
    if (this.#next < this.#queue.length) return this.#goOnLater();
    this.#queue = [];
    this.#next = 0;
    if (this.#farewell) this.end(...this.#farewell);
  }

  /** The next messages, as many as may be made and wait in the socket. */
  #takeFrames(): Frame[] {
    const frames: Frame[] = [];
    let unsent = this.#client.bufferedAmount;
    while (frames.length < MAX_AT_ONCE && unsent < MAX_UNSENT_BYTES) {
      const item = this.#queue[this.#next];
      if (!item) break;
      this.#next += 1;
      if (this.#backlog > 0) this.#giveBacklog(item);
      else this.#give(item);
      this.#last = item.place;
      const frame = item.frame();
      unsent += frame.end - frame.start;
      frames.push(frame);
    }
    return frames;
  }

  #write(frames: readonly Frame[]): void {
    const { socket } = this.#options;
    socket.cork();
    for (const bytes of bytesOf(frames)) socket.write(bytes);
    socket.uncork();
  }

  /** When the system has taken what was sent, and others have had their turn. */
  #goOnLater(): void {
    const { socket, onReady } = this.#options;
    if (!socket.writableNeedDrain) return onReady(this);
    this.#isWaiting = true;
    socket.once('drain', () => {
      this.#isWaiting = false;
      onReady(this);
    });
  }

  #give({ bytes }: StreamItem): void {
    this.#bytes -= bytes;
    this.#options.memory.give(bytes);
  }

  #giveBacklog({ bytes }: StreamItem): void {
    this.#backlog -= 1;
    this.#backlogBytes -= bytes;
    this.#options.memory.give(bytes);
  }

  /** Disconnects it because it is too slow. */
  disconnect(): void {
    const since = this.#last ? `; resume with since=${writePlace(this.#last)}` : '';
    this.end(closeCodes.tooSlow, `too slow: ${MAX_WAITING} messages or 8 MiB wait${since}`);
    this.#options.onSlow();
  }

  /** Disconnects it with a reason, once what waits has been sent. */
  finish(code: number, reason: string): void {
    if (this.#begunAt && this.#next >= this.#queue.length) return this.end(code, reason);
    this.#farewell = [code, reason];
  }

  /** Disconnects it with a reason; what waits is not sent. */
  end(code: number, reason: string): void {
    this.release();
    this.#client.close(code, reason);
    const timer = setTimeout(() => this.#client.terminate(), CLOSE_MS).unref();
    // Else it would keep what a thousand readers a second have left behind.
    this.#client.once('close', () => clearTimeout(timer));
  }

  /** Gives back what it holds. */
  release(): void {
    this.#closed = true;
    this.#options.memory.give(this.#bytes + this.#backlogBytes);
    this.#bytes = 0;
    this.#backlog = 0;
    this.#backlogBytes = 0;
    this.#queue = [];
    this.#next = 0;
  }
}

/** A clock that is told twice does no harm. */
const isNew = ({ type, place }: StreamItem, after: Place): boolean => type === 'clock' || isAfter(place, after);

/** Places of a clock and of a reset are those of the entry before, and may be told twice. */
function isAfter({ epoch, position }: Place, place: Place): boolean {
  return epoch > place.epoch || (epoch === place.epoch && position > place.position);
}
