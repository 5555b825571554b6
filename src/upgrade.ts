// Upgrade requests. Only a WebSocket of a room or of the stream is upgraded; a refusal is written to the bare socket, in the error
// envelope. Any other upgrade is ignored, and the request is served without it.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { CONTROL } from './control/serve-routes.ts';
import { authorizeStream, readAskedStream, STREAM_PATH } from './control/stream.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { ApiError } from './errors/api-error.ts';
import type { Callers } from './http/callers.ts';
import { clientErrorOf } from './http/client-error.ts';
import { addressOf } from './http/own-address.ts';
import { afterEarlier, takeOver, writeRaw } from './http/raw-response.ts';
import { logBareRequest } from './http/request-log.ts';
import type { Log } from './log.ts';
import { parseUrl } from './parse-url.ts';
import { isRoomPath } from './rooms/admission.ts';
import type { Rooms } from './rooms/rooms.ts';
import type { Entrance } from './server.ts';
import type { Streams } from './stream/streams.ts';

type Parts = Pick<SandboxContext, 'log' | 'ready'>;

interface Sockets {
  readonly rooms: Rooms;
  readonly streams: Streams;
  /** An upgrade takes its turn among the requests. */
  readonly callers: Callers;
}

/** An upgrade request, on its socket. */
interface Asked {
  readonly req: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** By `performance.now()`. */
  readonly began: number;
}

/** Serves upgrades; returns a function that closes every upgraded connection. */
export function serveUpgrades(
  server: Server,
  parts: SandboxContext,
  sockets: Sockets,
  { addresses, checkHeaders }: Entrance,
): () => void {
  const open = new Set<Duplex>();
  server.on('upgrade', (req, socket, head) => {
    takeOver(socket);
    addresses.note(req);
    const path = pathOf(req);
    const isStream = path === STREAM_PATH;
    if (req.headers.upgrade?.toLowerCase() !== 'websocket' || !(isStream || isRoomPath(path))) {
      return afterEarlier(socket, () => serveWithoutUpgrade(server, req, socket, head));
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    afterEarlier(socket, () => {
      const refusal = checkHeaders(req);
      if (refusal) return refuseUpgrade(parts.log, req, socket, refusal);
      const asked = { req, socket, head, began: performance.now() };
      const opened = isStream ? openStream(parts, sockets, asked) : enterRoom(parts, sockets, asked, path);
      opened.catch((error) => refuse(parts, req, socket, error));
    });
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}

async function enterRoom(
  parts: Parts,
  { rooms, callers }: Sockets,
  { req, socket, head, began }: Asked,
  path: string,
): Promise<void> {
  // Who holds the token is known by the room: tokens of a room differ.
  const caller = { headers: {} };
  await callers.turnOf(caller, path);
  if (socket.destroyed) return;
  const admission = await rooms.authorize(req);
  if (socket.destroyed) return;
  requireReady(parts);
  const { world } = admission;
  callers.learn(caller, path, world);
  if (rooms.enter(req, socket, head, admission)) logBareRequest(parts.log, req, 101, { world }, began);
}

async function openStream(
  parts: SandboxContext,
  { streams, callers }: Sockets,
  { req, socket, head, began }: Asked,
): Promise<void> {
  const asked = readAskedStream(parts, req);
  await callers.turnOf(asked, CONTROL, CONTROL);
  if (socket.destroyed) return;
  const request = await authorizeStream(parts, asked);
  const { world } = request;
  callers.learn(asked, CONTROL, world);
  try {
    requireReady(parts);
    streams.admit(world);
  } catch (error) {
    request.onEnd();
    callers.refused(world);
    throw error;
  }
  if (socket.destroyed) return request.onEnd();
  if (streams.open(req, socket, head, request)) logBareRequest(parts.log, req, 101, { world }, began);
}

/** A server that is stopping has closed its rooms and streams already. */
function requireReady({ ready }: Parts): void {
  if (!ready) throw new ApiError('internal_error', { status: 503, message: 'The server is not ready.' });
}

function refuse({ log }: Parts, req: IncomingMessage, socket: Duplex, error: unknown): void {
  if (socket.destroyed) return;
  const known = clientErrorOf(error);
  if (!known) log.error({ err: error, path: pathOf(req) }, 'a WebSocket could not be opened');
  refuseUpgrade(log, req, socket, known ?? new ApiError('internal_error'));
}

/** Answers a handshake that `ws` finds malformed. */
export function refuseHandshake(log: Log, error: Error, socket: Duplex, req: IncomingMessage): void {
  const refusal = new ApiError('validation_error', {
    message: `The WebSocket handshake is malformed: ${error.message}.`,
    hint: 'Open the address with a WebSocket client (RFC 6455).',
    fields: { request: error.message },
    headers: { 'Sec-WebSocket-Version': '13, 8' },
  });
  refuseUpgrade(log, req, socket, refusal);
}

function refuseUpgrade(log: Log, req: IncomingMessage, socket: Duplex, error: ApiError): void {
  logBareRequest(log, req, error.status, { error_code: error.code });
  writeRaw(socket, error, addressOf(req), pathOf(req));
}

/**
 * A server may ignore an upgrade it does not support (RFC 9110, section 7.8), such as the h2c that some clients offer on
 * every request. Node has taken the request out of its parser by now; it is put back without the upgrade headers.
 */
function serveWithoutUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let at = 0; at < req.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = req.rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (lower === 'upgrade' || lower === 'http2-settings') continue;
    if (lower !== 'connection') lines.push(`${name}: ${value}`);
    else if (/\bclose\b/i.test(value)) lines.push('Connection: close');
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** A client that uses this server as its proxy sends an absolute URL. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = '/'] = (url.startsWith('/') ? url : (parseUrl(url)?.pathname ?? url)).split('?', 1);
  return path;
}
