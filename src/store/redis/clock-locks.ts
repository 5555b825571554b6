// The worlds whose clocks replicas advance: one replica at a time. A lock goes by itself if its holder dies.
import { StoreAway } from '../store-away.ts';
import type { Connection } from './connection.ts';

/** How long a lock lasts that is not renewed. */
const LOCK_MS = 5000;

export interface ClockLocksOptions {
  readonly connection: Connection;
  readonly prefix: string;
  readonly replica: string;
}

export class ClockLocks {
  readonly #options: ClockLocksOptions;
  readonly #held = new Map<string, string>();
  #locks = 0;

  constructor(options: ClockLocksOptions) {
    this.#options = options;
  }

  #keyOf = (world: string): string => `${this.#options.prefix}:advancing:${world}`;

  /** Returns what unlocks it; undefined if it is locked. */
  async lock(world: string): Promise<(() => Promise<void>) | undefined> {
    const { connection, replica } = this.#options;
    this.#locks += 1;
    const token = `${replica} ${this.#locks}`;
    const key = this.#keyOf(world);
    await connection.command('SET', [key, token, 'NX', 'PX', LOCK_MS]);
    // The reply may be that to a second try.
    if ((await connection.command('GET', [key])) !== token) return undefined;
    this.#held.set(world, token);
    return async () => {
      this.#held.delete(world);
      try {
        if ((await connection.command('GET', [key])) === token) await connection.command('DEL', [key]);
      } catch (error) {
        // It goes by itself.
        if (!(error instanceof StoreAway)) throw error;
      }
    };
  }

  /** To be called often enough. */
  async renew(): Promise<void> {
    const { connection } = this.#options;
    for (const [world, token] of this.#held) {
      const key = this.#keyOf(world);
      if ((await connection.command('GET', [key])) === token) await connection.command('PEXPIRE', [key, LOCK_MS]);
    }
  }

  /** The replica that has locked it; null for none. */
  async holderOf(world: string): Promise<string | null> {
    const token = await this.#options.connection.command('GET', [this.#keyOf(world)]);
    return typeof token === 'string' ? (token.split(' ')[0] ?? null) : null;
  }
}
