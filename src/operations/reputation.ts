// Number reputation: `spec.md` "When enterprise registration […] is required". Every provisioned number is watched
// under a shared umbrella, and under the customer's own brand once the enterprise is approved.
import type { Schemas } from '../contract/document.ts';
import { findAll, type Operation, pageOf } from '../engine/operation.ts';
import { integer } from '../identity/seeded.ts';
import { spamRiskOf } from '../lifecycles/phone-number.ts';
import type { Row, SpamRisk } from '../model.ts';
import type { Tx } from '../store/store.ts';

/** The least and the most of the score, by risk. */
const scores: Readonly<Record<SpamRisk, readonly [number, number]>> = {
  low: [0, 29],
  medium: [30, 69],
  high: [70, 100],
};

export const listReputationNumbers: Operation<'listReputationNumbers'> = {
  handle(request, tx) {
    const { caller } = request;
    const [enterprise] = findAll(tx, 'enterprises', 'organization', caller.organization_id, caller);
    const ownBrand = enterprise?.reputation?.status === 'approved';
    const { rows, meta } = pageOf(tx, 'phone_numbers', request, false);
    return { status: 200, body: { data: rows.map((number) => reputationOf(tx, number, ownBrand)), meta } };
  },
};

function reputationOf(tx: Tx, number: Row<'phone_numbers'>, ownBrand: boolean): Schemas['ReputationNumber'] {
  const { id, phone_number, reputation_enrolled_at: enrolled_at } = number;
  const spam_risk = spamRiskOf(number);
  return {
    phone_number_id: String(id),
    phone_number,
    spam_risk,
    spam_score:
      spam_risk === 'unknown' ? null : integer(...scores[spam_risk], tx.world.seed, 'spam score', phone_number),
    enrolled_at,
    own_brand: ownBrand && enrolled_at !== null,
  };
}
