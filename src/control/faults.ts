// Routes of provider faults: what goes wrong with platform requests.
import { z } from 'zod';
import { clearFaults, deleteFault, listFaults, setFaults } from '../admin/faults.ts';
import { paging } from './fields.ts';
import { defineRoute, nothing, one, page } from './route.ts';

export const faultRoutes = [
  defineRoute({
    id: 'listFaults',
    method: 'get',
    path: '/faults',
    summary: 'List the faults',
    description: 'Returns those of this world in the order in which they were set, with what they have done.',
    query: z.strictObject(paging),
    answer: page('WorldFault'),
    handle: ({ sandbox, world, query }) => listFaults(sandbox, world, query),
  }),
  defineRoute({
    id: 'setFaults',
    method: 'put',
    path: '/faults',
    summary: 'Set a fault, or all of them',
    description:
      'Adds a fault (201), or replaces all by a list (200): `{ "faults": [...] }`. Requests to the platform meet them from now on, until a reset.',
    body: z.record(z.string(), z.unknown()),
    bodyName: 'FaultsToSet',
    errors: ['conflict'],
    answer: one('FaultChange', [200, 201]),
    async handle({ sandbox, world, body }) {
      const set = await setFaults(sandbox, world, body);
      return 'id' in set ? { status: 201, data: set } : { data: set };
    },
  }),
  defineRoute({
    id: 'clearFaults',
    method: 'delete',
    path: '/faults',
    summary: 'Delete all faults',
    description: 'Requests are answered as the platform answers them again.',
    answer: nothing,
    async handle({ sandbox, world }) {
      await clearFaults(sandbox, world);
      return {};
    },
  }),
  defineRoute({
    id: 'deleteFault',
    method: 'delete',
    path: '/faults/:id',
    summary: 'Delete a fault',
    description: 'The others stay.',
    parameters: { id: 'The id of the fault.' },
    answer: nothing,
    async handle({ sandbox, world, params }) {
      await deleteFault(sandbox, world, params.id);
      return {};
    },
  }),
];
