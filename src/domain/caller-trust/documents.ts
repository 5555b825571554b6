// A document as it is kept: its record and, apart from it, its bytes. What a customer uploads and what the platform
// makes itself both come to lie here.
import { type Caller, ownedBy } from '../../engine/operation.ts';
import { ApiError, notFound, quote } from '../../errors/api-error.ts';
import { uuid } from '../../identity/seeded.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** Bytes of documents that a world keeps; past it the oldest go, and their records stay. */
const KEPT_BYTES = 64 * 1024 * 1024;

export interface Content {
  readonly base64: string;
  readonly bytes: number;
  /** Lowercase hexadecimal. */
  readonly sha256: string;
}

/** An id for the next document of this world. */
export function documentId(tx: Tx): string {
  return uuid(tx.world.seed, tx.world.name, 'documents', tx.ordinal('documents'));
}

/** Keeps the bytes under that id; answers the record, which is not put yet. */
export function keepDocument(
  tx: Tx,
  caller: Caller,
  facts: Pick<Row<'documents'>, 'document_id' | 'filename' | 'content_type' | 'status' | 'av_scan_status'>,
  { base64, bytes, sha256 }: Content,
): Row<'documents'> {
  const owner = ownedBy(tx, caller);
  makeRoom(tx, bytes);
  tx.put('document_contents', { id: facts.document_id, base64, bytes, private: owner });
  return { ...facts, sha256, private: owner };
}

/** The document that a field of a body names; `not_found` where it names none, `conflict` where it is not verified. */
export function verifiedDocument(
  tx: Tx,
  caller: Caller,
  field: string,
  id: string,
  assumption: string,
): Row<'documents'> {
  const document = tx.get('documents', id);
  if (!document || document.private.organization_id !== caller.organization_id) {
    throw new ApiError('not_found', {
      message: notFound('document', id).message,
      fields: { [field]: 'names no document of this organization' },
      hint: 'Upload the document with POST /v1/caller-trust/documents first.',
      assumption,
    });
  }
  if (document.status === 'verified') return document;
  throw new ApiError('conflict', {
    message: `The document ${quote(id)} is ${document.status} (${document.av_scan_status}); only one that is verified can be used.`,
    fields: { [field]: `names a document that is ${document.status}` },
    hint: document.status === 'pending' ? 'Wait until its scan has finished.' : 'Upload the document anew.',
    assumption,
  });
}

/** The bytes of a document; `conflict` where they have gone. `field` is that of a body that has named it. */
export function keptContent(tx: Tx, id: string, field?: string): Row<'document_contents'> {
  const content = tx.get('document_contents', id);
  if (content) return content;
  throw new ApiError('conflict', {
    message: 'The bytes of this document are not kept any more: newer documents have taken their room.',
    ...(field === undefined ? {} : { fields: { [field]: 'names a document whose bytes are not kept any more' } }),
    hint: 'Upload the document again.',
  });
}

function makeRoom(tx: Tx, bytes: number): void {
  const counter = 'bytes of documents';
  let kept = tx.counter(counter) + bytes;
  while (kept > KEPT_BYTES) {
    const [oldest] = tx.page('document_contents', 'kept', 'all', { limit: 1 });
    if (!oldest) break;
    tx.remove('document_contents', oldest.id);
    kept -= oldest.bytes;
  }
  tx.setCounter(counter, kept);
}
