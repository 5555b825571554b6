// The bytes of a document, including a generated LOA; the platform's API returns only its record.
import { storedContent } from '../domain/caller-trust/documents.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { notFound } from '../errors/api-error.ts';
import { findVisible, type Reader } from './reader.ts';

export interface DocumentFile {
  readonly contentType: string;
  readonly filename: string;
  readonly content: Buffer;
}

/** `not_found` for an unknown document, `conflict` if its bytes are no longer kept. */
export function readDocument(
  { store }: Pick<SandboxContext, 'store'>,
  world: string,
  id: string,
  reader: Reader = {},
): Promise<DocumentFile> {
  return store.transaction(world, (tx) => {
    const document = findVisible(tx, 'documents', id, reader);
    if (!document) throw notFound('document', id);
    return {
      contentType: document.content_type ?? 'application/octet-stream',
      filename: document.filename ?? document.document_id,
      content: storedContent(tx, id).content.buffer,
    };
  });
}
