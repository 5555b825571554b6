// Reads the stream of a world as an async iterator. A broken connection is reopened where it broke, so that no message
// is lost or repeated. `interface.md` section 5, WS `/_sandbox/stream`.
import { on } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { unreachable } from './connections.ts';
import type { components } from './control-api.d.ts';
import { SandboxError } from './sandbox-error.ts';

type Schemas = components['schemas'];

/** The messages that can be chosen, and what their `data` is. */
interface ChosenData {
  readonly request: Schemas['RecordedRequest'];
  readonly step: Schemas['Step'];
  readonly event: Schemas['Event'];
  readonly delivery: Schemas['Delivery'];
  readonly inbox: Schemas['InboxMessage'];
  readonly tick: Schemas['SentTick'];
  readonly clock: Pick<Schemas['Clock'], 'mode' | 'speed' | 'now'>;
}

interface AlwaysSentData {
  /** The first message: from where the stream tells what happens. */
  readonly open: {
    readonly world: string;
    /** Another one if the world was created again, as by a restart that did not keep it. */
    readonly world_id: string;
    readonly epoch: number;
    readonly clock: ChosenData['clock'];
  };
  /** The world was reset, or restored to a snapshot: nothing sent before is valid any longer. */
  readonly reset: { readonly epoch: number };
  /**
   * Made by the client: while it was not connected, entries were dropped, or the server was restarted. `open` follows, and
   * everything that the journals keep. A server that was restarted tells again what was told before it, which is the same
   * if `world_id` and `epoch` are; one that has dropped entries goes on with the oldest that it keeps.
   */
  readonly gap: { readonly reason: string };
}

export type StreamType = keyof ChosenData;
type Data = ChosenData & AlwaysSentData;

export type StreamMessage = {
  [Type in keyof Data]: {
    readonly type: Type;
    /** Its place in the stream, which `since` takes. */
    readonly entry: string;
    /** The world's time. */
    readonly at: string;
    /** True if an entry is told again because it has changed, such as a delivery that was answered. */
    readonly amended?: boolean;
    readonly data: Data[Type];
  };
}[keyof Data];

export interface StreamOptions {
  /** Which messages to read, all by default; `open`, `reset` and `gap` always come. */
  readonly types?: readonly StreamType[] | undefined;
  /** The `entry` of a message, or the id of a journal entry: goes on after it. `start`: with all that is kept. */
  readonly since?: string | undefined;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection has broken, before it is opened again, and when it is open again. */
  readonly onLost?: ((error: SandboxError) => void) | undefined;
  readonly onResumed?: (() => void) | undefined;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
/** The server pings every 30 s. */
const SILENCE_MS = 75_000;
const HANDSHAKE_MS = 10_000;
/** How many messages may wait for the reader before the connection is paused. */
const MOST_WAITING = 1000;

/** What ended a connection. */
interface Ended {
  readonly code: number;
  readonly reason: string;
  readonly error: SandboxError | null;
}

/** Rejects if the first connection fails, a later one is refused, or the world is deleted. */
export async function* streamOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  { types, since, signal, onLost, onResumed }: StreamOptions,
): AsyncGenerator<StreamMessage, void, undefined> {
  let place = since;
  /** The last place before a gap: what the same process sends from before it would be repeated. */
  let toldUpTo: Place | undefined;
  let hasBeenOpen = false;
  let wait = FIRST_WAIT_MS;
  while (!signal?.aborted) {
    const connection = await connect(url, headers, { types, since: place }, signal);
    let isFirst = true;
    for await (const message of connection.messages) {
      const isRepeated = isFirst && message.type === 'open' && hasBeenOpen && place !== START;
      if (isFirst && hasBeenOpen) onResumed?.();
      [isFirst, hasBeenOpen, wait, place] = [false, true, FIRST_WAIT_MS, message.entry];
      if (!isRepeated && !isTold(message, toldUpTo)) yield message;
    }
    if (signal?.aborted) return;
    const ended = await connection.ended;
    if (ended.code === 4409 && place !== undefined) {
      if (!hasBeenOpen) throw new SandboxError({ code: 'conflict', status: 409, message: ended.reason });
      yield { type: 'gap', entry: place, at: '', data: { reason: ended.reason } };
      toldUpTo = readPlace(place);
      place = START;
      continue;
    }
    const error = ended.error ?? lost(url, ended);
    if (!hasBeenOpen || isFinal(ended)) throw error;
    onLost?.(error);
    await sleep(wait, undefined, signal ? { signal } : {}).catch(() => {});
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

/** For `since`: everything that the journals keep. */
const START = 'start';

/** A place of the stream; the positions of one process grow with every entry. */
interface Place {
  readonly origin: string | undefined;
  readonly position: number;
}

function readPlace(text: string): Place {
  const [origin, , position] = text.split('.');
  return { origin, position: Number(position) };
}

/** Whether a message is about an entry that came before a place; the others have the place of the entry before them. */
function isTold({ type, entry }: StreamMessage, upTo: Place | undefined): boolean {
  if (!upTo || type === 'open' || type === 'reset' || type === 'clock') return false;
  const { origin, position } = readPlace(entry);
  return origin === upTo.origin && position <= upTo.position;
}

const lost = (url: string, { code, reason }: Ended): SandboxError =>
  code === 4404
    ? new SandboxError({ code: 'not_found', status: 404, message: reason })
    : new SandboxError({
        code: 'unreachable',
        message: `the stream of ${url} was closed: ${reason || `code ${code}`}`,
      });

/** Whether another attempt cannot succeed: the world is gone, or the request is wrong. */
const isFinal = ({ code, error }: Ended): boolean => {
  const status = error?.status ?? null;
  return code === 4404 || (status !== null && status < 500 && status !== 429);
};

interface Connection {
  readonly messages: AsyncIterable<StreamMessage>;
  /** Never rejects. */
  readonly ended: Promise<Ended>;
}

async function connect(
  url: string,
  headers: Readonly<Record<string, string>>,
  { types, since }: Pick<StreamOptions, 'types' | 'since'>,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  const ws = await import('ws');
  const query = new URLSearchParams({ ...(types ? { types: types.join(',') } : {}), ...(since ? { since } : {}) });
  const address = `${url.replace(/^http/, 'ws')}/_sandbox/stream?${query}`;
  const socket = new ws.WebSocket(address, { headers, perMessageDeflate: false, handshakeTimeout: HANDSHAKE_MS });
  let error: SandboxError | null = null;
  const ended = new Promise<Ended>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString(), error }));
    socket.on('unexpected-response', (_, res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        error = refusal(url, res.statusCode ?? 0, Buffer.concat(chunks));
        socket.terminate();
      });
    });
    // `close` follows each error.
    socket.on('error', (cause) => {
      error ??= unreachable(url, 'GET /_sandbox/stream', cause);
    });
  });
  endOnSilence(socket);
  return { messages: messagesOf(socket, signal), ended };
}

function refusal(url: string, status: number, body: Buffer): SandboxError {
  const message = `${url}/_sandbox/stream was answered with ${status}, which is not the answer of a Ringback server`;
  try {
    const { error } = JSON.parse(body.toString());
    if (typeof error?.code === 'string') return SandboxError.fromEnvelope(status, error, undefined);
  } catch {
    // It is not JSON.
  }
  return new SandboxError({ code: 'unexpected_answer', status, message });
}

/** Ends a connection that neither sends nor pings, because its server has gone without a word. */
function endOnSilence(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), SILENCE_MS).unref();
  const postpone = (): void => {
    timer.refresh();
  };
  socket
    .on('ping', postpone)
    .on('message', postpone)
    .on('close', () => clearTimeout(timer));
}

/** The messages up to the end of the connection, however it ends; it is paused while too many of them wait. */
async function* messagesOf(socket: WebSocket, signal: AbortSignal | undefined): AsyncGenerator<StreamMessage> {
  const leave = (): void => socket.terminate();
  signal?.addEventListener('abort', leave, { once: true });
  const waiting = on(socket, 'message', { close: ['close'], highWaterMark: MOST_WAITING, lowWaterMark: 1 });
  try {
    for await (const [text] of waiting) {
      if (signal?.aborted) return;
      yield JSON.parse(text.toString());
    }
  } catch (error) {
    // A failed connection is reported when it closes; anything else is a bug.
    if (socket.readyState < socket.CLOSING) throw error;
  } finally {
    signal?.removeEventListener('abort', leave);
    socket.terminate();
  }
}
