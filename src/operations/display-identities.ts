// Display identities: what branded calling shows of an approved enterprise (`spec.md` "When enterprise registration […]
// is required"). caller-ids.ts decides which of them a caller ID shows.
import { timestamp } from '../clock/clock.ts';
import { storedContent, verifiedDocument } from '../domain/caller-trust/documents.ts';
import { approvedEnterprise } from '../domain/caller-trust/enterprises.ts';
import { LOGO_HEAD, logoForm, logoProblem } from '../domain/caller-trust/logo.ts';
import { allocateId, create } from '../engine/create.ts';
import { type Caller, created, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { ApiError } from '../errors/api-error.ts';
import { displayIdentityLifecycle } from '../lifecycles/display-identity.ts';
import { type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';

export const listDisplayIdentities: Operation<'listDisplayIdentities'> = {
  handle({ caller, query }, tx) {
    const options = { ...query, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'display_identities', 'organization', caller.organization_id, options);
    return ok(rows.map(wireOf), counted);
  },
};

export const createDisplayIdentity: ScenarioOperation<'createDisplayIdentity'> = {
  plays: { kind: 'display_identity' },
  handle({ body, caller, selection }, tx) {
    const enterprise = approvedEnterprise(tx, caller, 'a display identity', 'display_identities');
    const { display_name, call_reasons, logo_document_id = null } = body;
    if (logo_document_id !== null) checkLogo(tx, caller, logo_document_id);
    const now = timestamp(tx.at);
    const { id, rank } = allocateId(tx, 'display_identities');
    const identity: Row<'display_identities'> = {
      id,
      enterprise_id: enterprise.id,
      display_name,
      call_reasons,
      logo_document_id,
      status: 'pending',
      rejection_reasons: [],
      created_at: now,
      updated_at: now,
      private: { organization_id: caller.organization_id, rank },
    };
    create(tx, displayIdentityLifecycle, identity, selection);
    return created(wireOf(identity));
  },
};

/** Throws unless the logo is a verified document of the organization whose bytes are a logo. */
function checkLogo(tx: Tx, caller: Caller, id: string): void {
  const field = 'logo_document_id';
  const { content_type } = verifiedDocument(tx, caller, field, id, 'display_identities');
  const { buffer } = storedContent(tx, id, field).content;
  const problem = logoProblem(buffer.subarray(0, LOGO_HEAD), buffer.length);
  if (problem === undefined) return;
  throw new ApiError('validation_error', {
    fields: { [field]: `names a document declared ${content_type}, which is ${problem}; a logo is ${logoForm}` },
    hint: 'Upload such an image with POST /v1/caller-trust/documents and name it here once it is verified.',
    assumption: 'display_logo',
  });
}
