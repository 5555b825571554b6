// The POSTs that are under way, by the epoch of the world that they are for: those of an epoch that has ended are given up.

/** A POST, or the look-up before it, that can be ended early. */
export interface Abortable {
  abort(reason: Error): void;
}

/** An epoch of a world. */
export interface Epoch {
  readonly world: string;
  readonly epoch: number;
}

export class InFlight {
  readonly #worlds = new Map<string, Map<number, Set<Abortable>>>();

  /** Adds one that is under way; returns what is to be called when it has ended. */
  begin({ world, epoch }: Epoch, one: Abortable): () => void {
    const epochs = this.#worlds.get(world) ?? new Map<number, Set<Abortable>>();
    this.#worlds.set(world, epochs);
    const all = epochs.get(epoch) ?? new Set();
    epochs.set(epoch, all);
    all.add(one);
    return () => {
      all.delete(one);
      if (all.size > 0 || epochs.get(epoch) !== all) return;
      epochs.delete(epoch);
      if (epochs.size === 0 && this.#worlds.get(world) === epochs) this.#worlds.delete(world);
    };
  }

  /** Takes out those of a world's other epochs; who takes them aborts them. */
  takeOthers({ world, epoch: current }: Epoch): Abortable[] {
    const epochs = this.#worlds.get(world);
    if (!epochs) return [];
    const taken: Abortable[] = [];
    for (const [epoch, all] of epochs) {
      if (epoch === current) continue;
      taken.push(...all);
      epochs.delete(epoch);
    }
    if (epochs.size === 0) this.#worlds.delete(world);
    return taken;
  }

  /** All of them, of all worlds. */
  *all(): Iterable<Abortable> {
    for (const epochs of this.#worlds.values()) for (const all of epochs.values()) yield* all;
  }
}
