// Logs one line per request when its connection is finished with it: request, response, selected scenario, duration.
// Health checks are logged at `debug` only. What Node hands over as a bare socket, such as an upgrade, has a line of
// the same form.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { cut, type RequestLine } from '../log-lines.ts';
import { REDACTED } from '../redaction/patterns.ts';
import { redactedPath, redactedQuery } from '../redaction/urls.ts';

/** What a response does not show of how it came about. */
export type RequestNote = Partial<Pick<RequestLine, 'world' | 'error_code' | 'scenario' | 'source'>>;

/** The part of a path that names a secret: the token of a lead source, and the address of a recording. */
const secretPart = /^(\/(?:api\/)?v1\/leads\/|\/_sandbox\/media\/)[^/]+/;
const healthCheck = /^\/_sandbox\/(health|ready)$/;

/** The event of a response that carries a note; nobody listens unless requests are logged. */
const NOTE = 'requestNote';

/** Adds to the line of a request; the note is made only if requests are logged. */
export function noteRequest(res: ServerResponse, note: () => RequestNote): void {
  if (res.listenerCount(NOTE) > 0) res.emit(NOTE, note());
}

/** Returns a function that logs a request when its response is complete, or its connection is gone. */
export function createRequestLog(log: Log): (req: IncomingMessage, res: ServerResponse) => void {
  if (!log.shows('info')) return () => {};
  return (req, res) => {
    const { method = '', url = '/' } = req;
    const began = performance.now();
    let noted: RequestNote | undefined;
    res.on(NOTE, (note: RequestNote) => {
      noted = noted ? { ...noted, ...note } : note;
    });
    // Emitted once; `once` would make a function more for each request.
    res.on('close', () => {
      const path = url.split('?', 1)[0] ?? url;
      const status = res.writableFinished ? res.statusCode : null;
      log.line(healthCheck.test(path) ? 'debug' : 'info', lineOf(method, url, status, noted ?? {}, began));
    });
  };
}

function lineOf(
  method: string | null,
  url: string | null,
  status: number | null,
  { world = null, error_code = null, scenario = null, source = null }: RequestNote,
  began: number,
): RequestLine {
  const path = url === null ? null : loggedPath(url);
  const duration_ms = Math.round(performance.now() - began);
  return { kind: 'request', world, method, path, status, error_code, scenario, source, duration_ms };
}

/** A path with its query, without secrets. */
function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] ?? url;
  const query = redactedQuery(url.slice(path.length + 1));
  return cut(redactedPath(path).replace(secretPart, `$1${REDACTED}`) + (query === '' ? '' : `?${query}`), 300);
}

/**
 * Logs what became of a request that Node hands over as a bare socket; null for bytes that are not a request. It began at
 * that `performance.now()`; left out if it took no time.
 */
export function logBareRequest(
  log: Log,
  req: IncomingMessage | null,
  status: number,
  note: RequestNote,
  began = performance.now(),
): void {
  if (log.shows('info')) log.line('info', lineOf(req?.method ?? null, req?.url ?? null, status, note, began));
}
