// Display identities: what branded calling shows of the enterprise, once that is approved (`spec.md` "When enterprise
// registration […] is required"). What of them shows on the caller IDs, caller-ids.ts decides.
import { timestamp } from '../clock/clock.ts';
import { approvedEnterprise } from '../domain/caller-trust/approved-enterprise.ts';
import { keptContent, verifiedDocument } from '../domain/caller-trust/documents.ts';
import { LOGO_HEAD, logoForm, logoProblem } from '../domain/caller-trust/logo.ts';
import { create } from '../engine/create.ts';
import { type Caller, created, type Operation, ownedBy, pageOf } from '../engine/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import { uuid } from '../identity/seeded.ts';
import { displayIdentityLifecycle } from '../lifecycles/display-identity.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

export const listDisplayIdentities: Operation<'listDisplayIdentities'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'display_identities', request, true);
    return { status: 200, body: { data: rows.map(wireOf), meta: counted } };
  },
};

export const createDisplayIdentity: Operation<'createDisplayIdentity'> = {
  plays: { kind: 'display_identity' },
  handle({ body, caller, selection }, tx) {
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
    create(tx, displayIdentityLifecycle, identity, selection as ScenarioSelection);
    return created(wireOf(identity));
  },
};

/** The logo is a document of the organization, past its scan, whose bytes are what a logo may be. */
function checkLogo(tx: Tx, caller: Caller, id: string): void {
  const field = 'logo_document_id';
  const { content_type } = verifiedDocument(tx, caller, field, id, 'display_identities');
  const { base64, bytes } = keptContent(tx, id, field);
  const head = Buffer.from(base64.slice(0, Math.ceil(LOGO_HEAD / 3) * 4), 'base64');
  const problem = logoProblem(head, bytes);
  if (problem === undefined) return;
  throw new ApiError('validation_error', {
    fields: { [field]: `names a document declared ${content_type}, which is ${problem}; a logo is ${logoForm}` },
    hint: 'Upload such an image with POST /v1/caller-trust/documents and name it here once it is verified.',
    assumption: 'display_logo',
  });
}
