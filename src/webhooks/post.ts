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
import { type Abortable, type Epoch, InFlight } from './in-flight.ts';
import { keptConnections } from './kept-connections.ts';
import type { Names } from './names.ts';
import { bareHost, type ReceiverResponse, type Transport } from './transport.ts';

/** `--webhook-connections`. */
export type WebhookConnections = 'fresh' | 'reuse';

/** How often a connection is tried again that failed for lack of a local port or file descriptor. */
const SHORTAGE_MS = 50;

/** What an attempt records about the receiver's response, or about the lack of one. */
export type PostResult = Omit<DeliveryAttempt, 'number' | 'at' | 'request_headers'>;

export interface Poster {
  /**
   * For an epoch of a world; resolves to undefined if that ends first. Nothing is sent once it has aborted.
   */
  post(
    of: Epoch,
    url: string,
    headers: Record<string, string>,
    body: string,
    limits: Limits,
  ): Promise<PostResult | undefined>;
  /** Gives up the POSTs of a world's epochs but this one, a piece for each; undefined if there are none. */
  giveUpOthers(current: Epoch): Iterator<void, void> | undefined;
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
    async post(of, text, headers, body, limits) {
      if (sender.hasAborted()) return notSentAnyMore;
      let started = performance.now();
      const begin = (): void => {
        started = performance.now();
      };
      const elapsed = (): number => Math.round(performance.now() - started);
      const { url, isAddress } = receiverAt(text);
      const refusal = egress.refusalOfUrl(url);
      if (refusal) return unanswered(failureOf(refusal, url.host, limits), 0);
      const lookup = isAddress ? null : lookUp((signal) => names.find(url.hostname, of.world, begin, signal));
      try {
        return responded(await sender.send(of, url, headers, body, limits, lookup), elapsed());
      } catch (error) {
        if (error instanceof EpochEnded) return undefined;
        return unanswered(failureOf(error, url.host, limits), elapsed());
      }
    },
    giveUpOthers: sender.giveUpOthers,
    abort: sender.abort,
    close: () => transport.close(),
  };
}

/** Nobody waits any more for what was sent in an epoch that has ended. */
class EpochEnded extends Error {}

interface LookUp extends Abortable {
  readonly found: Promise<unknown>;
}

function lookUp(find: (signal: AbortSignal) => Promise<unknown>): LookUp {
  const controller = new AbortController();
  return { found: find(controller.signal), abort: (reason) => controller.abort(reason) };
}

interface Sender extends Pick<Poster, 'giveUpOthers'> {
  /** `lookup` is that of the host's name, which has a time limit of its own. */
  send(
    of: Epoch,
    url: URL,
    headers: Record<string, string>,
    body: string,
    limits: Limits,
    lookup?: LookUp | null,
  ): Promise<ReceiverResponse>;
  /** Aborts what is in flight, and all that follows. */
  abort(): void;
  hasAborted(): boolean;
}

/** Sends within the time limit in all. Tries again while this machine lacks what a connection needs: nothing was sent. */
export function createSender(transport: Transport): Sender {
  const inFlight = new InFlight();
  /** Resolves when a look-up has; rejects when it fails or is aborted. */
  const wait = (of: Epoch, lookup: LookUp): Promise<void> =>
    new Promise((resolve, reject) => {
      const abort = (reason: Error): void => {
        lookup.abort(reason);
        reject(reason);
      };
      const end = inFlight.begin(of, { abort });
      lookup.found.then(() => resolve(), reject).finally(end);
    });
  let aborted = false;
  return {
    async send(of, url, headers, body, limits, lookup = null) {
      if (lookup) await wait(of, lookup);
      const started = performance.now();
      for (;;) {
        if (aborted) throw new Aborted('shutdown');
        const post = transport.post(url, headers, body, limits);
        const end = inFlight.begin(of, post);
        const left = limits.total - (performance.now() - started);
        const timer = setTimeout(() => post.abort(new Aborted('total_timeout')), left);
        try {
          return await post.response;
        } catch (error) {
          if (!isShortage(error) || performance.now() - started > limits.connect) throw error;
        } finally {
          clearTimeout(timer);
          end();
        }
        await sleep(SHORTAGE_MS);
      }
    },
    giveUpOthers(current) {
      const others = inFlight.takeOthers(current);
      return others.length > 0 ? abortEach(others) : undefined;
    },
    abort() {
      aborted = true;
      for (const post of inFlight.all()) post.abort(new Aborted('shutdown'));
    },
    hasAborted: () => aborted,
  };
}

function* abortEach(posts: readonly Abortable[]): Generator<void, void> {
  for (const post of posts) {
    post.abort(new EpochEnded());
    yield;
  }
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
