// The copies of worlds that a replica keeps: loaded when a world is first used, and evicted when it has not been used for
// a while, or sooner where they take the memory that other worlds need.
import type { ApiError } from '../../errors/api-error.ts';
import { messageOf } from '../../system-errors.ts';
import { DEFAULT_MAX_CALLS } from '../bounds.ts';
import { Accounts } from '../memory/accounts.ts';
import { MemoryWorld, type Taken } from '../memory/world.ts';
import { type NewWorld, NoSuchWorld } from '../store.ts';
import { StoreAway, WorldDamaged } from '../store-away.ts';
import { stateIn } from './apply-fields.ts';
import type { Committed, FarBehind } from './committed.ts';
import { Copy, type Ended, type Place } from './copy.ts';
import { NotedUniques } from './noted-uniques.ts';
import type { RedisStoreOptions } from './options.ts';
import { foreign } from './refused.ts';
import type { EntryParts, Loaded, RemoteWorlds } from './remote-worlds.ts';
import { Slices } from './slices.ts';

/** How long a copy is kept that nobody uses, in milliseconds. */
const KEPT_MS = 60_000;
/** The same where memory is short. */
const KEPT_LEAST_MS = 10_000;
/** How many worlds that are gone are remembered. */
const MAX_GONE = 10_000;

export interface CopiesParts {
  readonly remote: RemoteWorlds;
  /** A name for something in Redis, that nothing else has. */
  readonly newRef: () => string;
  readonly systemTime: () => number;
  /** Whether somebody wants to know what is committed in a world, whose copy has contents of entries and stays. */
  readonly isWatched: (world: string) => boolean;
  /** Called before any transaction runs on a copy: what that writes may never be committed. */
  readonly onLoad: (copy: Copy) => void;
}

export class Copies {
  readonly uniques = new NotedUniques();
  readonly accounts: Accounts;
  readonly #options: RedisStoreOptions;
  readonly #remote: RemoteWorlds;
  readonly #newRef: () => string;
  readonly slices: Slices;
  readonly #systemTime: () => number;
  readonly #onLoad: (copy: Copy) => void;
  readonly #isWatched: (world: string) => boolean;
  readonly #kept = new Map<string, Copy>();
  readonly #loading = new Map<string, Promise<Copy>>();
  /** What has come of the worlds that are being loaded. */
  #loadingBytes = 0;
  /** The latest epochs of worlds that were found to be gone: Redis knows those that were deleted, until it loses all. */
  readonly #gone = new Map<string, number>();

  constructor(options: RedisStoreOptions, { remote, newRef, systemTime, isWatched, onLoad }: CopiesParts) {
    this.#newRef = newRef;
    this.#onLoad = onLoad;
    this.#isWatched = isWatched;
    this.#options = options;
    this.#remote = remote;
    this.slices = new Slices(options.connection.time);
    this.#systemTime = systemTime;
    this.accounts = new Accounts(options.budget);
  }

  /** What copies are told of the entries of a world. */
  partsOf(world: string): EntryParts {
    return this.#isWatched(world) ? 'contents' : 'outlines';
  }

  get(world: string): Copy | undefined {
    return this.#kept.get(world);
  }

  isKept(copy: Copy): boolean {
    return this.#kept.get(copy.world.facts.name) === copy;
  }

  /**
   * Loads a copy of a world, once for all who ask meanwhile. Rejects with NoSuchWorld, or with an ApiError where there is no
   * memory for it.
   */
  load(name: string): Promise<Copy> {
    const loading = this.#loading.get(name);
    if (loading) return loading;
    const load = this.#loadNow(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, load);
    return load;
  }

  async #loadNow(name: string): Promise<Copy> {
    const counted = { bytes: 0 };
    try {
      return await this.#loadCounted(name, counted);
    } finally {
      this.#loadingBytes -= counted.bytes;
    }
  }

  async #loadCounted(name: string, counted: { bytes: number }): Promise<Copy> {
    const onPart = (bytes: number): void => {
      this.#loadingBytes += bytes;
      counted.bytes += bytes;
      // One at a time goes on whatever it takes: it must be usable where it was filled.
      const isAlone = this.#loadingBytes === counted.bytes;
      if (!isAlone && this.#loadingBytes > this.#options.budget.shares.records.limit / 2) throw this.refusal();
    };
    for (let isListed = false, attempt = 0; ; attempt += 1) {
      const parts = this.partsOf(name);
      const loaded = await this.#remote.load(name, parts, onPart);
      if (!loaded) {
        // Where it is still listed, whoever looks there would ask for it again and again.
        await this.#remote.drop(name, '');
        if (!(await this.#remote.facts(name))) throw new NoSuchWorld(name);
        // It was created again, or has lost its facts.
        if (isListed) throw foreign();
        isListed = true;
        continue;
      }
      const copy = await this.#copyFrom(loaded, attempt);
      if (!copy) continue;
      const isWhole = await this.#complete(copy, loaded, parts).catch((error) => {
        this.accounts.forget(copy.world);
        throw error;
      });
      // It may have been added here meanwhile.
      const added = this.#kept.get(name);
      // Or somebody watches it now.
      const isToKeep = !added && isWhole && this.partsOf(name) === parts;
      if (!isToKeep) this.accounts.forget(copy.world);
      if (added) return added;
      if (!isToKeep) continue;
      if (this.#isFullWhile(() => this.accounts.isOverfull)) {
        this.accounts.forget(copy.world);
        throw this.refusal();
      }
      this.keep(copy);
      this.#onLoad(copy);
      return copy;
    }
  }

  /** Adds what was committed while a copy came in parts; false if it must be loaded again. */
  async #complete(copy: Copy, { facts: { name }, inPartsFrom }: Loaded, parts: EntryParts): Promise<boolean> {
    if (inPartsFrom === null) return true;
    const looked = await this.catchUp(copy, await this.#remote.look(name, copy, parts), parts);
    if (looked.status === 'reload' || looked.status === 'gone') return false;
    if (looked.status === 'behind') copy.takeOver(looked.missed, looked.at);
    return (await this.#remote.serverOf(name)) === inPartsFrom;
  }

  /** While a copy is far behind, takes over what it has missed, in slices. Resolves to where it stands then. */
  async catchUp(copy: Copy, result: Committed, parts: EntryParts): Promise<Exclude<Committed, FarBehind>> {
    const { name } = copy.world.facts;
    for (let found = result, attempt = 0; ; attempt += 1) {
      if (found.status !== 'far behind') return found;
      const fields: (readonly [string, string | null])[] = [];
      for await (const part of this.#remote.fieldsNow(name, found.missed, parts))
        for (const field of part) fields.push(field);
      // Some of them may be later than that: the next look tells.
      await this.slices.workThrough(copy.takeOverInPieces(fields, found.at), attempt);
      found = await this.#remote.look(name, copy, parts);
    }
  }

  /** In slices, as requests of other worlds are served meanwhile. Undefined if it must be loaded again. */
  async #copyFrom({ facts, incarnation, at, fields, inPartsFrom }: Loaded, attempt: number): Promise<Copy | undefined> {
    const state = stateIn(fields);
    if (!state && inPartsFrom === null) throw foreign();
    if (!state) return undefined;
    const copy = this.#createLoaded({ ...facts, ...state }, incarnation, at);
    await this.slices.workThrough(copy.takeOverInPieces(fields, at), attempt).catch((error) => {
      this.accounts.forget(copy.world);
      // Values that are JSON, and not those of a world.
      throw error instanceof StoreAway ? error : foreign(error);
    });
    return copy;
  }

  /** Throws WorldDamaged where its fixture cannot be under it here, as with other settings. */
  #createLoaded(facts: NewWorld, incarnation: string, at: Place): Copy {
    try {
      return this.create(facts, incarnation, at);
    } catch (error) {
      throw new WorldDamaged(messageOf(error), error);
    }
  }

  /** A copy that is not kept yet. */
  create(facts: NewWorld, incarnation: string, at: Place): Copy {
    const { fixtureView, maxCalls = DEFAULT_MAX_CALLS, journalLimit } = this.#options;
    const world = new MemoryWorld(facts, fixtureView, true, maxCalls);
    const { uniques, accounts } = this;
    return new Copy(world, incarnation, at, { uniques, accounts, journalLimit, newRef: this.#newRef });
  }

  keep(copy: Copy): void {
    const now = this.#systemTime();
    copy.lastUsed = now;
    this.#evict(now);
    this.#kept.set(copy.world.facts.name, copy);
    this.#gone.delete(copy.world.facts.name);
  }

  /** Forgets the copy of a world that is gone. */
  noteGone(copy: Copy): void {
    const { facts, state } = copy.world;
    this.#gone.delete(facts.name);
    this.#gone.set(facts.name, state.epoch);
    const [oldest = ''] = this.#gone.keys();
    if (this.#gone.size > MAX_GONE) this.#gone.delete(oldest);
    this.forget(copy);
  }

  /** The latest epoch of a world that was found to be gone, and has not been seen since. */
  goneEpoch(world: string): number | undefined {
    return this.#gone.get(world);
  }

  forget(copy: Copy): void {
    const { name } = copy.world.facts;
    if (this.isKept(copy)) {
      this.#kept.delete(name);
      this.uniques.dropWorld(name);
    }
    this.accounts.forget(copy.world);
  }

  /** Forgets a copy that was never kept, and what its transactions have claimed. */
  discard(copy: Copy, ended: readonly Ended[]): void {
    copy.undo(ended);
    this.accounts.forget(copy.world);
  }

  /** Evicts copies that nobody watches or has used for a while, the longest unused first, as long as that is needed. */
  evictIdle(isNeeded: () => boolean, keptMs = KEPT_LEAST_MS): void {
    for (const copy of this.#idleSince(this.#systemTime() - keptMs)) {
      if (!isNeeded()) return;
      if (!this.#isWatched(copy.world.facts.name)) this.forget(copy);
    }
  }

  /** The copy of the world that takes most; undefined if none takes anything. */
  largest(sizeOf: (taken: Taken) => number): Copy | undefined {
    let largest: Copy | undefined;
    let most = 0;
    for (const copy of this.#kept.values()) {
      const size = sizeOf(copy.world.counted);
      if (size > most) [largest, most] = [copy, size];
    }
    return largest;
  }

  /** Evicts idle copies, the longest unused first. */
  #evict(now: number): void {
    for (const copy of this.#idleSince(now - KEPT_LEAST_MS)) {
      if (now - copy.lastUsed < KEPT_MS && !this.#isShort()) return;
      this.forget(copy);
    }
  }

  /** Evicts idle copies that nobody watches until there is memory for another world; true if there is none all the same. */
  makeRoom(): boolean {
    return this.#isFullWhile(() => this.accounts.isFull);
  }

  #isFullWhile(isFull: () => boolean): boolean {
    if (isFull()) this.evictIdle(isFull, 0);
    return isFull();
  }

  /** The error of a world for whose copy there is no memory here; it stays in Redis. */
  refusal(): ApiError {
    this.accounts.countRefused(['records']);
    return this.accounts.refusal('records');
  }

  /** The longest unused first. */
  #idleSince(moment: number): Copy[] {
    const idle = [...this.#kept.values()].filter((copy) => copy.isIdle && copy.lastUsed <= moment);
    return idle.sort((a, b) => a.lastUsed - b.lastUsed);
  }

  /** Whether the copies leave less than one world may take. */
  #isShort(): boolean {
    const { records, documents, journals } = this.#options.budget.shares;
    return records.used > records.limit / 2 || documents.used > documents.limit / 2 || journals.used > journals.limit;
  }
}
