// What a commit changes in a world.
import type { FieldChanges } from './fields.ts';

/** What the transactions of a group changed together. */
export interface GroupChanges extends FieldChanges {
  /** The names among the fields, and their values in turn: by them Redis knows which worlds a replica holds. */
  readonly names: readonly string[];
  /** How often each fact was met. */
  readonly covered: ReadonlyMap<string, number>;
  /** What of a world that is replaced was written before, in parts. */
  readonly staged: Staged;
}

/** By what it is found; empty for nothing. */
export interface Staged {
  fields: string;
  entries: string;
}

export const nothingStaged = (): Staged => ({ fields: '', entries: '' });
