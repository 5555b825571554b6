// The connections of the server: how many may be open at once, how long a client may leave a response unread, and
// whether a stop has to wait for a response.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import type { Share } from '../budget/budget.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Rounds } from '../scheduler/rounds.ts';
import { BODY_LIMIT, hasBody } from './body.ts';
import type { OwnAddresses } from './own-address.ts';
import { takeOver, writeRaw } from './raw-response.ts';
import { writeError } from './write-response.ts';

/** Open at once from one address; a proxy counts as one. */
export const MAX_PER_ADDRESS = 1000;
/** Sent on one connection without waiting for the responses before; past it, the connection is closed. */
export const MAX_UNANSWERED = 64;
/**
 * Served at once of those; what has begun goes on after its connection is closed. Others have no body: nobody reads it
 * until they are served, and each part that its client has sent takes some 200 bytes.
 */
export const MAX_AT_ONCE = 10;
/**
 * What an open connection takes: the socket, the parser, and what is read and written but not yet processed. A request
 * that waits behind another one of its connection takes as much. Longer responses are counted beside it.
 */
export const CONNECTION_BYTES = 32 * 1024;
/** The part of it for a body; a larger one takes more. */
const SMALL_BODY = 16 * 1024;
/** A client that has read none of its waiting responses in so many of these is disconnected. */
const CHECK_MS = 5000;
const MAX_IDLE_CHECKS = 12;

/** Node announces a request that expects something else than 100 under a name of its own. */
const REQUEST_EVENTS = ['request', 'checkExpectation'];

interface Connection {
  /** What its requests take beside it. */
  bytes: number;
  /** Those that are not complete. */
  readonly responses: Set<ServerResponse>;
  /** How many of them are served, and how the others are begun. */
  serving: number;
  readonly held: (() => void)[];
  /** How many bytes the system has taken. */
  sent: number;
  idleChecks: number;
}

export interface OpenConnections {
  readonly count: () => number;
  /** Whether any request is still without its complete response. */
  readonly openRequests: () => number;
  /**
   * Refuses new connections, and ends each open one with its next response. Idle ones, which Node's `close` would end, stay
   * open: a request may be on its way on them. Resolves when none is open any more.
   */
  readonly drain: () => Promise<void>;
  /** Whether no connection is open, or none has brought a request for so many milliseconds since `drain`. */
  readonly areQuiet: (forMs: number) => boolean;
}

/**
 * Refuses connections beyond the limits and ends those whose client does not read, until the server is closed.
 */
export function limitConnections(
  server: Server,
  share: Share,
  addresses: OwnAddresses,
  rounds: Rounds,
): OpenConnections {
  const open = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();
  const [serve] = server.listeners('connection');
  if (!serve) throw new Error('the server does not handle its connections');
  server.removeAllListeners('connection');

  const track = (socket: Socket, address: string): void => {
    const connection: Connection = { bytes: 0, responses: new Set(), serving: 0, held: [], sent: 0, idleChecks: 0 };
    open.set(socket, connection);
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      share.give(CONNECTION_BYTES + connection.bytes);
      open.delete(socket);
      for (const response of [...connection.responses]) closeUnsent(response);
      const others = (perAddress.get(address) ?? 1) - 1;
      if (others > 0) perAddress.set(address, others);
      else perAddress.delete(address);
    });
  };
  server.prependListener('connection', (socket) => {
    const { remoteAddress: address = '' } = socket;
    // A connection that is served without the upgrade it offered is announced once more.
    if (!open.has(socket)) {
      rounds.connectionArrived();
      if ((perAddress.get(address) ?? 0) >= MAX_PER_ADDRESS) return refuse(socket, tooMany(address), addresses);
      if (!share.take(CONNECTION_BYTES)) return refuse(socket, share.refusal(), addresses);
      track(socket, address);
    }
    Reflect.apply(serve, server, [socket]);
  });
  for (const event of REQUEST_EVENTS) limitRequests(server, event, open, { share, addresses });
  const check = setInterval(() => {
    for (const [socket, connection] of open) if (!isRead(socket, connection)) socket.destroy();
  }, CHECK_MS).unref();
  server.once('close', () => clearInterval(check));
  return {
    count: () => open.size,
    openRequests: () => [...open.values()].reduce((sum, { responses }) => sum + responses.size, 0),
    ...drainOf(server, open),
  };
}

function drainOf(server: Server, open: ReadonlyMap<Socket, Connection>): Pick<OpenConnections, 'drain' | 'areQuiet'> {
  let latestRequestAt = 0;
  const endConnection = (_req: IncomingMessage, res: ServerResponse): void => {
    res.shouldKeepAlive = false;
    latestRequestAt = performance.now();
  };
  return {
    drain() {
      latestRequestAt = performance.now();
      for (const event of REQUEST_EVENTS) server.prependListener(event, endConnection);
      server.closeIdleConnections = () => undefined;
      return new Promise((resolve) => server.close(() => resolve()));
    },
    areQuiet: (forMs) => open.size === 0 || performance.now() - latestRequestAt >= forMs,
  };
}

/**
 * Ends connections with more requests than one may have. Node reads hundreds of small ones at once, and each takes more
 * memory than its bytes.
 */
function limitRequests(
  server: Server,
  event: string,
  open: ReadonlyMap<Socket, Connection>,
  { share, addresses }: { readonly share: Share; readonly addresses: OwnAddresses },
): void {
  const [serve] = server.listeners(event);
  if (!serve) throw new Error('the server does not handle its requests');
  server.removeAllListeners(event);
  server.on(event, (req: IncomingMessage, res: ServerResponse) => {
    const { socket } = req;
    // What was read together with the request that was too many.
    if (socket.destroyed) return;
    const begin = (): void => void Reflect.apply(serve, server, [req, res]);
    const connection = open.get(socket);
    if (!connection) return begin();
    const isMore = connection.responses.size > 0;
    if (connection.responses.size >= MAX_UNANSWERED) return endAtOnce(socket);
    if (connection.serving >= MAX_AT_ONCE && hasBody(req)) return endAtOnce(socket);
    const wanted = (isMore ? CONNECTION_BYTES : 0) + bodyBytes(req);
    const isTaken = wanted === 0 || share.takeBeside(wanted);
    if (isMore && !isTaken) return endAtOnce(socket);
    const bytes = isTaken ? wanted : 0;
    connection.bytes += bytes;
    connection.responses.add(res);
    res.once('close', () => {
      connection.responses.delete(res);
      if (!open.has(socket)) return;
      connection.bytes -= bytes;
      share.give(bytes);
    });
    const refuse = (): void => {
      addresses.note(req);
      writeError(req, res, share.refusal(), true);
    };
    serveInTurn(connection, res, () => socket.destroyed || (isTaken ? begin() : refuse()));
  });
}

/** What is held of a body until its request is known to be allowed more. */
function bodyBytes({ headers }: IncomingMessage): number {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = headers;
  return Math.max(0, Math.min(BODY_LIMIT, encoding === undefined ? Number(length) : BODY_LIMIT) - SMALL_BODY);
}

/** What Node's parser of a connection calls for each request; it is not documented. */
interface Parser {
  onIncoming: () => number;
}

/** What the parser takes for a request whose connection is not HTTP from then on: it reads no further. */
const UPGRADE = 2;

/** Without making requests of the rest of what has arrived, which can be thousands. */
function endAtOnce(socket: Socket & { readonly parser?: Parser | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => UPGRADE;
  socket.destroy();
}

/**
 * Node closes the response that is being sent when the client leaves; those that wait for it would never close, and what
 * waits for that would stay.
 */
function closeUnsent(response: ServerResponse): void {
  if (response.socket || response.closed) return;
  Object.assign(response, { destroyed: true, _closed: true });
  response.emit('close');
}

function serveInTurn(connection: Connection, res: ServerResponse, begin: () => void): void {
  const serve = (): void => {
    connection.serving += 1;
    res.once('close', () => {
      connection.serving -= 1;
      connection.held.shift()?.();
    });
    begin();
  };
  if (connection.serving < MAX_AT_ONCE) serve();
  else connection.held.push(serve);
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
