// What needs the customer's own brand: `spec.md` "When enterprise registration […] is required".
import { type Caller, findAll } from '../../engine/operation.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** The organization's enterprise; `conflict` where there is none, or it is not APPROVED. */
export function approvedEnterprise(tx: Tx, caller: Caller, what: string, assumption: string): Row<'enterprises'> {
  const [enterprise] = findAll(tx, 'enterprises', 'organization', caller.organization_id, caller);
  if (enterprise?.status === 'APPROVED') return enterprise;
  throw new ApiError('conflict', {
    message: `${enterprise ? `The enterprise is ${enterprise.status}` : 'There is no enterprise'}; ${what} needs one that is APPROVED.`,
    hint: enterprise
      ? 'Submit the enterprise and wait for its approval (GET /v1/caller-trust/enterprise).'
      : 'Register the enterprise first with POST /v1/caller-trust/enterprise.',
    assumption,
  });
}
