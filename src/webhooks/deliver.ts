// The delivery of webhooks: one lane per subscription, in order, one at a time, so that a dead receiver delays nobody
// else; and what one receiver hears about one record arrives in the order in which it happened, whichever
// subscriptions it comes through. Lanes run outside transactions; each attempt is written back in one.
import { systemNow, timestamp, worldTime } from '../clock/clock.ts';
import { eventDefinition } from '../events/catalogue.ts';
import type { DeliveryAttempt, DeliveryEntry, EventEntry } from '../model.ts';
import { type Commit, NoSuchWorld, type Store, type Tx } from '../store/store.ts';
import type { Poster } from './post.ts';
import { SIGNATURE_HEADER, signatureOf } from './sign.ts';

/** POSTs under way at once to one receiver, so that one that never answers takes no more than its share. */
const AT_ONCE = 64;

interface Waiting {
  readonly world: string;
  readonly id: string;
  readonly receiver: string;
  /** Resolves when the earlier events about the same record have reached the same URL, or failed to. */
  readonly turn: Promise<unknown> | null;
  readonly done: () => void;
}

/** What one receiver is hearing about one record: the deliveries of the latest event, and all before it. */
interface Thread {
  event: string;
  before: Promise<unknown> | null;
  current: Promise<void>[];
  open: number;
}

export interface DeliveryLog {
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

export class Deliverer {
  readonly #store: Store;
  readonly #poster: Poster;
  readonly #log: DeliveryLog;
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #threads = new Map<string, Thread>();
  /** How many are pending or in flight, and who waits until none is, by world and epoch. */
  readonly #open = new Map<string, { count: number; readonly waiting: (() => void)[] }>();
  readonly #receivers = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>();
  #stopping = false;

  constructor(store: Store, poster: Poster, log: DeliveryLog) {
    this.#store = store;
    this.#poster = poster;
    this.#log = log;
    store.onCommit((commit) => this.#onCommit(commit));
  }

  /** Deliveries of a world's epoch that are pending or in flight. */
  openCount(world: string, epoch: number): number {
    return this.#open.get(`${world} ${epoch}`)?.count ?? 0;
  }

  /** Whether any delivery of a world is open, of whichever epoch. */
  isBusy(world: string): boolean {
    for (const key of this.#open.keys()) if (key.startsWith(`${world} `)) return true;
    return false;
  }

  /** Whether any delivery at all is open. */
  get anyOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves when none is open in that epoch of that world. */
  whenIdle(world: string, epoch: number): Promise<void> {
    const open = this.#open.get(`${world} ${epoch}`);
    if (!open) return Promise.resolve();
    return new Promise((resolve) => open.waiting.push(resolve));
  }

  /** Breaks off what is under way; that and what has not begun is recorded with the class `shutdown`. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#poster.abort();
    await Promise.all([...this.#open.values()].map(({ waiting }) => new Promise<void>((done) => waiting.push(done))));
    await this.#poster.close();
  }

  #onCommit(commit: Commit): void {
    for (const appended of commit.appended) {
      if (appended.journal === 'events') this.#tellBug(commit.world, appended.entry);
      if (appended.journal === 'deliveries' && appended.entry.status === 'pending') {
        this.#enqueue(commit.world, appended.entry);
      }
    }
  }

  /** A payload that does not match its schema is a bug of ours: it is sent all the same, and must be heard of. */
  #tellBug(world: string, { id, event_type, schema_violations }: EventEntry): void {
    if (schema_violations.length === 0) return;
    this.#log.error({ world, event: id, event_type, schema_violations }, 'a payload does not match its schema');
  }

  #enqueue(world: string, delivery: DeliveryEntry): void {
    const age = `${world} ${delivery.epoch}`;
    const open = this.#open.get(age);
    if (open) open.count += 1;
    else this.#open.set(age, { count: 1, waiting: [] });
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { turn, leave } = this.#joinThread(age, delivery, finished);
    const waiting: Waiting = {
      world,
      id: delivery.id,
      receiver: receiverOf(delivery.url),
      turn,
      done: () => {
        finish();
        leave();
        this.#close(age);
      },
    };
    const key = `${age} ${delivery.subscription_id}`;
    const lane = this.#lanes.get(key);
    if (lane) {
      lane.push(waiting);
      return;
    }
    const opened = [waiting];
    this.#lanes.set(key, opened);
    void this.#runLane(key, opened);
  }

  /** Deliveries of one event go out at once; those of the next wait for them. */
  #joinThread(
    age: string,
    delivery: DeliveryEntry,
    finished: Promise<void>,
  ): { turn: Promise<unknown> | null; leave: () => void } {
    const { subject } = delivery;
    if (!subject) return { turn: null, leave: () => {} };
    const key = `${age} ${subject.table} ${subject.id} ${delivery.url}`;
    let thread = this.#threads.get(key);
    if (!thread) {
      thread = { event: delivery.event_id, before: null, current: [], open: 0 };
      this.#threads.set(key, thread);
    } else if (thread.event !== delivery.event_id) {
      thread.before = Promise.all([thread.before, ...thread.current]);
      thread.current = [];
      thread.event = delivery.event_id;
    }
    thread.current.push(finished);
    thread.open += 1;
    const joined = thread;
    return {
      turn: joined.before,
      leave: () => {
        joined.open -= 1;
        if (joined.open === 0) this.#threads.delete(key);
      },
    };
  }

  async #runLane(key: string, lane: Waiting[]): Promise<void> {
    for (let next = lane.shift(); next; next = lane.shift()) {
      if (next.turn) await next.turn;
      await this.#takePlace(next.receiver);
      try {
        await this.#attempt(next.world, next.id);
      } catch (error) {
        // A world that was dropped meanwhile takes its deliveries with it; anything else is a bug worth a record.
        if (!(error instanceof NoSuchWorld)) this.#log.error({ err: error, delivery: next.id }, 'a delivery broke off');
      } finally {
        this.#givePlace(next.receiver);
        next.done();
      }
      // A receiver that closes its connection after an answer is heard before the next is written into it.
      if (lane.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#lanes.delete(key);
  }

  async #attempt(world: string, id: string): Promise<void> {
    const begun = await this.#store.transaction(world, (tx) => this.#begin(tx, id));
    if (!begun) return;
    const { delivery, headers, at } = begun;
    const result = this.#stopping
      ? { ...notSent, error_class: 'shutdown' as const, error: 'the sandbox stopped' }
      : await this.#poster.post(delivery.url, headers, delivery.body);
    const attempt: DeliveryAttempt = {
      number: delivery.attempts.length + 1,
      at: timestamp(at),
      request_headers: headers,
      ...result,
    };
    if (attempt.error_class) {
      const { error_class, error } = attempt;
      // The receiver alone: paths and queries of webhook addresses carry tokens.
      const receiver = receiverOf(delivery.url);
      this.#log.debug({ world, delivery: id, receiver, error_class, error }, 'a webhook was not accepted');
    }
    await this.#store.transaction(world, (tx) => {
      const current = tx.entry('deliveries', id);
      // After a reset another delivery can stand under this id.
      if (!current || current.epoch !== delivery.epoch) return;
      const status = attempt.error_class === null ? 'delivered' : 'failed';
      tx.amend('deliveries', { ...current, status, attempts: [...current.attempts, attempt] });
    });
  }

  /** Takes a delivery up, unless it was canceled, or belongs to an epoch that is over. */
  #begin(tx: Tx, id: string): { delivery: DeliveryEntry; headers: Record<string, string>; at: number } | undefined {
    const delivery = tx.entry('deliveries', id);
    if (delivery?.status !== 'pending') return undefined;
    if (delivery.epoch !== tx.state('epoch')) {
      tx.amend('deliveries', { ...delivery, status: 'canceled' });
      return undefined;
    }
    const subscription = tx.get('subscriptions', delivery.subscription_id);
    tx.amend('deliveries', { ...delivery, status: 'in_flight' });
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (eventDefinition(delivery.event_type).family === 'number_lifecycle') {
      headers[SIGNATURE_HEADER] = signatureOf(delivery.body, subscription?.private.signing_secret ?? null);
    }
    return { delivery, headers, at: worldTime(tx.state('clock'), systemNow()) };
  }

  #close(age: string): void {
    const open = this.#open.get(age);
    if (!open) return;
    open.count -= 1;
    if (open.count > 0) return;
    this.#open.delete(age);
    for (const resolve of open.waiting) resolve();
  }

  async #takePlace(name: string): Promise<void> {
    const receiver = this.#receivers.get(name) ?? { underWay: 0, waiting: [] };
    this.#receivers.set(name, receiver);
    if (receiver.underWay >= AT_ONCE) await new Promise<void>((resolve) => receiver.waiting.push(resolve));
    else receiver.underWay += 1;
  }

  #givePlace(name: string): void {
    const receiver = this.#receivers.get(name);
    if (!receiver) return;
    const next = receiver.waiting.shift();
    if (next) return next();
    receiver.underWay -= 1;
    if (receiver.underWay === 0) this.#receivers.delete(name);
  }
}

/** Scheme, host and port. */
function receiverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

const notSent = { status: null, response_headers: null, response_body: null, latency_ms: 0 } as const;
