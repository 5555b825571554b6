// What the driver in memory has made ready to take the place of a world's records, tasks and entries.
import type { Appended } from '../history.ts';
import type { MemoryWorld } from './world.ts';

export class PreparedWorld {
  readonly #world: MemoryWorld;
  /** The entries that listeners are told of once it is in its place. */
  readonly #appended: readonly Appended[];
  /** How many of them its journals have dropped again. */
  readonly dropped: number;

  constructor(world: MemoryWorld, appended: readonly Appended[], dropped: number) {
    this.#world = world;
    this.#appended = appended;
    this.dropped = dropped;
  }

  /** Without the deliveries that are outdated. Adds the entries to those that the transaction has appended. */
  takePlaceOf(world: MemoryWorld, appended: Appended[], outdated: ReadonlySet<string> | undefined): void {
    world.takeOver(this.#world);
    for (const id of outdated ?? []) world.journals.of('deliveries').lose(id);
    for (const each of this.#appended) if (!outdated?.has(each.entry.id)) appended.push(each);
  }
}
