// The store in this process's memory: its worlds, one transaction at a time in each, and the limits of their journals.
import type { MemoryBudget } from '../../budget/budget.ts';
import { type SystemTime, steadyTime } from '../../clock/clock.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { JournalName, TableName } from '../../model.ts';
import { DEFAULT_MAX_CALLS } from '../bounds.ts';
import type { Appended } from '../history.ts';
import { Listeners } from '../listeners.ts';
import type { SavableStore } from '../savable-store.ts';
import {
  type Commit,
  type CoverageOfWorlds,
  type NewWorld,
  NO_EPOCH,
  NoSuchWorld,
  type PackedCounts,
  type Prepared,
  type Tx,
  type WorldChange,
  type WorldDump,
  type WorldFacts,
  type WorldListener,
} from '../store.ts';
import { Accounts } from './accounts.ts';
import { CoverageBook } from './coverage.ts';
import { prepareDraft } from './draft.ts';
import { RoomMaker } from './make-room.ts';
import { runOrWait } from './patient-fixture.ts';
import { MemoryTransaction } from './transaction.ts';
import { Uniques } from './uniques.ts';
import { type FixtureUnder, MemoryWorld } from './world.ts';

export interface MemoryStoreOptions {
  readonly fixtureView: FixtureUnder;
  /** Makes records of the fixture of a world, piece by piece; by default, who reads one makes all of them at once. */
  readonly makeRecords?: (world: string, pieces: Iterator<void>) => Promise<void>;
  /** By default, that of this machine. */
  readonly systemTime?: SystemTime;
  /** Entries kept per world and journal. */
  readonly journalLimit: number;
  /** Finished calls kept per world. */
  readonly maxCalls?: number;
  readonly budget: MemoryBudget;
  /** Called with what a listener threw; without it, that is ignored. */
  readonly onListenerError?: (error: unknown, world: string) => void;
  /** Whether the worlds note what changes in them, for `takeChanges`; false by default. */
  readonly tracksChanges?: boolean;
}

export class MemoryStore implements SavableStore {
  readonly #options: MemoryStoreOptions;
  readonly #systemTime: SystemTime;
  readonly #worlds = new Map<string, MemoryWorld>();
  readonly #uniques = new Uniques();
  readonly #listeners: Listeners;
  /** Worlds that may have changed since their changes were last taken. */
  readonly #changed = new Set<string>();
  readonly #accounts: Accounts;
  readonly #roomMaker: RoomMaker;
  readonly #coverage = new CoverageBook();

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#listeners = new Listeners(options.onListenerError);
    this.#systemTime = options.systemTime ?? steadyTime();
    this.#accounts = new Accounts(options.budget);
    this.#roomMaker = new RoomMaker(this.#accounts, this.#worlds, this.#uniques, ({ facts }) => {
      if (this.#isSaved(facts)) this.#changed.add(facts.name);
    });
  }

  async transaction<T>(name: string, body: (tx: Tx) => T, cause: string | null = null): Promise<T> {
    const world = this.#require(name);
    // A transaction that wakes the next one leaves the world locked for it.
    if (world.locked) await new Promise<void>((resolve) => world.waiting.push(resolve));
    world.locked = true;
    try {
      for (;;) {
        const tx = new MemoryTransaction(world, this.#uniques, this.#accounts, this.systemTime(), cause);
        try {
          return this.#run(world, tx, body);
        } catch (error) {
          if (!tx.fixture.isAwaited) throw error;
        }
        await this.#options.makeRecords?.(name, world.fixture.make());
      }
    } finally {
      const next = world.waiting.shift();
      if (next) next();
      else world.locked = false;
    }
  }

  #run<T>(world: MemoryWorld, tx: MemoryTransaction, body: (tx: Tx) => T): T {
    try {
      // It may have been deleted while this transaction waited for its turn.
      if (world.isGone) throw new NoSuchWorld(world.facts.name);
      const value = this.#options.makeRecords ? runOrWait(tx, body) : tx.run(body);
      if (value instanceof Promise) throw new Error('A transaction body must be synchronous.');
      this.#commit(world, tx);
      return value;
    } catch (error) {
      this.#accounts.countRefused(tx.refused);
      tx.rollBack();
      throw error;
    }
  }

  systemTime(): number {
    return this.#systemTime();
  }

  #require(name: string): MemoryWorld {
    const world = this.#worlds.get(name);
    if (!world) throw new NoSuchWorld(name);
    return world;
  }

  world(name: string): WorldFacts | undefined {
    return this.#worlds.get(name)?.facts;
  }

  worlds(): WorldFacts[] {
    return [...this.#worlds.values()].map(({ facts }) => facts);
  }

  worldCount(): number {
    return this.#worlds.size;
  }

  isFull(): boolean {
    return this.#accounts.isFull;
  }

  refusal(): ApiError {
    this.#accounts.countRefused(['records']);
    return this.#accounts.refusal('records');
  }

  async addWorld(world: NewWorld, fill?: (tx: Tx) => void): Promise<boolean> {
    if (this.#worlds.has(world.name)) return false;
    const { fixtureView, maxCalls = DEFAULT_MAX_CALLS } = this.#options;
    const added = new MemoryWorld(world, fixtureView, this.#isSaved(world), maxCalls);
    this.#worlds.set(world.name, added);
    try {
      if (fill) await this.transaction(world.name, fill);
    } catch (error) {
      this.#worlds.delete(world.name);
      this.#accounts.forget(added);
      throw error;
    }
    added.coverage ??= this.#coverage.takeBack(world.name, added.tracked);
    this.#accounts.count(added);
    this.#notify(added, [], true);
    return true;
  }

  async dropWorld(name: string): Promise<boolean> {
    const world = this.#worlds.get(name);
    if (!world) return false;
    this.#worlds.delete(name);
    this.#uniques.dropWorld(name);
    this.#coverage.keep(name, packed(world.coverage));
    this.#accounts.forget(world);
    if (this.#isSaved(world.facts)) this.#changed.add(name);
    const schedule = { nextAt: null, clock: world.state.clock };
    this.#listeners.tellAll({ world: name, epoch: NO_EPOCH, appended: [], schedule });
    this.#listeners.tellWatchers(name, null);
    return true;
  }

  prepare(name: string, fill: (tx: Tx) => Iterator<void>): Generator<void, Prepared> {
    return prepareDraft(this.#require(name), this.#accounts, this.systemTime(), this.#options.journalLimit, fill);
  }

  locate(table: TableName, unique: string): { world: string; id: string } | undefined {
    return this.#uniques.find(table, unique);
  }

  coverage(matches: (world: string) => boolean): Generator<void, CoverageOfWorlds> {
    const worlds = [...this.#worlds.values()].map(({ facts, coverage }) => [facts.name, coverage] as const);
    return this.#coverage.sum(worlds, matches);
  }

  undumpedCoverage(): Record<string, PackedCounts> {
    const auto = [...this.#worlds.values()].filter(({ facts }) => facts.origin === 'auto');
    return Object.fromEntries([
      ...this.#coverage.gone,
      ...auto.map(({ facts, coverage }) => [facts.name, packed(coverage)] as const),
    ]);
  }

  restoreCoverage(name: string, counts: PackedCounts): void {
    const world = this.#worlds.get(name);
    if (world) world.coverage = this.#coverage.unpacked(counts, world.tracked);
    else this.#coverage.keep(name, counts);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#listeners.onCommit(listener);
  }

  watch(world: string, listener: WorldListener): () => void {
    return this.#listeners.watch(world, listener);
  }

  dump(name: string, systemTime: number): Promise<WorldDump> {
    return this.transaction(name, () => this.#require(name).dump(systemTime));
  }

  dumpAll(systemTime: number): WorldDump[] {
    const saved = [...this.#worlds.values()].filter(({ facts }) => facts.origin !== 'auto');
    return saved.map((world) => world.dump(systemTime));
  }

  takeChanges(systemTime: number): ReadonlyMap<string, WorldChange> {
    const changes = new Map<string, WorldChange>();
    for (const name of this.#changed) {
      const world = this.#worlds.get(name);
      // A world created on first use may have taken the name of one that was saved.
      changes.set(name, world && this.#isSaved(world.facts) ? world.takeChange(systemTime) : null);
    }
    this.#changed.clear();
    return changes;
  }

  #isSaved({ origin }: WorldFacts): boolean {
    return this.#options.tracksChanges === true && origin !== 'auto';
  }

  #commit(world: MemoryWorld, tx: MemoryTransaction): void {
    this.#trimJournals(world, tx.appended);
    if (tx.scheduleChanged) world.schedule.compact();
    if (tx.covered.length > 0) {
      world.coverage = this.#coverage.count(world.coverage, tx.covered, world.tracked);
      if (world.tracked) this.#changed.add(world.facts.name);
    }
    this.#accounts.count(world);
    if (tx.refused.length > 0) this.#accounts.countRefused(tx.refused);
    this.#roomMaker.makeRoom();
    // Every write can be undone: nothing to undo means that nothing was written.
    if (tx.undo.length === 0 && !tx.scheduleChanged) return;
    this.#notify(world, tx.appended, tx.scheduleChanged);
  }

  #notify({ facts, schedule, state }: MemoryWorld, appended: readonly Appended[], scheduleChanged: boolean): void {
    const next = scheduleChanged ? { nextAt: schedule.peek()?.at ?? null, clock: state.clock } : null;
    if (this.#isSaved(facts)) this.#changed.add(facts.name);
    this.#listeners.tell({ world: facts.name, epoch: state.epoch, appended, schedule: next });
  }

  /** Keeps the journals that were appended to at their limit. */
  #trimJournals(world: MemoryWorld, appended: readonly Appended[]): void {
    const { journals: share } = this.#options.budget.shares;
    let trimmed: JournalName | undefined;
    for (const { journal } of appended) {
      // Very many may follow one another.
      if (journal !== trimmed) share.dropped += world.journals.of(journal).trim(this.#options.journalLimit);
      trimmed = journal;
    }
  }
}

const packed = (counts: ReadonlyMap<string, number> | null): PackedCounts => [...(counts ?? [])].flat();
