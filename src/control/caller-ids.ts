// The route that returns the code of a verification call.
import { readVerificationCode } from '../admin/caller-ids.ts';
import { defineRoute } from './route.ts';

export const callerIdRoutes = [
  defineRoute({
    method: 'get',
    path: '/caller-ids/:id/verification-code',
    summary: 'Read the code of the latest verification call',
    handle: async ({ sandbox, world, params }) => ({ data: await readVerificationCode(sandbox, world, params.id) }),
  }),
];
