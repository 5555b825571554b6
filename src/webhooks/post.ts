// One POST of one delivery: exactly the bytes of the event, one attempt, no redirects. Time limits are in real time,
// independent of the world's clock. `interface.md` section 6.
import { isIP } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { memo } from '../memo.ts';
import type { DeliveryAttempt } from '../model.ts';
import { redactedBody, redactedHeaders } from '../redaction/text.ts';
import { messageOf } from '../system-errors.ts';
import type { Egress } from './egress.ts';
import {
  Aborted,
  type Failure,
  failureOf,
  isShortage,
  type Limits,
  refusedWith,
  sandboxStopped,
  tooLarge,
} from './failures.ts';
import { freshConnections } from './fresh-connections.ts';
import { keptConnections } from './kept-connections.ts';
import type { Names } from './names.ts';
import { bareHost, type Post, type ReceiverResponse, type Transport } from './transport.ts';

/** `--webhook-connections`. */
export type WebhookConnections = 'fresh' | 'reuse';

/** How often a connection is tried again that failed for lack of a local port or file descriptor. */
const SHORTAGE_MS = 50;

/** What an attempt records about the receiver's response, or about the lack of one. */
export type PostResult = Omit<DeliveryAttempt, 'number' | 'at' | 'request_headers'>;

export interface Poster {
  /** For a world. Nothing is sent once it has aborted. */
  post(world: string, url: string, headers: Record<string, string>, body: string, limits: Limits): Promise<PostResult>;
  /** Aborts every POST in flight; each ends with the error class `shutdown`. */
  abort(): void;
  close(): Promise<void>;
}

/** A connection finds the name that its delivery has just looked up in the turn of its world. */
const ANY_WORLD = '';

export function createPoster(egress: Egress, names: Names, connections: WebhookConnections): Poster {
  const find = (host: string) => names.find(host, ANY_WORLD);
  const transport = connections === 'fresh' ? freshConnections(egress, find) : keptConnections(egress, find);
  const sender = createSender(transport);
  const receiverAt = memo((text) => {
    const url = new URL(text);
    return { url, isAddress: isIP(bareHost(url)) > 0 };
  });
  return {
    async post(world, text, headers, body, limits) {
      if (sender.hasAborted()) return notSentAnyMore;
      let started = performance.now();
      const begin = (): void => {
        started = performance.now();
      };
      const elapsed = (): number => Math.round(performance.now() - started);
      const { url, isAddress } = receiverAt(text);
      const refusal = egress.refusalOfUrl(url);
      if (refusal) return unanswered(failureOf(refusal, url.host, limits), 0);
      const found = isAddress ? null : names.find(url.hostname, world, begin);
      try {
        return responded(await sender.send(url, headers, body, limits, found), elapsed());
      } catch (error) {
        return unanswered(failureOf(error, url.host, limits), elapsed());
      }
    },
    abort: sender.abort,
    close: () => transport.close(),
  };
}

interface Sender {
  /** `found` is the look-up of the host's name, which has a time limit of its own. */
  send(
    url: URL,
    headers: Record<string, string>,
    body: string,
    limits: Limits,
    found?: Promise<unknown> | null,
  ): Promise<ReceiverResponse>;
  /** Aborts what is in flight, and all that follows. */
  abort(): void;
  hasAborted(): boolean;
}

/** Sends within the time limit in all. Tries again while this machine lacks what a connection needs: nothing was sent. */
export function createSender(transport: Transport): Sender {
  const inFlight = new Set<Pick<Post, 'abort'>>();
  /** Resolves when a look-up has; rejects when it fails or is aborted. */
  const wait = (found: Promise<unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      const lookup = { abort: reject };
      inFlight.add(lookup);
      found.then(() => resolve(), reject).finally(() => inFlight.delete(lookup));
    });
  let aborted = false;
  return {
    async send(url, headers, body, limits, found = null) {
      if (found) await wait(found);
      const started = performance.now();
      for (;;) {
        if (aborted) throw new Aborted('shutdown');
        const post = transport.post(url, headers, body, limits);
        inFlight.add(post);
        const left = limits.total - (performance.now() - started);
        const timer = setTimeout(() => post.abort(new Aborted('total_timeout')), left);
        try {
          return await post.response;
        } catch (error) {
          if (!isShortage(error) || performance.now() - started > limits.connect) throw error;
        } finally {
          clearTimeout(timer);
          inFlight.delete(post);
        }
        await sleep(SHORTAGE_MS);
      }
    },
    abort() {
      aborted = true;
      for (const post of inFlight) post.abort(new Aborted('shutdown'));
    },
    hasAborted: () => aborted,
  };
}

function responded({ status, headers, body, isTooLarge }: ReceiverResponse, latency_ms: number): PostResult {
  const isAccepted = status >= 200 && status < 300;
  const accepted = isTooLarge ? tooLarge : succeeded;
  const { error_class, error } = isAccepted ? accepted : refusedWith(status);
  const response_headers = redactedHeaders(headers);
  return { status, response_headers, response_body: redactedBody(body), error_class, error, latency_ms };
}

const succeeded = { error_class: null, error: null };

/** What is recorded for a delivery that failed on this side, before anything was sent. */
export const notSent = (error: unknown): PostResult => unanswered({ error_class: 'other', error: messageOf(error) }, 0);

const unanswered = ({ error_class, error }: Failure, latency_ms: number): PostResult => ({
  status: null,
  response_headers: null,
  response_body: null,
  error_class,
  error,
  latency_ms,
});

/** What is recorded for a delivery that is not sent because the sandbox stops. */
export const notSentAnyMore: PostResult = unanswered(sandboxStopped, 0);
