// The bytes of a document, those of the LOA included; the platform shows its record alone.
import { ApiError, noSuch } from '../errors/api-error.ts';
import { route } from './route.ts';

export const documentRoutes = [
  route({
    method: 'get',
    path: '/documents/:id/content',
    summary: 'The bytes of a document, under its own content type',
    handle: ({ house, world, params: { id = '' } }) =>
      house.store.transaction(world, (tx) => {
        const document = tx.get('documents', id);
        if (!document) throw noSuch('document', id);
        const content = tx.get('document_contents', id);
        if (!content) {
          throw new ApiError('conflict', {
            message: 'The bytes of this document are not kept any more: newer documents have taken their room.',
            hint: 'Upload the document again.',
          });
        }
        const type = document.content_type ?? 'application/octet-stream';
        const filename = document.filename ?? document.document_id;
        return { raw: { type, content: Buffer.from(content.base64, 'base64'), filename } };
      }),
  }),
];
