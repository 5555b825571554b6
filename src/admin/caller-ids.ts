// The code that a verification call speaks, for tests that cannot listen to it.
import { verificationCode } from '../domain/numbers/caller-ids.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { findVisible, type Reader } from './reader.ts';

/** The code of the latest verification call; `conflict` for a caller ID that is not PENDING_VERIFICATION. */
export function readVerificationCode(
  { store, secrets }: Pick<SandboxContext, 'store' | 'secrets'>,
  world: string,
  id: string,
  reader: Reader = {},
): Promise<{ verification_code: string }> {
  return store.transaction(world, (tx) => {
    const callerId = findVisible(tx, 'caller_ids', id, reader);
    if (!callerId) throw notFound('caller ID', id);
    if (callerId.status !== 'PENDING_VERIFICATION') {
      throw new ApiError('conflict', {
        message: `The caller ID is ${callerId.status}; only one that is PENDING_VERIFICATION has a code.`,
        hint: 'Start a verification call with POST /v1/caller-ids.',
      });
    }
    return { verification_code: verificationCode(secrets, tx.world, callerId) };
  });
}
