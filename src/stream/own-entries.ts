// Tells readers with the keys of sub-entities what is theirs. To whom an entry belongs is known by its record, which takes a
// transaction: one for many entries and all readers, when it is the turn of the world.
import { type Slicing, transactSlice } from '../engine/transact-slice.ts';
import type { Appended } from '../store/history.ts';
import type { StreamItem } from './messages.ts';
import { ownerOf } from './owner.ts';
import type { Reader } from './reader.ts';

/** How many are told in one transaction. */
const SLICE = 100;
/** How many may wait. */
const MOST = 10_000;

/** A message; without an entry it is for every reader. */
interface Told {
  readonly item: StreamItem;
  readonly entry: Appended | undefined;
}

export interface OwnEntriesOptions {
  readonly world: string;
  /** Those who read something of the world, with their organizations. */
  readonly readers: () => Iterable<readonly [Reader, string]>;
  /** Called when something was added to a reader. */
  readonly onTold: (reader: Reader) => void;
  readonly onError: (error: unknown) => void;
}

export class OwnEntries {
  readonly #parts: Slicing;
  readonly #options: OwnEntriesOptions;
  #waiting: Told[] = [];
  #telling: Promise<void> | undefined;

  constructor(parts: Slicing, options: OwnEntriesOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  add(item: StreamItem, entry?: Appended): void {
    this.#waiting.push({ item, entry });
    if (this.#waiting.length > MOST) {
      this.forget();
      for (const [reader] of this.#options.readers()) reader.disconnect();
    }
    // Once all entries of the commit are there.
    this.#telling ??= Promise.resolve()
      .then(() => this.#tell())
      .catch(this.#options.onError)
      .finally(() => {
        this.#telling = undefined;
      });
  }

  /** Resolves when everything was told. */
  async whenTold(): Promise<void> {
    await this.#telling;
  }

  forget(): void {
    this.#waiting = [];
  }

  async #tell(): Promise<void> {
    while (this.#waiting.length > 0) {
      const told = this.#waiting.splice(0, SLICE);
      const owners = await transactSlice(this.#parts, this.#options.world, (tx) =>
        told.map(({ entry }) => entry && ownerOf(tx, entry)),
      );
      this.#parts.turns.work(() => this.#give(told, owners), this.#options.world);
    }
  }

  #give(told: readonly Told[], owners: readonly (string | null | undefined)[]): void {
    for (const [reader, organization] of this.#options.readers()) {
      for (const [n, { item, entry }] of told.entries()) {
        if (!entry || owners[n] === organization) reader.add(item);
      }
      this.#options.onTold(reader);
    }
  }
}
