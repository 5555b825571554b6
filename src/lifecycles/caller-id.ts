// The lifecycle of a caller ID: `spec.md` "Caller ID" under "States and transitions"; the states before VERIFIED are the
// assumption caller_id_states. The verification call speaks a code that is valid for ten minutes from then.
import { noInput } from './forms.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

/** The transition that proves that a caller ID belongs to the account. */
function verified(certification_method: string): Transition<'caller_ids', 'verify' | 'certify'> {
  return {
    to: 'VERIFIED',
    set: (_, { time }) => ({ active: true, verified_at: time, certification_method, updated_at: time }),
  };
}

/** The platform itself provides the number, so no verification call is needed. */
const certify = verified('platform_number');

const revoke: Transition<'caller_ids', 'revoke'> = {
  to: 'REVOKED',
  set: (callerId, { time }) => ({
    active: false,
    updated_at: time,
    private: { ...callerId.private, spoken_at: null },
  }),
};

export const callerIdLifecycle: Lifecycle<'caller_ids'> = {
  table: 'caller_ids',
  kind: 'caller_id',
  schemas: ['CallerId'],
  samples: (created_at) => [{ created_at, active: true, verified_at: null, certification_method: null }],
  initial: 'PENDING_VERIFICATION',
  alsoTerminal: ['VERIFIED', 'REVOKED'],
  status: (callerId) => callerId.status,
  withStatus: (callerId, status) => ({ ...callerId, status }),
  inputs: { speak_code: noInput },
  transitions: {
    PENDING_VERIFICATION: {
      speak_code: {
        to: 'PENDING_VERIFICATION',
        set: (callerId, { time }) => ({ private: { ...callerId.private, spoken_at: time } }),
      },
      verify: verified('verification_call'),
      certify,
      revoke,
    },
    VERIFIED: { revoke },
    REVOKED: {
      certify,
      restart: {
        to: 'PENDING_VERIFICATION',
        set: (_, { time }) => ({ active: true, verified_at: null, certification_method: null, updated_at: time }),
      },
    },
  },
};
