// What a verification call would have spoken.
import { ApiError, notFound } from '../errors/api-error.ts';
import { verificationCode } from '../operations/caller-ids.ts';
import { route } from './route.ts';

export const callerIdRoutes = [
  route({
    method: 'get',
    path: '/caller-ids/:id/verification-code',
    summary: 'The code of the latest verification call',
    handle: ({ sandbox, world, params: { id = '' } }) =>
      sandbox.store.transaction(world, (tx) => {
        const callerId = tx.get('caller_ids', id);
        if (!callerId) throw notFound('caller ID', id);
        if (callerId.status !== 'PENDING_VERIFICATION') {
          throw new ApiError('conflict', {
            message: `The caller ID is ${callerId.status}; only one that is PENDING_VERIFICATION has a code.`,
            hint: 'Start a verification call with POST /v1/caller-ids.',
          });
        }
        return { data: { verification_code: verificationCode(tx.world, callerId) } };
      }),
  }),
];
