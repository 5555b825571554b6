// The store in Redis: any number of replicas serve the same worlds. Each keeps copies of the worlds that it serves, on which
// transactions run at the speed of memory; one commit in Redis ends all that waited together. Not offered to users yet:
// timed tasks and deliveries have no runner, and what other replicas commit is seen at the next transaction.
import { type SystemTime, steadyTime } from '../../clock/clock.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TableName } from '../../model.ts';
import { DEFAULT_MAX_CALLS } from '../bounds.ts';
import { Accounts } from '../memory/accounts.ts';
import { prepareDraft } from '../memory/draft.ts';
import { MemoryWorld } from '../memory/world.ts';
import {
  type Commit,
  type CoverageOfWorlds,
  type NewWorld,
  NoSuchWorld,
  type Prepared,
  type Store,
  type Tx,
  type WorldDump,
  type WorldFacts,
} from '../store.ts';
import { Copy, coveredBy, type Ended, type Waiting } from './copy.ts';
import { applyField, fieldsOf, nothingTold, stateIn } from './fields.ts';
import { createKeys } from './keys.ts';
import { NotedUniques } from './noted-uniques.ts';
import type { RedisStoreOptions } from './options.ts';
import { type Loaded, type Owner, RemoteWorlds } from './remote-worlds.ts';

/** The transactions that one commit ends at most. */
const GROUP = 64;

export class RedisStore implements Store {
  readonly #options: RedisStoreOptions;
  readonly #remote: RemoteWorlds;
  readonly #systemTime: SystemTime;
  readonly #accounts: Accounts;
  readonly #uniques = new NotedUniques();
  readonly #copies = new Map<string, Copy>();
  readonly #loading = new Map<string, Promise<Copy>>();
  readonly #listeners = new Set<(commit: Commit) => void>();
  #commits = 0;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#remote = new RemoteWorlds(options.connection, createKeys(options.prefix));
    this.#systemTime = options.systemTime ?? steadyTime();
    this.#accounts = new Accounts(options.budget);
  }

  systemTime(): number {
    return this.#systemTime();
  }

  async transaction<T>(name: string, body: (tx: Tx) => T, cause: string | null = null): Promise<T> {
    const copy = this.#copies.get(name) ?? (await this.#load(name));
    return new Promise<T>((resolve, reject) => {
      // What it resolves with is what the body has returned.
      copy.waiting.push({ body, cause, resolve: resolve as (value: unknown) => void, reject });
      if (!copy.isRunning) void this.#work(copy);
    });
  }

  /** Runs what waits for a world, group by group. */
  async #work(copy: Copy): Promise<void> {
    copy.isRunning = true;
    for (let group = copy.waiting.splice(0, GROUP); group.length > 0; group = copy.waiting.splice(0, GROUP)) {
      try {
        await this.#runGroup(copy, group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      if (this.#copies.get(copy.world.facts.name) !== copy) break;
    }
    copy.isRunning = false;
    // What still waits for a copy that is no longer kept runs on the one that takes its place.
    for (const { body, cause, resolve, reject } of copy.waiting.splice(0)) {
      this.transaction(copy.world.facts.name, body, cause).then(resolve, reject);
    }
  }

  async #runGroup(copy: Copy, group: readonly Waiting[]): Promise<void> {
    const { name } = copy.world.facts;
    for (;;) {
      const ended = copy.run(group, this.#systemTime());
      const result = await this.#commit(copy, ended).catch((error) => {
        // Whether it has happened is not known: what is in Redis is.
        this.#forget(copy);
        throw error;
      });
      if (result.status === 'ok') {
        copy.settle(result.version);
        await this.#releaseUniques(name);
        this.#end(copy, group, ended);
        return;
      }
      copy.undo(ended);
      if (result.status === 'behind') this.#catchUp(copy, result.missed, result.version);
      else {
        // On the next copy, before everything that waits.
        this.#forget(copy);
        copy.waiting.unshift(...group);
        return;
      }
    }
  }

  async #commit(copy: Copy, ended: readonly Ended[]) {
    const { name } = copy.world.facts;
    const changes = copy.changesOf(ended);
    await this.#claimUniques(name);
    return this.#remote.commit(name, copy, this.#newId(), changes);
  }

  #newId(): string {
    this.#commits += 1;
    return `${this.#options.replica}-${this.#commits}`;
  }

  /** Takes over what other replicas have committed. */
  #catchUp(copy: Copy, missed: readonly (readonly [string, string | null])[], version: number): void {
    for (const [field, value] of missed) applyField(copy.world, field, value);
    // It is in Redis already.
    copy.world.takeChange(0);
    copy.claimUniques();
    this.#uniques.takeTouched(copy.world.facts.name);
    copy.settle(version);
    this.#notify(copy, [], true);
  }

  #end(copy: Copy, group: readonly Waiting[], ended: readonly Ended[]): void {
    for (const [index, { tx, outcome }] of ended.entries()) {
      this.#accounts.countRefused(tx.refused);
      if (tx.undo.length > 0 || tx.scheduleChanged) this.#notify(copy, tx.appended, tx.scheduleChanged);
      const waiting = group[index];
      if ('error' in outcome) waiting?.reject(outcome.error);
      else waiting?.resolve(outcome.value);
    }
  }

  #notify({ world }: Copy, appended: Commit['appended'], scheduleChanged: boolean): void {
    const { facts, schedule, state } = world;
    const next = scheduleChanged ? { nextAt: schedule.peek()?.at ?? null, clock: state.clock } : null;
    const commit = { world: facts.name, epoch: state.epoch, appended, schedule: next };
    for (const listener of this.#listeners) {
      try {
        listener(commit);
      } catch (error) {
        this.#options.onListenerError?.(error, facts.name);
      }
    }
  }

  #forget(copy: Copy): void {
    const { name } = copy.world.facts;
    if (this.#copies.get(name) === copy) this.#copies.delete(name);
    this.#uniques.dropWorld(name);
    this.#uniques.takeTouched(name);
    this.#accounts.forget(copy.world);
  }

  /** A value is found before its record is there, rather than after; who finds it looks for the record. */
  async #claimUniques(name: string): Promise<void> {
    for (const { table, value } of this.#uniques.touchedBy(name)) {
      const owner = this.#uniques.find(table, value);
      if (owner) await this.#remote.setOwner(table, value, owner);
    }
  }

  async #releaseUniques(name: string): Promise<void> {
    for (const { table, value } of this.#uniques.takeTouched(name)) {
      if (!this.#uniques.find(table, value)) await this.#remote.setOwner(table, value, undefined);
    }
  }

  /** Loads a copy of a world, once for all who ask meanwhile. Rejects with NoSuchWorld. */
  #load(name: string): Promise<Copy> {
    const loading = this.#loading.get(name);
    if (loading) return loading;
    const load = this.#loadNow(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, load);
    return load;
  }

  async #loadNow(name: string): Promise<Copy> {
    const loaded = await this.#remote.load(name);
    if (!loaded) throw new NoSuchWorld(name);
    const copy = this.#copyFrom(loaded);
    this.#copies.set(name, copy);
    return copy;
  }

  #copyFrom({ facts, incarnation, version, fields }: Loaded): Copy {
    const world = this.#newWorld({ ...facts, ...stateIn(fields) });
    for (const [field, value] of fields) applyField(world, field, value);
    world.takeChange(0);
    const copy = this.#newCopy(world, incarnation, version);
    copy.claimUniques();
    this.#uniques.takeTouched(facts.name);
    this.#accounts.count(world);
    return copy;
  }

  #newWorld(world: NewWorld): MemoryWorld {
    const { fixtureView, maxCalls = DEFAULT_MAX_CALLS } = this.#options;
    return new MemoryWorld(world, fixtureView, true, maxCalls);
  }

  #newCopy(world: MemoryWorld, incarnation: string, version: number): Copy {
    const parts = { uniques: this.#uniques, accounts: this.#accounts, journalLimit: this.#options.journalLimit };
    return new Copy(world, incarnation, version, parts);
  }

  async addWorld(facts: NewWorld, fill?: (tx: Tx) => void): Promise<boolean> {
    const { name } = facts;
    if (this.#copies.has(name)) return false;
    const incarnation = this.#newId();
    const copy = this.#newCopy(this.#newWorld(facts), incarnation, 1);
    try {
      const body = (tx: Tx): void => fill?.(tx);
      const ended = copy.run([{ body, cause: null, resolve: () => {}, reject: () => {} }], this.#systemTime());
      for (const { outcome } of ended) if ('error' in outcome) throw outcome.error;
      const covered = coveredBy(ended);
      const fields = fieldsOf(copy.world, copy.world.takeChange(0), nothingTold());
      await this.#claimUniques(name);
      if (!(await this.#remote.add(copy.world.facts, incarnation, incarnation, { ...fields, covered }))) {
        this.#forget(copy);
        return false;
      }
    } catch (error) {
      this.#forget(copy);
      throw error;
    }
    this.#copies.set(name, copy);
    copy.settle(1);
    this.#uniques.takeTouched(name);
    this.#notify(copy, [], true);
    return true;
  }

  async dropWorld(name: string): Promise<boolean> {
    const copy = this.#copies.get(name) ?? (await this.#load(name).catch(undefinedIfGone));
    if (!copy) return false;
    const owned = copy.uniqueValues();
    if (!(await this.#remote.drop(name, copy.incarnation))) return false;
    for (const { table, value } of owned) await this.#remote.setOwner(table, value, undefined);
    this.#forget(copy);
    this.#notify(copy, [], true);
    return true;
  }

  prepare(name: string, fill: (tx: Tx) => Iterator<void>): Iterator<void, Prepared> {
    const copy = this.#copies.get(name);
    if (!copy) throw new NoSuchWorld(name);
    return prepareDraft(copy.world, this.#accounts, this.#systemTime(), fill);
  }

  async locate(table: TableName, unique: string): Promise<Owner | undefined> {
    return this.#uniques.find(table, unique) ?? this.#remote.owner(table, unique);
  }

  async world(name: string): Promise<WorldFacts | undefined> {
    return this.#copies.get(name)?.world.facts ?? this.#remote.facts(name);
  }

  worlds(): Promise<WorldFacts[]> {
    return this.#remote.all();
  }

  async worldCount(): Promise<number> {
    return (await this.worlds()).length;
  }

  isFull(): boolean {
    return this.#accounts.isFull;
  }

  refusal(): ApiError {
    this.#accounts.countRefused(['records']);
    return this.#accounts.refusal('records');
  }

  coverage(matches: (world: string) => boolean): Promise<CoverageOfWorlds> {
    return this.#remote.coverage(matches);
  }

  dump(name: string, systemTime: number): Promise<WorldDump> {
    return this.transaction(name, (tx) => ({ ...tx.dump(), systemTime }));
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof NoSuchWorld)) throw error;
}
