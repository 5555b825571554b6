// The facts that the tests of a world can meet, by the names under which the store counts them: `interface.md` section
// 5, coverage. A name consists of words from catalogues alone, never of what a client sends, so their number is
// bounded.
import type { OperationId } from '../contract/document.ts';
import type { DeliveryAttempt, DeliveryErrorClass, Retriable, TableName } from '../model.ts';

/** Of a response that its client did not get, because the connection broke. */
export const BROKEN = 'broken' satisfies Retriable;
/** In the place of an operation or an error code where there is none. */
export const NONE = '-';

/** A request: which operation, which status it was answered with, and which error code. */
export const requested = (operation: OperationId | null, status: number | typeof BROKEN, code: string | null): string =>
  `request ${operation ?? NONE} ${status} ${code ?? NONE}`;

const requestFact = /^request (\S+) (\S+) (\S+)$/;

/** The parts of the fact of a request; undefined for any other. */
export function partsOfRequest(fact: string): { operation: string; status: string; code: string } | undefined {
  const [, operation, status, code] = requestFact.exec(fact) ?? [];
  if (operation === undefined || status === undefined || code === undefined) return undefined;
  return { operation, status, code };
}

/** A response from the idempotency record. */
export const REPLAYED = 'replayed';

/** What a control header or a fault of the world did to a request. */
export const faulted = (fault: string): string => `fault ${fault}`;

export const played = (scenario: string): string => `scenario ${scenario}`;
export const emitted = (eventType: string): string => `event ${eventType}`;
/** A receiver has accepted it. */
export const accepted = (eventType: string): string => `accepted ${eventType}`;
/** A record has got a status. */
export const reached = (table: TableName, status: string): string => `status ${table} ${status}`;
/** A call has ended with that outcome. Outcomes can share a status. */
export const endedAs = (outcome: string): string => `outcome ${outcome}`;
/** A call has failed for that reason. */
export const failedBy = (code: string): string => `failure ${code}`;

export const unanswered = (kind: Retriable): string => `to_retry ${kind}`;
export const retried = (kind: Retriable): string => `retried ${kind}`;

/** The answers of receivers that every suite should meet. */
export const receiverAnswers = ['2xx', '4xx', '5xx', 'timeout', 'reset'] as const;
/** Those that it may meet as well. */
export const otherAnswers = ['1xx', '3xx', 'refused', 'dns', 'tls', 'blocked_address', 'other'] as const;
export type ReceiverAnswer = (typeof receiverAnswers)[number] | (typeof otherAnswers)[number];
export const answered = (answer: ReceiverAnswer): string => `answer ${answer}`;

/** What a delivery plan, a retry or a redelivery does to a delivery. */
export const deliveryTroubles = [
  'duplicate',
  'reorder',
  'drop',
  'delay',
  'tamper',
  'wrong_secret',
  'paused',
  'retry',
  'redelivery',
] as const;
export type DeliveryTrouble = (typeof deliveryTroubles)[number];
export const troubled = (trouble: DeliveryTrouble): string => `trouble ${trouble}`;
/** A delivery that was sent more than once by a plan, where a receiver has accepted another one of them. */
export const DUPLICATE_ACCEPTED = 'duplicate_accepted';
/** Where a receiver could have seen that the delivery is not genuine. */
export const forged = (trouble: Forgery): string => `forged ${trouble}`;
export const forgeryAccepted = (trouble: Forgery): string => `forgery_accepted ${trouble}`;
export type Forgery = 'tamper' | 'wrong_secret';

const answerByClass: { readonly [Class in DeliveryErrorClass]: ReceiverAnswer | null } = {
  dns: 'dns',
  blocked_address: 'blocked_address',
  connect_refused: 'refused',
  connect_timeout: 'timeout',
  tls: 'tls',
  reset: 'reset',
  headers_timeout: 'timeout',
  body_timeout: 'timeout',
  total_timeout: 'timeout',
  http_status: 'other',
  other: 'other',
  // No receiver was asked.
  shutdown: null,
  queue_full: null,
  too_large: 'other',
  dropped: null,
};

const answerByStatus: { readonly [first: string]: ReceiverAnswer } = {
  1: '1xx',
  2: '2xx',
  3: '3xx',
  4: '4xx',
  5: '5xx',
};

/** What a receiver answered to an attempt; null if it was not asked. */
export function answerTo({
  status,
  error_class,
}: Pick<DeliveryAttempt, 'status' | 'error_class'>): ReceiverAnswer | null {
  const isAnswer = status !== null && (error_class === null || error_class === 'http_status');
  if (isAnswer) return answerByStatus[String(status).charAt(0)] ?? 'other';
  return error_class && answerByClass[error_class];
}
