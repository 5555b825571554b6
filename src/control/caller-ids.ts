// The route that returns the code of a verification call.
import { readVerificationCode } from '../admin/caller-ids.ts';
import { defineRoute, one } from './route.ts';

export const callerIdRoutes = [
  defineRoute({
    id: 'getVerificationCode',
    method: 'get',
    path: '/caller-ids/:id/verification-code',
    summary: 'Read the code of the latest verification call',
    description: 'Returns what the call would have spoken. The caller ID must be PENDING_VERIFICATION.',
    parameters: { id: 'The id of the caller ID.' },
    errors: ['conflict'],
    answer: one('VerificationCode'),
    handle: async ({ sandbox, world, params, organization }) => ({
      data: await readVerificationCode(sandbox, world, params.id, { organization }),
    }),
  }),
];
