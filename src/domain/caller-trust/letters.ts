// Letters of authorization as documents of an organization.
import { allocateId, create } from '../../engine/create.ts';
import type { Owner } from '../../engine/records.ts';
import { sha256 } from '../../identity/seeded.ts';
import { documentLifecycle } from '../../lifecycles/document.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { storeContent } from './documents.ts';
import type { LetterWriter, Signer } from './letter-of-authorization.ts';

/** The LOA as a document of the organization. The platform writes it, so there is nothing to scan. */
export function writeLetter(
  tx: Tx,
  owner: Owner,
  { legal_name, dba, private: { details } }: Row<'enterprises'>,
  signer: Signer | null,
  write: LetterWriter,
): Row<'documents'> {
  const allocated = allocateId(tx, 'documents');
  const file = write({
    document_id: allocated.id,
    at: tx.at,
    legal_name: legal_name ?? '',
    details: { dba, ...details },
    signer,
  });
  const fields = {
    filename: signer ? 'letter-of-authorization-signed.pdf' : 'letter-of-authorization.pdf',
    content_type: 'application/pdf',
    status: 'verified',
    av_scan_status: 'not_scanned',
  } as const;
  const document = storeContent(tx, owner, fields, { bytes: file, sha256: sha256(file) }, allocated);
  create(tx, documentLifecycle, document);
  return document;
}
