// One line of the log for each request, once its connection is done with it: what was asked, what was answered, which
// scenario was selected, and how long it took. Health checks show at `debug` only.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { cut, type RequestLine } from '../log-lines.ts';
import { redactedQuery, withoutKeys } from './redact.ts';

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
    let noted: RequestNote = {};
    res.on(NOTE, (note: RequestNote) => {
      noted = { ...noted, ...note };
    });
    res.once('close', () => {
      const path = url.split('?', 1)[0] ?? url;
      const query = redactedQuery(url.slice(path.length + 1));
      const shown = withoutKeys(path).replace(secretPart, '$1[redacted]') + (query === '' ? '' : `?${query}`);
      log.line(healthCheck.test(path) ? 'debug' : 'info', {
        kind: 'request',
        world: null,
        method,
        path: cut(shown, 300),
        status: res.writableFinished ? res.statusCode : null,
        error_code: null,
        scenario: null,
        source: null,
        ...noted,
        duration_ms: Math.round(performance.now() - began),
      });
    });
  };
}
