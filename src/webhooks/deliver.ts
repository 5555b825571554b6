// Webhook delivery: one queue per subscription, delivered in order and one at a time, so that a dead receiver does
// not delay others. Events about one record reach one URL in the order in which they happened, even through several
// subscriptions (an ordered group). Queues run outside transactions; each attempt is stored in one.
import { assumed } from '../assumptions/catalogue.ts';
import { systemNow, timestamp, worldTime } from '../clock/clock.ts';
import { isSigned } from '../events/catalogue.ts';
import type { DeliveryAttempt, DeliveryEntry, EventEntry } from '../model.ts';
import { type Commit, NoSuchWorld, type Store, type Tx } from '../store/store.ts';
import type { Poster } from './post.ts';
import { withRetry } from './retries.ts';
import { SIGNATURE_HEADER, signatureOf } from './sign.ts';

/** Concurrent POSTs to one receiver, so that one that never responds takes only its share of connections. */
const RECEIVER_CONCURRENCY = 64;

interface QueuedDelivery {
  readonly world: string;
  readonly id: string;
  readonly receiver: string;
  /** Resolves when the earlier events of the ordered group have been delivered, or have failed. */
  readonly earlier: Promise<unknown> | null;
  readonly finish: () => void;
}

/** The deliveries about one record to one URL: those of the latest event, and all earlier ones. */
interface OrderedGroup {
  event: string;
  earlier: Promise<unknown> | null;
  latest: Promise<void>[];
  open: number;
}

/** A delivery that is about to be sent. */
interface StartedDelivery {
  readonly delivery: DeliveryEntry;
  readonly headers: Record<string, string>;
  /** In milliseconds of the world's time. */
  readonly at: number;
  /** How long the response may take, in milliseconds. */
  readonly timeout: number;
}

interface OpenDeliveries {
  count: number;
  /** Called when none is open. */
  readonly waiting: (() => void)[];
}

interface ReceiverSlots {
  inFlight: number;
  readonly waiting: (() => void)[];
}

export interface DeliveryLog {
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

export class Deliverer {
  readonly #store: Store;
  readonly #poster: Poster;
  readonly #log: DeliveryLog;
  /** By epoch key and subscription. */
  readonly #queues = new Map<string, QueuedDelivery[]>();
  /** By epoch key, record and URL. */
  readonly #groups = new Map<string, OrderedGroup>();
  /** Pending deliveries and those in flight, by epoch key. */
  readonly #open = new Map<string, OpenDeliveries>();
  readonly #receivers = new Map<string, ReceiverSlots>();
  #stopping = false;

  constructor(store: Store, poster: Poster, log: DeliveryLog) {
    this.#store = store;
    this.#poster = poster;
    this.#log = log;
    store.onCommit((commit) => this.#onCommit(commit));
  }

  /** The number of deliveries in a world's epoch that are pending or in flight. */
  openCount(world: string, epoch: number): number {
    return this.#open.get(epochKey(world, epoch))?.count ?? 0;
  }

  /** Whether any delivery of a world is open, in any epoch. */
  isBusy(world: string): boolean {
    for (const key of this.#open.keys()) if (key.startsWith(`${world} `)) return true;
    return false;
  }

  /** Whether any delivery of any world is open. */
  get anyOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves when no delivery in a world's epoch is open. */
  whenIdle(world: string, epoch: number): Promise<void> {
    const open = this.#open.get(epochKey(world, epoch));
    if (!open) return Promise.resolve();
    return new Promise((resolve) => open.waiting.push(resolve));
  }

  /** Aborts the deliveries in flight; they and all pending ones are recorded with the error class `shutdown`. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#poster.abort();
    await Promise.all(
      [...this.#open.values()].map(({ waiting }) => new Promise<void>((resolve) => waiting.push(resolve))),
    );
    await this.#poster.close();
  }

  #onCommit(commit: Commit): void {
    for (const appended of commit.appended) {
      if (appended.journal === 'events') this.#reportViolations(commit.world, appended.entry);
      if (appended.journal === 'deliveries' && appended.entry.status === 'pending') {
        this.#enqueue(commit.world, appended.entry);
      }
    }
  }

  /** A payload that does not match its schema is a bug of the sandbox: it is sent anyway, but logged as an error. */
  #reportViolations(world: string, { id, event_type, schema_violations }: EventEntry): void {
    if (schema_violations.length === 0) return;
    this.#log.error({ world, event: id, event_type, schema_violations }, 'a payload does not match its schema');
  }

  #enqueue(world: string, delivery: DeliveryEntry): void {
    const epoch = epochKey(world, delivery.epoch);
    const open = this.#open.get(epoch);
    if (open) open.count += 1;
    else this.#open.set(epoch, { count: 1, waiting: [] });
    let resolveFinished = (): void => {};
    const finished = new Promise<void>((resolve) => {
      resolveFinished = resolve;
    });
    const { earlier, leave } = this.#joinGroup(epoch, delivery, finished);
    const queued: QueuedDelivery = {
      world,
      id: delivery.id,
      receiver: receiverOf(delivery.url),
      earlier,
      finish: () => {
        resolveFinished();
        leave();
        this.#close(epoch);
      },
    };
    const key = `${epoch} ${delivery.subscription_id}`;
    const queue = this.#queues.get(key);
    if (queue) {
      queue.push(queued);
      return;
    }
    const started = [queued];
    this.#queues.set(key, started);
    void this.#runQueue(key, started);
  }

  /** Adds a delivery to its ordered group: those of one event are sent at once, those of the next event wait for them. */
  #joinGroup(
    epoch: string,
    delivery: DeliveryEntry,
    finished: Promise<void>,
  ): { earlier: Promise<unknown> | null; leave: () => void } {
    const { subject } = delivery;
    if (!subject) return { earlier: null, leave: () => {} };
    const key = `${epoch} ${subject.table} ${subject.id} ${delivery.url}`;
    const group = this.#groups.get(key) ?? { event: delivery.event_id, earlier: null, latest: [], open: 0 };
    this.#groups.set(key, group);
    if (group.event !== delivery.event_id) {
      group.earlier = Promise.all([group.earlier, ...group.latest]);
      group.latest = [];
      group.event = delivery.event_id;
    }
    group.latest.push(finished);
    group.open += 1;
    return {
      earlier: group.earlier,
      leave: () => {
        group.open -= 1;
        if (group.open === 0) this.#groups.delete(key);
      },
    };
  }

  async #runQueue(key: string, queue: QueuedDelivery[]): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (next.earlier) await next.earlier;
      await this.#acquireSlot(next.receiver);
      try {
        await this.#attempt(next.world, next.id);
      } catch (error) {
        // A world that was dropped in the meantime takes its deliveries with it; anything else is a bug.
        if (!(error instanceof NoSuchWorld)) this.#log.error({ err: error, delivery: next.id }, 'a delivery failed');
      } finally {
        this.#releaseSlot(next.receiver);
        next.finish();
      }
      // Lets the client notice that the receiver closed the connection, before the next delivery is written into it.
      if (queue.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#queues.delete(key);
  }

  async #attempt(world: string, id: string): Promise<void> {
    const started = await this.#store.transaction(world, (tx) => this.#start(tx, id));
    if (!started) return;
    const { delivery, headers, at, timeout } = started;
    const result = this.#stopping
      ? { ...notSent, error_class: 'shutdown' as const, error: 'the sandbox stopped' }
      : await this.#poster.post(delivery.url, headers, delivery.body, timeout);
    const attempt: DeliveryAttempt = {
      number: delivery.attempts.length + 1,
      at: timestamp(at),
      request_headers: headers,
      ...result,
    };
    if (attempt.error_class) {
      const { error_class, error } = attempt;
      // Only the receiver: paths and queries of webhook URLs can contain tokens.
      const receiver = receiverOf(delivery.url);
      this.#log.debug({ world, delivery: id, receiver, error_class, error }, 'a webhook was not accepted');
    }
    await this.#store.transaction(world, (tx) => {
      const current = tx.entry('deliveries', id);
      // After a reset, another delivery can have this id.
      if (!current || current.epoch !== delivery.epoch) return;
      const status = attempt.error_class === null ? 'delivered' : 'failed';
      const attempted: DeliveryEntry = { ...current, status, attempts: [...current.attempts, attempt] };
      tx.amend('deliveries', status === 'failed' ? withRetry(tx, attempted) : attempted);
    });
  }

  /** Marks a delivery as in flight, unless it was canceled or belongs to an earlier epoch. */
  #start(tx: Tx, id: string): StartedDelivery | undefined {
    const delivery = tx.entry('deliveries', id);
    if (delivery?.status !== 'pending') return undefined;
    if (delivery.epoch !== tx.state('epoch')) {
      tx.amend('deliveries', { ...delivery, status: 'canceled' });
      return undefined;
    }
    const subscription = tx.get('subscriptions', delivery.subscription_id);
    tx.amend('deliveries', { ...delivery, status: 'in_flight' });
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (isSigned(delivery.event_type, tx.state('assumptions'))) {
      headers[SIGNATURE_HEADER] = signatureOf(delivery.body, subscription?.private.signing_secret ?? null);
    }
    const timeout = assumed(tx.state('assumptions'), 'delivery_timeout');
    return { delivery, headers, at: worldTime(tx.state('clock'), systemNow()), timeout };
  }

  #close(epoch: string): void {
    const open = this.#open.get(epoch);
    if (!open) return;
    open.count -= 1;
    if (open.count > 0) return;
    this.#open.delete(epoch);
    for (const resolve of open.waiting) resolve();
  }

  async #acquireSlot(name: string): Promise<void> {
    const receiver = this.#receivers.get(name) ?? { inFlight: 0, waiting: [] };
    this.#receivers.set(name, receiver);
    if (receiver.inFlight >= RECEIVER_CONCURRENCY) await new Promise<void>((resolve) => receiver.waiting.push(resolve));
    else receiver.inFlight += 1;
  }

  #releaseSlot(name: string): void {
    const receiver = this.#receivers.get(name);
    if (!receiver) return;
    const next = receiver.waiting.shift();
    if (next) return next();
    receiver.inFlight -= 1;
    if (receiver.inFlight === 0) this.#receivers.delete(name);
  }
}

/** An epoch of a world: a reset starts a new one and cancels the deliveries of the old one. */
const epochKey = (world: string, epoch: number): string => `${world} ${epoch}`;

/** Scheme, host and port. */
function receiverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

const notSent = { status: null, response_headers: null, response_body: null, latency_ms: 0 } as const;
