// How much memory this process can use before it is killed: the container's limit or the machine's memory, and V8's own
// limit for the heap, which ends the process even if memory is left.
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

export interface ProcessMemory {
  /** Of the process, in bytes. */
  readonly total: number;
  /** Of its heap, beside the program itself; it holds objects and strings, while documents and connections are outside. */
  readonly heap: number;
}

/** Other programs need memory too on a machine that does not limit this one. */
const PART_OF_MACHINE = 1 / 2;
/** What the program itself takes of the heap, with its generation of young objects. */
const PROGRAM = 80 * 1024 ** 2;

export function processMemory(): ProcessMemory {
  const machine = totalmem();
  // 0 or 2^64 where there is no limit.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const { heap_size_limit } = getHeapStatistics();
  const total = limit < machine ? limit : machine * PART_OF_MACHINE;
  return { total: Math.floor(total), heap: Math.floor(Math.max(heap_size_limit - PROGRAM, heap_size_limit / 4)) };
}
