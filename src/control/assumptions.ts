// Routes of the assumption ledger: `interface.md` section 9.
import { z } from 'zod';
import { listAssumptions, setAssumption } from '../admin/assumptions.ts';
import { defineRoute, one, page } from './route.ts';

export const assumptionRoutes = [
  defineRoute({
    id: 'listAssumptions',
    method: 'get',
    path: '/assumptions',
    summary: 'List the assumptions',
    description: 'Returns each with its value and the words of the specification that it stands in for, on one page.',
    answer: page('Assumption'),
    handle: ({ sandbox, world }) => listAssumptions(sandbox, world),
  }),
  defineRoute({
    id: 'setAssumption',
    method: 'put',
    path: '/assumptions/:name',
    summary: 'Set an assumption',
    description: 'It applies to this world, and survives a reset.',
    parameters: { name: 'The name of the assumption.' },
    body: z
      .strictObject({
        value: z.union([z.string(), z.number(), z.null()]).describe('One of the values that the assumption allows.'),
      })
      .describe('The value to set.'),
    answer: one('Assumption'),
    async handle({ sandbox, world, params, body }) {
      return { data: await setAssumption(sandbox, world, params.name, body.value) };
    },
  }),
];
