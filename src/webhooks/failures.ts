// Why a delivery failed: its error class, an explanation, and what to do about it. `interface.md` section 6.
import { isIPv4 } from 'node:net';
import type { DeliveryErrorClass } from '../model.ts';
import { messageOf } from '../system-errors.ts';

/** The time limits of an attempt, in milliseconds of real time. */
export interface Limits {
  readonly connect: number;
  readonly response: number;
  readonly total: number;
}

export const CONNECT_MS = 3_000;

/** Where only the time for the response is set: all the rest has 5 s. */
export const limitsFor = (response: number): Limits => ({ connect: CONNECT_MS, response, total: response + 5_000 });

export interface Failure {
  readonly error_class: DeliveryErrorClass;
  readonly error: string;
}

/** The reason why this side ended a request: a time limit, or the stop of the server. */
export class Aborted extends Error {
  readonly errorClass: DeliveryErrorClass;

  constructor(errorClass: DeliveryErrorClass) {
    super(errorClass);
    this.errorClass = errorClass;
  }
}

/** How many responses with a status of 1xx may come before the one that counts. */
const MAX_INTERIM = 100;

/** The receiver sends one interim response after the other. Each takes more time to read than its bytes. */
class InterimResponses extends Aborted {
  constructor() {
    super('too_large');
  }
}

/** Counts interim responses; returns the reason to end the request once there are too many. */
export function interimLimit(): () => Aborted | undefined {
  let count = 0;
  return () => {
    count += 1;
    return count > MAX_INTERIM ? new InterimResponses() : undefined;
  };
}

const seconds = (ms: number): string => `${ms / 1000} s`;

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
  HPE_HEADER_OVERFLOW: 'too_large',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
};

/** Codes of Node's TLS, and those of certificates that OpenSSL refuses; it has no code for some reasons (`UNSPECIFIED`). */
const tlsCode =
  /^(ERR_(TLS|SSL|OSSL)_|EPROTO$|CERT_|CRL_|UNABLE_TO_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|UNSPECIFIED$)|SELF_SIGNED_CERT/;

/** What an attempt that got no response records. `authority` is the receiver's host and port. */
export function failureOf(error: unknown, authority: string, limits: Limits): Failure {
  const error_class = errorClassOf(error);
  return { error_class, error: describe(error_class, error, authority, limits) };
}

/** What a delivery records that is not sent, or not to its end, because the sandbox stops. */
export const sandboxStopped: Failure = { error_class: 'shutdown', error: 'the sandbox stopped' };

/** What a delivery records that its plan does not send. */
export const droppedByPlan: Failure = { error_class: 'dropped', error: 'the plan of its subscription dropped it' };

/** What an attempt records whose response does not end. */
export const tooLarge: Failure = { error_class: 'too_large', error: 'the response was longer than 1 MiB' };

/** What an attempt records whose response was not a 2xx. */
export const refusedWith = (status: number): Failure => ({
  error_class: 'http_status',
  error: `the receiver responded with ${status}`,
});

/**
 * Whether a connection failed because this machine has no free port or file descriptor at the moment: nothing was sent.
 * For IPv6, EADDRNOTAVAIL can also mean that there is no IPv6.
 */
export function isShortage(error: unknown): boolean {
  const code = codeOf(error);
  if (code === 'EMFILE' || code === 'ENFILE') return true;
  if (code !== 'EADDRNOTAVAIL' || !(error instanceof Error)) return false;
  return 'address' in error && typeof error.address === 'string' && isIPv4(error.address);
}

function errorClassOf(error: unknown): DeliveryErrorClass {
  if (error instanceof Aborted) return error.errorClass;
  const code = codeOf(error);
  if (code === undefined) return 'other';
  return errorClasses[code] ?? (tlsCode.test(code) ? 'tls' : 'other');
}

/** The code of an error; several addresses of one name were tried if it holds others, and the first decides. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'errors' in error && Array.isArray(error.errors) ? codeOf(error.errors[0]) : undefined;
}

function describe(errorClass: DeliveryErrorClass, error: unknown, authority: string, limits: Limits): string {
  const code = codeOf(error);
  const because = code === undefined ? '' : ` (${code})`;
  const message = messageOf(error);
  switch (errorClass) {
    case 'dns':
      return `the name of ${authority} could not be resolved${because}`;
    case 'connect_refused':
      return code === 'ECONNREFUSED'
        ? `nothing accepts connections at ${authority}${because}`
        : `${authority} cannot be reached${because}`;
    case 'connect_timeout':
      return `no connection to ${authority} within ${seconds(limits.connect)}`;
    case 'tls':
      return `no TLS connection to ${authority}: ${tlsProblem(message)}${because}`;
    case 'reset':
      return `the receiver closed the connection without a complete response${because}`;
    case 'headers_timeout':
      return `no response within ${seconds(limits.response)}`;
    case 'body_timeout':
      return `the response began, then nothing more of it came for ${seconds(limits.response)}`;
    case 'total_timeout':
      return `not finished within ${seconds(limits.total)}`;
    case 'shutdown':
      return sandboxStopped.error;
    case 'too_large':
      if (error instanceof InterimResponses) return `more than ${MAX_INTERIM} responses with a status of 1xx came`;
      return 'the headers of the response were longer than 16 KiB';
    case 'blocked_address':
    case 'http_status':
    case 'queue_full':
    case 'dropped':
    case 'other':
      // undici asserts that a response is one of HTTP.
      if (code === 'ERR_ASSERTION') return 'the response is not one of HTTP/1.1';
      return message === '' ? `the delivery failed${because}` : message;
    default:
      return errorClass satisfies never;
  }
}

/** Part of the error of an attempt to reach the server itself. */
export const OWN_ADDRESS = "is the sandbox's own address";
const NOT_TLS = 'the port does not speak TLS';

/** In one line: OpenSSL's messages have its source files and a line break. */
function tlsProblem(message: string): string {
  const reason = /:SSL routines:[^:]*:([^:\n]+)/.exec(message)?.[1] ?? message.trim().replace(/\s+/g, ' ');
  return /wrong version number|packet length too long/i.test(reason) ? NOT_TLS : reason;
}

const hints: Readonly<Record<Exclude<DeliveryErrorClass, 'http_status'>, string>> = {
  dns: 'Check the host of the webhook URL; between containers it is the name of the service.',
  blocked_address: 'Subscribe an address that is allowed, or allow this one with --webhook-targets.',
  connect_refused: 'Start the receiver, or correct host and port; inside a container, localhost is the container.',
  connect_timeout: 'Check that this address can be reached from here, and that no firewall drops the connection.',
  tls: 'Use a certificate that Node trusts (NODE_EXTRA_CA_CERTS), or an http: URL for a receiver on a private network.',
  reset:
    'Look for a crash in the log of the receiver; if this server runs with --webhook-connections reuse, use fresh.',
  headers_timeout: 'Respond with a 2xx first, and do the work afterwards.',
  body_timeout: 'End the response, or send its Content-Length.',
  total_timeout: 'Respond with a 2xx and a short body first, and do the work afterwards.',
  too_large: 'Respond with a 2xx and a short body.',
  shutdown: 'Send it again once the sandbox runs.',
  queue_full: 'Let receivers answer faster, or delete subscriptions that nobody listens to; then send it again.',
  dropped: 'Lower `drop` in the plan, or send it with POST /_sandbox/deliveries/{id}/redeliver.',
  other: 'See the error, and send it again.',
};

/** What to do about a failed attempt with this error; `status` is that of the response, if there was one. */
export function hintFor(errorClass: DeliveryErrorClass, status: number | null, error: string | null): string {
  if (errorClass === 'blocked_address' && error?.includes(OWN_ADDRESS))
    return 'Subscribe the address of your receiver, or that of an inbox of the sandbox: /_sandbox/inbox/<name>?world=<world>.';
  if (errorClass === 'tls' && error?.includes(NOT_TLS))
    return 'Subscribe an http: URL if the receiver speaks plain HTTP on this port, or the port on which it speaks TLS.';
  if (errorClass !== 'http_status' || status === null)
    return hints[errorClass === 'http_status' ? 'other' : errorClass];
  if (status >= 500) return 'Look for the error in the log of the receiver.';
  if (status === 404 || status === 405) return 'Check the path of the webhook URL; it must accept POST.';
  if (status === 401 || status === 403) return 'Let the receiver accept POSTs without credentials.';
  if (status >= 300 && status < 400) return 'Subscribe the final URL; redirects are not followed.';
  return 'Respond with a 2xx once the event is accepted.';
}
