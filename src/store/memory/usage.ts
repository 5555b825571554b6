// What a world takes of the memory budget, estimated with factors measured on Node 20; its tables keep it up to date as
// they change.

export interface Usage {
  /** Records that stay until they are deleted. */
  kept: number;
  /** Records that have ended, and may go to make room. */
  ended: number;
  /** The bytes of documents. */
  documents: number;
}

/** A world without records: its clock, its empty tables, its view of the fixture. */
export const WORLD_BYTES = 8000;
/** A record without its contents: its places in the table and in the indexes. */
export const ROW_BYTES = 300;
/** A value by which a record is found over all worlds. */
export const UNIQUE_BYTES = 250;
/** A value of an index under which there are records. */
export const INDEX_VALUE_BYTES = 300;
/** A scheduled task. */
export const TASK_BYTES = 350;
/** A counter or an ordinal. */
export const NUMBER_BYTES = 150;
/** A fact that a world has met and its count; the names are shared. */
export const COVERED_BYTES = 50;
/** What a delivery that is not attempted yet takes beside its journal entry: its places in queues and groups. */
export const QUEUED_BYTES = 800;

export const noUsage = (): Usage => ({ kept: 0, ended: 0, documents: 0 });

export function addUsage(usage: Usage, part: keyof Usage, bytes: number): void {
  usage[part] += bytes;
}
