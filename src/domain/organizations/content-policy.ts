// The call-content policy: `spec.md` "Content policy forbidden". HIPAA mode turns it on for an organization; the HIPAA
// mode of an umbrella turns it on for all of its sub-entities.
import type { Tx } from '../../store/store.ts';

/** Whether transcripts and recordings of an organization are never returned. */
export function hidesContent(tx: Tx, organizationId: string): boolean {
  const organization = tx.get('organizations', organizationId);
  if (!organization) return false;
  const { hipaa_enabled, parent_organization_id: parent } = organization;
  return hipaa_enabled || (parent !== null && tx.get('organizations', parent)?.hipaa_enabled === true);
}
