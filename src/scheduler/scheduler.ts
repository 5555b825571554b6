// Serves the agendas: on running clocks it wakes when a world's earliest row is due; on standing ones it moves the
// clock from row to row when it is told to. It knows when, never what a row does is handed in.
import TinyQueue from 'tinyqueue';
import { freeze, resume, setClock, systemNow, systemTimeOf, worldTime } from '../clock/clock.ts';
import type { DeliveryEntry, ScheduledTask, StepEntry } from '../model.ts';
import { type Commit, NoSuchWorld, type Store, type Tx } from '../store/store.ts';
import { TimeSlice } from './time-slice.ts';

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Steps, or instants on end without one, after which `until: idle` gives up: something refills the agenda. */
export const MAX_STEPS = 100_000;

export interface SchedulerOptions {
  readonly store: Store;
  /** Performs a row of the agenda within the transaction that took it off. */
  readonly runTask: (tx: Tx, row: ScheduledTask) => void;
  /** Resolves when no delivery of that epoch of the world is pending or in flight. */
  readonly deliveriesIdle: (world: string, epoch: number) => Promise<void>;
  readonly onError: (error: unknown, world: string) => void;
}

export interface AdvanceGoal {
  /** Where to go, in milliseconds of the world's time; `idle` runs until nothing is left to do. */
  readonly to: number | 'idle';
  /** Real time after which it ends where it is. */
  readonly timeoutMs: number;
}

export interface AdvanceResult {
  readonly now: number;
  /** False where the time-out, a reset of the world or the end of the server came first. */
  readonly complete: boolean;
  readonly steps: readonly StepEntry[];
  /** As they stood when their last attempt had ended. */
  readonly deliveries: readonly DeliveryEntry[];
}

/** Another advance of the same world is under way. */
export class AlreadyAdvancing extends Error {}

/** `until: idle` did not come to an end; carries the steps it made, or the row that is planned again and again. */
export class NeverIdle extends Error {
  readonly made: readonly StepEntry[] | ScheduledTask;

  constructor(made: readonly StepEntry[] | ScheduledTask) {
    super('something refills the agenda');
    this.made = made;
  }
}

interface Alarm {
  readonly wall: number;
  readonly world: string;
}

export class Scheduler {
  readonly #parts: SchedulerOptions;
  /** Worlds by the machine's time at which their earliest row is due; stale alarms are told by `#due`. */
  readonly #alarms = new TinyQueue<Alarm>([], (a, b) => a.wall - b.wall);
  readonly #due = new Map<string, number>();
  /** Worlds in which an advance is under way, and how to break it off. */
  readonly #advancing = new Map<string, () => void>();
  readonly #running = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(parts: SchedulerOptions) {
    this.#parts = parts;
    parts.store.onCommit((commit) => this.#onCommit(commit));
  }

  /** Moves no clock any more; an advance that is under way ends where it is. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const breakOff of this.#advancing.values()) breakOff();
  }

  /** Whether an advance of that world is under way. */
  isAdvancing(world: string): boolean {
    return this.#advancing.has(world);
  }

  /** Performs every row of a running clock that is due by now. */
  async catchUp(world: string): Promise<void> {
    const running = this.#running.get(world);
    if (running) return running;
    const run = this.#drain(world, (tx) => worldTime(tx.state('clock'), systemNow())).finally(() =>
      this.#running.delete(world),
    );
    this.#running.set(world, run);
    return run;
  }

  /**
   * On an instant clock: performs everything that is planned, the clock jumping along. Deliveries are not waited for.
   * A world that goes meanwhile takes what is left with it.
   */
  async runUntilIdle(world: string): Promise<void> {
    let steps = 0;
    const run = this.#drain(world, (tx) => {
      const row = tx.nextTask();
      if (!row || steps++ > MAX_STEPS) return Number.NEGATIVE_INFINITY;
      this.#moveTo(tx, row.at);
      return row.at;
    });
    await run.catch((error) => {
      if (!(error instanceof NoSuchWorld)) throw error;
    });
  }

  /**
   * The barrier: rows run in order, each at its own instant, and the clock leaves an instant only when the deliveries
   * caused by it have been attempted. Throws AlreadyAdvancing, NeverIdle, NoSuchWorld.
   */
  async advance(world: string, goal: AdvanceGoal): Promise<AdvanceResult> {
    if (this.#advancing.has(world)) throw new AlreadyAdvancing(world);
    let breakOff = (): void => {};
    const brokenOff = new Promise<false>((resolve) => {
      breakOff = () => resolve(false);
    });
    this.#advancing.set(world, breakOff);
    const record = this.#listen(world);
    const deadline = performance.now() + goal.timeoutMs;
    const timer = setTimeout(breakOff, goal.timeoutMs);
    let epoch = 0;
    /** Waits for the deliveries of this instant; false where the time is up, or the server stops, first. */
    const settled = async (): Promise<boolean> => {
      if (this.#stopped) return false;
      const inTime = await Promise.race([this.#parts.deliveriesIdle(world, epoch).then(() => true), brokenOff]);
      return inTime && performance.now() < deadline;
    };
    try {
      await this.#parts.store.transaction(world, (tx) => {
        epoch = tx.state('epoch');
        tx.setState('clock', freeze(tx.state('clock'), systemNow()));
      });
      const last = goal.to === 'idle' ? Number.POSITIVE_INFINITY : goal.to;
      let complete = await settled();
      const breath = new TimeSlice();
      let steps = 0;
      let inVain = 0;
      while (complete) {
        const row = await this.#performNextInstant(world, epoch, last, breath);
        const arrival = row ? 'not yet' : await this.#arrive(world, epoch, goal.to);
        if (arrival === 'arrived') break;
        if (arrival === 'reset') {
          complete = false;
          break;
        }
        inVain = record.steps.length === steps ? inVain + 1 : 0;
        steps = record.steps.length;
        if (goal.to === 'idle' && steps >= MAX_STEPS) throw new NeverIdle(record.steps);
        if (goal.to === 'idle' && row && inVain >= MAX_STEPS) throw new NeverIdle(row);
        complete = await settled();
        if (breath.isExpired) await breath.yield();
      }
      const now = await this.#parts.store.transaction(world, (tx) => tx.state('clock').at);
      return { now, complete, steps: record.steps, deliveries: record.deliveries() };
    } finally {
      clearTimeout(timer);
      record.end();
      this.#advancing.delete(world);
      await this.#parts.store
        .transaction(world, (tx) => tx.setState('clock', resume(tx.state('clock'), systemNow())))
        .catch((error) => {
          if (!(error instanceof NoSuchWorld)) throw error;
        });
    }
  }

  /**
   * Moves the clock to the earliest row's instant and performs all rows of it. Answers the first of them, undefined
   * where none is in reach.
   */
  async #performNextInstant(
    world: string,
    epoch: number,
    last: number,
    breath: TimeSlice,
  ): Promise<ScheduledTask | undefined> {
    let first: ScheduledTask | undefined;
    for (;;) {
      const performed = await this.#parts.store.transaction(world, (tx) => {
        const row = tx.state('epoch') === epoch ? tx.takeTask(first?.at ?? last) : undefined;
        if (!row) return false;
        first ??= row;
        this.#moveTo(tx, row.at);
        this.#parts.runTask(tx, row);
        return true;
      });
      if (!performed) return first;
      if (breath.isExpired) await breath.yield();
    }
  }

  /** Sets the clock to its goal, unless a request has meanwhile planned something before it, or reset the world. */
  #arrive(world: string, epoch: number, goal: number | 'idle'): Promise<'arrived' | 'not yet' | 'reset'> {
    return this.#parts.store.transaction(world, (tx) => {
      if (tx.state('epoch') !== epoch) return 'reset';
      const next = tx.nextTask();
      if (next && (goal === 'idle' || next.at <= goal)) return 'not yet';
      if (goal !== 'idle') this.#moveTo(tx, goal);
      return 'arrived';
    });
  }

  /** Performs rows, one a transaction, as long as one is due by the instant that `dueBy` names. */
  async #drain(world: string, dueBy: (tx: Tx) => number): Promise<void> {
    const breath = new TimeSlice();
    for (;;) {
      const performed = await this.#parts.store.transaction(world, (tx) => {
        const row = tx.takeTask(dueBy(tx));
        if (!row) return false;
        this.#parts.runTask(tx, row);
        return true;
      });
      if (!performed) return;
      if (breath.isExpired) await breath.yield();
    }
  }

  /** Forward only: a row that is overdue is performed at the present instant's place in the order, at its own time. */
  #moveTo(tx: Tx, at: number): void {
    const clock = tx.state('clock');
    if (at > clock.at) tx.setState('clock', setClock(clock, at, systemNow()));
  }

  /**
   * Collects the steps and the finished deliveries of a world, whoever causes them: deliveries in the order in which
   * they were made, whichever receiver was the quicker.
   */
  #listen(world: string): { steps: StepEntry[]; deliveries: () => DeliveryEntry[]; end: () => void } {
    const steps: StepEntry[] = [];
    const seen = new Map<string, DeliveryEntry>();
    const listener = (commit: Commit): void => {
      if (commit.world !== world) return;
      for (const { journal, entry } of commit.appended) {
        if (journal === 'steps') steps.push(entry);
        if (journal === 'deliveries') seen.set(entry.id, entry);
      }
    };
    const deliveries = (): DeliveryEntry[] =>
      [...seen.values()].filter(({ attempts, status }) => attempts.length > 0 && status !== 'in_flight');
    return { steps, deliveries, end: this.#parts.store.onCommit(listener) };
  }

  #onCommit(commit: Commit): void {
    if (!commit.schedule || this.#stopped) return;
    const { nextAt, clock } = commit.schedule;
    const due = nextAt === null ? Number.POSITIVE_INFINITY : systemTimeOf(clock, nextAt);
    if (due === Number.POSITIVE_INFINITY) {
      this.#due.delete(commit.world);
      return;
    }
    if (this.#due.get(commit.world) === due) return;
    this.#due.set(commit.world, due);
    this.#alarms.push({ wall: due, world: commit.world });
    this.#setTimer();
  }

  #setTimer(): void {
    let next = this.#alarms.peek();
    while (next && this.#due.get(next.world) !== next.wall) {
      this.#alarms.pop();
      next = this.#alarms.peek();
    }
    const at = next?.wall ?? Number.POSITIVE_INFINITY;
    if (at === this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    if (!next) return;
    this.#timer = setTimeout(() => this.#ring(), Math.min(LONGEST_TIMER_MS, Math.max(0, at - systemNow())));
    this.#timer.unref();
  }

  #ring(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = systemNow();
    for (let next = this.#alarms.peek(); next && next.wall <= now; next = this.#alarms.peek()) {
      this.#alarms.pop();
      if (this.#due.get(next.world) !== next.wall) continue;
      this.#due.delete(next.world);
      const { world } = next;
      this.catchUp(world).catch((error) => {
        if (!(error instanceof NoSuchWorld)) this.#parts.onError(error, world);
      });
    }
    this.#setTimer();
  }
}
