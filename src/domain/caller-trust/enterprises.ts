// The enterprise of an organization, and what needs an approved one: `spec.md` "When enterprise registration […] is
// required".
import { allocateId } from '../../engine/create.ts';
import { findAll, type Owner } from '../../engine/records.ts';
import { ApiError } from '../../errors/api-error.ts';
import { uuid } from '../../identity/seeded.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** The organization's enterprise; undefined if it has none. */
export function enterpriseOf(tx: Tx, owner: Owner): Row<'enterprises'> | undefined {
  return findAll(tx, 'enterprises', 'organization', owner.organization_id, owner)[0];
}

/** A draft with these business details; not stored yet. */
export function newEnterprise(
  tx: Tx,
  { organization_id }: Owner,
  legal_name: string | null,
  dba: string | null,
  own: Pick<Row<'enterprises'>['private'], 'details' | 'check_frequency'>,
): Row<'enterprises'> {
  const { id, rank } = allocateId(tx, 'enterprises');
  return {
    id,
    carrier_enterprise_id: null,
    legal_name,
    dba,
    status: 'DRAFT',
    rejection_reasons: [],
    synced_at: null,
    loa_document_id: null,
    reputation: null,
    private: { organization_id, rank, ...own },
  };
}

/** The id of the carrier's record, which the first submission creates. */
export function carrierIdOf({ world: { seed, name } }: Tx, { id, carrier_enterprise_id }: Row<'enterprises'>): string {
  return carrier_enterprise_id ?? uuid(seed, name, 'carrier enterprise', id);
}

/** The organization's enterprise; `conflict` unless it is APPROVED. `feature` is what needs it, for the message. */
export function approvedEnterprise(tx: Tx, owner: Owner, feature: string, assumption: string): Row<'enterprises'> {
  const enterprise = enterpriseOf(tx, owner);
  if (enterprise?.status === 'APPROVED') return enterprise;
  throw new ApiError('conflict', {
    message: `${enterprise ? `The enterprise is ${enterprise.status}` : 'This organization has no enterprise'}; ${feature} needs an APPROVED one.`,
    hint: enterprise
      ? 'Submit the enterprise and wait for its approval (GET /v1/caller-trust/enterprise).'
      : 'Register the enterprise first with POST /v1/caller-trust/enterprise.',
    assumption,
  });
}
