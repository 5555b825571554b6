// The refusals that a scenario scripts, and which one applies to a request.
import type { Tx } from '../store/store.ts';
import type { Refusal, Scenario } from './scenario.ts';

/**
 * The refusal that applies to the next request which plays a scenario; undefined if the request may succeed. Refusals
 * with `times` are counted per world and destination; the count restarts after the success that follows them.
 */
export function refusalOf(tx: Tx, { name, refuse }: Scenario, destination: string | null): Refusal | undefined {
  if (refuse.length === 0) return undefined;
  const counter = `refusals of ${name} to ${destination ?? ''}`;
  const before = tx.counter(counter);
  let upTo = 0;
  for (const refusal of refuse) {
    const { times } = refusal;
    upTo += times ?? Number.POSITIVE_INFINITY;
    if (before >= upTo) continue;
    if (times !== undefined) tx.setCounter(counter, before + 1);
    return refusal;
  }
  tx.setCounter(counter, 0);
  return undefined;
}
