// The worlds of a sandbox: how they come, are reset, and go. `interface.md` sections 2 and 5.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { type ClockSetting, isStopped, newClock, setClock, systemNow, timestamp } from '../clock/clock.ts';
import type { Scope } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Fixture } from '../fixtures/fixture.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import {
  allScopes,
  DEMO_REQUESTS_PER_MINUTE,
  defaultScopes,
  hashOfKey,
  keyId,
  REQUESTS_PER_MINUTE,
} from '../identity/api-keys.ts';
import { uuid } from '../identity/seeded.ts';
import type { DeliveryEntry, TableName } from '../model.ts';
import type { NewWorld, Store, Tx, WorldOrigin } from '../store/store.ts';
import type { SandboxSettings } from './settings.ts';

/** What a reset leaves as it is. */
const KEPT_ON_RESET: readonly TableName[] = ['keys', 'client_tokens', 'scenario_overlays'];

export interface WorldsOptions {
  readonly store: Store;
  readonly settings: SandboxSettings;
  readonly fixtures: ReadonlyMap<string, Fixture>;
  /** Whether a delivery of that world is pending or in flight; such a world is not idle. */
  readonly isDelivering: (world: string) => boolean;
  /** Called when a world was reset or has gone, and with it what its records stood for. */
  readonly onEmptied: (world: string) => void;
}

export class Worlds {
  readonly #parts: WorldsOptions;
  readonly #defaultScopes = defaultScopes();
  /** Worlds made on first use, the longest idle first, with the machine's time of their last request. */
  readonly #idle = new Map<string, number>();
  /** How many requests are under way in worlds made on first use. */
  readonly #visits = new Map<string, number>();
  /** Worlds that went, with their last epoch: one made anew says so, and is never taken for the one before it. */
  readonly #gone = new Map<string, number>();
  /** Worlds come and go one at a time, so that no two take the last place. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: WorldsOptions) {
    this.#parts = parts;
  }

  /** Makes the bundled worlds, one for each fixture, save those that are there already. */
  async createBundled(): Promise<void> {
    for (const name of this.#parts.fixtures.keys()) {
      await this.#make(name, 'bundled', name, this.#parts.settings.clock);
    }
  }

  /**
   * The world of a `svc_test_` key, made where there is none. `recreated` where it had gone before; undefined where
   * worlds are not made on first use.
   */
  async enterTestWorld(name: string): Promise<{ recreated: boolean } | undefined> {
    const { store, settings } = this.#parts;
    if (!this.isExpired(name) && (await store.world(name))) return { recreated: false };
    return this.#inTurn(async () => {
      if (this.isExpired(name)) await this.#letGo(name);
      if (await store.world(name)) return { recreated: false };
      if (!settings.autoWorlds) return undefined;
      await this.#makeRoom();
      await this.#make(name, 'auto', DEFAULT_FIXTURE, settings.clock);
      this.#idle.set(name, systemNow());
      return { recreated: this.#gone.delete(name) };
    });
  }

  /** Makes a world that stays; `conflict` where the name is taken or there is no room, `validation_error` otherwise. */
  async createPosted(name: string, fixture: string, clock: ClockSetting, assumptions: AssumptionValues): Promise<void> {
    const { store, settings } = this.#parts;
    this.#fixture(fixture);
    await this.#inTurn(async () => {
      if (await store.world(name)) throw nameTaken(name);
      if ((await store.worldCount()) >= settings.maxWorlds) throw this.#noRoom();
      await this.#make(name, 'posted', fixture, clock, assumptions);
      this.#gone.delete(name);
    });
  }

  /** Lets a world go; `conflict` for a bundled one. Answers false where there is none. */
  delete(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const world = await this.#parts.store.world(name);
      if (world?.origin === 'bundled') {
        throw new ApiError('conflict', { message: `${name} is a bundled world and stays.`, hint: 'Reset it instead.' });
      }
      if (!world) return false;
      await this.#letGo(name);
      return true;
    });
  }

  /**
   * Notes that a world is asked something, and is not idle until that is done with: answers what to call then.
   * Undefined for a world that never goes by itself.
   */
  acquire(name: string): (() => void) | undefined {
    if (!this.#touch(name)) return undefined;
    this.#visits.set(name, (this.#visits.get(name) ?? 0) + 1);
    return () => {
      const others = (this.#visits.get(name) ?? 1) - 1;
      if (others > 0) this.#visits.set(name, others);
      else this.#visits.delete(name);
      this.#touch(name);
    };
  }

  /** Whether a world has been idle for longer than it may: it counts as gone, whether it has been swept up or not. */
  isExpired(name: string): boolean {
    const lastUsed = this.#idle.get(name);
    if (lastUsed === undefined || systemNow() - lastUsed < this.#parts.settings.worldTtlMs) return false;
    return !this.#isBusy(name);
  }

  /** Lets worlds go that have been idle for longer than they may. */
  deleteExpired(): Promise<void> {
    return this.#inTurn(async () => {
      const since = systemNow() - this.#parts.settings.worldTtlMs;
      for (const [name, lastUsed] of this.#idle) {
        if (lastUsed > since) return;
        if (this.isExpired(name)) await this.#letGo(name);
      }
    });
  }

  /** Everything as the fixture has it; see KEPT_ON_RESET for what stays. */
  async reset(name: string): Promise<void> {
    await this.#parts.store.transaction(name, (tx) => {
      const unsent = tx.journal('deliveries').entries.filter(isOpen);
      const epoch = tx.state('epoch');
      tx.wipe(KEPT_ON_RESET);
      const clock = tx.state('clock');
      const at = isStopped(clock.mode) ? this.#parts.settings.start : systemNow();
      tx.setState('clock', { ...setClock(clock, at, systemNow()), frozen: clock.frozen });
      tx.setState('starts_at', at);
      tx.setState('epoch', epoch + 1);
      // Ids begin anew, so that what the older epoch did not send keeps its record under a name of its own.
      for (const delivery of unsent) {
        tx.append('deliveries', { ...delivery, id: `${delivery.id}_e${epoch}`, status: 'canceled' });
      }
    });
    this.#parts.onEmptied(name);
  }

  async #make(
    name: string,
    origin: WorldOrigin,
    fixtureName: string,
    clock: ClockSetting,
    assumptions: AssumptionValues = {},
  ): Promise<void> {
    const { store, settings } = this.#parts;
    const fixture = this.#fixture(fixtureName);
    const world: NewWorld = {
      name,
      seed: settings.seed,
      origin,
      fixture: fixtureName,
      organization_id: uuid(settings.seed, name, 'organization', 1),
      clock: newClock(clock, settings.start, systemNow()),
      assumptions: { ...fixture.file.assumptions, ...assumptions },
      epoch: (this.#gone.get(name) ?? 0) + 1,
    };
    // A bundled world's keys are its fixture's; every other world has its svc_test_ keys.
    await store.addWorld(world, origin === 'bundled' ? (tx) => this.#putKeys(tx, fixture, world.clock.at) : undefined);
  }

  #fixture(name: string): Fixture {
    const { fixtures } = this.#parts;
    const fixture = fixtures.get(name);
    if (fixture) return fixture;
    throw new ApiError('validation_error', {
      fields: { fixtures: `there is no fixture "${name}"; one of ${[...fixtures.keys()].join(', ')}` },
    });
  }

  #putKeys(tx: Tx, fixture: Fixture, at: number): void {
    for (const [index, { key, scopes, is_demo, revoked }] of fixture.file.keys.entries()) {
      const hash = hashOfKey(key);
      tx.put('keys', {
        id: keyId(hash),
        hash,
        scopes: scopes === 'default' ? this.#defaultScopes : scopes === 'all' ? allScopes() : (scopes as Scope[]),
        is_demo,
        requests_per_minute: is_demo ? DEMO_REQUESTS_PER_MINUTE : REQUESTS_PER_MINUTE,
        revoked,
        created_at: timestamp(at),
        private: { organization_id: tx.world.organization_id, rank: index - fixture.file.keys.length },
      });
    }
  }

  /** Lets the longest idle world go where one more would be too many; `conflict` where none may go. */
  async #makeRoom(): Promise<void> {
    const { store, settings } = this.#parts;
    if ((await store.worldCount()) < settings.maxWorlds) return;
    for (const name of this.#idle.keys()) {
      if (this.#isBusy(name)) continue;
      await this.#letGo(name);
      return;
    }
    throw this.#noRoom();
  }

  #noRoom(): ApiError {
    return new ApiError('conflict', {
      message: `There are ${this.#parts.settings.maxWorlds} worlds, which is the maximum (--max-worlds).`,
      hint: 'Delete a world with DELETE /_sandbox/worlds/{name}, or raise the maximum.',
    });
  }

  #touch(name: string): boolean {
    const goes = this.#idle.delete(name);
    if (goes) this.#idle.set(name, systemNow());
    return goes;
  }

  #isBusy(name: string): boolean {
    return this.#visits.has(name) || this.#parts.isDelivering(name);
  }

  #inTurn<T>(body: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(body);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #letGo(name: string): Promise<void> {
    const { store, onEmptied } = this.#parts;
    this.#idle.delete(name);
    this.#gone.set(name, await store.transaction(name, (tx) => tx.state('epoch')));
    await store.dropWorld(name);
    onEmptied(name);
    // The names are kept, and not without end.
    if (this.#gone.size > 100_000) this.#gone.delete(this.#gone.keys().next().value as string);
  }
}

function nameTaken(name: string): ApiError {
  return new ApiError('conflict', {
    message: `There is a world ${name} already.`,
    hint: 'Take another name, or reset the world that is there.',
  });
}

function isOpen(delivery: DeliveryEntry): boolean {
  return delivery.status === 'pending' || delivery.status === 'in_flight';
}
