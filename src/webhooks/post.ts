// One POST of one delivery: exactly the bytes of the event, one attempt, no redirects. Timeouts run in real time,
// independent of the world's clock: connect 3 s, the response as the world assumes, 5 s more in total.
import { isIP } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { undici } from '../lazy-modules.ts';
import type { DeliveryAttempt, DeliveryErrorClass } from '../model.ts';
import type { Egress } from './egress.ts';

const CONNECT_MS = 3_000;
/** How much longer than the response, connecting and all the rest may take. */
const REST_MS = 5_000;
const IDLE_MS = 50;
/** How much of a response is read before the connection is closed, and how much of it is stored. */
const READ_BYTES = 64 * 1024;
const KEEP_BYTES = 4 * 1024;

/** What an attempt records about the receiver's response, or about the lack of one. */
export type PostResult = Omit<DeliveryAttempt, 'number' | 'at' | 'request_headers'>;

export interface Poster {
  /** `timeout`: how long the response may take, in milliseconds. */
  post(url: string, headers: Record<string, string>, body: string, timeout: number): Promise<PostResult>;
  /** Aborts every POST in flight; each ends with the error class `shutdown`. */
  abort(): void;
  close(): Promise<void>;
}

/** The reason of an abort: the total timeout, or the stop of the server. */
class Aborted extends Error {
  readonly errorClass: DeliveryErrorClass;

  constructor(errorClass: DeliveryErrorClass, message: string) {
    super(message);
    this.errorClass = errorClass;
  }
}

export function createPoster(egress: Egress): Poster {
  let agent: Agent | undefined;
  const inFlight = new Set<AbortController>();
  return {
    async post(url, headers, body, timeout) {
      const controller = new AbortController();
      inFlight.add(controller);
      const started = performance.now();
      const timedOut = new Aborted('total_timeout', `no complete response within ${(timeout + REST_MS) / 1000} s`);
      const timer = setTimeout(() => controller.abort(timedOut), timeout + REST_MS);
      agent ??= agentOf(egress);
      const result = await send(agent, url, headers, { body, timeout, signal: controller.signal }).catch(failed);
      clearTimeout(timer);
      inFlight.delete(controller);
      return { ...result, latency_ms: Math.round(performance.now() - started) };
    },
    abort() {
      for (const controller of inFlight) controller.abort(new Aborted('shutdown', 'the sandbox stopped'));
    },
    close: async () => agent?.destroy(),
  };
}

type Outcome = Omit<PostResult, 'latency_ms'>;

async function send(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  { body, timeout, signal }: { readonly body: string; readonly timeout: number; readonly signal: AbortSignal },
): Promise<Outcome> {
  const { origin, pathname, search } = new URL(url);
  const response = await agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers,
    body,
    signal,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  const { statusCode } = response;
  const ok = statusCode >= 200 && statusCode < 300;
  return {
    status: statusCode,
    response_headers: joinedHeaders(response.headers),
    response_body: await readStart(response.body),
    error_class: ok ? null : 'http_status',
    error: ok ? null : `the receiver responded with ${statusCode}`,
  };
}

function failed(error: unknown): Outcome {
  return {
    status: null,
    response_headers: null,
    response_body: null,
    error_class: errorClassOf(error),
    error: error instanceof Error ? error.message : String(error),
  };
}

function agentOf(egress: Egress): Agent {
  const { Agent } = undici();
  return new Agent({
    connect: guardedConnector(egress),
    // Long enough for the next delivery of a burst, but shorter than receivers keep connections: a delivery whose
    // connection the receiver closes would lose its only attempt. Also frees receivers that serve one connection.
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: 16 * 1024,
    pipelining: 1,
  });
}

/** Checks each address before connecting: literals here, since they are never looked up, names after DNS. */
function guardedConnector(egress: Egress): buildConnector.connector {
  const { buildConnector } = undici();
  const connectors = new Map<number, buildConnector.connector>();
  const connectorFor = (port: number): buildConnector.connector => {
    let connector = connectors.get(port);
    if (!connector) {
      connector = buildConnector({ timeout: CONNECT_MS, lookup: egress.lookupFor(port), allowH2: false });
      if (connectors.size > 1000) connectors.clear();
      connectors.set(port, connector);
    }
    return connector;
  };
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    const refusal = isIP(host) ? egress.refusalOf(host, host, port) : undefined;
    if (refusal) return callback(refusal, null);
    connectorFor(port)(options, callback);
  };
}

/** Reads no more than needed, then closes the connection. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    const chunk: Buffer = part;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > READ_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, KEEP_BYTES).toString('utf8');
}

function joinedHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}

const errorClasses: Readonly<Record<string, DeliveryErrorClass>> = {
  BLOCKED_ADDRESS: 'blocked_address',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'connect_refused',
  EHOSTUNREACH: 'connect_refused',
  ENETUNREACH: 'connect_refused',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_TIMEOUT: 'headers_timeout',
  UND_ERR_BODY_TIMEOUT: 'body_timeout',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
};

function errorClassOf(error: unknown): DeliveryErrorClass {
  if (error instanceof Aborted) return error.errorClass;
  if (typeof error !== 'object' || error === null) return 'other';
  if ('code' in error && typeof error.code === 'string') {
    return errorClasses[error.code] ?? (/^(ERR_TLS|ERR_SSL|CERT_|EPROTO)/.test(error.code) ? 'tls' : 'other');
  }
  // Several addresses of one name were tried; the first error decides.
  return 'errors' in error && Array.isArray(error.errors) ? errorClassOf(error.errors[0]) : 'other';
}
