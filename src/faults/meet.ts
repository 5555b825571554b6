// Determines which faults of its world a request meets. They are counted within the world's transactions, in the order
// in which they were set, and drawn from the seed, so that the same order of requests always meets the same faults.
import { parseDurationRange } from '../clock/duration.ts';
import { matchesGlob } from '../glob.ts';
import { fraction, integer } from '../identity/seeded.ts';
import type { FaultSpec, Row } from '../model.ts';
import type { Tx } from '../store/store.ts';

export interface MetFault {
  readonly id: string;
  readonly spec: FaultSpec;
  /** Real milliseconds; null if it does not delay, or something else already does. */
  readonly delayMs: number | null;
}

export interface FaultTarget {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

/** What has already been decided for a request, by its control headers or by earlier faults. */
export interface Decided {
  readonly answer: boolean;
  readonly delay: boolean;
}

/** A counter, which costs every request less to read than the index does. */
const LIVE = 'live faults';

/** Whether any fault of a world may still happen. */
export const hasFaults = (tx: Tx): boolean => tx.counter(LIVE) > 0;

/** To be called after every change of faults. */
export const countFaults = (tx: Tx): void => tx.setCounter(LIVE, tx.count('faults', 'live', 'all'));

/**
 * The faults that happen to a request: one that answers or changes the answer, and one that delays it, at most. A fault
 * counts only the requests for which it could still decide something.
 */
export function meetFaults(tx: Tx, target: FaultTarget, decided: Decided): MetFault[] {
  const met: MetFault[] = [];
  let { answer, delay } = decided;
  for (const fault of tx.page('faults', 'live', 'all')) {
    const { id, spec } = fault;
    if (fault.expires_at !== null && tx.at >= Date.parse(fault.expires_at)) {
      tx.put('faults', { ...fault, spent: true });
      continue;
    }
    const onlyDelays = !answers(spec);
    if ((onlyDelays ? delay : answer) || !matches(spec, target)) continue;
    const matched = fault.matched + 1;
    const happens = happensTo(fault, matched);
    const applied = fault.applied + (happens ? 1 : 0);
    tx.put('faults', { ...fault, matched, applied, spent: isSpent(spec, matched, applied) });
    if (!happens) continue;
    const range = spec.latency === undefined || delay ? undefined : parseDurationRange(spec.latency);
    const delayMs = range ? integer(range.min, range.max, id, 'latency', matched) : null;
    met.push({ id, spec, delayMs });
    answer ||= !onlyDelays;
    delay ||= delayMs !== null;
  }
  countFaults(tx);
  return met;
}

const answers = ({ error, fault, respond, drift }: FaultSpec): boolean =>
  error !== undefined || fault !== undefined || respond !== undefined || drift !== undefined;

const matches = ({ operation = '**', method = '**', path = '**' }: FaultSpec, target: FaultTarget): boolean =>
  matchesGlob(operation, target.operation) &&
  matchesGlob(method.toUpperCase(), target.method) &&
  matchesGlob(path, target.path);

/** `matched` counts this request too. */
function happensTo({ id, spec: { skip = 0, nth, probability = 1 } }: Row<'faults'>, matched: number): boolean {
  const number = matched - skip;
  if (number < 1 || (nth !== undefined && number !== nth)) return false;
  return probability === 1 || fraction(id, 'happens', matched) < probability;
}

function isSpent({ skip = 0, nth, times }: FaultSpec, matched: number, applied: number): boolean {
  return (times !== undefined && applied >= times) || (nth !== undefined && matched - skip >= nth);
}
