// One POST of one delivery: exactly the bytes that were written for the event, one attempt, no redirect followed.
// Time-outs are on real time whatever the world's clock does: connect 3 s, answer 10 s, 15 s in all.
import { isIP } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { undici } from '../lazy-modules.ts';
import type { DeliveryErrorClass } from '../model.ts';
import type { Egress } from './egress.ts';

const CONNECT_MS = 3_000;
const ANSWER_MS = 10_000;
const TOTAL_MS = 15_000;
const IDLE_MS = 50;
/** What is read of an answer before the connection is given up, and what of it is kept. */
const READ_BYTES = 64 * 1024;
const KEEP_BYTES = 4 * 1024;

export interface PostResult {
  readonly status: number | null;
  readonly response_headers: Readonly<Record<string, string>> | null;
  readonly response_body: string | null;
  readonly latency_ms: number;
  readonly error_class: DeliveryErrorClass | null;
  readonly error: string | null;
}

export interface Poster {
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
  /** Breaks off every POST that is under way; each ends with the class `shutdown`. */
  abort(): void;
  close(): Promise<void>;
}

/** Thrown into what is under way when time is up, or the server stops. */
class BrokenOff extends Error {
  readonly errorClass: DeliveryErrorClass;

  constructor(errorClass: DeliveryErrorClass, message: string) {
    super(message);
    this.errorClass = errorClass;
  }
}

export function createPoster(egress: Egress): Poster {
  let agent: Agent | undefined;
  const underWay = new Set<AbortController>();

  async function post(url: string, headers: Record<string, string>, body: string): Promise<PostResult> {
    const controller = new AbortController();
    underWay.add(controller);
    const started = performance.now();
    const overtime = new BrokenOff('total_timeout', `no complete answer within ${TOTAL_MS / 1000} s`);
    const timer = setTimeout(() => controller.abort(overtime), TOTAL_MS);
    const took = (): number => Math.round(performance.now() - started);
    try {
      const { origin, pathname, search } = new URL(url);
      agent ??= agentOf(egress);
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers,
        body,
        signal: controller.signal,
      });
      const text = await readSome(answer.body);
      const ok = answer.statusCode >= 200 && answer.statusCode < 300;
      return {
        status: answer.statusCode,
        response_headers: plainHeaders(answer.headers),
        response_body: text,
        latency_ms: took(),
        error_class: ok ? null : 'http_status',
        error: ok ? null : `the receiver answered ${answer.statusCode}`,
      };
    } catch (error) {
      return {
        status: null,
        response_headers: null,
        response_body: null,
        latency_ms: took(),
        error_class: errorClassOf(error),
        error: error instanceof Error ? error.message : String(error),
      };
    } finally {
      clearTimeout(timer);
      underWay.delete(controller);
    }
  }

  return {
    post,
    abort() {
      for (const controller of underWay) controller.abort(new BrokenOff('shutdown', 'the sandbox stopped'));
    },
    close: async () => agent?.destroy(),
  };
}

function agentOf(egress: Egress): Agent {
  const { Agent } = undici();
  return new Agent({
    connect: guardedConnector(egress),
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
    // Long enough for the next delivery of a burst. An idle connection is closed before the receiver closes it, which
    // would cost a delivery its one attempt, and does not keep a receiver busy that serves one connection at a time.
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: 16 * 1024,
    pipelining: 1,
  });
}

/** Checks the address that is about to be dialled: literals here, since they are never looked up, names after DNS. */
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
    try {
      if (isIP(host)) egress.check(host, host, port);
    } catch (error) {
      return callback(error as Error, null);
    }
    connectorFor(port)(options, callback);
  };
}

async function readSome(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > READ_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, KEEP_BYTES).toString('utf8');
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}

const classes: Readonly<Record<string, DeliveryErrorClass>> = {
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
  if (error instanceof BrokenOff) return error.errorClass;
  const { code, errors } = error as { code?: string; errors?: unknown[] };
  // Several addresses of one name were tried; the first tells.
  if (code === undefined && errors?.[0]) return errorClassOf(errors[0]);
  if (code === undefined) return 'other';
  return classes[code] ?? (/^(ERR_TLS|ERR_SSL|CERT_|EPROTO)/.test(code) ? 'tls' : 'other');
}
