// The connections of the server: how many may be open at once, how long a client may leave a response unread, and
// whether a stop has to wait for a response.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import type { Share } from '../budget/budget.ts';
import { ApiError } from '../errors/api-error.ts';
import type { OwnAddresses } from './own-address.ts';
import { takeOver, writeRaw } from './raw-response.ts';

/** Open at once from one address; a proxy counts as one. */
export const MAX_PER_ADDRESS = 1000;
/** What an open connection takes: the socket, the parser, and what is read and written but not yet processed. */
const CONNECTION_BYTES = 32 * 1024;
/** A client that has read none of its waiting responses in so many of these is disconnected. */
const CHECK_MS = 5000;
const MAX_IDLE_CHECKS = 12;

interface Connection {
  /** How many requests are without their complete response. */
  unanswered: number;
  /** How many bytes the system has taken. */
  sent: number;
  idleChecks: number;
}

export interface OpenConnections {
  readonly count: () => number;
  /** Whether any request is still without its complete response. */
  readonly hasOpenRequests: () => boolean;
}

/**
 * Refuses connections beyond the limits and ends those whose client does not read, until the server is closed.
 */
export function limitConnections(server: Server, share: Share, addresses: OwnAddresses): OpenConnections {
  const open = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();
  const [serve] = server.listeners('connection');
  if (!serve) throw new Error('the server does not handle its connections');
  server.removeAllListeners('connection');

  const track = (socket: Socket, address: string): void => {
    open.set(socket, { unanswered: 0, sent: 0, idleChecks: 0 });
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      open.delete(socket);
      share.give(CONNECTION_BYTES);
      const others = (perAddress.get(address) ?? 1) - 1;
      if (others > 0) perAddress.set(address, others);
      else perAddress.delete(address);
    });
  };
  server.prependListener('connection', (socket) => {
    const { remoteAddress: address = '' } = socket;
    // A connection that is served without the upgrade it offered is announced once more.
    if (!open.has(socket)) {
      if ((perAddress.get(address) ?? 0) >= MAX_PER_ADDRESS) return refuse(socket, tooMany(address), addresses);
      if (!share.take(CONNECTION_BYTES)) return refuse(socket, share.refusal(), addresses);
      track(socket, address);
    }
    Reflect.apply(serve, server, [socket]);
  });
  server.on('request', ({ socket }, res) => {
    const connection = open.get(socket);
    if (!connection) return;
    connection.unanswered += 1;
    // Responses that wait for an earlier one when the client leaves never close, but their connection is no longer open.
    res.once('close', () => {
      connection.unanswered -= 1;
    });
  });
  const check = setInterval(() => {
    for (const [socket, connection] of open) if (!isRead(socket, connection)) socket.destroy();
  }, CHECK_MS).unref();
  server.once('close', () => clearInterval(check));
  return {
    count: () => open.size,
    hasOpenRequests: () => [...open.values()].some(({ unanswered }) => unanswered > 0),
  };
}

/** Whether the client reads what is sent, or has not had the time to. */
function isRead(socket: Socket, connection: Connection): boolean {
  const sent = socket.bytesWritten - socket.writableLength;
  connection.idleChecks = socket.writableLength > 0 && sent === connection.sent ? connection.idleChecks + 1 : 0;
  connection.sent = sent;
  return connection.idleChecks < MAX_IDLE_CHECKS;
}

function refuse(socket: Socket, error: ApiError, addresses: OwnAddresses): void {
  takeOver(socket);
  // Closing a connection with unread bytes resets it, and the refusal could be lost.
  socket.resume();
  writeRaw(socket, error, addresses.ofConnection(socket));
}

function tooMany(address: string): ApiError {
  return new ApiError('rate_limited', {
    message: `More than ${MAX_PER_ADDRESS} connections from ${address} are open.`,
    hint: 'Close connections, or send several requests on each (keep-alive).',
    headers: { 'Retry-After': '1' },
  });
}
