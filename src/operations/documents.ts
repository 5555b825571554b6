// Caller-trust documents: `spec.md` "Document" under "Resources and their fields". An upload is scanned for viruses, on
// the world's clock.
import { setImmediate as nextTick } from 'node:timers/promises';
import { isJsonObject } from '../contract/json.ts';
import { type Content, storeContent } from '../domain/caller-trust/documents.ts';
import { create } from '../engine/create.ts';
import { created, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { findRecord } from '../engine/records.ts';
import { ApiError } from '../errors/api-error.ts';
import { sha256InParts } from '../identity/seeded.ts';
import { documentLifecycle } from '../lifecycles/document.ts';
import { wireOf } from '../model.ts';

/** The largest document, in bytes (the ledger's body_limits). */
const MAX_BYTES = 20 * 1024 * 1024;
/** Characters that are decoded at once; a multiple of 4. */
const PART = 1024 * 1024;

export const uploadDocument: ScenarioOperation<'uploadDocument', Content> = {
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
async function contentOf(body: unknown): Promise<Content> {
  const base64 = isJsonObject(body) && typeof body.content_base64 === 'string' ? body.content_base64 : '';
  const bytes = await decoded(base64);
  if (bytes.length > MAX_BYTES) {
    throw new ApiError('payload_too_large', {
      message: `The document is larger than ${MAX_BYTES} bytes.`,
      fields: { content_base64: `decodes to ${bytes.length} bytes; the limit is ${MAX_BYTES}` },
      hint: `Send a document of at most ${MAX_BYTES} bytes.`,
      assumption: 'body_limits',
    });
  }
  return { bytes, sha256: await sha256InParts(bytes) };
}

/** Decodes part by part, and lets other requests run in between. */
async function decoded(base64: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(base64, 'base64'));
  let length = 0;
  for (let at = 0; at < base64.length; at += PART) {
    if (at > 0) await nextTick();
    length += bytes.write(base64.slice(at, at + PART), length, 'base64');
  }
  return bytes.subarray(0, length);
}

export const getDocument: Operation<'getDocument'> = {
  handle({ params, caller }, tx) {
    return ok(wireOf(findRecord(tx, 'documents', params.id, caller)));
  },
};
