// `--webhook-connections fresh`: a new connection for each POST, closed after the response. It uses `node:http`, which
// takes half the time of undici for this.
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { setLeftOut } from '../header-fields.ts';
import type { Egress } from './egress.ts';
import { Aborted, interimLimit, type Limits } from './failures.ts';
import { createTlsContext } from './tls-context.ts';
import {
  BodyReader,
  type FindName,
  joinedHeaders,
  lookupFor,
  MAX_HEADER_BYTES,
  type ReceiverResponse,
  type Transport,
  targetOf,
} from './transport.ts';

export function freshConnections(egress: Egress, find: FindName): Transport {
  // The agent of HTTPS also remembers TLS sessions, which shorten the next handshake.
  const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) };
  const tlsContext = createTlsContext();
  return {
    post(url, headers, body, limits) {
      const isInbox = egress.isInbox(url.pathname);
      const { host, port, refusal } = targetOf(url, egress, isInbox);
      if (refusal) throw refusal;
      const isSecure = url.protocol === 'https:';
      const request = (isSecure ? httpsRequest : httpRequest)({
        host,
        port,
        path: url.pathname + url.search,
        method: 'POST',
        headers,
        agent: isSecure ? agents.https : agents.http,
        lookup: lookupFor(port, egress, find, isInbox),
        maxHeaderSize: MAX_HEADER_BYTES,
        ...(isSecure && { secureContext: tlsContext() }),
      });
      const response = new Promise<ReceiverResponse>((resolve, reject) => {
        const connected = isSecure ? 'secureConnect' : 'connect';
        settle({ request, connected, limits, resolve, reject });
      });
      request.end(body);
      return { response, abort: (reason) => request.destroy(reason) };
    },
    async close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Exchange {
  readonly request: ClientRequest;
  readonly connected: 'connect' | 'secureConnect';
  readonly limits: Limits;
  readonly resolve: (response: ReceiverResponse) => void;
  readonly reject: (error: Error) => void;
}

/** Settles with the response, or with the error that ended the request; each phase has its own time limit. */
function settle({ request, connected, limits, resolve, reject }: Exchange): void {
  let deadline = abortAfter(request, 'connect_timeout', limits.connect);
  const next = (phase: 'headers_timeout' | 'body_timeout'): void => {
    deadline.cancel();
    deadline = abortAfter(request, phase, limits.response);
  };
  const fail = (error: Error): void => {
    deadline.cancel();
    reject(error);
  };
  request.once('socket', (socket) => socket.once(connected, () => next('headers_timeout')));
  request.on('error', fail);
  let hasResponse = false;
  // Without a response, Node reports some ends of a connection by this event alone.
  request.once('close', () => {
    if (!hasResponse) fail(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }));
  });
  // 101 Switching Protocols, which nobody asked for: the connection is no longer one of HTTP.
  request.once('upgrade', (response: IncomingMessage, socket: Duplex) => {
    hasResponse = true;
    deadline.cancel();
    socket.destroy();
    resolve(responseWith(response, new BodyReader()));
  });
  const countInterim = interimLimit();
  request.on('information', () => {
    const reason = countInterim();
    if (reason && !request.destroyed) request.destroy(reason);
  });
  request.once('response', (response: IncomingMessage) => {
    hasResponse = true;
    next('body_timeout');
    const body = new BodyReader();
    const finish = (): void => {
      deadline.cancel();
      resolve(responseWith(response, body));
    };
    response.on('data', (chunk: Buffer) => {
      deadline.refresh();
      if (body.add(chunk)) return;
      finish();
      request.destroy();
    });
    response.once('end', finish);
    response.on('error', fail);
  });
}

function responseWith(response: IncomingMessage, body: BodyReader): ReceiverResponse {
  const headers = joinedHeaders(response.headers);
  setLeftOut(headers, response);
  return { status: response.statusCode ?? 0, headers, body: body.text, isTooLarge: body.isTooLarge };
}

/** A time limit of a phase. */
interface Deadline {
  cancel(): void;
  refresh(): void;
}

/** Aborts in the round after the limit: an event loop that was held up runs its timers before it reads its sockets. */
function abortAfter(
  request: ClientRequest,
  phase: 'connect_timeout' | 'headers_timeout' | 'body_timeout',
  ms: number,
): Deadline {
  let abort: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    abort = setImmediate(() => request.destroy(new Aborted(phase)));
  }, ms);
  return {
    cancel() {
      clearTimeout(timer);
      clearImmediate(abort);
    },
    refresh() {
      clearImmediate(abort);
      timer.refresh();
    },
  };
}
