// Users of an organization: `spec.md` "User".
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** The user on whose behalf keys act. A sub-entity has no users of its own; the umbrella's act for it. */
export function actingUser(tx: Tx): Row<'users'> | undefined {
  return tx.page('users', 'organization', tx.world.organization_id, { limit: 1 })[0];
}
