// What the worlds of a store take of the memory budget, share by share. A world is counted when one of its transactions
// commits, by what has changed since it was last counted, without scanning anything.
import type { MemoryBudget } from '../../budget/budget.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Undo } from './table.ts';
import type { MemoryWorld } from './world.ts';

/** The shares whose limit refuses what a world writes. */
export type WorldShare = 'records' | 'documents' | 'deliveries';

/** The part of the records that is left for those of a world that is added. */
const FOR_ANOTHER = 0.1;

export class Accounts {
  readonly budget: MemoryBudget;
  /** The part of the records that stay until they are deleted. */
  #kept = 0;

  constructor(budget: MemoryBudget) {
    this.budget = budget;
  }

  count(world: MemoryWorld): void {
    const { shares } = this.budget;
    const { counted } = world;
    const now = world.taken();
    world.counted = now;
    this.#kept += now.kept - counted.kept;
    shares.records.used += now.kept - counted.kept + now.ended - counted.ended;
    shares.documents.used += now.documents - counted.documents;
    shares.deliveries.used += now.deliveries - counted.deliveries;
    shares.journals.used += now.journals - counted.journals;
  }

  /** Counts what has gone to make room, until that is undone. */
  countDropped(share: 'records' | 'journals', count: number, undo: Undo): void {
    const counted = this.budget.shares[share];
    counted.dropped += count;
    undo.push(() => {
      counted.dropped -= count;
    });
  }

  /** Gives back what a world has taken. */
  forget(world: MemoryWorld): void {
    world.empty([]);
    world.isGone = true;
    this.count(world);
  }

  /**
   * Whether a world takes too much of a share for that many bytes more. It may take as much as is free in all: a single
   * world half of the share, and many worlds almost all of it, but never so much that nothing is left for the next one.
   */
  lacksRoom(world: MemoryWorld, share: WorldShare, bytes: number): boolean {
    const { limit, used } = this.budget.shares[share];
    // Records that have ended leave when the others need their place.
    const inUse = share === 'records' ? this.#kept : used;
    return ownUse(world, share) + bytes > limit - inUse;
  }

  /** Whether there is no room for another world and what it is to hold. */
  get isFull(): boolean {
    return this.#kept > (1 - FOR_ANOTHER) * this.budget.shares.records.limit;
  }

  /** Whether worlds take more than may be written, as where they come from a store that others fill too. */
  get isOverfull(): boolean {
    const { records, documents, deliveries } = this.budget.shares;
    return this.#kept > records.limit || documents.used > documents.limit || deliveries.used > deliveries.limit;
  }

  /** Counts the writes that shares had no room for, by share. */
  countRefused(refused: readonly WorldShare[]): void {
    for (const share of refused) this.budget.shares[share].refused += 1;
  }

  /**
   * The error of a write that a share has no room for; `world` is whose write it is. What it uses is told without that
   * write, as the use of the whole share is.
   */
  refusal(share: WorldShare, world?: MemoryWorld): ApiError {
    return this.budget.shares[share].refusal(world && partOf(world.counted, share));
  }
}

const ownUse = (world: MemoryWorld, share: WorldShare): number => partOf(world.taken(), share);

const partOf = (taken: MemoryWorld['counted'], share: WorldShare): number =>
  share === 'records' ? taken.kept : taken[share];
