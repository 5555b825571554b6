// The account behind a key: `spec.md` "Account snapshot" and `GET /v1/me`.
import type { Schemas } from '../contract/document.ts';
import { actingUser } from '../domain/organizations/users.ts';
import { type Caller, type Operation, ok } from '../engine/operation.ts';
import { findAll } from '../engine/records.ts';
import { wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';

export const getAccount: Operation<'getAccount'> = {
  handle({ caller }, tx) {
    const { user, organization, plan } = userAndOrganization(tx, caller);
    const numbers = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller);
    const enterprises = findAll(tx, 'enterprises', 'organization', caller.organization_id, caller);
    return ok({
      api_key_id: caller.id,
      plan,
      user,
      organization,
      footprint: {
        phone_numbers: numbers.length,
        enrolled_reputation_numbers: numbers.filter((number) => number.reputation_enrolled_at !== null).length,
        own_brand_enterprise: enterprises.some((enterprise) => enterprise.status === 'APPROVED'),
      },
      is_demo: caller.is_demo,
    });
  },
};

export const getMe: Operation<'getMe'> = {
  handle({ caller }, tx) {
    const { user, organization } = userAndOrganization(tx, caller);
    return ok({ user, organization, scopes: [...caller.scopes] });
  },
};

function userAndOrganization(
  tx: Tx,
  caller: Caller,
): { user: Schemas['User']; organization: Schemas['OrganizationSummary']; plan: string } {
  const user = actingUser(tx);
  const organization = tx.get('organizations', caller.organization_id);
  if (!user || !organization) throw new Error(`the world ${tx.world.name} has no user or organization`);
  const { id, name, slug, plan } = organization;
  return { user: wireOf(user), organization: { id, name, slug }, plan };
}
