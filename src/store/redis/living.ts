// Which replicas live: each says so several times a second, by the time of the Redis server, and is dead when it has not for
// a while. A replica that has itself been away too long judges no other: all may look dead after Redis was away.
import type { Connection } from './connection.ts';

/** How often a replica says that it lives. */
export const BEAT_MS = 300;
/** How long it lives on without. */
export const LEASE_MS = 1500;

export interface LivingOptions {
  readonly connection: Connection;
  readonly prefix: string;
  readonly replica: string;
}

export class Living {
  readonly #options: LivingOptions;
  readonly #key: string;
  /** By replica, in the time of the server. */
  #beats = new Map<string, number>();
  /** When this replica last did, and since when it has done so without a break, in its own time. */
  #latest = Number.NEGATIVE_INFINITY;
  #since = Number.POSITIVE_INFINITY;
  #now = 0;

  constructor(options: LivingOptions) {
    this.#options = options;
    this.#key = `${options.prefix}:alive`;
  }

  /** Resolves to whether nobody knew that it lives, as when the store has lost what it had. Rejects with StoreAway. */
  async beat(goesOn = true): Promise<boolean> {
    const { connection, replica } = this.#options;
    const sent = connection.time.elapsed();
    const { values } = await connection.run('beat', [this.#key], [replica, goesOn ? 1 : 0]);
    const [isNew, now, ...beats] = values;
    this.#now = Number(now);
    this.#beats = new Map();
    for (let at = 0; at < beats.length; at += 2) this.#beats.set(String(beats[at]), Number(beats[at + 1]));
    // One that was late may have been counted as dead, and one whose reply came late knows nothing new.
    if (sent - this.#latest > LEASE_MS / 2) this.#since = sent;
    this.#latest = sent;
    return isNew === 1;
  }

  /** Whether another one has lately said that it lives. */
  get hasOthers(): boolean {
    return [...this.#beats].some(([each, beat]) => each !== this.#options.replica && this.#now - beat <= LEASE_MS);
  }

  /** Whether this replica has been in touch for so long that it can tell. */
  get #canTell(): boolean {
    const elapsed = this.#options.connection.time.elapsed();
    return elapsed - this.#latest <= LEASE_MS / 2 && elapsed - this.#since >= LEASE_MS;
  }

  isDead(replica: string): boolean {
    return this.judged()(replica);
  }

  /** Who is dead as known now, for what takes so long that it might not be known at its end. */
  judged(): (replica: string) => boolean {
    const [beats, now, canTell] = [this.#beats, this.#now, this.#canTell];
    return (replica) => {
      const beat = beats.get(replica);
      return beat === 0 || (canTell && (beat === undefined || now - beat > LEASE_MS));
    };
  }

  /** Whether it is this replica's turn at something that those who live share by its number. */
  isTurn(number: number): boolean {
    const { replica } = this.#options;
    const living = [...this.#beats.keys()].filter((each) => each === replica || !this.isDead(each)).sort();
    return living[number % living.length] === replica;
  }

  /** Those that have left something to do. */
  dead(): string[] {
    return [...this.#beats.keys()].filter((replica) => replica !== this.#options.replica && this.isDead(replica));
  }

  /** Unless it has said again that it lives. */
  async forget(replica: string): Promise<void> {
    const beat = this.#beats.get(replica);
    if (beat !== undefined && this.#now - beat <= LEASE_MS) return;
    await this.#options.connection.command('ZREM', [this.#key, replica]);
  }
}
