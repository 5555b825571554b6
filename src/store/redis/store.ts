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
  NO_EPOCH,
  NoSuchWorld,
  type Prepared,
  type Store,
  type Tx,
  type WorldDump,
  type WorldFacts,
  type WorldListener,
} from '../store.ts';
import { Committer } from './committer.ts';
import type { Connection } from './connection.ts';
import { Copies } from './copies.ts';
import { type Copy, unawaited } from './copy.ts';
import { createKeys, type Keys } from './keys.ts';
import { RoomMaker } from './make-room.ts';
import { commitOf, ignoreAway } from './news.ts';
import type { RedisStoreOptions, RunnerHooks } from './options.ts';
import { readCoverage } from './remote-coverage.ts';
import { RemoteParts } from './remote-parts.ts';
import { type Held, type Owner, RemoteWorlds } from './remote-worlds.ts';
import { Watches } from './watches.ts';

export class RedisStore implements Store {
  readonly #connection: Connection;
  readonly #keys: Keys;
  readonly #remote: RemoteWorlds;
  readonly #systemTime: SystemTime;
  readonly #journalLimit: number;
  readonly #copies: Copies;
  readonly #listeners: Listeners;
  readonly #watches: Watches;
  readonly #committer: Committer;
  #runners: RunnerHooks | undefined;

  constructor(options: RedisStoreOptions) {
    const { connection, replica } = options;
    const keys = createKeys(options.prefix, options.shards);
    this.#connection = connection;
    this.#journalLimit = options.journalLimit;
    this.#keys = keys;
    this.#listeners = new Listeners(options.onListenerError);
    this.#remote = new RemoteWorlds(connection, keys);
    this.#systemTime = options.systemTime ?? (() => connection.clock.now());
    this.#copies = new Copies(options, {
      remote: this.#remote,
      newRef: () => this.#committer.newId(),
      systemTime: this.#systemTime,
      isWatched: (world) => this.#watches.isWatched(world),
      onLoad: (copy) => this.#tell(copy),
    });
    this.#watches = new Watches({
      connection,
      keys,
      listeners: this.#listeners,
      copyOf: (world) => this.#copies.get(world),
      refresh: (world) => this.transaction(world, () => {}),
      onError: (error, world) => options.onListenerError?.(error, world),
    });
    this.#committer = new Committer({
      replica,
      copies: this.#copies,
      remote: this.#remote,
      remoteParts: new RemoteParts(connection, keys, this.#copies.slices),
      listeners: this.#listeners,
      systemTime: this.#systemTime,
      makeRecords: options.makeRecords,
      runners: () => this.#runners,
      again: (world, body, cause) => this.transaction(world, body, cause),
      onTakenOver: (copy) => this.#tell(copy),
      onTold: (copy) => this.#watches.hasTold(copy),
      makeRoom: () => roomMaker.makeRoom(),
    });
    const roomMaker = new RoomMaker({
      copies: this.#copies,
      transaction: (world, body) => this.transaction(world, body),
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
    return this.#committer.run(copy, body, cause);
  }

  #tell(copy: Copy): void {
    this.#watches.tell(copy);
    this.#runners?.onRunner(copy.world.facts.name, copy.runner);
  }

  async addWorld(facts: NewWorld, fill?: (tx: Tx) => void): Promise<boolean> {
    const { name } = facts;
    if (await this.#remote.facts(name)) return false;
    const stale = this.#copies.get(name);
    if (stale) this.#copies.noteGone(stale);
    const incarnation = this.#committer.newId();
    const copy = this.#copies.create(facts, incarnation, { version: 0, tip: '' });
    const ended = copy.run([unawaited((tx) => fill?.(tx))], this.#systemTime());
    try {
      for (const { outcome } of ended) if ('error' in outcome) throw outcome.error;
      // Others may have added it: what it writes in parts before would stay for a while.
      const { changes, pieces } = copy.replacementBy(ended, null);
      while (!pieces.next().done) {}
      await this.#committer.claimUniques(copy);
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
    this.#listeners.tellAll({ ...commitOf(copy, [], true), epoch: NO_EPOCH });
    this.#watches.tellGone(name);
    return true;
  }

  prepare(name: string, fill: (tx: Tx) => Iterator<void>): Iterator<void, Prepared> {
    const copy = this.#copies.get(name);
    if (!copy) throw new NoSuchWorld(name);
    return prepareDraft(copy.world, this.#copies.accounts, this.#systemTime(), this.#journalLimit, fill);
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

  /** The worlds for which replicas do something, by shard. */
  held(): Promise<readonly (readonly Held[])[]> {
    return this.#remote.held();
  }

  worldCount(): Promise<number> {
    return this.#remote.count();
  }

  /** When a world was last written to, in system time, by whichever replica; undefined if it does not exist. */
  lastUsed(name: string): Promise<number | undefined> {
    return this.#remote.lastUsed(name);
  }

  /** The latest epoch of a world that any replica has deleted, or that is gone with all that Redis had. */
  async goneEpoch(name: string): Promise<number | undefined> {
    const noted = this.#copies.goneEpoch(name);
    const deleted = await this.#remote.goneEpoch(name);
    return noted === undefined ? deleted : Math.max(noted, deleted ?? 0);
  }

  /** Worlds stay in Redis whose copies go, so only what is watched or in use takes the memory of another world. */
  async isFull(): Promise<boolean> {
    if (!this.#copies.makeRoom()) return false;
    await this.#runners?.letGo();
    return this.#copies.makeRoom();
  }

  refusal(): ApiError {
    return this.#copies.refusal();
  }

  async coverage(matches: (world: string) => boolean): Promise<Iterator<void, CoverageOfWorlds>> {
    const read = await readCoverage(this.#connection, this.#keys, matches);
    return { next: () => ({ done: true, value: read }) };
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
