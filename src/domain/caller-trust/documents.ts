// Stored documents: a record, and its bytes in a table of their own. Customers upload documents, and the platform
// generates letters of authorization.
import type { AssumptionName } from '../../assumptions/catalogue.ts';
import { allocateId } from '../../engine/create.ts';
import { findReferenced, type Owner } from '../../engine/records.ts';
import { ApiError, quote } from '../../errors/api-error.ts';
import type { AllocatedId } from '../../identity/seeded.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { type FileContent, StoredBytes } from '../../stored-bytes.ts';

/** Bytes of documents per world; beyond this limit the oldest contents are deleted, but their records remain. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The counter of them. */
const STORED = 'bytes of documents';

type DocumentFields = Pick<Row<'documents'>, 'filename' | 'content_type' | 'status' | 'av_scan_status'>;

/** Stores the content of a new document, and returns the document's record, which is not stored yet. */
export function storeContent(
  tx: Tx,
  { organization_id }: Owner,
  fields: DocumentFields,
  { bytes, sha256 }: FileContent,
  { id, rank }: Pick<AllocatedId, 'id' | 'rank'> = allocateId(tx, 'documents'),
): Row<'documents'> {
  const owner = { organization_id, rank };
  makeRoom(tx, bytes.length);
  tx.put('document_contents', { id, content: new StoredBytes(bytes), private: owner });
  return { document_id: id, ...fields, sha256, private: owner };
}

/** The document that a field of a body names; `not_found` if it does not exist, `conflict` unless it is verified. */
export function verifiedDocument(
  tx: Tx,
  owner: Owner,
  field: string,
  id: string,
  assumption: AssumptionName,
): Row<'documents'> {
  const document = findReferenced(tx, 'documents', id, owner, field, assumption);
  if (document.status === 'verified') return document;
  throw new ApiError('conflict', {
    message: `The document ${quote(id)} is ${document.status} (${document.av_scan_status}); only a verified document can be used.`,
    fields: { [field]: `names a document that is ${document.status}` },
    hint: document.status === 'pending' ? 'Wait until its scan has finished.' : 'Upload the document again.',
    assumption,
  });
}

/** The bytes of a document; `conflict` if they were deleted. `field` is the field of a body that names it. */
export function storedContent(tx: Tx, id: string, field?: string): Row<'document_contents'> {
  const content = tx.get('document_contents', id);
  if (content) return content;
  throw new ApiError('conflict', {
    message: 'The bytes of this document are no longer stored: newer documents have replaced them.',
    ...(field === undefined ? {} : { fields: { [field]: 'names a document whose bytes are no longer stored' } }),
    hint: 'Upload the document again.',
    assumption: 'upload_document',
  });
}

/**
 * Deletes the oldest contents of the world until this many bytes more can be stored. `rate_limited` if none is left and
 * the documents of other worlds take the room.
 */
function makeRoom(tx: Tx, bytes: number): void {
  let stored = tx.counter(STORED);
  while (stored + bytes > MAX_BYTES || tx.lacksRoom('documents', bytes)) {
    const [oldest] = tx.page('document_contents', 'kept', 'all', { limit: 1 });
    if (!oldest) throw tx.refusal('documents');
    tx.remove('document_contents', oldest.id);
    stored -= oldest.content.length;
  }
  tx.setCounter(STORED, stored + bytes);
}
