// Follows the stream of a world over the browser's WebSocket. A connection that breaks is opened again where it broke, so
// that nothing is missed; where that is impossible, the reader is told to read everything anew.
import { SandboxError } from '../../../src/client/sandbox-error.ts';
import type { StreamMessage } from '../../../src/client/stream.ts';
import { controlClient, controlToken, secretFor } from './access.ts';
import { serverUrl } from './transport.ts';

export type StreamState = 'connecting' | 'live' | 'lost';

export interface StreamReader {
  /** What has come since the last call, at most once in a frame of 16 ms. */
  onMessages(messages: readonly StreamMessage[]): void;
  /** Everything has to be read again: at first, after a reset, and if entries are no longer kept. */
  onStart(): void;
  onState(state: StreamState): void;
  /** It cannot be read: the world is gone, or the server wants a control token. */
  onRefused(error: SandboxError): void;
}

const BATCH_MS = 16;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
/** Entries after the last message are no longer kept, or the server was restarted. */
const ENTRIES_GONE = 4409;
const WORLD_GONE = 4404;

/** Returns a function that ends it. */
export function followStream(world: string, reader: StreamReader): () => void {
  const follower = new Follower(world, reader);
  return () => follower.stop();
}

class Follower {
  readonly #world: string;
  readonly #reader: StreamReader;
  readonly #stopped = new AbortController();
  #socket: WebSocket | undefined;
  #place: string | undefined;
  #worldId: string | undefined;
  #wait = FIRST_WAIT_MS;
  #waiting: StreamMessage[] = [];
  #batch: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(world: string, reader: StreamReader) {
    this.#world = world;
    this.#reader = reader;
    const { signal } = this.#stopped;
    addEventListener('online', () => this.#hurry(), { signal });
    document.addEventListener('visibilitychange', () => this.#hurry(), { signal });
    reader.onState('connecting');
    this.#open();
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#batch);
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  #open(): void {
    const [address, protocols] = socketOf(this.#world, this.#place);
    const socket = new WebSocket(address, protocols);
    this.#socket = socket;
    // What the server sends is what its contract says.
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data) as StreamMessage);
    socket.onclose = ({ code }) => void this.#lost(code);
  }

  #receive(message: StreamMessage): void {
    this.#place = message.entry;
    if (message.type === 'open') {
      this.#wait = FIRST_WAIT_MS;
      this.#begin(message.data.world_id);
      this.#reader.onState('live');
    }
    if (message.type === 'reset') {
      this.#waiting = [];
      this.#reader.onStart();
    }
    this.#waiting.push(message);
    this.#batch ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  #begin(id: string): void {
    if (this.#worldId === id) return;
    this.#worldId = id;
    this.#waiting = [];
    this.#reader.onStart();
  }

  #flush(): void {
    this.#batch = undefined;
    const messages = this.#waiting;
    this.#waiting = [];
    if (messages.length > 0) this.#reader.onMessages(messages);
  }

  async #lost(code: number): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    this.#reader.onState('lost');
    if (code === ENTRIES_GONE) [this.#place, this.#worldId] = [undefined, undefined];
    const refusal = code === WORLD_GONE ? worldGone(this.#world) : await refusalOf(this.#world);
    if (this.#stopped.signal.aborted) return;
    if (refusal) return this.#reader.onRefused(refusal);
    this.#retry = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
  }

  /** Connects at once where a connection may be possible again. */
  #hurry(): void {
    if (this.#retry === undefined || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#retry);
    this.#open();
  }
}

/** The address, and the subprotocols that carry the secret: a page cannot set headers of a WebSocket. */
function socketOf(world: string, since: string | undefined): [string, string[]] {
  const query = new URLSearchParams();
  if (since !== undefined) query.set('since', since);
  if (controlToken.value !== null) query.set('world', world);
  const secret = secretFor(world);
  const address = `${serverUrl.replace(/^http/, 'ws')}/_sandbox/stream?${query}`;
  return [address, secret === undefined ? [] : ['ringback', `ringback.bearer.${inBase64url(secret)}`]];
}

function inBase64url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const worldGone = (world: string): SandboxError =>
  new SandboxError({ code: 'not_found', status: 404, message: `The world ${world} has been deleted.` });

/** Why another attempt cannot succeed; a browser does not tell how a handshake was answered, so this asks in another way. */
async function refusalOf(world: string): Promise<SandboxError | undefined> {
  try {
    await controlClient(world).call('getClock');
  } catch (error) {
    const status = error instanceof SandboxError ? error.status : null;
    if (error instanceof SandboxError && status !== null && status >= 400 && status < 500 && status !== 429)
      return error;
  }
  return undefined;
}
