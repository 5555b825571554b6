// Routes of the assumption ledger: `interface.md` section 9.
import { z } from 'zod';
import { listAssumptions, setAssumption } from '../admin/assumptions.ts';
import { defineRoute } from './route.ts';

export const assumptionRoutes = [
  defineRoute({
    method: 'get',
    path: '/assumptions',
    summary: 'List every assumption with its value and the words of the specification that it replaces',
    handle: ({ sandbox, world }) => listAssumptions(sandbox, world),
  }),
  defineRoute({
    method: 'put',
    path: '/assumptions/:name',
    summary: 'Set an assumption for this world; it survives a reset',
    body: z.strictObject({ value: z.union([z.string(), z.number()]) }),
    async handle({ sandbox, world, params, body }) {
      return { data: await setAssumption(sandbox, world, params.name, body.value) };
    },
  }),
];
