// The life of an enterprise: `spec.md` "Enterprise" under "States and transitions". A rejected one is mended and
// submitted again (the ledger's resubmission). The first submission makes the carrier's record and enables number
// reputation, whose standing follows the vetting.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Lifecycle, Transition, TriggerContext } from './lifecycle.ts';

type Enterprise = Row<'enterprises'>;
type Reputation = NonNullable<Enterprise['reputation']>;

function reputation(
  before: Enterprise['reputation'],
  status: Reputation['status'],
  rejection_reasons: string[],
  { time }: TriggerContext,
): Reputation {
  const check_frequency = before?.check_frequency ?? 'business_daily';
  return { status, check_frequency, rejection_reasons, last_synced_at: time };
}

/** Pulled with `loa_document_id`, and with the `carrier_enterprise_id` that the first submission makes. */
const submit: Transition<Enterprise> = {
  to: 'PENDING_VETTING',
  set: (enterprise, moment) => ({
    carrier_enterprise_id: moment.with.carrier_enterprise_id as string,
    loa_document_id: moment.with.loa_document_id as string,
    rejection_reasons: [],
    synced_at: moment.time,
    reputation: reputation(enterprise.reputation, 'pending', [], moment),
  }),
};

export const enterpriseLifecycle: Lifecycle<'enterprises'> = {
  kind: 'enterprise',
  table: 'enterprises',
  initial: 'DRAFT',
  playedFrom: 'PENDING_VETTING',
  created: [],
  terminal: ['APPROVED', 'REJECTED'],
  status: (enterprise) => enterprise.status,
  withStatus: (enterprise, status) => ({ ...enterprise, status: status as Enterprise['status'] }),
  triggers: {
    approve: z.strictObject({}),
    reject: z.strictObject({ reasons: z.array(z.string().min(1)).min(1) }),
  },
  transitions: {
    DRAFT: { submit },
    PENDING_VETTING: {
      approve: {
        to: 'APPROVED',
        set: (enterprise, moment) => ({
          synced_at: moment.time,
          reputation: reputation(enterprise.reputation, 'approved', [], moment),
        }),
        emits: ['enterprise.status.updated'],
      },
      reject: {
        to: 'REJECTED',
        set(enterprise, moment) {
          const reasons = moment.with.reasons as string[];
          return {
            rejection_reasons: reasons,
            synced_at: moment.time,
            reputation: reputation(enterprise.reputation, 'rejected', reasons, moment),
          };
        },
        emits: ['enterprise.status.updated'],
      },
    },
    APPROVED: {},
    REJECTED: { submit },
  },
};

/** The states in which an enterprise can be mended and submitted. */
export const enterpriseIsOpen = ({ status }: Enterprise): boolean =>
  enterpriseLifecycle.transitions[status]?.submit !== undefined;
