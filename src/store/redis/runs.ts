// The worlds whose timed tasks and deliveries this replica does, until nothing is left to do in them. A world names its
// runner itself, and a transaction that does the runner's work checks the name, so a commit decides who is: that one replica
// is thought dead by another does no harm but to send again what is in flight. Redis lists the worlds that name a replica
// with the commits that do so, so whoever looks there finds what the dead have left.
import { ifGone } from '../if-gone.ts';
import { type Commit, NO_EPOCH, NoSuchWorld, RUN_ELSEWHERE } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type { ClockLock, SharedWork, Work } from '../work.ts';
import { ClockLocks } from './clock-locks.ts';
import { after, hasWork, type Known, leftIn, openIn } from './left-work.ts';
import { BEAT_MS, Living } from './living.ts';
import { fallsDue, ignoreAway } from './news.ts';
import type { RunsOptions } from './runs-options.ts';
import { StuckConnection } from './stuck-connection.ts';
import { BITE, TakeOver } from './take-over.ts';
import { whenIdle } from './when-idle.ts';

const LET_GO_MS = 10_000;

/** A world that this replica runs. */
interface Run {
  /** What was committed before it was known what is left to do. */
  readonly early: Commit[];
  /** What was committed up to there was part of that; null as long as it is not known. */
  known: Known | null;
  /** When something was last seen to do or committed, by this machine's time. */
  busyAt: number;
  readonly unwatch: () => void;
}

export class Runs implements Work {
  readonly shared: SharedWork = {
    worldsRun: () => this.#runs.size,
    whenIdle: (world, epoch, signal) => whenIdle(this.#options.store, world, epoch, signal),
    countOpen: (tx) => openIn(tx).length,
    handOver: () => this.#handOver(),
  };
  readonly #options: RunsOptions;
  readonly #living: Living;
  readonly #locks: ClockLocks;
  readonly #takeOver: TakeOver;
  readonly #report: RunsOptions['onError'];
  readonly #runs = new Map<string, Run>();
  /** In which it is to learn anew what is left to do. */
  readonly #doubtful = new Set<string>();
  readonly #listeners: ((commit: Commit) => void)[] = [];
  readonly #stopBeating: () => void;
  #beating: Promise<void> | undefined;
  #tending: Promise<void> | undefined;
  #wasAway = false;
  #problem: string | null = null;
  #hasHandedOver = false;

  constructor(options: RunsOptions) {
    const { store, connection, replica } = options;
    this.#options = options;
    this.#report = options.onError;
    const stuck = new StuckConnection(connection);
    this.#living = new Living(options);
    this.#locks = new ClockLocks({ ...options, living: this.#living });
    const isOver = (): boolean => this.#hasHandedOver;
    this.#takeOver = new TakeOver({ ...options, living: this.#living, locks: this.#locks, isOver });
    store.setRunners({
      claims: (runner) => runner !== replica && (runner === '' || this.#living.isDead(runner)),
      onRunner: (world, runner) => (runner === replica ? this.#onOwn(world) : this.#onOther(world, runner)),
      // Also where it was not the runner: that commit may have made it so, and nobody else would look.
      onDoubt: (world) => void this.#doubtful.add(world),
      letGo: () => this.#letGo(0),
    });
    this.#stopBeating = connection.time.every(BEAT_MS, () => {
      stuck.look(this.#beating !== undefined);
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    });
  }

  /** To be called before the first transaction. */
  async start(): Promise<void> {
    await this.#living.beat();
  }

  /** Whether another replica lives, as far as this one knows. */
  get hasOthers(): boolean {
    return this.#living.hasOthers;
  }

  /** Why the store refuses to work; null if it does not. */
  get problem(): string | null {
    return this.#problem;
  }

  #setProblem(reason: string | null): void {
    const had = this.#problem !== null;
    this.#problem = reason;
    if (had !== (reason !== null)) this.#options.onProblem?.(reason);
  }

  onCommit(listener: (commit: Commit) => void): void {
    this.#listeners.push(listener);
  }

  readonly lives = (process: string): boolean => !this.#living.isDead(process);

  /** What is in doubt is left to the next run: whoever went on now could send a later delivery before one that is in flight. */
  runs(world: string): boolean {
    const { store, replica } = this.#options;
    return !this.#hasHandedOver && !this.#doubtful.has(world) && store.copyOf(world)?.runner === replica;
  }

  runOf(world: string): object | undefined {
    return this.#runs.get(world);
  }

  async lockClock(world: string): Promise<ClockLock | undefined> {
    const lock = await this.#locks.lock(world);
    if (this.#hasHandedOver) await this.#living.beat(false).catch(ignoreAway);
    return lock;
  }

  #onOwn(world: string): void {
    // What the last requests leave to do is handed over like all else.
    if (this.#hasHandedOver) this.#living.beat(false).catch((error) => this.#report(error, world));
    else this.#begin(world);
  }

  /** Learns what is left to do in a world, and from then on what is committed. */
  #begin(world: string): void {
    if (this.#runs.has(world) || this.#hasHandedOver) return;
    const { store, connection } = this.#options;
    const run: Run = {
      early: [],
      known: null,
      busyAt: connection.time.elapsed(),
      unwatch: store.watch(world, (commit) => {
        run.busyAt = connection.time.elapsed();
        if (commit === null) this.#end(world, NO_EPOCH);
        else if (run.known === null) run.early.push(commit);
        else this.#tell(after(commit, run.known));
      }),
    };
    this.#runs.set(world, run);
    this.#learn(world, run).catch((error) => {
      if (this.#runs.get(world) !== run) return;
      this.#end(world);
      this.#doubtAfter(error, world);
    });
  }

  /** Begins to run a world if it names this replica. Most do not: to watch them would load all that their entries have. */
  #find(world: string): void {
    // Its end says who runs the world.
    this.#options.store.transaction(world, () => {}).catch((error) => this.#doubtAfter(error, world));
  }

  #doubtAfter(error: unknown, world: string): void {
    if (error instanceof NoSuchWorld) return;
    this.#doubtful.add(world);
    if (!(error instanceof StoreAway)) this.#report(error, world);
  }

  async #learn(world: string, run: Run): Promise<void> {
    const { store } = this.#options;
    const left = await store.transaction(world, (tx) => (this.runs(world) ? leftIn(tx) : undefined));
    if (this.#runs.get(world) !== run) return;
    if (!left) {
      this.#end(world);
      // It may have become the runner after that transaction.
      if (this.runs(world)) this.#begin(world);
      return;
    }
    run.known = left.known;
    this.#tell(left.commit);
    for (const commit of run.early.splice(0)) this.#tell(after(commit, left.known));
  }

  /** What could not be stored, or learned, while the store was away is still to be done. */
  async #beginAgain(): Promise<void> {
    if (this.#wasAway) for (const world of this.#runs.keys()) this.#doubtful.add(world);
    for (const world of [...this.#doubtful]) {
      this.#doubtful.delete(world);
      const hasRun = this.#runs.has(world);
      this.#end(world);
      if (hasRun) this.#begin(world);
      else this.#find(world);
    }
    if (!this.#wasAway) return;
    this.#wasAway = false;
    await this.#locks.unlockLeft();
    await this.#options.onReturn?.();
  }

  #onOther(world: string, runner: string): void {
    this.#end(world);
    // Here it need not be looked for.
    if (runner === '' || this.#hasHandedOver || !this.#living.isDead(runner)) return;
    this.#takeOver.of(world, runner).catch(ignoreAway);
  }

  /** Another replica runs it, or none, or it is gone. */
  #end(world: string, epoch = RUN_ELSEWHERE): void {
    const run = this.#runs.get(world);
    if (!run) return;
    this.#runs.delete(world);
    run.unwatch();
    const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: true, waited: 0 } as const;
    this.#tell({ world, epoch, appended: [], schedule: { nextAt: null, clock } });
  }

  #tell(commit: Commit): void {
    for (const listener of this.#listeners) {
      try {
        listener(commit);
      } catch (error) {
        this.#report(error, commit.world);
      }
    }
  }

  async #beat(): Promise<void> {
    try {
      if (await this.#living.beat(!this.#hasHandedOver)) this.#wasAway = true;
      this.#setProblem(null);
    } catch (error) {
      this.#wasAway = true;
      // Once, and not for each beat.
      if (!(error instanceof StoreAway) && this.#problem === null) this.#report(error, null);
      this.#setProblem(error instanceof StoreAway ? error.reason : 'Redis answers with errors, which the log has');
      return;
    }
    // Beats go on meanwhile, as others would take it for dead.
    this.#tending ??= this.#tend().finally(() => {
      this.#tending = undefined;
    });
  }

  async #tend(): Promise<void> {
    if (this.#hasHandedOver) return;
    try {
      await this.#beginAgain();
      await this.#takeOver.fromDead();
      await this.#letGo(this.#options.letGoAfter ?? LET_GO_MS);
    } catch (error) {
      if (error instanceof StoreAway) this.#wasAway = true;
      else this.#report(error, null);
    }
  }

  /** Lets go of worlds in which nothing is left to do, so that they cost nothing and need not be taken over. */
  async #letGo(after: number): Promise<void> {
    const { store, connection } = this.#options;
    const now = connection.time.elapsed();
    const idle = [...this.#runs].filter(([world, run]) => {
      const copy = store.copyOf(world);
      const isBusy = !copy || run.known === null || fallsDue(copy.world);
      if (isBusy) run.busyAt = now;
      return !isBusy && now - run.busyAt >= after;
    });
    while (idle.length > 0 && !this.#hasHandedOver)
      await Promise.all(idle.splice(0, BITE).map(([world, run]) => this.#letGoOf(world, run)));
  }

  async #letGoOf(world: string, run: Run): Promise<void> {
    const { store, connection } = this.#options;
    const looked = connection.time.elapsed();
    await store
      .transaction(world, (tx) => {
        const copy = store.copyOf(world);
        if (!copy || !this.runs(world) || this.#runs.get(world) !== run) return;
        if (hasWork(tx, copy)) run.busyAt = looked;
        else copy.runner = '';
      })
      .catch(ifGone(undefined));
  }

  async #handOver(): Promise<void> {
    if (this.#hasHandedOver) return;
    this.#hasHandedOver = true;
    this.#stopBeating();
    await this.#beating;
    await this.#tending;
    for (const world of [...this.#runs.keys()]) this.#end(world);
    await this.#living.beat(false).catch((error) => this.#report(error, null));
  }
}
