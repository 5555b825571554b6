// The life of a display identity: the record behind branded calling, reviewed once it is submitted (`spec.md` "When
// enterprise registration is required"; fields and states are the ledger's, display_identities and rcd_status).
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Lifecycle } from './lifecycle.ts';

type DisplayIdentity = Row<'display_identities'>;

export const displayIdentityLifecycle: Lifecycle<'display_identities'> = {
  kind: 'display_identity',
  table: 'display_identities',
  initial: 'pending',
  created: [],
  terminal: ['approved', 'rejected'],
  status: (identity) => identity.status,
  withStatus: (identity, status) => ({ ...identity, status: status as DisplayIdentity['status'] }),
  triggers: {
    approve: z.strictObject({}),
    reject: z.strictObject({ reasons: z.array(z.string().min(1)).min(1) }),
  },
  transitions: {
    pending: {
      approve: { to: 'approved', set: (_, moment) => ({ updated_at: moment.time }) },
      reject: {
        to: 'rejected',
        set: (_, moment) => ({ rejection_reasons: moment.with.reasons as string[], updated_at: moment.time }),
      },
    },
    approved: {},
    rejected: {},
  },
};

/** Whether it has a say in what caller IDs show: a rejected one changes nothing, what was approved stays in force. */
export const identityStands = ({ status }: DisplayIdentity): boolean => status !== 'rejected';
