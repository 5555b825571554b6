// The route of the catalogues.
import { readCatalog } from '../admin/catalog.ts';
import { route } from './route.ts';

export const catalogRoutes = [
  route({
    method: 'get',
    path: '/catalog',
    summary: 'List scenarios, magic numbers, errors, events and scopes',
    handle: async ({ sandbox, world }) => ({ data: await readCatalog(sandbox, world) }),
  }),
];
