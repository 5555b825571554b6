// Caller-trust documents: `spec.md` "Document" under "Resources and their fields". An upload is scanned for viruses, on
// the clock.
import { createHash } from 'node:crypto';
import { type Content, documentId, keepDocument } from '../domain/caller-trust/documents.ts';
import { create } from '../engine/create.ts';
import { created, findRecord, type Operation, ok } from '../engine/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import { documentLifecycle } from '../lifecycles/document.ts';
import { wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';

/** The largest document, in bytes (the ledger's body_limits). */
const MOST_BYTES = 20 * 1024 * 1024;

export const uploadDocument: Operation<'uploadDocument'> = {
  plays: { kind: 'document' },
  prepare: async (body) => contentOf((body as { content_base64?: unknown } | undefined)?.content_base64),
  handle(request, tx) {
    const { filename, content_type } = request.body;
    const facts = {
      document_id: documentId(tx),
      filename,
      content_type,
      status: 'pending',
      av_scan_status: 'pending_scan',
    } as const;
    const document = keepDocument(tx, request.caller, facts, request.prepared as Content);
    create(tx, documentLifecycle, document, request.selection as ScenarioSelection);
    return created(wireOf(document));
  },
};

/** The content that base64 stands for; null for what the contract will refuse. */
function contentOf(base64: unknown): Content | null {
  if (typeof base64 !== 'string') return null;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MOST_BYTES) {
    throw new ApiError('payload_too_large', {
      message: `The document is larger than ${MOST_BYTES} bytes.`,
      fields: { content_base64: `stands for ${bytes.length} bytes; at most ${MOST_BYTES}` },
      hint: `Send a document of at most ${MOST_BYTES} bytes.`,
      assumption: 'body_limits',
    });
  }
  return { base64, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export const getDocument: Operation<'getDocument'> = {
  handle(request, tx) {
    return ok(wireOf(findRecord(tx, 'documents', request.params.id, request.caller, 'document')));
  },
};
