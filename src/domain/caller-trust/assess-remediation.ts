// Decides a remediation by the numbers themselves: what the scenario remediation_by_reputation plays.
import type { TaskHandler } from '../../engine/run-task.ts';
import { transition } from '../../engine/transition.ts';
import { spamRiskAt } from '../../lifecycles/phone-number.ts';
import { remediationLifecycle } from '../../lifecycles/remediation.ts';
import type { Outcome } from '../../lifecycles/remediation-outcomes.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { heldNumber } from '../numbers/held-numbers.ts';

export const assessRemediation: TaskHandler<'assess_remediation'> = (tx, { subject }) => {
  const remediation = tx.get('remediations', subject.id);
  if (remediation?.status !== 'in_progress') return;
  const outcomes = remediation.numbers.map(({ phone_number }) => outcomeFor(tx, remediation, phone_number));
  transition(tx, remediationLifecycle, remediation, 'complete', { outcomes });
};

/** Only a number that is enrolled can be remediated, and only a flagged one needs it. */
function outcomeFor(tx: Tx, { private: owner }: Row<'remediations'>, digits: string): Outcome {
  const number = heldNumber(tx, owner, digits);
  if (!number || number.reputation_enrolled_at === null) return 'ineligible';
  return spamRiskAt(number, tx.at) === 'low' ? 'not_flagged' : 'remediated';
}
