// The lifecycle of a display identity: the record behind branded calling, reviewed once it is submitted (`spec.md` "When
// enterprise registration is required"; fields and states are the assumptions display_identities and rcd_status).
import type { Row } from '../model.ts';
import { noInput, rejection } from './forms.ts';
import type { Lifecycle } from './lifecycle.ts';

export const displayIdentityLifecycle: Lifecycle<'display_identities'> = {
  table: 'display_identities',
  kind: 'display_identity',
  schemas: ['DisplayIdentity'],
  samples: (created_at) => [{ created_at, rejection_reasons: [] }],
  initial: 'pending',
  status: (identity) => identity.status,
  withStatus: (identity, status) => ({ ...identity, status }),
  inputs: { approve: noInput, reject: rejection },
  transitions: {
    pending: {
      approve: { to: 'approved', set: (_, { time }) => ({ updated_at: time }) },
      reject: {
        to: 'rejected',
        set: (_, { time, input }) => ({ rejection_reasons: input.reasons, updated_at: time }),
      },
    },
    approved: {},
    rejected: {},
  },
};

/** Whether caller IDs can show it; a rejected identity does not replace an earlier one. */
export const identityIsNotRejected = ({ status }: Row<'display_identities'>): boolean => status !== 'rejected';
