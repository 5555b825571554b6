// Webhook delivery: one queue per subscription, delivered in order and one at a time, so that a dead receiver does
// not delay others. What one receiver gets about one record is in the order in which it happened, whichever URLs and
// subscriptions it goes through (an ordered group). Queues run outside transactions; each attempt is stored in one.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp, worldTime } from '../clock/clock.ts';
import { isSigned } from '../events/catalogue.ts';
import type { Log } from '../log.ts';
import { type DeliveryAttempt, type DeliveryEntry, type EventEntry, isOpen } from '../model.ts';
import { persist } from '../store/persist.ts';
import { type Commit, NoSuchWorld, type Store, type Tx } from '../store/store.ts';
import { deliveryLine, unheardLine } from './log-lines.ts';
import { OrderedGroups } from './ordered-groups.ts';
import { notSent, type Poster } from './post.ts';
import { ReceiverSlots, receiverOf } from './receiver.ts';
import { withRetry } from './retries.ts';
import { SIGNATURE_HEADER, signatureOf } from './sign.ts';

interface QueuedDelivery {
  readonly world: string;
  readonly id: string;
  readonly epoch: number;
  readonly receiver: string;
  /** Resolves when the earlier events of the ordered group have been delivered, or have failed. */
  readonly earlier: Promise<unknown> | null;
  readonly finish: () => void;
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

/** Without an instant, it ended now. */
type EndedAttempt = Omit<DeliveryAttempt, 'number' | 'at'> & { readonly at?: string };

const failedBy = (error: unknown): EndedAttempt => ({ request_headers: {}, ...notSent(error) });

/** Deliveries that one transaction ends when the server stops. */
const ENDED_AT_ONCE = 500;

const withoutRetry = (_: Tx, failed: DeliveryEntry): DeliveryEntry => failed;

interface OpenDeliveries {
  count: number;
  /** Called when none is open. */
  readonly waiting: (() => void)[];
}

/** How deliveries take turns with the other background work of all worlds. */
interface Turns {
  readonly isOver: boolean;
  work<Result>(piece: () => Result): Result;
  next(world: string): Promise<void>;
}

export class Deliverer {
  readonly #store: Store;
  readonly #turns: Turns;
  readonly #poster: Poster;
  readonly #log: Log;
  /** By epoch key and subscription. */
  readonly #queues = new Map<string, QueuedDelivery[]>();
  /** By epoch key, record and receiver. */
  readonly #groups = new OrderedGroups();
  /** Pending deliveries and those in flight, by epoch key. */
  readonly #open = new Map<string, OpenDeliveries>();
  readonly #slots = new ReceiverSlots();
  #stopping = false;

  constructor(store: Store, turns: Turns, poster: Poster, log: Log) {
    this.#store = store;
    this.#turns = turns;
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
    await this.#endQueued();
    await Promise.all(
      [...this.#open.values()].map(({ waiting }) => new Promise<void>((resolve) => waiting.push(resolve))),
    );
    await this.#poster.close();
  }

  /** Ends what has not begun, many deliveries in a transaction: a server that stops has little time. */
  async #endQueued(): Promise<void> {
    const byWorld = new Map<string, QueuedDelivery[]>();
    for (const queue of this.#queues.values()) {
      for (const each of queue.splice(0)) {
        const queued = byWorld.get(each.world);
        if (queued) queued.push(each);
        else byWorld.set(each.world, [each]);
      }
    }
    for (const [world, queued] of byWorld) {
      for (let from = 0; from < queued.length; from += ENDED_AT_ONCE) {
        const some = queued.slice(from, from + ENDED_AT_ONCE);
        await this.#transaction(world, (tx) => {
          for (const each of some) {
            const started = this.#start(tx, each.id, each.epoch);
            if (started) this.#end(tx, each, { request_headers: started.headers, ...this.#poster.stopped }, withRetry);
          }
        }).catch((error) => this.#giveUpAll(some, error));
        for (const { finish } of some) finish();
      }
    }
  }

  #giveUpAll([first]: readonly QueuedDelivery[], error: unknown): void {
    if (error instanceof NoSuchWorld) return;
    this.#log.error({ err: error, world: first?.world }, 'deliveries could not be ended');
  }

  #onCommit({ world, appended }: Commit): void {
    for (const each of appended) {
      if (each.journal === 'events') this.#report(world, each.entry);
      if (each.journal !== 'deliveries') continue;
      if (each.entry.status === 'pending') this.#enqueue(world, each.entry);
      else if (each.entry.status === 'canceled') this.#dequeue(world, each.entry);
    }
  }

  #report(world: string, event: EventEntry): void {
    const { id, event_type, schema_violations } = event;
    // A payload that does not match its schema is a bug of the sandbox: it is sent anyway, but logged as an error.
    if (schema_violations.length > 0) {
      this.#log.error({ world, event: id, event_type, schema_violations }, 'a payload does not match its schema');
    }
    if (event.deliveries === 0 && this.#log.shows('info')) this.#log.line('info', unheardLine(world, event));
  }

  #enqueue(world: string, delivery: DeliveryEntry): void {
    const { id, epoch, subject } = delivery;
    const epochOf = epochKey(world, epoch);
    const open = this.#open.get(epochOf);
    if (open) open.count += 1;
    else this.#open.set(epochOf, { count: 1, waiting: [] });
    const receiver = receiverOf(delivery.url);
    const place =
      subject && this.#groups.join(`${epochOf} ${subject.table} ${subject.id} ${receiver}`, delivery.event_id);
    const finish = (): void => {
      place?.leave();
      this.#close(epochOf);
    };
    const queued: QueuedDelivery = { world, id, epoch, receiver, earlier: place?.earlier ?? null, finish };
    const key = `${epochOf} ${delivery.subscription_id}`;
    const queue = this.#queues.get(key);
    if (queue) {
      queue.push(queued);
      return;
    }
    const started = [queued];
    this.#queues.set(key, started);
    void this.#runQueue(key, started);
  }

  /** A canceled delivery holds up neither its queue nor its group. */
  #dequeue(world: string, { id, epoch, subscription_id }: DeliveryEntry): void {
    const queue = this.#queues.get(`${epochKey(world, epoch)} ${subscription_id}`) ?? [];
    const at = queue.findIndex((queued) => queued.id === id);
    if (at >= 0) queue.splice(at, 1)[0]?.finish();
  }

  async #runQueue(key: string, queue: QueuedDelivery[]): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (next.earlier) await next.earlier;
      await this.#slots.take(next.receiver, next.world);
      if (this.#turns.isOver) await this.#turns.next(next.world);
      try {
        await this.#attempt(next);
      } catch (error) {
        await this.#giveUp(next, error);
      } finally {
        this.#slots.leave(next.receiver, next.world);
        next.finish();
      }
    }
    this.#queues.delete(key);
  }

  async #attempt(queued: QueuedDelivery): Promise<void> {
    const { world, id, epoch } = queued;
    const started = await this.#transaction(world, (tx) => this.#start(tx, id, epoch));
    if (!started) return;
    const { delivery, headers, at, timeout } = started;
    const result = this.#stopping
      ? this.#poster.stopped
      : await this.#turns
          .work(() => this.#poster.post(world, delivery.url, headers, delivery.body, timeout))
          .catch(notSent);
    const attempt = { at: timestamp(at), request_headers: headers, ...result };
    await this.#record(queued, attempt, withRetry).catch((error) => this.#giveUp(queued, error, attempt));
    if (this.#log.shows('info')) this.#log.line('info', deliveryLine(world, delivery, attempt));
  }

  /** Stores how an attempt has ended; `next` plans the one after a failure. */
  async #record(queued: QueuedDelivery, ended: EndedAttempt, next = withoutRetry): Promise<void> {
    await this.#transaction(queued.world, (tx) => this.#end(tx, queued, ended, next));
  }

  #end(tx: Tx, { id, epoch }: QueuedDelivery, ended: EndedAttempt, next = withoutRetry): void {
    const current = tx.entry('deliveries', id);
    // After a reset, another delivery can have this id.
    if (!current || current.epoch !== epoch || !isOpen(current.status)) return;
    const status = ended.error_class === null ? 'delivered' : 'failed';
    const attempt = { number: current.attempts.length + 1, at: timestamp(tx.at), ...ended };
    const attempts = [...current.attempts, attempt];
    const attempted: DeliveryEntry = { ...current, status, attempts };
    tx.amend('deliveries', status === 'failed' ? next(tx, attempted) : attempted);
  }

  #transaction<T>(world: string, body: (tx: Tx) => T): Promise<T> {
    return persist(() => this.#turns.work(() => this.#store.transaction(world, body)));
  }

  /** Ends a delivery whose attempt, or the record of it, failed by a bug: nothing may wait for it for ever. */
  async #giveUp(queued: QueuedDelivery, error: unknown, ended: EndedAttempt = failedBy(error)): Promise<void> {
    // A world that was dropped in the meantime takes its deliveries with it.
    if (error instanceof NoSuchWorld) return;
    const { world, id } = queued;
    this.#log.error({ err: error, world, delivery: id }, 'a delivery failed');
    try {
      await this.#record(queued, ended);
    } catch (again) {
      this.#log.error({ err: again, world, delivery: id }, 'the end of a delivery could not be stored');
    }
  }

  /** Marks a delivery as in flight, unless it was canceled or belongs to an earlier epoch. */
  #start(tx: Tx, id: string, epoch: number): StartedDelivery | undefined {
    const delivery = tx.entry('deliveries', id);
    // After a reset, another delivery can have this id; it is in a queue of its own.
    if (delivery?.status !== 'pending' || delivery.epoch !== epoch) return undefined;
    if (epoch !== tx.state('epoch')) {
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
    return { delivery, headers, at: worldTime(tx.state('clock'), tx.systemTime), timeout };
  }

  #close(epoch: string): void {
    const open = this.#open.get(epoch);
    if (!open) return;
    open.count -= 1;
    if (open.count > 0) return;
    this.#open.delete(epoch);
    for (const resolve of open.waiting) resolve();
  }
}

/** An epoch of a world: a reset starts a new one and cancels the deliveries of the old one. */
const epochKey = (world: string, epoch: number): string => `${world} ${epoch}`;
