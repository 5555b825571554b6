// Requests for another protocol: a WebSocket below /rooms, and nothing else. What is refused is answered on the bare
// socket in the envelope of every error; what is none of the rooms' business is served as if nothing had been asked.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'express';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { ApiError } from './errors/api-error.ts';
import { originOf } from './http/origin.ts';
import { isRoomPath, type Rooms } from './rooms/rooms.ts';
import { writeRaw } from './server.ts';

/** How long a socket may take to read its refusal. */
const LAST_WORDS_MS = 1000;

/** Serves upgrades; answers how to break off every connection that came by one. */
export function serveUpgrades(server: Server, sandbox: SandboxContext, rooms: Rooms): () => void {
  const open = new Set<Socket>();
  const guarded = new WeakSet<Socket>();
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node has taken its own handlers away; a reset must not be an unhandled error.
    if (!guarded.has(socket)) socket.on('error', () => socket.destroy());
    guarded.add(socket);
    if (req.headers.upgrade?.toLowerCase() !== 'websocket' || !isRoomPath(pathOf(req))) {
      return serveWithout(server, req, socket, head);
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    admit(sandbox, rooms, req, socket, head).catch((error) => refuse(sandbox, req, socket, error));
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}

async function admit(
  sandbox: SandboxContext,
  rooms: Rooms,
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const seat = await rooms.admit(req);
  if (socket.destroyed) return;
  // The rooms of a server that stops are left already.
  if (!sandbox.ready) throw new ApiError('internal_error', { status: 503, message: 'The server is not ready.' });
  rooms.enter(req, socket, head, seat);
}

function refuse(sandbox: SandboxContext, req: IncomingMessage, socket: Socket, error: unknown): void {
  if (socket.destroyed) return;
  if (!(error instanceof ApiError)) sandbox.log.error({ err: error, path: pathOf(req) }, 'a room could not be entered');
  const refusal = error instanceof ApiError ? error : new ApiError('internal_error');
  writeRaw(socket, refusal, originOf(req as Request));
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}

/** A handshake that `ws` finds malformed. */
export function refuseHandshake(error: Error, socket: Socket, req: IncomingMessage): void {
  const refusal = new ApiError('validation_error', {
    message: `This is no WebSocket handshake: ${error.message}.`,
    hint: 'Open the address with a WebSocket client (RFC 6455).',
    fields: { request: error.message },
    headers: { 'Sec-WebSocket-Version': '13, 8' },
  });
  writeRaw(socket, refusal, originOf(req as Request));
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}

/**
 * A server may pass over what it does not upgrade to (RFC 9110, section 7.8), as with the h2c that some clients offer
 * on every request. Node has taken the request out of its parser by now; it is put back without the offer.
 */
function serveWithout(server: Server, req: IncomingMessage, socket: Socket, head: Buffer): void {
  // A client may have sent it before its last request was answered; answers keep their order.
  const { _httpMessage: earlier } = socket as { _httpMessage?: ServerResponse | null };
  if (earlier) {
    earlier.once('close', () => serveWithout(server, req, socket, head));
    return;
  }
  if (socket.destroyed) return;
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let at = 0; at < req.rawHeaders.length; at += 2) {
    const name = req.rawHeaders[at] as string;
    const value = req.rawHeaders[at + 1] as string;
    const lower = name.toLowerCase();
    if (lower === 'upgrade' || lower === 'http2-settings') continue;
    if (lower !== 'connection') lines.push(`${name}: ${value}`);
    else if (/\bclose\b/i.test(value)) lines.push('Connection: close');
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function pathOf(req: IncomingMessage): string {
  const url = req.url ?? '/';
  return (URL.canParse(url) ? new URL(url).pathname : url).split('?')[0] as string;
}
