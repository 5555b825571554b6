// Takes over the worlds that dead replicas have left. Redis lists the worlds that name a replica with the commits that do
// so, so every replica finds them there; each begins with other shards, so that several share the work.
import { ifGone } from '../if-gone.ts';
import { StoreAway } from '../store-away.ts';
import type { ClockLocks } from './clock-locks.ts';
import type { Connection } from './connection.ts';
import { hasWork } from './left-work.ts';
import type { Living } from './living.ts';
import type { Held } from './remote-worlds.ts';
import type { RedisStore } from './store.ts';

/** How many worlds a replica takes over, or lets go of, at a time. */
export const BITE = 16;
/** How often it looks for worlds whose replica nobody knows any more, as after a failover that has lost who lived. */
const LOOK_MS = 5000;

export interface TakeOverOptions {
  readonly store: RedisStore;
  readonly connection: Connection;
  readonly replica: string;
  readonly living: Living;
  readonly locks: ClockLocks;
  readonly onError: (error: unknown, world: string | null) => void;
  /** Whether this replica stops, and takes over nothing more. */
  readonly isOver: () => boolean;
}

export class TakeOver {
  readonly #options: TakeOverOptions;
  /** When it last looked for worlds of the dead. */
  #lookedAt = 0;
  /** That could not be taken over, and were reported. */
  readonly #broken = new Set<string>();

  constructor(options: TakeOverOptions) {
    this.#options = options;
  }

  /** Takes over all worlds of dead replicas, if there are any or it is time to look. Rejects with StoreAway. */
  async fromDead(): Promise<void> {
    const { store, connection, living, isOver } = this.#options;
    const dead = living.dead();
    const now = connection.time.elapsed();
    if (dead.length === 0 && now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    const isDead = living.judged();
    const ofDead = ({ replica }: Held): boolean => isDead(replica);
    const held = await store.held();
    if (held.flat().some(ofDead)) {
      // Those of some shards at first, as others begin with other ones; then what they have left.
      const own = held.filter((_, shard) => living.isTurn(shard));
      await this.#ofAll(own.flat().filter(ofDead));
      await this.#ofAll((await store.held()).flat().filter(ofDead));
    }
    if (isOver()) return;
    for (const replica of dead) await living.forget(replica);
  }

  async #ofAll(left: Held[]): Promise<void> {
    while (left.length > 0 && !this.#options.isOver())
      await Promise.all(left.splice(0, BITE).map(({ world, replica }) => this.of(world, replica)));
  }

  /** Takes over a world from a dead replica. One that cannot be read keeps nobody from the others. Rejects with StoreAway. */
  async of(world: string, from: string): Promise<void> {
    try {
      await this.#run(world, from);
      this.#broken.delete(world);
    } catch (error) {
      if (error instanceof StoreAway) throw error;
      if (!this.#broken.has(world)) this.#options.onError(error, world);
      this.#broken.add(world);
    }
  }

  async #run(world: string, from: string): Promise<void> {
    const { store, replica, locks, isOver } = this.#options;
    await store
      .transaction(world, (tx) => {
        const copy = store.copyOf(world);
        if (!copy || isOver()) return;
        // Its clock would stand still forever if the one who has stopped it is gone.
        locks.unlockIfFree(tx, from);
        if (copy.runner === from || copy.runner === '') copy.runner = hasWork(tx, copy) ? replica : '';
      })
      .catch(ifGone(undefined));
  }
}
