// Webhook delivery: one queue per subscription, delivered in order and one at a time, so that a dead receiver does not
// delay others. A receiver gets the events of one record in the order in which they happened, across its URLs and
// subscriptions (an ordered group). Queues run outside transactions; each attempt is stored in one.
import type { Log } from '../log.ts';
import { memo } from '../memo.ts';
import type { DeliveryEntry, EventEntry } from '../model.ts';
import { type Commit, RUN_ELSEWHERE, type Store } from '../store/store.ts';
import type { Work } from '../store/work.ts';
import { type EndedAttempt, endAttempt, endedAttempt, startAttempt } from './attempts.ts';
import { DeliveryQueue, type QueuedDelivery } from './delivery-queue.ts';
import { deliveryLine, unheardLine } from './log-lines.ts';
import { epochKey, type OpenWork } from './open-work.ts';
import { OrderedGroups } from './ordered-groups.ts';
import { notSent, notSentAnyMore, type Poster } from './post.ts';
import { type ReceiverSlots, receiverOf } from './receiver.ts';
import { isNoBug, transactInTurn } from './turn-transaction.ts';

const failedBy = (error: unknown): EndedAttempt => ({ request_headers: {}, ...notSent(error) });

/** Deliveries that one transaction ends when the server stops. */
const ENDED_AT_ONCE = 500;

/** What is sent, and waits to be sent, in an epoch of a world. */
interface WorldQueues {
  readonly epoch: number;
  readonly bySubscription: Map<string, DeliveryQueue>;
}

/** How deliveries take turns with the other background work of all worlds. */
interface Turns {
  readonly isOver: boolean;
  work<Result>(piece: () => Result, world?: string): Result;
  next(world: string): Promise<void>;
  workThrough<Result>(world: string, pieces: Iterator<void, Result>): Promise<Result>;
}

export interface DelivererOptions {
  readonly store: Store;
  readonly work: Work;
  readonly turns: Turns;
  readonly poster: Poster;
  readonly slots: ReceiverSlots;
  readonly openWork: OpenWork;
  readonly log: Log;
  /** Runs what is scheduled in a world whose clock is instant: a further attempt, which no request causes. */
  readonly play: (world: string) => Promise<void>;
}

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #worlds = new Map<string, WorldQueues>();
  /** By epoch key, record and receiver. */
  readonly #groups = new OrderedGroups();
  readonly #receiverOf = memo(receiverOf);

  constructor(options: DelivererOptions) {
    this.#options = options;
    options.work.onCommit((commit) => this.#onCommit(commit));
    // Who commits logs, whoever runs the world.
    options.store.onCommit((commit) => this.#logCommit(commit));
  }

  /**
   * Aborts the deliveries in flight; they and all pending ones are recorded with the error class `shutdown`, as many as
   * that time allows. The others stay pending: with a state file, the next start sends them.
   */
  async stop(withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    const until = performance.now() + withinMs;
    const { poster, openWork, work } = this.#options;
    // Others go on with what has not begun, and send again what is in flight.
    await work.shared?.handOver();
    poster.abort();
    await this.#endQueued(until);
    await openWork.whenAllIdle();
    await poster.close();
  }

  /** Ends what has not begun, many deliveries in a transaction: a server that stops has little time. */
  async #endQueued(until: number): Promise<void> {
    const all = [...this.#worlds].map(([world, waiting]) => [world, allIn(waiting)] as const);
    for (const [world, queued] of all) {
      for (let from = 0; from < queued.length; from += ENDED_AT_ONCE) {
        const some = queued.slice(from, from + ENDED_AT_ONCE);
        if (performance.now() < until) await this.#endAll(world, some);
        for (const { finish } of some) finish();
      }
    }
  }

  async #endAll(world: string, queued: readonly QueuedDelivery[]): Promise<void> {
    await transactInTurn(this.#options, world, (tx) => {
      for (const each of queued) {
        const started = startAttempt(tx, each);
        if (started) endAttempt(tx, each, endedAttempt(started.sent, notSentAnyMore), true);
      }
    }).catch((error) => this.#giveUpAll(queued, error));
  }

  #giveUpAll([first]: readonly QueuedDelivery[], error: unknown): void {
    if (isNoBug(error)) return;
    this.#options.log.error({ err: error, world: first?.world }, 'deliveries could not be ended');
  }

  #onCommit({ world, epoch, appended }: Commit): void {
    const waiting = this.#worlds.get(world);
    // A reset has ended them, the world has gone, or another process runs it.
    if (waiting && waiting.epoch !== epoch) {
      this.#giveUpAllIn(world, waiting);
      // One that this process may run again goes on in the same queues, behind what is in flight.
      if (epoch !== RUN_ELSEWHERE) this.#worlds.delete(world);
    }
    for (const each of appended) {
      if (each.journal !== 'deliveries') continue;
      const { status, held_by } = each.entry;
      if (status === 'pending' && held_by === undefined) this.#enqueue(world, each.entry);
      else if (each.amended && (status === 'pending' || status === 'canceled')) this.#dequeue(world, each.entry);
    }
  }

  /** Logs what is not sent: events that no subscription hears, and what a plan drops. */
  #logCommit({ world, appended }: Commit): void {
    for (const { journal, entry, amended } of appended) {
      if (journal === 'events') this.#report(world, entry);
      if (journal === 'deliveries' && !amended && entry.status === 'dropped') this.#logAttempt(world, entry);
    }
  }

  #report(world: string, event: EventEntry): void {
    const { id, event_type, schema_violations } = event;
    // A payload that does not match its schema is a bug of the sandbox: it is sent anyway, but logged as an error.
    if (schema_violations.length > 0) {
      this.#options.log.error(
        { world, event: id, event_type, schema_violations },
        'a payload does not match its schema',
      );
    }
    if (event.deliveries === 0 && this.#options.log.shows('info'))
      this.#options.log.line('info', unheardLine(world, event));
  }

  #enqueue(world: string, delivery: DeliveryEntry): void {
    const { id, epoch, subject } = delivery;
    const epochOf = epochKey(world, epoch);
    this.#options.openWork.begin(epochOf);
    const receiver = this.#receiverOf(delivery.url);
    const place =
      subject && this.#groups.join(`${epochOf} ${subject.table} ${subject.id} ${receiver}`, delivery.event_id);
    const finish = (): void => {
      place?.leave();
      this.#options.openWork.end(epochOf);
    };
    const run = this.#options.work.runOf(world);
    const queued: QueuedDelivery = { world, run, id, epoch, receiver, earlier: place?.earlier ?? null, finish };
    const queues = this.#worlds.get(world) ?? { epoch, bySubscription: new Map<string, DeliveryQueue>() };
    this.#worlds.set(world, queues);
    const running = queues.bySubscription.get(delivery.subscription_id);
    if (running) return running.add(queued);
    const queue = new DeliveryQueue();
    queue.add(queued);
    queues.bySubscription.set(delivery.subscription_id, queue);
    void this.#runQueue(queue, () => {
      queues.bySubscription.delete(delivery.subscription_id);
      if (queues.bySubscription.size === 0 && this.#worlds.get(world) === queues) this.#worlds.delete(world);
    });
  }

  /** A delivery that is canceled, or held, holds up neither its queue nor its group. */
  #dequeue(world: string, { id, subscription_id }: DeliveryEntry): void {
    this.#worlds.get(world)?.bySubscription.get(subscription_id)?.drop(id);
  }

  /** What is still to be sent is told again, in its order, to whoever runs the world next. */
  #giveUpAllIn(world: string, waiting: WorldQueues): void {
    const { turns, log } = this.#options;
    turns.workThrough(world, finishEach(allIn(waiting))).catch((error) => {
      log.error({ err: error, world }, 'deliveries could not be given up');
    });
  }

  /** `onEmpty` is called before anything else can be added. */
  async #runQueue(queue: DeliveryQueue, onEmpty: () => void): Promise<void> {
    const { slots, turns } = this.#options;
    // What is added meanwhile comes too.
    for (let next = queue.first; next; next = queue.first) {
      if (next.earlier) await next.earlier;
      if (!queue.has(next)) continue;
      next.slot = slots.take(next.receiver, next.world);
      if (!(await (next.slot?.granted ?? true))) continue;
      if (turns.isOver) await turns.next(next.world);
      if (queue.take(next)) await this.#send(next);
      slots.leave(next.receiver, next.world);
    }
    onEmpty();
  }

  async #send(queued: QueuedDelivery): Promise<void> {
    try {
      while (await this.#attempt(queued));
    } catch (error) {
      await this.#giveUp(queued, error);
    } finally {
      queued.finish();
    }
  }

  /** Makes one attempt at a delivery; true if another follows at once. */
  async #attempt(queued: QueuedDelivery): Promise<boolean> {
    const { poster, turns, work } = this.#options;
    const { world, run } = queued;
    const started = await transactInTurn(this.#options, world, (tx) =>
      work.runOf(world) === run ? startAttempt(tx, queued) : undefined,
    );
    if (!started) return false;
    const { delivery, headers, body, limits, sent } = started;
    const result = await turns
      .work(() => poster.post(queued, delivery.url, headers, body, limits), world)
      .catch(notSent);
    // Its world was reset, or has gone.
    if (!result) return false;
    const attempt = endedAttempt(sent, result);
    const again = await this.#record(queued, attempt, true).catch((error) => this.#giveUp(queued, error, attempt));
    this.#logAttempt(world, delivery, attempt);
    return again === true;
  }

  #logAttempt(
    world: string,
    delivery: DeliveryEntry,
    attempt: EndedAttempt | undefined = delivery.attempts.at(-1),
  ): void {
    const { log } = this.#options;
    if (attempt && log.shows('info')) log.line('info', deliveryLine(world, delivery, attempt));
  }

  /** Stores how an attempt has ended; true if another follows at once. */
  async #record(queued: QueuedDelivery, ended: EndedAttempt, mayContinue: boolean): Promise<boolean> {
    const { world } = queued;
    const recorded = await transactInTurn(this.#options, world, (tx) => {
      const { mode, frozen } = tx.state('clock');
      return { after: endAttempt(tx, queued, ended, mayContinue), isInstant: mode === 'instant' && !frozen };
    });
    const after = recorded?.after;
    if (recorded?.isInstant && after?.held_by !== undefined) await this.#options.play(world);
    return after?.status === 'in_flight';
  }

  /** Ends a delivery whose attempt, or the record of it, failed by a bug: nothing may wait for it forever. */
  async #giveUp(queued: QueuedDelivery, error: unknown, ended: EndedAttempt = failedBy(error)): Promise<void> {
    if (isNoBug(error)) return;
    const { world, id } = queued;
    this.#options.log.error({ err: error, world, delivery: id }, 'a delivery failed');
    try {
      await this.#record(queued, ended, false);
    } catch (again) {
      this.#options.log.error({ err: again, world, delivery: id }, 'the end of a delivery could not be stored');
    }
  }
}

/** Takes out all that wait. */
const allIn = ({ bySubscription }: WorldQueues): QueuedDelivery[] =>
  [...bySubscription.values()].flatMap((queue) => queue.takeAll());

function* finishEach(queued: readonly QueuedDelivery[]): Generator<void> {
  for (const { finish } of queued) {
    finish();
    yield;
  }
}
