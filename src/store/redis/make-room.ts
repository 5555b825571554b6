// Keeps the copies of a replica within their shares of the memory budget. Copies that nobody uses go first, as their worlds
// stay in Redis. Where that is not enough, the oldest entries, or the oldest records that have ended, of the world that has
// most of them go, as with a store in memory: in transactions of that world, since its copies are alike.
import type { Share } from '../../budget/budget.ts';
import { ifGone } from '../if-gone.ts';
import { dropOldestRecord } from '../memory/make-room.ts';
import { MemoryTransaction } from '../memory/transaction.ts';
import type { MemoryWorld, Taken } from '../memory/world.ts';
import type { Tx } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type { Copies } from './copies.ts';
import type { Copy } from './copy.ts';

/** A little below the limit, so that it is not over it again at the next commit. */
const GOAL = 0.95;
/** Where nothing can go, a share must grow by this part of its limit before copies are searched again. */
const STEP = 0.01;
/** How many go in one transaction. */
const PART = 1000;

/** A share whose limit refuses nothing, and what a world takes of it. */
interface Giving {
  readonly share: Share;
  readonly sizeOf: (taken: Taken) => number;
  /** Drops the oldest one; false if there is none. */
  readonly drop: (world: MemoryWorld, tx: MemoryTransaction) => boolean;
  /** How much must be used for another search. */
  nextAt: number;
}

export interface RoomMakerParts {
  readonly copies: Copies;
  transaction<T>(world: string, body: (tx: Tx) => T): Promise<T>;
  onError(error: unknown, world: string): void;
}

export class RoomMaker {
  readonly #parts: RoomMakerParts;
  readonly #giving: readonly Giving[];
  #isMaking = false;

  constructor(parts: RoomMakerParts) {
    this.#parts = parts;
    const { uniques, accounts } = parts.copies;
    const { journals, records } = accounts.budget.shares;
    this.#giving = [
      {
        share: journals,
        sizeOf: (taken) => taken.journals,
        drop: (world, tx) => world.journals.dropOldest(tx.undo),
        nextAt: 0,
      },
      {
        share: records,
        sizeOf: (taken) => taken.ended,
        drop(world, tx) {
          // Its tasks go with it.
          tx.scheduleChanged = true;
          return dropOldestRecord(world, uniques, tx.undo);
        },
        nextAt: 0,
      },
    ];
  }

  /** To be called after a commit, when the copy is counted: makes room while others go on. */
  makeRoom(): void {
    if (this.#isMaking || !this.#giving.some(isOver)) return;
    this.#isMaking = true;
    void this.#makeRoom().finally(() => {
      this.#isMaking = false;
    });
  }

  async #makeRoom(): Promise<void> {
    for (const giving of this.#giving.filter(isOver)) {
      const { share } = giving;
      this.#parts.copies.evictIdle(() => share.used > GOAL * share.limit);
      while (share.used > GOAL * share.limit && (await this.#dropFromLargest(giving))) {}
      giving.nextAt = isOver(giving) ? share.used + STEP * share.limit : 0;
    }
  }

  /** False if nothing can go now. */
  async #dropFromLargest(giving: Giving): Promise<boolean> {
    const { copies, transaction, onError } = this.#parts;
    const largest = copies.largest(giving.sizeOf);
    if (!largest) return false;
    const world = largest.world.facts.name;
    try {
      const dropped = await transaction(world, (tx) => drop(giving, copies.get(world), tx)).catch(ifGone(0));
      giving.share.dropped += dropped;
      return dropped > 0;
    } catch (error) {
      // After the next commit, it is tried again.
      if (!(error instanceof StoreAway)) onError(error, world);
      return false;
    }
  }
}

const isOver = ({ share, nextAt }: Giving): boolean => share.used > share.limit && share.used >= nextAt;

/** Drops what a share is over its goal by, or half of what that world has if that is less. Returns how many. */
function drop({ share, sizeOf, drop: dropOldest }: Giving, copy: Copy | undefined, tx: Tx): number {
  if (!copy || !(tx instanceof MemoryTransaction)) return 0;
  const { world } = copy;
  const before = sizeOf(world.counted);
  const least = Math.max(before - (share.used - GOAL * share.limit), before / 2);
  let dropped = 0;
  while (dropped < PART && sizeOf(world.taken()) > least && dropOldest(world, tx)) dropped += 1;
  return dropped;
}
