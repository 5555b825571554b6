// The route of the catalogues.
import { readCatalog } from '../admin/catalog.ts';
import { defineRoute } from './route.ts';

export const catalogRoutes = [
  defineRoute({
    method: 'get',
    path: '/catalog',
    summary: 'List scenarios, magic numbers, errors, events and scopes',
    handle: async ({ sandbox, world }) => ({ data: await readCatalog(sandbox, world) }),
  }),
];
