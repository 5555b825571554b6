// The reputation of an organization's numbers as monitoring reports it (assumptions check_frequency and
// reputation_numbers). No check is scheduled: which one was the last follows from the clock, and what it found from the number.
import { assumed } from '../../assumptions/catalogue.ts';
import { latestMorning } from '../../clock/recurring-days.ts';
import type { Schemas } from '../../contract/document.ts';
import type { Owner } from '../../engine/records.ts';
import { spamRiskAt } from '../../lifecycles/phone-number.ts';
import { openCallingRules, type Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { enterpriseOf } from '../caller-trust/enterprises.ts';
import { callingRulesOf } from '../calls/calling-rules.ts';

type PhoneNumber = Row<'phone_numbers'>;

export interface Monitoring {
  /** When a number was last checked, in milliseconds; null if it is not enrolled. */
  checkedAt(number: PhoneNumber): number | null;
  /** What that check found; unknown if the number is not enrolled. */
  riskOf(number: PhoneNumber): Schemas['SpamRisk'];
}

/**
 * The monitoring of an organization now. A number is checked when it is enrolled, when its enterprise is approved, and then
 * as often as the enterprise says, or as the ledger does under the shared umbrella.
 */
export function monitoringOf(tx: Tx, owner: Owner): Monitoring {
  let last: number | undefined;
  const lastCheck = (): number => {
    last ??= lastCheckOf(tx, owner);
    return last;
  };
  const checkedAt = ({ reputation_enrolled_at: enrolled }: PhoneNumber): number | null =>
    enrolled === null ? null : Math.max(Date.parse(enrolled), lastCheck());
  return {
    checkedAt,
    riskOf(number) {
      if (number.reputation_enrolled_at === null) return 'unknown';
      // Most numbers never change.
      if (number.private.risk_changes === undefined) return number.private.spam_risk;
      return spamRiskAt(number, checkedAt(number) ?? 0);
    },
  };
}

function lastCheckOf(tx: Tx, owner: Owner): number {
  const own = enterpriseOf(tx, owner)?.reputation;
  const ownBrand = own?.status === 'approved' ? own : null;
  const frequency = ownBrand?.check_frequency ?? assumed(tx.state('assumptions'), 'check_frequency');
  const zone = (callingRulesOf(tx) ?? openCallingRules).time_zone;
  const scheduled = latestMorning(frequency, zone, tx.at) ?? Number.NEGATIVE_INFINITY;
  const approved = ownBrand?.last_synced_at;
  return approved ? Math.max(Date.parse(approved), scheduled) : scheduled;
}
