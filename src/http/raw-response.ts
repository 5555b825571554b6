// Errors on a bare socket, in the envelope of every error: for bytes that never became a request, and for upgrades.
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import { ApiError } from '../errors/api-error.ts';
import { errorEnvelope } from './response.ts';

export const MAX_HEADER_BYTES = 8 * 1024;

/**
 * Takes over a socket that Node hands over without its own handlers, as it does for CONNECT and upgrades: from now on, a
 * reset ends the socket, and is not an unhandled error that ends the process.
 */
export function takeOver(socket: Duplex): void {
  if (!socket.listeners('error').includes(endSocket)) socket.on('error', endSocket);
}

function endSocket(this: Duplex): void {
  this.destroy();
}

/** The response that is being made or written on a socket; Node keeps it in this field. */
export function responseOn(socket: Duplex): ServerResponse | undefined {
  const response = '_httpMessage' in socket ? socket._httpMessage : null;
  return response instanceof ServerResponse ? response : undefined;
}

/**
 * Calls back once the requests before on a connection have their responses, unless it has ended by then: responses keep the
 * order of their requests.
 */
export function afterEarlier(socket: Duplex, next: () => void): void {
  const earlier = responseOn(socket);
  if (earlier) earlier.once('close', () => afterEarlier(socket, next));
  else if (socket.writable) next();
}

/**
 * Reads no more of a connection on which nothing can be understood any more. Node would parse all that follows, and make an
 * error of each part, which holds that part.
 */
export function stopReading(socket: Duplex): void {
  // Node's parser reads the connection itself until somebody else listens.
  socket.on('data', () => {}).removeAllListeners('data');
  socket.pause();
}

/** How long a client may take to read an error and to close its side. */
const READ_ERROR_MS = 1000;

/**
 * Writes an error response and ends the connection; `address` is where the client reached this server.
 * Pages of other origins may read it, unless it is one of the control API.
 */
export function writeRaw(socket: Duplex, error: ApiError, address: string, path = ''): void {
  const body = JSON.stringify(errorEnvelope(error, address));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(path.startsWith('/_sandbox') ? [] : ['Access-Control-Allow-Origin: *']),
    'Connection: close',
    ...Object.entries(error.detail.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), READ_ERROR_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** What the HTTP parser's error means to a client. */
export function parserError({ code }: NodeJS.ErrnoException): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headers_too_large', {
        message: `The request line and headers are larger than ${MAX_HEADER_BYTES} bytes.`,
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return malformed('The request did not arrive in time.', 'took longer than the server waits');
    default:
      return malformed('The request is not valid HTTP/1.1.', 'could not be parsed');
  }
}

function malformed(message: string, request: string): ApiError {
  return new ApiError('validation_error', {
    message,
    hint: 'Send a well-formed HTTP/1.1 request.',
    fields: { request },
  });
}
