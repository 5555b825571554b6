// The refusals that a scenario scripts: which one has its turn.
import type { Tx } from '../store/store.ts';
import type { Refusal, Scenario } from './scenario.ts';

/**
 * The refusal that a scenario has for whoever sets it going. Refusals with `times` are counted per world and
 * destination, and anew after the success that follows them.
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
