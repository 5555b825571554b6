// Routes of the assumption ledger: `interface.md` section 9.
import { z } from 'zod';
import { listAssumptions, setAssumption } from '../admin/assumptions.ts';
import { route } from './route.ts';

export const assumptionRoutes = [
  route({
    method: 'get',
    path: '/assumptions',
    summary: 'List every assumption with its value and the words of the specification that it stands in for',
    handle: ({ sandbox, world }) => listAssumptions(sandbox, world),
  }),
  route({
    method: 'put',
    path: '/assumptions/:name',
    summary: 'Set an assumption for this world; it survives a reset',
    body: z.strictObject({ value: z.union([z.string(), z.number()]) }),
    async handle({ sandbox, world, params, body }) {
      return { data: await setAssumption(sandbox, world, params.name, body.value) };
    },
  }),
];
