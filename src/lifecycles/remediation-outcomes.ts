// How a remediation request can end for each of its numbers, and what that costs (assumption billed_amount).
import type { Row } from '../model.ts';
import { keysOf } from '../typed-keys.ts';

export type Outcome = NonNullable<Row<'remediations'>['numbers'][number]['outcome']>;

const billedAmounts: Record<Outcome, number> = {
  remediated: 1500,
  not_flagged: 0,
  requires_review: 0,
  ineligible: 0,
  refused: 0,
};

export const outcomes: readonly Outcome[] = keysOf(billedAmounts);

/** In deci-cents; 0 before the outcome is known. */
export function billedAmount(outcome: Outcome | null): number {
  return outcome === null ? 0 : billedAmounts[outcome];
}
