// The route of the catalogues.
import { readCatalog } from '../admin/catalog.ts';
import { defineRoute, one } from './route.ts';

export const catalogRoutes = [
  defineRoute({
    id: 'getCatalog',
    method: 'get',
    path: '/catalog',
    summary: 'Read the catalogues',
    description: 'Returns scenarios and magic numbers as they are in this world, errors, events and scopes.',
    answer: one('Catalog'),
    handle: async ({ sandbox, world }) => ({ data: await readCatalog(sandbox, world) }),
  }),
];
