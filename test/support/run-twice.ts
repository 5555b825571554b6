// Runs every transaction body twice, as a store across a network may: runs it, undoes it, runs it again, and compares what
// it wrote and what came of it. A body differs if it reads the machine's time, chance, or what its first run left behind.
import { inspect, isDeepStrictEqual } from 'node:util';
import { MemoryTransaction } from '../../src/store/memory/transaction.ts';
import type { Tx } from '../../src/store/store.ts';
import { sourcePlaces } from './source-places.ts';

/** Every function of a transaction that writes. */
const writes: ReadonlySet<string | symbol> = new Set<keyof Tx>([
  'put',
  'remove',
  'ordinal',
  'setOrdinal',
  'setCounter',
  'setState',
  'schedule',
  'unschedule',
  'takeTask',
  'append',
  'amend',
  'bringBack',
  'cover',
  'setDroppedCount',
  'wipe',
]);

interface Run {
  /** What was written, in that order. */
  readonly written: readonly unknown[];
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Bodies that wrote or returned something else when they ran again. */
export const impure: string[] = [];

const runOnce = MemoryTransaction.prototype.run;

/** Every store in memory runs its bodies twice from now on; returns what ends that. */
export function runTwice(): () => void {
  const before = MemoryTransaction.prototype.run;
  MemoryTransaction.prototype.run = function <T>(this: MemoryTransaction, body: (tx: Tx) => T): T {
    const first = runOf(this, body);
    this.rollBack();
    const second = runOf(this, body);
    compare(first, second);
    if ('error' in second) throw second.error;
    // It is what the body returned.
    return second.value as T;
  };
  return () => {
    MemoryTransaction.prototype.run = before;
  };
}

function runOf(tx: MemoryTransaction, body: (tx: Tx) => unknown): Run {
  const written: unknown[] = [];
  try {
    return { written, value: runOnce.call(noting(tx, written), body) };
  } catch (error) {
    return { written, error };
  }
}

/** The transaction, such that it notes what is written through it. */
function noting(tx: MemoryTransaction, written: unknown[]): MemoryTransaction {
  return new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'run') return value;
      return (...given: unknown[]) => {
        if (writes.has(name)) written.push([name, ...given]);
        return value.apply(target, given);
      };
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

function compare(first: Run, second: Run): void {
  const before = comparable(first);
  const after = comparable(second);
  if (isDeepStrictEqual(before, after)) return;
  const [a, b] = [before, after].map((run) =>
    inspect(run, { depth: 12, maxArrayLength: 1000, breakLength: 160 }).split('\n'),
  );
  // Functions are made again by each run.
  const at = a?.findIndex((line, index) => line !== b?.[index]) ?? -1;
  if (!a || !b || (at < 0 && a.length === b.length)) return;
  const cause = sourcePlaces(new Error().stack ?? '').find((place) => !place.startsWith('store/'));
  impure.push(
    `${a.slice(Math.max(0, at - 3), at + 3).join('\n')}\nagain:\n${b.slice(Math.max(0, at - 3), at + 3).join('\n')}\n${cause}`,
  );
}

function comparable({ written, value, error }: Run): Run {
  if (error === undefined) return { written, value };
  return {
    written,
    error: error instanceof Error ? [error.name, error.message, { ...error, stack: null, cause: null }] : error,
  };
}
