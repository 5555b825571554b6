// Number reputation: `spec.md` "When enterprise registration […] is required". Every provisioned number is monitored
// under a shared umbrella, and under the customer's own brand once the enterprise is approved.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { enterpriseOf } from '../domain/caller-trust/enterprises.ts';
import { pageOfNumbers } from '../domain/numbers/own-numbers.ts';
import { type Monitoring, monitoringOf } from '../domain/numbers/reputation.ts';
import { type Operation, ok } from '../engine/operation.ts';
import { integer } from '../identity/seeded.ts';
import type { Row, SpamRisk } from '../model.ts';
import type { Tx } from '../store/store.ts';

/** The lowest and highest score of each risk. */
const scores: Readonly<Record<SpamRisk, readonly [number, number]>> = {
  low: [0, 29],
  medium: [30, 69],
  high: [70, 100],
};

export const listReputationNumbers: Operation<'listReputationNumbers'> = {
  handle({ caller, query }, tx) {
    const ownBrand = enterpriseOf(tx, caller)?.reputation?.status === 'approved';
    const { rows, meta } = pageOfNumbers(tx, caller, query);
    const monitoring = monitoringOf(tx, caller);
    return ok(
      rows.map((number) => serializeReputation(tx, number, monitoring, ownBrand)),
      meta,
    );
  },
};

function serializeReputation(
  tx: Tx,
  number: Row<'phone_numbers'>,
  { checkedAt, riskOf }: Monitoring,
  ownBrand: boolean,
): Schemas['ReputationNumber'] {
  const { id, phone_number, reputation_enrolled_at: enrolled_at } = number;
  const spam_risk = riskOf(number);
  const checked = checkedAt(number);
  return {
    phone_number_id: String(id),
    phone_number,
    spam_risk,
    spam_score:
      spam_risk === 'unknown' ? null : integer(...scores[spam_risk], tx.world.seed, 'spam score', phone_number),
    enrolled_at,
    last_checked_at: checked === null ? null : timestamp(checked),
    own_brand: ownBrand && enrolled_at !== null,
  };
}
