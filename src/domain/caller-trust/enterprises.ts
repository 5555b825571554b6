// The enterprise of an organization, and what needs an approved one: `spec.md` "When enterprise registration […] is
// required".
import { findAll, type Owner } from '../../engine/records.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** The organization's enterprise; undefined if it has none. */
export function enterpriseOf(tx: Tx, owner: Owner): Row<'enterprises'> | undefined {
  return findAll(tx, 'enterprises', 'organization', owner.organization_id, owner)[0];
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
