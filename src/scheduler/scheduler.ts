// Runs scheduled tasks: on running clocks when a world's earliest task is due, on stopped clocks by moving the clock
// from task to task on request (`interface.md` section 4). It decides when; `runTask` does the work.
import { clearTimeout, setTimeout } from 'node:timers';
import { freeze, systemTimeOf, timestamp } from '../clock/clock.ts';
import { isLooking, type ScheduledTask } from '../lifecycles/tasks.ts';
import { ifGone } from '../store/if-gone.ts';
import { onlyPeriodicLeft } from '../store/periodic-tasks.ts';
import { type Commit, NoSuchWorld, type Store, type Tx } from '../store/store.ts';
import type { ClockLock, Work } from '../store/work.ts';
import {
  type AdvanceGoal,
  type AdvanceResult,
  AlreadyAdvancing,
  Interrupt,
  moveTo,
  NeverIdle,
  TooManyTicks,
} from './advance.ts';
import { Alarms } from './alarms.ts';
import { CatchUps } from './catch-ups.ts';
import { Recording } from './recording.ts';
import type { Turns } from './turns.ts';

/** After so many steps, or instants in a row without one, `until: idle` gives up: something refills the schedule. */
export const MAX_STEPS = 100_000;
/** The ticks that one advance may have. */
export const MAX_TICKS = 100_000;
/** On an instant clock, the tasks that one request waits for; what is left of a long campaign goes on without it. */
const MAX_PLAYED = 10_000;
/** On an instant clock, the instants in a row at which jobs look for a free line: no call is left that could end. */
const MAX_LOOKS = 100;

/** When a world whose tasks could not be run, because the store failed, is tried again. */
const TRY_AGAIN_MS = 1000;

export interface SchedulerOptions {
  readonly store: Store;
  readonly work: Work;
  readonly turns: Turns;
  /** Runs a task within the transaction that took it off the schedule. */
  readonly runTask: (tx: Tx, scheduled: ScheduledTask) => void;
  /** Resolves when no delivery of that epoch of the world is pending or in flight, or when the signal ends the wait. */
  readonly deliveriesIdle: (world: string, epoch: number, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown, world: string) => void;
}

/** An advance that is under way. */
interface Advance {
  readonly world: string;
  readonly epoch: number;
  /** Later tasks are not run. */
  readonly last: number;
  readonly lock: ClockLock;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #alarms: Alarms;
  /** Worlds in which an advance is under way, and how to abort it. */
  readonly #advancing = new Map<string, () => void>();
  readonly #catchUps = new CatchUps((world, onLook) =>
    this.#drain(world, (tx) => {
      onLook();
      return takeDue(tx);
    }),
  );
  /** Worlds with an instant clock of which more is played than a request has waited for. */
  readonly #playing = new Set<string>();
  #stopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#alarms = new Alarms(
      () => options.store.systemTime(),
      (world) => {
        this.catchUp(world).catch((error) => {
          if (error instanceof NoSuchWorld) return;
          options.onError(error, world);
          // What is due is still on the schedule.
          if (!this.#stopped) this.#alarms.set(world, options.store.systemTime() + TRY_AGAIN_MS);
        });
      },
    );
    options.work.onCommit((commit) => this.#onCommit(commit));
  }

  /** No clock moves from now on; an advance that is under way stops at the instant that it has reached. */
  stop(): void {
    this.#stopped = true;
    this.#alarms.stop();
    for (const abort of this.#advancing.values()) abort();
  }

  /** Whether an advance of that world is under way. */
  isAdvancing(world: string): boolean {
    return this.#advancing.has(world);
  }

  /** Runs every task of a running clock that is due by now. */
  catchUp(world: string): Promise<void> {
    return this.#catchUps.run(world);
  }

  /**
   * On an instant clock: runs everything that is scheduled, the clock jumping along, without waiting for deliveries.
   * What exceeds the tasks of one request goes on in the background. Stops if the world is deleted meanwhile.
   */
  async runUntilIdle(world: string): Promise<void> {
    if ((await this.#play(world, MAX_PLAYED)) || this.#playing.has(world)) return;
    this.#playing.add(world);
    this.#options.turns
      .next(world)
      .then(() => this.#play(world, MAX_STEPS))
      .catch((error) => this.#options.onError(error, world))
      .finally(() => this.#playing.delete(world));
  }

  /** Runs at most so many tasks of an instant clock; true if none is left, or none but to look for a line in vain. */
  async #play(world: string, tasks: number): Promise<boolean> {
    let left = tasks;
    let looks = 0;
    const take = (tx: Tx): Played | undefined => {
      const next = tx.nextTask();
      if (!next || onlyPeriodicLeft(tx)) return undefined;
      const looked = looksAfter(looks, next, tx.state('clock').at);
      if (left === 0 || looked > MAX_LOOKS) return undefined;
      moveTo(tx, next.at);
      tx.takeTask(next.at);
      return { task: next, looked };
    };
    await this.#drain(world, take, ({ looked }) => {
      left -= 1;
      looks = looked;
    }).catch(ifGone(undefined));
    return left > 0;
  }

  /**
   * The barrier: tasks run in order, each at its own instant, and the clock leaves an instant only when the deliveries
   * caused by it have been attempted. Throws AlreadyAdvancing, NeverIdle, NoSuchWorld.
   */
  async advance(world: string, goal: AdvanceGoal): Promise<AdvanceResult> {
    if (this.#advancing.has(world)) throw new AlreadyAdvancing(world);
    const interrupt = new Interrupt();
    this.#advancing.set(world, () => interrupt.interrupt());
    try {
      const lock = await this.#options.work.lockClock(world);
      if (!lock) throw new AlreadyAdvancing(world);
      return await this.#advance(world, goal, lock, interrupt).finally(() => lock.unlock());
    } finally {
      this.#advancing.delete(world);
    }
  }

  async #advance(world: string, goal: AdvanceGoal, lock: ClockLock, interrupt: Interrupt): Promise<AdvanceResult> {
    const { store } = this.#options;
    const recording = new Recording(store, world, goal.mayList);
    const deadline = performance.now() + goal.timeoutMs;
    const timer = setTimeout(() => interrupt.interrupt(), goal.timeoutMs);
    try {
      const { epoch, at } = await store.transaction(world, (tx) => {
        if (lock.isHeld()) tx.setState('clock', freeze(tx.state('clock'), tx.systemTime));
        return { epoch: tx.state('epoch'), at: tx.at };
      });
      recording.startedAt = timestamp(at);
      /** Waits for the deliveries of this instant; false if the time is up, or the server stops, first. */
      const delivered = async (): Promise<boolean> => {
        if (this.#stopped) return false;
        const idle = this.#options.deliveriesIdle(world, epoch, interrupt.signal);
        return (await interrupt.wait(idle)) && performance.now() < deadline;
      };
      const last = goal.to === 'idle' ? Number.POSITIVE_INFINITY : goal.to;
      const advance = { world, epoch, last, lock };
      const complete = await this.#runInstants(advance, goal.to, recording, delivered);
      await recording.decide();
      const now = await store.transaction(world, (tx) => tx.state('clock').at);
      return { now, complete, steps: recording.steps, deliveries: recording.deliveries(), totals: recording.totals };
    } finally {
      clearTimeout(timer);
      recording.end();
    }
  }

  /** Runs instant after instant until the goal is reached; false if it is not. */
  async #runInstants(
    advance: Advance,
    goal: number | 'idle',
    recording: Recording,
    delivered: () => Promise<boolean>,
  ): Promise<boolean> {
    const { totals, latestSteps } = recording;
    let stepsBefore = 0;
    let instantsWithoutStep = 0;
    while (await delivered()) {
      await recording.decide();
      await this.#takeTurns(advance.world);
      const first = await this.#runNextInstant(advance, goal);
      const arrival = first ? 'not yet' : await this.#arrive(advance, goal);
      if (arrival !== 'not yet') return arrival === 'arrived';
      instantsWithoutStep = recording.ran === stepsBefore ? instantsWithoutStep + 1 : 0;
      stepsBefore = recording.ran;
      if ((totals.ticks ?? 0) > MAX_TICKS) throw new TooManyTicks();
      if (goal === 'idle' && recording.ran >= MAX_STEPS) throw new NeverIdle(latestSteps);
      if (goal === 'idle' && first && instantsWithoutStep >= MAX_STEPS) throw new NeverIdle(first);
    }
    return false;
  }

  /**
   * Moves the clock to the instant of the earliest task, and runs all tasks of that instant. Returns the first of them;
   * undefined if none is within reach.
   */
  async #runNextInstant(
    { world, epoch, last, lock }: Advance,
    goal: number | 'idle',
  ): Promise<ScheduledTask | undefined> {
    let first: ScheduledTask | undefined;
    for (;;) {
      const { ran, isMore } = await this.#transaction(world, (tx) => {
        const isLost = !lock.isHeld() || tx.state('epoch') !== epoch;
        const isOver = isLost || (!first && goal === 'idle' && onlyPeriodicLeft(tx));
        const next = isOver ? undefined : tx.takeTask(first?.at ?? last);
        if (!next) return { ran: undefined, isMore: false };
        moveTo(tx, next.at);
        this.#options.runTask(tx, next);
        // What a request schedules for this instant from now on is found as the next one.
        const after = tx.nextTask();
        return { ran: next, isMore: after !== undefined && after.at <= (first ?? next).at };
      });
      first ??= ran;
      if (!isMore) return first;
      await this.#takeTurns(world);
    }
  }

  /** Sets the clock to the goal, unless a request has scheduled something before it meanwhile, or reset the world, or another process has taken over. */
  #arrive({ world, epoch, lock }: Advance, goal: number | 'idle'): Promise<'arrived' | 'not yet' | 'lost'> {
    return this.#options.store.transaction(world, (tx) => {
      if (!lock.isHeld() || tx.state('epoch') !== epoch) return 'lost';
      const next = tx.nextTask();
      const isReached = !next || (goal === 'idle' ? onlyPeriodicLeft(tx) : next.at > goal);
      if (!isReached) return 'not yet';
      if (goal !== 'idle') moveTo(tx, goal);
      return 'arrived';
    });
  }

  /** Runs the tasks that `take` takes off the schedule, one per transaction; `onRan` is called after each. */
  async #drain<Taken extends { readonly task: ScheduledTask }>(
    world: string,
    take: (tx: Tx) => Taken | undefined,
    onRan?: (taken: Taken) => void,
  ): Promise<void> {
    while (!this.#stopped) {
      await this.#takeTurns(world);
      const taken = await this.#transaction(world, (tx) => {
        const due = take(tx);
        if (due) this.#options.runTask(tx, due.task);
        return due;
      });
      if (!taken) return;
      onRan?.(taken);
    }
  }

  /** A transaction of background work. */
  #transaction<T>(world: string, body: (tx: Tx) => T): Promise<T> {
    const { store, turns } = this.#options;
    return turns.work(() => store.transaction(world, body), world);
  }

  /** Lets requests and other worlds go first when it is time. */
  async #takeTurns(world: string): Promise<void> {
    const { turns } = this.#options;
    if (turns.isOver) await turns.next(world);
  }

  #onCommit({ world, schedule }: Commit): void {
    if (!schedule || this.#stopped) return;
    const { nextAt, clock } = schedule;
    this.#alarms.set(world, nextAt === null ? Number.POSITIVE_INFINITY : systemTimeOf(clock, nextAt));
  }
}

/** A task that was played on an instant clock, and how many instants in a row had nothing but looks with it. */
interface Played {
  readonly task: ScheduledTask;
  readonly looked: number;
}

function looksAfter(looks: number, { task, at }: ScheduledTask, now: number): number {
  if (!isLooking(task)) return 0;
  return at > now ? looks + 1 : looks;
}

function takeDue(tx: Tx): { readonly task: ScheduledTask } | undefined {
  const task = tx.takeTask(tx.at);
  return task && { task };
}
