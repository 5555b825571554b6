// Caller-trust documents: `spec.md` "Document" under "Resources and their fields". An upload is scanned for viruses, on
// the world's clock.
import { isJsonObject } from '../contract/json.ts';
import { storeContent } from '../domain/caller-trust/documents.ts';
import { create } from '../engine/create.ts';
import { created, type Files, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { findRecord } from '../engine/records.ts';
import { ApiError } from '../errors/api-error.ts';
import { sha256 } from '../identity/seeded.ts';
import { documentLifecycle } from '../lifecycles/document.ts';
import { wireOf } from '../model.ts';
import type { FileContent } from '../stored-bytes.ts';

/** The largest document, in bytes (the ledger's body_limits). */
const MAX_BYTES = 20 * 1024 * 1024;

export const uploadDocument: ScenarioOperation<'uploadDocument', FileContent> = {
  plays: { kind: 'document' },
  prepare: contentOf,
  handle({ body, caller, selection, prepared }, tx) {
    const { filename, content_type } = body;
    const fields = { filename, content_type, status: 'pending', av_scan_status: 'pending_scan' } as const;
    const document = storeContent(tx, caller, fields, prepared);
    create(tx, documentLifecycle, document, selection);
    return created(wireOf(document));
  },
};

/** The content that the base64 of a body decodes to; empty for a body that the contract will refuse. */
async function contentOf(body: unknown, files: Files): Promise<FileContent> {
  const base64 = isJsonObject(body) && typeof body.content_base64 === 'string' ? body.content_base64 : '';
  const content = files.get(base64) ?? decoded(base64);
  const { length } = content.bytes;
  if (length > MAX_BYTES) {
    throw new ApiError('payload_too_large', {
      message: `The document is larger than ${MAX_BYTES} bytes.`,
      fields: { content_base64: `decodes to ${length} bytes; the limit is ${MAX_BYTES}` },
      hint: `Send a document of at most ${MAX_BYTES} bytes.`,
      assumption: 'body_limits',
    });
  }
  return content;
}

function decoded(base64: string): FileContent {
  const bytes = Buffer.from(base64, 'base64');
  return { bytes, sha256: sha256(bytes) };
}

export const getDocument: Operation<'getDocument'> = {
  handle({ params, caller }, tx) {
    return ok(wireOf(findRecord(tx, 'documents', params.id, caller)));
  },
};
