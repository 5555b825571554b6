// What the scheduler and the deliverer of a replica do, in small: run each task once, and send each delivery in its order,
// again only if nobody knows how it has ended. Which replica does so, and when it looks again, is decided by what is shipped.
import { isOpen } from '../../src/model.ts';
import { CatchUps } from '../../src/scheduler/catch-ups.ts';
import type { Runs } from '../../src/store/redis/runs.ts';
import { type Commit, NO_EPOCH, RUN_ELSEWHERE, type Store, type Tx } from '../../src/store/store.ts';
import { StoreAway } from '../../src/store/store-away.ts';
import { delivery } from '../store/setup.ts';
import type { Dice, SimulatedProcess } from './timeline.ts';
import { DELIVERIES, ranMark } from './workload.ts';

/** The longest that a receiver takes, and after which a replica tries again what the store could not do. */
const RECEIVER_MS = 60;
const TRY_AGAIN_MS = 1000;
const TRIES = 5;

/** Who gets the deliveries of all replicas. */
export class Receiver {
  readonly problems: string[] = [];
  readonly #got = new Set<string>();
  readonly #ended = new Set<string>();
  #latest = 0;
  /** What a failover has lost is sent again, under ids that may have been given out before. */
  #isOrdered = true;

  get(id: string): void {
    const number = Number(id);
    if (!this.#got.has(id) && this.#isOrdered && number < this.#latest)
      this.problems.push(`delivery ${id} was first sent after ${this.#latest}`);
    this.#got.add(id);
    this.#latest = Math.max(this.#latest, number);
  }

  /** A replica has learned that the end of a delivery is stored. */
  end(id: string): void {
    if (this.#isOrdered) this.#ended.add(id);
  }

  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  failOver(): void {
    this.#isOrdered = false;
    this.#ended.clear();
  }
}

export interface RunnerOptions {
  readonly world: string;
  readonly store: Store;
  readonly work: Pick<Runs, 'runs' | 'runOf' | 'onCommit'>;
  readonly process: SimulatedProcess;
  readonly dice: Dice;
  readonly receiver: Receiver;
  readonly onError: (error: unknown) => void;
}

/** A delivery, and the run of the world in which it was queued. */
interface Queued {
  readonly id: string;
  readonly run: object | undefined;
}

export class SimulatedRunner {
  readonly #options: RunnerOptions;
  readonly #queue: Queued[] = [];
  readonly #catchUps = new CatchUps(async (_world, onLook) => {
    const runNextDue = (tx: Tx): boolean => {
      onLook();
      return runNext(tx);
    };
    while (await this.#transact(runNextDue));
  });
  #isSending = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    options.work.onCommit((commit) => this.#onCommit(commit));
  }

  #onCommit({ world, epoch, appended, schedule }: Commit): void {
    if (world !== this.#options.world) return;
    if (epoch === NO_EPOCH || epoch === RUN_ELSEWHERE) this.#queue.length = 0;
    if (schedule && schedule.nextAt !== null) this.#begin(this.#catchUps.run(world));
    for (const { journal, entry } of appended)
      if (journal === 'deliveries' && entry.status === 'pending')
        this.#queue.push({ id: entry.id, run: this.#options.work.runOf(world) });
    this.#begin(this.#sendQueued());
  }

  #begin(work: Promise<void>): void {
    work.catch((error) => this.#options.onError(error));
  }

  async #sendQueued(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) await this.#send(next);
    this.#isSending = false;
  }

  async #send({ id, run }: Queued): Promise<void> {
    const { receiver, dice, work, world } = this.#options;
    const hasEnded = receiver.hasEnded(id);
    if (!(await this.#transact((tx) => work.runOf(world) === run && startSending(tx, id)))) return;
    if (hasEnded) receiver.problems.push(`delivery ${id} was begun after its end had been stored`);
    await this.#wait(dice.below(RECEIVER_MS));
    receiver.get(id);
    await this.#wait(dice.below(RECEIVER_MS));
    if (await this.#transact((tx) => endSending(tx, id))) receiver.end(id);
  }

  /** As the deliverer does it: nothing happens in a world that another replica runs, and the store may be away for a while. */
  async #transact<T>(body: (tx: Tx) => T): Promise<T | undefined> {
    const { store, work, world } = this.#options;
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        return await store.transaction(world, (tx) => (work.runs(world) ? body(tx) : undefined));
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        await this.#wait(TRY_AGAIN_MS);
      }
    }
    return undefined;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.process.after(ms, resolve));
  }
}

/** Runs the next task, which asks for a delivery; false if none is left. */
function runNext(tx: Tx): boolean {
  const task = tx.takeTask(Number.POSITIVE_INFINITY);
  if (task?.task.type !== 'fire') return false;
  const mark = ranMark(task.task.subject.id);
  tx.setCounter(mark, tx.counter(mark) + 1);
  const number = tx.counter(DELIVERIES) + 1;
  tx.setCounter(DELIVERIES, number);
  tx.append('deliveries', delivery(String(number), 'pending'));
  return true;
}

function startSending(tx: Tx, id: string): boolean {
  const entry = tx.entry('deliveries', id);
  if (entry?.status !== 'pending') return false;
  tx.amend('deliveries', { ...entry, status: 'in_flight', resumed: undefined });
  return true;
}

function endSending(tx: Tx, id: string): boolean {
  const entry = tx.entry('deliveries', id);
  if (!entry || !isOpen(entry.status)) return false;
  tx.amend('deliveries', { ...entry, status: 'delivered' });
  return true;
}
