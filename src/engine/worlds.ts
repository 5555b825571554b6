// The worlds of a sandbox: how they are created, reset and deleted. `interface.md` sections 2 and 5.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { type ClockSetting, newClock } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Fixture } from '../fixtures/fixture.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import { uuid } from '../identity/seeded.ts';
import type { Turns } from '../scheduler/turns.ts';
import { ifGone } from '../store/if-gone.ts';
import type { NewWorld, WorldDump, WorldOrigin } from '../store/store.ts';
import { bringBackWorld, resetWorld } from './epochs.ts';
import { GoneWorlds, type GoneWorldsOptions } from './gone-worlds.ts';
import { IdleWorlds, type IdleWorldsOptions } from './idle-worlds.ts';
import { firstFreeName, fixtureNamed, nameTaken, tooMany } from './new-world.ts';
import { putControlKey, putFixtureKeys } from './world-keys.ts';

/** The epoch of a world that was never reset, restored or deleted. */
const FIRST_EPOCH = 1;

export interface WorldsOptions extends GoneWorldsOptions, IdleWorldsOptions {
  readonly turns: Turns;
  readonly fixtures: ReadonlyMap<string, Fixture>;
  /** Called after a world was reset, restored or deleted. */
  readonly onEmptied: (world: string) => void;
  /** Where the ordinals of new worlds begin; 0 by default. */
  readonly firstOrdinals?: number;
}

/** What only a posted world can have. */
export interface PostedOptions {
  readonly assumptions?: AssumptionValues;
  /** The plaintext of its control key. */
  readonly controlKey?: string | undefined;
}

export class Worlds {
  readonly #options: WorldsOptions;
  readonly #idle: IdleWorlds;
  readonly #gone: GoneWorlds;
  /** Worlds are created and deleted one at a time, so that the maximum is never exceeded. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(options: WorldsOptions) {
    this.#options = options;
    this.#idle = new IdleWorlds(options);
    this.#gone = new GoneWorlds(options);
  }

  /** The worlds that would be gone after a restart, with their latest epoch. */
  goneAfterRestart(): (readonly [world: string, epoch: number])[] {
    return this.#gone.afterRestart();
  }

  /** Creates the bundled worlds, one per fixture, except those that exist already. */
  async createBundled(): Promise<void> {
    for (const name of this.#options.fixtures.keys()) {
      await this.#create(name, 'bundled', name, this.#options.settings.clock);
    }
  }

  /**
   * Creates the world of a `svc_test_` key if needed; `recreated` if it had been deleted before. Undefined if it does not
   * exist and worlds are not created on first use.
   */
  async enterTestWorld(name: string): Promise<{ recreated: boolean } | undefined> {
    const { store, settings } = this.#options;
    if (!this.isExpired(name) && (await store.world(name))) return { recreated: false };
    return this.#oneAtATime(async () => {
      if (await this.#idle.hasExpired(name)) await this.#delete(name);
      if (await store.world(name)) return { recreated: false };
      if (!settings.autoWorlds) return undefined;
      await this.#makePlace();
      await this.#create(name, 'auto', DEFAULT_FIXTURE, settings.clock);
      this.#idle.add(name);
      return { recreated: this.#gone.isBack(name) };
    });
  }

  /** Whether a world exists. One that has expired counts as deleted. */
  async exists(name: string): Promise<boolean> {
    return !(await this.#idle.hasExpired(name)) && (await this.#options.store.world(name)) !== undefined;
  }

  /**
   * Creates a world that never expires, without a name the first free one of `world-1`, `world-2`, …; returns the name.
   * `conflict` if it is taken or the maximum reached.
   */
  async createPosted(
    requested: string | undefined,
    fixture: string,
    clock: ClockSetting,
    options: PostedOptions,
  ): Promise<string> {
    const { store, settings, fixtures } = this.#options;
    fixtureNamed(fixture, fixtures);
    return this.#oneAtATime(async () => {
      for (;;) {
        const name = requested ?? (await firstFreeName(store));
        if (await this.#idle.hasExpired(name)) await this.#delete(name);
        if ((await store.world(name)) && (await this.#epochOf(name)) > 0) throw nameTaken(name);
        if ((await store.worldCount()) >= settings.maxWorlds) throw tooMany(settings.maxWorlds);
        await this.#makeRoom();
        if (await this.#create(name, 'posted', fixture, clock, options)) {
          this.#gone.isBack(name);
          return name;
        }
        // Another process that shares the store has just created it.
        if (requested !== undefined) throw nameTaken(name);
      }
    });
  }

  /** Deletes a world; `conflict` for a bundled one. False if it does not exist. */
  delete(name: string): Promise<boolean> {
    return this.#oneAtATime(async () => {
      const world = await this.#options.store.world(name);
      if (world?.origin === 'bundled') {
        throw new ApiError('conflict', {
          message: `The world ${name} is bundled and cannot be deleted.`,
          hint: 'Reset it instead.',
        });
      }
      return world !== undefined && (await this.#delete(name));
    });
  }

  /**
   * Keeps a world from expiring while a request is in progress; returns the function that releases it. Undefined for a
   * world that never expires.
   */
  acquire(name: string): (() => void) | undefined {
    return this.#idle.acquire(name);
  }

  /** Whether a world has been idle for longer than its TTL: it counts as deleted, even before `deleteExpired`. */
  isExpired(name: string): boolean {
    return this.#idle.isExpired(name);
  }

  /** Deletes worlds that have been idle for longer than their TTL. */
  async deleteExpired(): Promise<void> {
    const { turns } = this.#options;
    await this.#oneAtATime(async () => {
      await this.#idle.adopt();
      await this.#idle.tell();
    });
    for (const name of this.#idle.beyondTtl()) {
      // Thousands, which a suite has left, may expire together: other requests have their turns, and worlds are created.
      await turns.next(name);
      await this.#oneAtATime(async () => {
        if (await this.#idle.hasExpired(name)) await this.#delete(name);
      });
    }
  }

  /** Resets a world to its fixture's records. */
  async reset(name: string): Promise<void> {
    this.#onRenewed(name, await resetWorld(this.#options, name, this.#options.settings.start));
  }

  /** Brings a world back as it was when that was dumped. */
  async restore(name: string, dump: WorldDump): Promise<void> {
    this.#onRenewed(name, await bringBackWorld(this.#options, name, dump));
  }

  /** To be called when an epoch has begun. */
  #onRenewed(name: string, epoch: number): void {
    if (this.#gone.isLosable(name)) this.#gone.setLosable(name, epoch);
    this.#options.onEmptied(name);
  }

  /** False if another process has created it. */
  async #create(
    name: string,
    origin: WorldOrigin,
    fixtureName: string,
    clock: ClockSetting,
    { assumptions = {}, controlKey }: PostedOptions = {},
  ): Promise<boolean> {
    const { store, settings, fixtures, shared, firstOrdinals = 0 } = this.#options;
    const fixture = fixtureNamed(fixtureName, fixtures);
    this.#gone.learn(name, await shared?.goneEpoch(name));
    // Where a shared store has lost all that it had, it cannot tell.
    if (this.#idle.knows(name)) this.#gone.learn(name, FIRST_EPOCH);
    const world: NewWorld = {
      name,
      seed: settings.seed,
      origin,
      fixture: fixtureName,
      organization_id: uuid(settings.seed, name, 'organization', 1),
      created: store.systemTime(),
      clock: newClock(clock, settings.start, store.systemTime()),
      assumptions: { ...fixture.file.assumptions, ...assumptions },
      epoch: this.#gone.nextEpoch(name),
      ordinals_from: firstOrdinals,
    };
    const isAdded = await store.addWorld(world, (tx) => {
      // A bundled world has its fixture's keys; every other world has its svc_test_ keys.
      if (origin === 'bundled') putFixtureKeys(tx, fixture, world.clock.at);
      if (controlKey !== undefined) putControlKey(tx, controlKey);
    });
    if (isAdded && origin === 'auto') this.#gone.setLosable(name, world.epoch);
    return isAdded;
  }

  /** Deletes the longest idle worlds until there is a place for another; throws if all are in use. */
  async #makePlace(): Promise<void> {
    const { store, settings } = this.#options;
    while ((await store.worldCount()) >= settings.maxWorlds) {
      if (!(await this.#deleteLongestIdle())) throw tooMany(settings.maxWorlds);
    }
    await this.#makeRoom();
  }

  /** Deletes the longest idle worlds until there is memory for another; throws if all are in use. */
  async #makeRoom(): Promise<void> {
    const { store, shared } = this.#options;
    while (await store.isFull()) {
      // What others keep takes no memory here.
      if (shared) throw store.refusal();
      if (!(await this.#deleteLongestIdle())) throw store.refusal();
    }
  }

  /** Of the worlds created on first use. False if none is idle. */
  async #deleteLongestIdle(): Promise<boolean> {
    const name = await this.#idle.takeLongestIdle();
    if (name !== undefined) await this.#delete(name);
    return name !== undefined;
  }

  #oneAtATime<T>(body: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(body);
    this.#lastChange = result.catch(() => {});
    return result;
  }

  /** False if it does not exist. */
  async #delete(name: string): Promise<boolean> {
    const { store, onEmptied } = this.#options;
    this.#idle.delete(name);
    const epoch = await this.#epochOf(name);
    if (epoch === 0) return false;
    const isDropped = await store.dropWorld(name);
    this.#gone.add(name, epoch);
    onEmptied(name);
    return isDropped;
  }

  /** 0 if the world does not exist, though there may be a copy here of one that another process has deleted. */
  #epochOf(name: string): Promise<number> {
    return this.#options.store.transaction(name, (tx) => tx.state('epoch')).catch(ifGone(0));
  }
}
