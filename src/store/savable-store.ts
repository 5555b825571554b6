// What `--state` needs of a store beyond its port.
import type { PackedCounts, Store, WorldChange, WorldDump } from './store.ts';

/** Worlds created on first use are left out. */
export interface SavableStore extends Store {
  /** What has changed since the last call, by world. Must not be called within a transaction. */
  takeChanges(systemTime: number): ReadonlyMap<string, WorldChange>;
  /** All worlds as they are now. */
  dumpAll(systemTime: number): WorldDump[];
  /** What the worlds have met that are in no dump: those that have gone, and those that were created on first use. */
  undumpedCoverage(): Readonly<Record<string, PackedCounts>>;
  /** Restores what a world has met; if it does not exist, as that of one that has gone. */
  restoreCoverage(world: string, counts: PackedCounts): void;
}
