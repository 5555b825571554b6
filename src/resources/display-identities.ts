// Display identities: what branded calling shows of the enterprise, once that is approved (`spec.md` "When enterprise
// registration […] is required"). The newest one shows on the caller IDs.
import { timestamp } from '../clock/clock.ts';
import { create } from '../engine/create.ts';
import { type Caller, created, type Operation, ownedBy, pageOf } from '../engine/operation.ts';
import { invalidField } from '../errors/api-error.ts';
import { displayIdentityLifecycle } from '../lifecycles/display-identity.ts';
import { type Row, wireOf } from '../model.ts';
import type { Chosen } from '../scenarios/choose.ts';
import { uuid } from '../store/identity.ts';
import type { Tx } from '../store/store.ts';
import { approvedEnterprise } from './approved-enterprise.ts';
import { verifiedDocument } from './document-record.ts';

export const listDisplayIdentities: Operation<'listDisplayIdentities'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'display_identities', request, true);
    return { status: 200, body: { data: rows.map(wireOf), meta: counted } };
  },
};

export const createDisplayIdentity: Operation<'createDisplayIdentity'> = {
  sets: { kind: 'display_identity' },
  handle({ body, caller, chosen }, tx) {
    const enterprise = approvedEnterprise(tx, caller, 'a display identity', 'display_identities');
    const { display_name, call_reasons, logo_document_id = null } = body;
    if (logo_document_id !== null) checkLogo(tx, caller, logo_document_id);
    const now = timestamp(tx.at);
    const identity: Row<'display_identities'> = {
      id: uuid(tx.world.seed, tx.world.name, 'display_identities', tx.ordinal('display_identities')),
      enterprise_id: enterprise.id,
      display_name,
      call_reasons,
      logo_document_id,
      status: 'pending',
      rejection_reasons: [],
      created_at: now,
      updated_at: now,
      private: ownedBy(tx, caller),
    };
    create(tx, displayIdentityLifecycle, identity, chosen as Chosen);
    return created(wireOf(identity));
  },
};

/** The logo is an image among the organization's documents, and past its scan. */
function checkLogo(tx: Tx, caller: Caller, id: string): void {
  const { content_type } = verifiedDocument(tx, caller, 'logo_document_id', id, 'display_identities');
  if (content_type?.startsWith('image/')) return;
  throw invalidField('logo_document_id', `names a document of the type ${content_type}, which is no image`);
}
