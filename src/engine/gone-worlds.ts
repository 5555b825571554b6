// Remembers worlds that are gone: deleted, expired or lost at a restart. One that is created again says so in its first
// answer, and begins with a later epoch. The list survives a restart, together with the worlds created on first use,
// which do not.

/** How many names are remembered; the oldest are forgotten first. */
const MAX_GONE = 100_000;

export interface GoneWorldsOptions {
  /** Worlds that were gone before the start, with their last known epoch. */
  readonly lost?: Iterable<readonly [string, number]>;
  /** Called with each world that is gone, or that a restart would lose. */
  readonly onLosable?: (world: string, epoch: number) => void;
}

export class GoneWorlds {
  readonly #gone: Map<string, number>;
  /** The epochs of worlds created on first use. */
  readonly #losable = new Map<string, number>();
  readonly #onLosable: NonNullable<GoneWorldsOptions['onLosable']>;

  constructor({ lost = [], onLosable = () => {} }: GoneWorldsOptions) {
    this.#gone = new Map([...lost].slice(-MAX_GONE));
    this.#onLosable = onLosable;
  }

  /** The first epoch of a world that is created now. */
  nextEpoch(name: string): number {
    return (this.#gone.get(name) ?? 0) + 1;
  }

  /** Another process may have deleted it. */
  learn(name: string, epoch = 0): void {
    if (epoch > (this.#gone.get(name) ?? 0)) this.#remember(name, epoch);
  }

  /** Notes that a world is there again; whether it was gone. */
  isBack(name: string): boolean {
    return this.#gone.delete(name);
  }

  /** Notes the epoch of a world created on first use. */
  setLosable(name: string, epoch: number): void {
    this.#losable.set(name, epoch);
    this.#onLosable(name, epoch);
  }

  isLosable(name: string): boolean {
    return this.#losable.has(name);
  }

  /** Notes that a world is gone. */
  add(name: string, epoch: number): void {
    this.#losable.delete(name);
    this.#remember(name, epoch);
    this.#onLosable(name, epoch);
  }

  #remember(name: string, epoch: number): void {
    this.#gone.delete(name);
    this.#gone.set(name, epoch);
    if (this.#gone.size <= MAX_GONE) return;
    const [oldest] = this.#gone.keys();
    if (oldest !== undefined) this.#gone.delete(oldest);
  }

  /** The worlds that would be gone after a restart, with their latest epoch. */
  afterRestart(): (readonly [world: string, epoch: number])[] {
    return [...this.#gone, ...this.#losable];
  }
}
