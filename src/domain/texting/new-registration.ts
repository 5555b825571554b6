// A brand or campaign of the A2P texting registration that has just been submitted.
import { timestamp } from '../../clock/clock.ts';
import { allocateId } from '../../engine/create.ts';
import type { Owner } from '../../engine/records.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** A pending registration; not stored yet. */
export function newRegistration<Fields extends Partial<Row<'texting_registrations'>>>(
  tx: Tx,
  { organization_id }: Owner,
  fields: Fields,
) {
  const now = timestamp(tx.at);
  const { id, rank } = allocateId(tx, 'texting_registrations');
  return {
    id,
    status: 'pending' as const,
    rejection_reasons: [],
    legal_name: null,
    ein: null,
    brand_id: null,
    use_case: null,
    phone_numbers: [],
    ...fields,
    created_at: now,
    updated_at: now,
    private: { organization_id, rank },
  };
}
