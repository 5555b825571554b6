// The bytes of a document, those of the LOA included; the platform shows its record alone.

import { keptContent } from '../domain/caller-trust/documents.ts';
import { notFound } from '../errors/api-error.ts';
import { route } from './route.ts';

export const documentRoutes = [
  route({
    method: 'get',
    path: '/documents/:id/content',
    summary: 'The bytes of a document, under its own content type',
    handle: ({ sandbox, world, params: { id = '' } }) =>
      sandbox.store.transaction(world, (tx) => {
        const document = tx.get('documents', id);
        if (!document) throw notFound('document', id);
        const { base64 } = keptContent(tx, id);
        const type = document.content_type ?? 'application/octet-stream';
        const filename = document.filename ?? document.document_id;
        return { raw: { type, content: Buffer.from(base64, 'base64'), filename } };
      }),
  }),
];
