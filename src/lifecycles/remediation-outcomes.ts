// How a remediation request can end for each of its numbers, and what that costs (assumption billed_amount).
import { type AssumptionValues, assumed } from '../assumptions/catalogue.ts';
import type { Row } from '../model.ts';
import { keysOf } from '../typed-keys.ts';

export type Outcome = NonNullable<Row<'remediations'>['numbers'][number]['outcome']>;

/** Every outcome, and whether it is billed. */
const isBilled: Record<Outcome, boolean> = {
  remediated: true,
  not_flagged: false,
  requires_review: false,
  ineligible: false,
  refused: false,
};

export const outcomes: readonly Outcome[] = keysOf(isBilled);

/** In deci-cents; 0 before the outcome is known. */
export function billedAmount(outcome: Outcome | null, assumptions: AssumptionValues): number {
  return outcome !== null && isBilled[outcome] ? assumed(assumptions, 'billed_amount') : 0;
}
