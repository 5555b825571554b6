// How many deliveries of each world are under way: what the barrier of an advance, a reset and the stop of the server
// wait for.

interface Open {
  count: number;
  /** Called when none is open. */
  readonly waiting: Set<() => void>;
}

/** A reset starts a new epoch of a world; what is on its way of the old one counts for itself. */
export const epochKey = (world: string, epoch: number): string => `${world} ${epoch}`;

export class OpenWork {
  /** By epoch key. */
  readonly #open = new Map<string, Open>();

  begin(key: string): void {
    const open = this.#open.get(key);
    if (open) open.count += 1;
    else this.#open.set(key, { count: 1, waiting: new Set() });
  }

  end(key: string): void {
    const open = this.#open.get(key);
    if (!open) return;
    open.count -= 1;
    if (open.count > 0) return;
    this.#open.delete(key);
    for (const resolve of open.waiting) resolve();
  }

  count(world: string, epoch: number): number {
    return this.#open.get(epochKey(world, epoch))?.count ?? 0;
  }

  /** Of all worlds. */
  get total(): number {
    let total = 0;
    for (const { count } of this.#open.values()) total += count;
    return total;
  }

  /** Whether anything of a world is open, in any epoch. */
  isBusy(world: string): boolean {
    for (const key of this.#open.keys()) if (key.startsWith(`${world} `)) return true;
    return false;
  }

  /** Whether anything of any world is open. */
  get any(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves when nothing in a world's epoch is open, or when the signal ends the wait. */
  whenIdle(world: string, epoch: number, signal: AbortSignal): Promise<void> {
    const waiting = this.#open.get(epochKey(world, epoch))?.waiting;
    if (!waiting || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        waiting.delete(end);
        resolve();
      };
      signal.addEventListener('abort', end);
      waiting.add(end);
    });
  }

  /** Resolves when everything that is open now has ended. */
  async whenAllIdle(): Promise<void> {
    await Promise.all(
      [...this.#open.values()].map(({ waiting }) => new Promise<void>((resolve) => waiting.add(resolve))),
    );
  }
}
