// The route of a document's bytes.
import { readDocument } from '../admin/documents.ts';
import { bytes, defineRoute } from './route.ts';

export const documentRoutes = [
  defineRoute({
    id: 'getDocumentContent',
    method: 'get',
    path: '/documents/:id/content',
    summary: 'Download a document',
    description: 'Returns its bytes, with the content type that it was uploaded with.',
    parameters: { id: 'The id of the document.' },
    errors: ['conflict'],
    answer: bytes('*/*'),
    async handle({ sandbox, world, params, organization }) {
      const { contentType, content, filename } = await readDocument(sandbox, world, params.id, { organization });
      return { raw: { type: contentType, content, filename } };
    },
  }),
];
