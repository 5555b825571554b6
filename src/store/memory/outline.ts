// What a journal knows of an entry without its contents. A copy of a world that is elsewhere asks for those when they are
// needed.
import { isUnfinished, type JournalName, type Journals } from '../../model.ts';
import { sizeOf } from '../footprint.ts';
import { QUEUED_BYTES } from './usage.ts';

export interface Outline {
  readonly id: string;
  readonly at: string;
  /** Where it was appended, in the order of all journals of the world. */
  readonly order: number;
  /** Where the transaction began that appended it. */
  readonly began: number;
  /** Where it was appended or amended last. */
  readonly position: number;
  /** What it takes, with its contents. */
  readonly bytes: number;
  /** Whether it must not be dropped. */
  readonly isOpen: boolean;
}

/** A number by which an entry is found again: no other entry of its world ever has it. */
export type PlaceNumber = 'order' | 'position';

/** Thrown where the contents of an entry are needed that are elsewhere: they are `wanted` now. */
export class ContentsElsewhere extends Error {}

export function outlineOf(entry: Journals[JournalName], order: number, began: number, position: number): Outline {
  const { id, at } = entry;
  return { id, at, order, began, position, bytes: bytesOf(entry), isOpen: isOpenDelivery(entry) };
}

function isOpenDelivery(entry: Journals[JournalName]): boolean {
  return 'attempts' in entry && isUnfinished(entry);
}

/** An entry without its contents: its places in the journal and in its queue. */
const ENTRY_BYTES = 200;

function bytesOf(entry: Journals[JournalName]): number {
  return ENTRY_BYTES + (isOpenDelivery(entry) ? QUEUED_BYTES : 0) + sizeOf(entry);
}
