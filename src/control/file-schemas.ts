// The route of the JSON Schemas of scenario and fixture files. It needs no key: editors send none, and the schemas are
// the same on every server, like the contract.
import { fileSchemas, readFileSchema } from '../admin/file-schemas.ts';
import { bytes, defineRoute } from './route.ts';

const TYPE = 'application/schema+json';

export const fileSchemaRoutes = [
  defineRoute({
    id: 'getFileSchema',
    method: 'get',
    path: '/schemas/:name',
    summary: 'Read the JSON Schema of a kind of file',
    description: 'For editors, which complete and check scenario and fixture files with it. Needs no key.',
    open: true,
    anyOrigin: true,
    parameters: { name: `One of ${fileSchemas.map((name) => `\`${name}\``).join(', ')}.` },
    errors: ['not_found'],
    answer: bytes(TYPE),
    handle: ({ params }) => ({ raw: { type: TYPE, content: readFileSchema(params.name) } }),
  }),
];
