// The route that tells what a verification call speaks.
import { readVerificationCode } from '../admin/caller-ids.ts';
import { route } from './route.ts';

export const callerIdRoutes = [
  route({
    method: 'get',
    path: '/caller-ids/:id/verification-code',
    summary: 'Read the code of the latest verification call',
    handle: async ({ sandbox, world, params }) => ({ data: await readVerificationCode(sandbox, world, params.id) }),
  }),
];
