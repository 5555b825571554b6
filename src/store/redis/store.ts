// The store in Redis: any number of replicas serve the same worlds. Each keeps copies of the worlds that it serves, on which
// transactions run at the speed of memory; one commit in Redis ends all that waited together.
import type { SystemTime } from '../../clock/clock.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TableName } from '../../model.ts';
import { ifGone } from '../if-gone.ts';
import { Listeners } from '../listeners.ts';
import { prepareDraft } from '../memory/draft.ts';
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
  type WorldListener,
} from '../store.ts';
import { Copies } from './copies.ts';
import type { Copy, Ended, Place, Waiting } from './copy.ts';
import { createKeys } from './keys.ts';
import { commitOf, ignoreAway, leavesWork } from './news.ts';
import type { RedisStoreOptions, RunnerHooks } from './options.ts';
import { type Owner, RemoteWorlds } from './remote-worlds.ts';
import { Watches } from './watches.ts';

/** The transactions that one commit ends at most. */
const GROUP = 64;

export class RedisStore implements Store {
  readonly #options: RedisStoreOptions;
  readonly #remote: RemoteWorlds;
  readonly #systemTime: SystemTime;
  readonly #copies: Copies;
  readonly #listeners: Listeners;
  readonly #watches: Watches;
  #commits = 0;
  #runners: RunnerHooks | undefined;

  constructor(options: RedisStoreOptions) {
    const { connection } = options;
    const keys = createKeys(options.prefix);
    this.#options = options;
    this.#listeners = new Listeners(options.onListenerError);
    this.#remote = new RemoteWorlds(connection, keys);
    this.#systemTime = options.systemTime ?? (() => connection.clock.now());
    this.#copies = new Copies(options, this.#remote, this.#systemTime, (copy) => this.#tell(copy));
    this.#watches = new Watches({
      connection,
      keys,
      listeners: this.#listeners,
      copyOf: (world) => this.#copies.get(world),
      refresh: (world) => this.transaction(world, () => {}),
      onError: (error, world) => options.onListenerError?.(error, world),
    });
  }

  /** From now on, worlds with work to do get a runner. */
  setRunners(hooks: RunnerHooks): void {
    this.#runners = hooks;
  }

  /** The copy of a world, if there is one here; within a transaction of that world, the one on which it runs. */
  copyOf(world: string): Copy | undefined {
    return this.#copies.get(world);
  }

  systemTime(): number {
    return this.#systemTime();
  }

  async transaction<T>(name: string, body: (tx: Tx) => T, cause: string | null = null): Promise<T> {
    const copy = this.#copies.get(name) ?? (await this.#copies.load(name));
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
      if (!this.#copies.isKept(copy)) break;
    }
    copy.isRunning = false;
    // What still waits for a copy that is no longer kept runs on the one that takes its place.
    for (const { body, cause, resolve, reject } of copy.waiting.splice(0)) {
      this.transaction(copy.world.facts.name, body, cause).then(resolve, reject);
    }
  }

  async #runGroup(copy: Copy, group: readonly Waiting[]): Promise<void> {
    for (let isLook = copy.isShared; ; isLook = false) {
      const ended = copy.run(isLook ? [] : group, this.#systemTime());
      this.#claim(copy, ended);
      const result = await this.#commit(copy, ended).catch((error) => {
        // Whether it has happened is not known: what is in Redis is.
        this.#doubt(copy);
        throw error;
      });
      if (result.status === 'ok') {
        copy.settle(result.at);
        if (isLook) {
          copy.isShared = false;
          continue;
        }
        await this.#releaseUniques(copy);
        this.#end(copy, group, ended);
        this.#tellRunner(copy);
        return;
      }
      copy.undo(ended);
      if (result.status === 'behind') {
        copy.isShared = true;
        this.#catchUp(copy, result.missed, result.at);
      } else {
        // On the next copy, before everything that waits.
        this.#doubt(copy);
        copy.waiting.unshift(...group);
        return;
      }
    }
  }

  #doubt(copy: Copy): void {
    this.#copies.forget(copy);
    this.#runners?.onDoubt(copy.world.facts.name);
  }

  /** A commit that leaves work to do in a world without a living runner makes this replica the runner. */
  #claim(copy: Copy, ended: readonly Ended[]): void {
    if (this.#runners?.claims(copy.runner) && leavesWork(copy, ended)) copy.runner = this.#options.replica;
  }

  #tell(copy: Copy): void {
    this.#watches.tell(copy);
    this.#tellRunner(copy);
  }

  #tellRunner(copy: Copy): void {
    this.#runners?.onRunner(copy.world.facts.name, copy.runner);
  }

  async #commit(copy: Copy, ended: readonly Ended[]) {
    const changes = copy.changesOf(ended);
    if (copy.changesRunner) await this.#runners?.beforeClaim(copy.world.facts.name);
    await this.#claimUniques(copy);
    return this.#remote.commit(copy.world.facts.name, copy, this.#newId(), changes);
  }

  #newId(): string {
    this.#commits += 1;
    return `${this.#options.replica}-${this.#commits}`;
  }

  /** Takes over what other replicas have committed. */
  #catchUp(copy: Copy, missed: readonly (readonly [string, string | null])[], at: Place): void {
    for (const [field, value] of missed) copy.apply(field, value);
    // It is in Redis already.
    copy.world.takeChange(0);
    copy.claimUniques();
    this.#copies.uniques.settle(copy.world.facts.name);
    copy.settle(at);
    this.#listeners.tellAll(commitOf(copy, [], true));
    this.#tell(copy);
  }

  #end(copy: Copy, group: readonly Waiting[], ended: readonly Ended[]): void {
    for (const [index, { tx, outcome }] of ended.entries()) {
      this.#copies.accounts.countRefused(tx.refused);
      if (tx.undo.length > 0 || tx.scheduleChanged)
        this.#listeners.tell(commitOf(copy, tx.appended, tx.scheduleChanged));
      const waiting = group[index];
      if ('error' in outcome) waiting?.reject(outcome.error);
      else waiting?.resolve(outcome.value);
    }
    this.#watches.hasTold(copy);
  }

  async #claimUniques({ world, incarnation, at: { version } }: Copy): Promise<void> {
    const claimed = this.#copies.uniques.claimedBy(world.facts.name);
    if (claimed.length > 0) await this.#remote.claim(claimed, { incarnation, version: version + 1 });
  }

  /** What is released stays findable if this fails, which does no harm: who finds it looks for the record. */
  async #releaseUniques({ world, incarnation, at: { version } }: Copy): Promise<void> {
    const released = this.#copies.uniques.settle(world.facts.name);
    if (released.length > 0) await this.#remote.release(released, { incarnation, version }).catch(ignoreAway);
  }

  async addWorld(facts: NewWorld, fill?: (tx: Tx) => void): Promise<boolean> {
    const { name } = facts;
    if (await this.#remote.facts(name)) return false;
    const stale = this.#copies.get(name);
    if (stale) this.#copies.forget(stale);
    const incarnation = this.#newId();
    const copy = this.#copies.create(facts, incarnation, { version: 0, tip: '' });
    const filling = { body: (tx: Tx) => fill?.(tx), cause: null, resolve: () => {}, reject: () => {} };
    const ended = copy.run([filling], this.#systemTime());
    try {
      for (const { outcome } of ended) if ('error' in outcome) throw outcome.error;
      const changes = copy.changesOf(ended, true);
      await this.#claimUniques(copy);
      if (!(await this.#remote.add(copy.world.facts, incarnation, incarnation, changes))) {
        this.#copies.discard(copy, ended);
        return false;
      }
    } catch (error) {
      this.#copies.discard(copy, ended);
      throw error;
    }
    this.#copies.uniques.settle(name);
    copy.settle({ version: 1, tip: incarnation });
    this.#copies.keep(copy);
    this.#listeners.tellAll(commitOf(copy, [], true));
    this.#watches.tell(copy);
    return true;
  }

  async dropWorld(name: string): Promise<boolean> {
    // As fresh as can be, so that it has all unique values.
    const exists = await this.transaction(name, () => true).catch(ifGone(false));
    const copy = exists ? this.#copies.get(name) : undefined;
    if (!copy) return false;
    const owned = copy.uniqueValues();
    if (!(await this.#remote.drop(name, copy.incarnation))) return false;
    const everyVersion = { incarnation: copy.incarnation, version: Number.MAX_SAFE_INTEGER };
    await this.#remote.release(owned, everyVersion).catch(ignoreAway);
    this.#copies.forget(copy);
    this.#listeners.tellAll(commitOf(copy, [], true));
    this.#watches.tellGone(name);
    return true;
  }

  prepare(name: string, fill: (tx: Tx) => Iterator<void>): Iterator<void, Prepared> {
    const copy = this.#copies.get(name);
    if (!copy) throw new NoSuchWorld(name);
    return prepareDraft(copy.world, this.#copies.accounts, this.#systemTime(), fill);
  }

  async locate(table: TableName, unique: string): Promise<Owner | undefined> {
    return this.#copies.uniques.find(table, unique) ?? this.#remote.owner(table, unique);
  }

  async world(name: string): Promise<WorldFacts | undefined> {
    return this.#copies.get(name)?.world.facts ?? this.#remote.facts(name);
  }

  worlds(): Promise<WorldFacts[]> {
    return this.#remote.all();
  }

  worldCount(): Promise<number> {
    return this.#remote.count();
  }

  /** When a world was last written to, in system time, by whichever replica; undefined if it does not exist. */
  lastUsed(name: string): Promise<number | undefined> {
    return this.#remote.lastUsed(name);
  }

  /** The latest epoch of a world that any replica has deleted. */
  goneEpoch(name: string): Promise<number | undefined> {
    return this.#remote.goneEpoch(name);
  }

  isFull(): boolean {
    return this.#copies.accounts.isFull;
  }

  refusal(): ApiError {
    this.#copies.accounts.countRefused(['records']);
    return this.#copies.accounts.refusal('records');
  }

  coverage(matches: (world: string) => boolean): Promise<CoverageOfWorlds> {
    return this.#remote.coverage(matches);
  }

  dump(name: string, systemTime: number): Promise<WorldDump> {
    return this.transaction(name, (tx) => ({ ...tx.dump(), systemTime }));
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#listeners.onCommit(listener);
  }

  watch(world: string, listener: WorldListener): () => void {
    return this.#watches.watch(world, listener);
  }
}
