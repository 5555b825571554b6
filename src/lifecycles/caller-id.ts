// The life of a caller ID: `spec.md` "Caller ID" under "States and transitions"; what comes before VERIFIED is the
// ledger's (caller_id_states). The code is spoken by the verification call and is good for ten minutes from then.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Lifecycle } from './lifecycle.ts';

type CallerId = Row<'caller_ids'>;

/** How long a spoken code is good for, in milliseconds, and how many times one may be tried. */
export const CODE_LIFE_MS = 10 * 60_000;
export const CODE_ATTEMPTS = 5;

const revoked = {
  to: 'REVOKED',
  set: (callerId: CallerId, { time }: { time: string }) => ({
    active: false,
    updated_at: time,
    private: { ...callerId.private, spoken_at: null },
  }),
};

/** The platform provides the number itself, so that nobody needs to be called. */
const certify = {
  to: 'VERIFIED',
  set: (_: CallerId, { time }: { time: string }) => ({
    active: true,
    verified_at: time,
    certification_method: 'platform_number',
    updated_at: time,
  }),
};

export const callerIdLifecycle: Lifecycle<'caller_ids'> = {
  kind: 'caller_id',
  table: 'caller_ids',
  initial: 'PENDING_VERIFICATION',
  created: [],
  terminal: ['VERIFIED', 'REVOKED'],
  status: (callerId) => callerId.status,
  withStatus: (callerId, status) => ({ ...callerId, status: status as CallerId['status'] }),
  triggers: { speak_code: z.strictObject({}) },
  transitions: {
    PENDING_VERIFICATION: {
      speak_code: {
        to: 'PENDING_VERIFICATION',
        set: (callerId, moment) => ({ private: { ...callerId.private, spoken_at: moment.time } }),
      },
      verify: {
        to: 'VERIFIED',
        set: (_, moment) => ({
          active: true,
          verified_at: moment.time,
          certification_method: 'verification_call',
          updated_at: moment.time,
        }),
      },
      certify,
      revoke: revoked,
    },
    VERIFIED: { revoke: revoked },
    REVOKED: {
      certify,
      restart: {
        to: 'PENDING_VERIFICATION',
        set: (_, moment) => ({ active: true, verified_at: null, certification_method: null, updated_at: moment.time }),
      },
    },
  },
};
