// The route of a document's bytes.
import { readDocument } from '../admin/documents.ts';
import { defineRoute } from './route.ts';

export const documentRoutes = [
  defineRoute({
    method: 'get',
    path: '/documents/:id/content',
    summary: 'Download the bytes of a document, with its own content type',
    async handle({ sandbox, world, params }) {
      const { contentType, content, filename } = await readDocument(sandbox, world, params.id);
      return { raw: { type: contentType, content, filename } };
    },
  }),
];
