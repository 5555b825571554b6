// A phone number that an organization orders: `spec.md` "Phone number".
import { timestamp } from '../../clock/clock.ts';
import { type Owner, ownedBy } from '../../engine/records.ts';
import { integer } from '../../identity/seeded.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { actingUser } from '../organizations/users.ts';

/** A number that is being provisioned; not stored yet. */
export function newNumber(tx: Tx, owner: Owner, phone_number: string, name: string | null): Row<'phone_numbers'> {
  return {
    id: unusedId(tx),
    phone_number,
    name,
    organization_id: owner.organization_id,
    user_id: actingUser(tx)?.id ?? null,
    provider: 'carrier',
    is_active: false,
    iso_country: 'US',
    reputation_enrolled_at: null,
    cnam_display_name: null,
    cnam_status: null,
    texting_enabled: false,
    texting_status: 'none',
    created_at: timestamp(tx.at),
    private: { ...ownedBy(tx, owner), status: 'PROVISIONING', max_calls: null, spam_risk: 'low' },
  };
}

/** The specification's ids of phone numbers are integers, so a generated one may already be in use. */
function unusedId(tx: Tx): number {
  const { seed, name } = tx.world;
  for (;;) {
    const id = integer(100_000, 999_999_999, seed, name, 'phone_numbers', tx.ordinal('phone_numbers'));
    if (!tx.get('phone_numbers', String(id))) return id;
  }
}
