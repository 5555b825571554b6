// The worlds whose timed tasks and deliveries this replica does. A world names its runner itself, and a transaction that
// does the runner's work checks the name, so a commit decides who is: that one replica is thought dead by another does no
// harm but to send again what is in flight.
import { ifGone } from '../if-gone.ts';
import { type Commit, NoSuchWorld } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type { ClockLock, SharedWork, Work } from '../work.ts';
import { ClockLocks } from './clock-locks.ts';
import type { Connection } from './connection.ts';
import { after, leftIn, openIn } from './left-work.ts';
import { BEAT_MS, Living } from './living.ts';
import { ignoreAway } from './news.ts';
import type { RedisStore } from './store.ts';

/** How many worlds of a dead replica one that lives takes over at a time, so that all get some. */
const BITE = 16;

export interface RunsOptions {
  readonly store: RedisStore;
  readonly connection: Connection;
  readonly prefix: string;
  readonly replica: string;
  readonly onError: (error: unknown, world: string | null) => void;
}

/** A world that this replica runs. */
interface Run {
  /** What was committed before it was known what is left to do. */
  readonly early: Commit[];
  /** What was appended up to there was part of that; null as long as it is not known. */
  known: number | null;
  readonly unwatch: () => void;
}

export class Runs implements Work {
  readonly shared: SharedWork = {
    worldsRun: () => this.#runs.size,
    whenIdle: (world, epoch) => this.#whenIdle(world, epoch),
    countOpen: (tx) => openIn(tx).length,
    handOver: () => this.#handOver(),
  };
  readonly #options: RunsOptions;
  readonly #living: Living;
  readonly #locks: ClockLocks;
  readonly #runs = new Map<string, Run>();
  /** In which it is to learn anew what is left to do. */
  readonly #doubtful = new Set<string>();
  readonly #listeners: ((commit: Commit) => void)[] = [];
  readonly #endListeners: ((world: string) => void)[] = [];
  readonly #stopBeating: () => void;
  #beating: Promise<void> | undefined;
  #wasAway = false;
  /** Why the store refuses to work; null if it does not. */
  problem: string | null = null;
  #hasHandedOver = false;

  constructor(options: RunsOptions) {
    const { store, connection, replica } = options;
    this.#options = options;
    this.#living = new Living(options);
    this.#locks = new ClockLocks({ ...options, living: this.#living });
    store.setRunners({
      claims: (runner) => runner !== replica && (runner === '' || this.#living.isDead(runner)),
      beforeClaim: (world) => this.#note(world),
      onRunner: (world, runner) => (runner === replica ? this.#begin(world) : this.#onOther(world, runner)),
      onDoubt: (world) => {
        if (this.#runs.has(world)) this.#doubtful.add(world);
      },
    });
    this.#stopBeating = connection.time.every(BEAT_MS, () => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    });
  }

  /** To be called before the first transaction. */
  start(): Promise<void> {
    return this.#living.beat();
  }

  onCommit(listener: (commit: Commit) => void): void {
    this.#listeners.push(listener);
  }

  onEnd(listener: (world: string) => void): void {
    this.#endListeners.push(listener);
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
    // Whoever takes over what this one did finds the clock that it has stopped.
    await this.#note(world);
    return this.#locks.lock(world);
  }

  /** Notes that this replica runs a world, for those who take over from it. */
  async #note(world: string): Promise<void> {
    const { connection, replica } = this.#options;
    await connection.command('SADD', [this.#listOf(replica), world]);
    // What the last requests leave to do is handed over like all else.
    if (this.#hasHandedOver) await this.#living.beat(false);
  }

  #listOf = (replica: string): string => `${this.#options.prefix}:runs:${replica}`;

  /** Learns what is left to do in a world, and from then on what is committed. */
  #begin(world: string): void {
    if (this.#runs.has(world) || this.#hasHandedOver) return;
    const run: Run = {
      early: [],
      known: null,
      unwatch: this.#options.store.watch(world, (commit) => {
        if (commit === null) this.#end(world);
        else if (run.known === null) run.early.push(commit);
        else this.#tell(after(commit, run.known));
      }),
    };
    this.#runs.set(world, run);
    this.#learn(world, run).catch((error) => {
      this.#end(world);
      if (error instanceof NoSuchWorld) return;
      this.#doubtful.add(world);
      if (!(error instanceof StoreAway)) this.#report(error, world);
    });
  }

  async #learn(world: string, run: Run): Promise<void> {
    const { store } = this.#options;
    const left = await store.transaction(world, (tx) => (this.runs(world) ? leftIn(tx) : undefined));
    if (this.#runs.get(world) !== run) return;
    if (!left) return this.#end(world);
    run.known = left.known;
    this.#tell(left.commit);
    for (const commit of run.early.splice(0)) this.#tell(after(commit, left.known));
  }

  /** What could not be stored, or learned, while the store was away is still to be done. */
  async #beginAgain(): Promise<void> {
    if (this.#wasAway) for (const world of this.#runs.keys()) this.#doubtful.add(world);
    for (const world of [...this.#doubtful]) {
      this.#doubtful.delete(world);
      this.#end(world);
      this.#begin(world);
    }
    if (this.#wasAway) await this.#locks.unlockLeft();
    this.#wasAway = false;
  }

  #onOther(world: string, runner: string): void {
    this.#end(world);
    // A failover may have lost the note of a world, and left what was committed after it.
    if (runner === '' || this.#hasHandedOver || !this.#living.isDead(runner)) return;
    this.#takeOver(world, runner).catch(ignoreAway);
  }

  /** Another replica runs it, or none. */
  #end(world: string): void {
    const run = this.#runs.get(world);
    if (!run) return;
    this.#runs.delete(world);
    run.unwatch();
    for (const listener of this.#endListeners) listener(world);
    const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: true, waited: 0 } as const;
    this.#tell({ world, epoch: 0, appended: [], schedule: { nextAt: null, clock } });
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
      await this.#living.beat(!this.#hasHandedOver);
      this.problem = null;
      if (this.#hasHandedOver) return;
      await this.#beginAgain();
      for (const replica of this.#living.dead()) await this.#takeOverFrom(replica);
    } catch (error) {
      this.#wasAway = true;
      if (error instanceof StoreAway) this.problem = error.reason;
      else this.#report(error, null);
    }
  }

  async #takeOverFrom(replica: string): Promise<void> {
    const { connection } = this.#options;
    const list = this.#listOf(replica);
    const worlds = await connection.command('SRANDMEMBER', [list, BITE]);
    if (!Array.isArray(worlds) || worlds.length === 0) return this.#living.forget(replica);
    await Promise.all(worlds.map((world) => this.#takeOver(String(world), replica)));
  }

  async #takeOver(world: string, from: string): Promise<void> {
    const { store, connection, replica } = this.#options;
    await store
      .transaction(world, (tx) => {
        const copy = store.copyOf(world);
        if (copy?.runner === from || copy?.runner === '') copy.runner = replica;
        // Its clock would stand still forever if the one who has stopped it is gone.
        this.#locks.unlockIfFree(tx);
      })
      .catch(ifGone(undefined));
    await connection.command('SREM', [this.#listOf(from), world]);
  }

  /** Whoever sends them says so in the world. */
  async #whenIdle(world: string, epoch: number): Promise<void> {
    const { store } = this.#options;
    let changed = (): void => {};
    let hasChanged = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const unwatch = store.watch(world, () => changed());
    try {
      while (await store.transaction(world, (tx) => tx.state('epoch') === epoch && openIn(tx).length > 0)) {
        await hasChanged;
        hasChanged = new Promise((resolve) => {
          changed = resolve;
        });
      }
    } catch (error) {
      if (!(error instanceof NoSuchWorld)) throw error;
    } finally {
      unwatch();
    }
  }

  async #handOver(): Promise<void> {
    if (this.#hasHandedOver) return;
    this.#hasHandedOver = true;
    this.#stopBeating();
    await this.#beating;
    for (const world of [...this.#runs.keys()]) this.#end(world);
    await this.#living.beat(false).catch((error) => this.#report(error, null));
  }

  #report(error: unknown, world: string | null): void {
    this.#options.onError(error, world);
  }
}
