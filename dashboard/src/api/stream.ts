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
  const stopped = new AbortController();
  let socket: WebSocket | undefined;
  let place: string | undefined;
  let worldId: string | undefined;
  let wait = FIRST_WAIT_MS;
  let waiting: StreamMessage[] = [];
  let batch: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    batch = undefined;
    const messages = waiting;
    waiting = [];
    if (messages.length > 0) reader.onMessages(messages);
  };

  const begin = (id: string): void => {
    if (worldId === id) return;
    worldId = id;
    waiting = [];
    reader.onStart();
  };

  function receive(message: StreamMessage): void {
    place = message.entry;
    if (message.type === 'open') {
      wait = FIRST_WAIT_MS;
      begin(message.data.world_id);
      reader.onState('live');
    }
    if (message.type === 'reset') {
      waiting = [];
      reader.onStart();
    }
    waiting.push(message);
    batch ??= setTimeout(flush, BATCH_MS);
  }

  async function lost(code: number): Promise<void> {
    if (stopped.signal.aborted) return;
    reader.onState('lost');
    if (code === ENTRIES_GONE) [place, worldId] = [undefined, undefined];
    const refusal = code === WORLD_GONE ? worldGone(world) : await refusalOf(world);
    if (stopped.signal.aborted) return;
    if (refusal) return reader.onRefused(refusal);
    retry = setTimeout(open, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }

  function open(): void {
    const [address, protocols] = socketOf(world, place);
    const current = new WebSocket(address, protocols);
    socket = current;
    // What the server sends is what its contract says.
    current.onmessage = ({ data }) => receive(JSON.parse(data) as StreamMessage);
    current.onclose = ({ code }) => void lost(code);
  }

  const hurry = (): void => {
    if (retry === undefined || socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(retry);
    open();
  };
  addEventListener('online', hurry, { signal: stopped.signal });
  document.addEventListener('visibilitychange', hurry, { signal: stopped.signal });

  reader.onState('connecting');
  open();
  return () => {
    stopped.abort();
    clearTimeout(batch);
    clearTimeout(retry);
    socket?.close();
  };
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
