// Writes a response in one piece, or breaks the connection as `X-Sandbox-Fault` or a fault of the world requires.
// Answers from outside the pipeline are always errors.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import type { ApiError } from '../errors/api-error.ts';
import { waitForRound } from './body.ts';
import type { Break } from './control-headers.ts';
import { isLongBody, type LongBody } from './long-body.ts';
import { addressOf } from './own-address.ts';
import { readOrGone } from './read-or-gone.ts';
import { noteRequest } from './request-log.ts';
import { errorEnvelope, type HttpResponse } from './response.ts';

/** `response` is null if the connection is to be broken before the request has any effect. */
export function writeResponse(res: ServerResponse, response: HttpResponse | null, fault: Break | null): void {
  if (res.destroyed) return;
  if (fault) return breakConnection(res, fault.kind, response);
  if (!response) return void res.destroy();
  res.writeHead(response.status, response.headers);
  if (response.body !== null && isLongBody(response.body)) return void writeParts(res, response.body);
  if (response.headers.Connection === 'close') endAfterBody(res.req, res, response.body ?? '');
  else if (response.body === null) res.end();
  else res.end(response.body);
}

/**
 * Answers outside the pipeline with an error in the platform's envelope; a response that has begun is broken off. `isLast`
 * closes the connection, although more of the request may arrive.
 */
export function writeError(
  req: IncomingMessage,
  res: ServerResponse,
  error: ApiError,
  isLast = error.code === 'payload_too_large',
): void {
  if (res.headersSent || res.destroyed) return void res.destroy();
  noteRequest(res, () => ({ error_code: error.code }));
  const body = JSON.stringify(errorEnvelope(error, addressOf(req)));
  res.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(isLast ? { Connection: 'close' } : {}),
    ...error.detail.headers,
  });
  if (isLast) endAfterBody(req, res, body);
  else res.end(body);
}

/** The longest that `timeout` keeps a client waiting. */
const TIMEOUT_MS = 60_000;

function breakConnection(res: ServerResponse, kind: Break['kind'], response: HttpResponse | null): void {
  const { socket } = res;
  if (!socket) {
    // An earlier request on this connection is still being answered; that response must arrive first.
    res.once('socket', () => breakConnection(res, kind, response));
    return;
  }
  switch (kind) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'empty':
      socket.destroy();
      return;
    case 'truncate': {
      // A response that is to be broken has no long body.
      const body = typeof response?.body === 'string' ? response.body : '{"data":';
      res.writeHead(response?.status ?? 200, response?.headers ?? { 'Content-Length': '1000' });
      res.write(body.slice(0, Math.floor(body.length / 2)), () => socket.destroy());
      return;
    }
    case 'timeout': {
      const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS);
      res.once('close', () => clearTimeout(timer));
      return;
    }
    default:
      kind satisfies never;
  }
}

/** No faster than the client reads. */
async function writeParts(res: ServerResponse, { parts }: LongBody): Promise<void> {
  for (const part of parts) {
    if (res.destroyed) return;
    if (!res.write(part)) await readOrGone(res);
  }
  res.end();
}

/** Waits in real time; ends early if the client leaves. A response is delayed before its connection breaks. */
export function delay(res: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, res.closed ? 0 : delayMs);
    res.once('close', end);
  });
}

/** Unwanted bytes are discarded until none arrive for this long, so that the client can read its response. */
const QUIET_MS = 500;
/** The longest time that they are discarded. */
const LINGER_MS = 2000;

/**
 * Ends a response after which the connection is closed, although more of the request may arrive. Closing a connection
 * with unread bytes resets it, which can lose the response; so they are read and discarded first, for a limited time.
 */
function endAfterBody(req: IncomingMessage, res: ServerResponse, body: string): void {
  if (req.readableEnded) return void res.end(body);
  res.flushHeaders();
  res.write(body);
  const end = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const until = performance.now() + LINGER_MS;
  const timer = setTimeout(end, QUIET_MS);
  req.on('data', () => {
    if (performance.now() < until) timer.refresh();
    waitForRound(req);
  });
  req.resume();
  req.once('end', end);
  req.once('close', end);
}
