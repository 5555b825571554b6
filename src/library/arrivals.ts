// What has arrived at a webhook receiver, and who is waiting for it.
import type { IncomingHttpHeaders } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import { isObject, milliseconds, shown } from './arguments.ts';
import { fieldsText, hasFields } from './fields.ts';

/** A delivery that arrived. */
export interface ReceivedWebhook {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  /** The exact bytes of the body, which the signature is about. */
  readonly rawBody: Buffer;
  /** The body, parsed; undefined if it is not JSON. `EventPayload` has the types of bodies. */
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of event types differ, and no body names its type.
  readonly body: any;
  /** Whether the signature is that of `secret`; undefined without a signature, or without a secret. */
  readonly verified: boolean | undefined;
}

/** Which delivery is meant: fields of its body, `{ to_number: '+12125550101' }`, or a function that says so. */
export type WebhookMatch = Readonly<Record<string, unknown>> | ((webhook: ReceivedWebhook) => boolean);

interface Waiting {
  readonly matches: (webhook: ReceivedWebhook) => boolean;
  readonly found: (webhook: ReceivedWebhook) => void;
  readonly ended: () => void;
}

/** How many deliveries an error names. */
const MOST_NAMED = 5;

export class Arrivals {
  readonly received: ReceivedWebhook[] = [];
  readonly #taken = new Set<ReceivedWebhook>();
  readonly #waiting = new Set<Waiting>();
  #isOver = false;

  add(webhook: ReceivedWebhook): void {
    this.received.push(webhook);
    for (const waiting of this.#waiting) {
      if (!waiting.matches(webhook)) continue;
      waiting.found(webhook);
      return;
    }
  }

  next(match: WebhookMatch, timeout: string): Promise<ReceivedWebhook> {
    const matches = matcherOf(match);
    const known = this.received.find((webhook) => !this.#taken.has(webhook) && matches(webhook));
    if (known) {
      this.#taken.add(known);
      return Promise.resolve(known);
    }
    const limit = milliseconds(timeout);
    const closed = (): Error => new Error(this.#nothing(match, 'before the receiver was closed'));
    if (this.#isOver) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new Error(this.#nothing(match, `within ${timeout}`)));
      }, limit);
      const waiting: Waiting = {
        matches,
        found: (webhook) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          this.#taken.add(webhook);
          resolve(webhook);
        },
        ended: () => {
          clearTimeout(timer);
          reject(closed());
        },
      };
      this.#waiting.add(waiting);
    });
  }

  clear(): void {
    this.received.length = 0;
    this.#taken.clear();
  }

  /** Nothing arrives any more. */
  end(): void {
    this.#isOver = true;
    for (const { ended } of this.#waiting) ended();
    this.#waiting.clear();
  }

  #nothing(match: WebhookMatch, limit: string): string {
    const wanted = typeof match === 'function' ? 'a delivery that matches' : `a delivery with ${fieldsText(match)}`;
    const rest = this.received.filter((webhook) => !this.#taken.has(webhook));
    if (rest.length === 0) return `${wanted} has not arrived ${limit}; nothing else has either`;
    const named = rest.slice(-MOST_NAMED).map(({ method, path, rawBody }) => `\n  ${method} ${path} ${rawBody}`);
    return `${wanted} has not arrived ${limit}; ${rest.length} others have, the last of them:${named.join('')}`;
  }
}

function matcherOf(match: WebhookMatch): Waiting['matches'] {
  if (typeof match === 'function') return match;
  if (!isObject(match)) {
    throw new TypeError(
      `next: ${shown(match)} is not valid; must be fields of the body, such as { status: 'BUSY' }, or a function`,
    );
  }
  return ({ body }) => hasFields(body, match);
}
