// The worlds whose clocks replicas advance: one replica at a time. A world names who does, so each transaction of an advance
// learns from its commit whether it still may; a replica that is thought dead loses its locks.
import { ifGone } from '../if-gone.ts';
import { persist } from '../persist.ts';
import type { Tx } from '../store.ts';
import { type ClockLock, resumeClock } from '../work.ts';
import type { Living } from './living.ts';
import type { RedisStore } from './store.ts';

export interface ClockLocksOptions {
  readonly store: RedisStore;
  readonly living: Living;
  readonly replica: string;
}

export class ClockLocks {
  readonly #options: ClockLocksOptions;
  /** Of this replica, by world. */
  readonly #held = new Map<string, string>();
  /** Worlds that it could not unlock, since the store was away. */
  readonly #left = new Set<string>();
  #locks = 0;

  constructor(options: ClockLocksOptions) {
    this.#options = options;
  }

  /** Undefined if another replica that lives has locked it. */
  async lock(world: string): Promise<ClockLock | undefined> {
    const { store, replica } = this.#options;
    this.#locks += 1;
    const holder = `${replica} ${this.#locks}`;
    this.#held.set(world, holder);
    const isLocked = await store
      .transaction(world, () => {
        const copy = store.copyOf(world);
        if (copy && this.#isFree(copy.advancer)) copy.advancer = holder;
        return copy?.advancer === holder;
      })
      .catch((error) => {
        this.#held.delete(world);
        throw error;
      });
    if (isLocked) return { isHeld: () => store.copyOf(world)?.advancer === holder, unlock: () => this.#unlock(world) };
    this.#held.delete(world);
    return undefined;
  }

  async #unlock(world: string): Promise<void> {
    this.#held.delete(world);
    const unlock = (): Promise<void> => this.#options.store.transaction(world, (tx) => this.unlockIfFree(tx));
    try {
      await persist(unlock).catch(ifGone(undefined));
      this.#left.delete(world);
    } catch (error) {
      this.#left.add(world);
      throw error;
    }
  }

  /** To be called when the store is back. */
  async unlockLeft(): Promise<void> {
    for (const world of [...this.#left].filter((each) => !this.#held.has(each))) await this.#unlock(world);
  }

  /** Lets a clock run on that nobody who lives advances; `dead` is a replica that does not. */
  unlockIfFree(tx: Tx, dead = ''): void {
    const copy = this.#options.store.copyOf(tx.world.name);
    if (!copy || !(this.#isFree(copy.advancer) || copy.advancer.startsWith(`${dead} `))) return;
    copy.advancer = '';
    resumeClock(tx);
  }

  #isFree(holder: string): boolean {
    const [replica = ''] = holder.split(' ');
    if (replica === this.#options.replica) return ![...this.#held.values()].includes(holder);
    return replica === '' || this.#options.living.isDead(replica);
  }
}
