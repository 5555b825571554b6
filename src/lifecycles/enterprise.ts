// The lifecycle of an enterprise: `spec.md` "Enterprise" under "States and transitions". A rejected one can be corrected and
// submitted again (assumption resubmission). The first submission creates the carrier's record and enables number
// reputation, whose status follows the vetting.
import { type AssumptionValues, assumed } from '../assumptions/catalogue.ts';
import type { Schemas } from '../contract/document.ts';
import type { Row } from '../model.ts';
import { noInput, rejection } from './forms.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

type Enterprise = Row<'enterprises'>;
type Reputation = NonNullable<Enterprise['reputation']>;

function reputation(
  before: Enterprise['reputation'],
  status: Reputation['status'],
  rejection_reasons: string[],
  last_synced_at: string,
  check_frequency = before?.check_frequency ?? 'business_daily',
): Reputation {
  return { status, check_frequency, rejection_reasons, last_synced_at };
}

/** The one that the customer asked for, or that of the world. */
const checkFrequency = ({ private: own }: Enterprise, assumptions: AssumptionValues): Schemas['CheckFrequency'] =>
  own.check_frequency ?? assumed(assumptions, 'check_frequency');

const decided = ['enterprise.status.updated'] as const;

const submit: Transition<'enterprises', 'submit'> = {
  to: 'PENDING_VETTING',
  set: (enterprise, { time, input, assumptions }) => ({
    carrier_enterprise_id: input.carrier_enterprise_id,
    loa_document_id: input.loa_document_id,
    rejection_reasons: [],
    synced_at: time,
    reputation: reputation(enterprise.reputation, 'pending', [], time, checkFrequency(enterprise, assumptions)),
    private: { ...enterprise.private, findings: input.findings ?? [] },
  }),
  emits: (assumptions) => (assumed(assumptions, 'enterprise_events') === 'every_change' ? decided : []),
};

export const enterpriseLifecycle: Lifecycle<'enterprises'> = {
  table: 'enterprises',
  kind: 'enterprise',
  schemas: ['Enterprise'],
  samples: (time) =>
    ['carrier-1', 'carrier-2'].map((carrier_enterprise_id) => ({
      carrier_enterprise_id,
      rejection_reasons: [],
      synced_at: time,
      reputation: { status: 'pending', rejection_reasons: [], last_synced_at: time },
    })),
  // The client chooses how often the reputation is checked.
  serialize: (_, { reputation, ...enterprise }) => ({
    ...enterprise,
    reputation: reputation && { ...reputation, check_frequency: undefined },
  }),
  initial: 'DRAFT',
  playedFrom: 'PENDING_VETTING',
  follows: [
    { trigger: 'approve', inputs: [{}], after: 'review' },
    // Any reasons, as many as there are: some of them have words of the submission.
    { trigger: 'reject', inputs: ['1', '12', '21'].map((digits) => ({ reasons: [...digits] })), after: 'review' },
  ],
  alsoTerminal: ['REJECTED'],
  status: (enterprise) => enterprise.status,
  withStatus: (enterprise, status) => ({ ...enterprise, status }),
  inputs: { review: noInput, approve: noInput, reject: rejection },
  transitions: {
    DRAFT: { submit },
    PENDING_VETTING: {
      review: {
        to: 'PENDING_VETTING',
        effects: ({ id, private: { findings = [] } }) => {
          const subject = { table: 'enterprises', id } as const;
          return findings.length === 0
            ? [{ type: 'fire', subject, trigger: 'approve', input: {} }]
            : [{ type: 'fire', subject, trigger: 'reject', input: { reasons: [...findings] } }];
        },
      },
      approve: {
        to: 'APPROVED',
        set: (enterprise, { time }) => ({
          synced_at: time,
          reputation: reputation(enterprise.reputation, 'approved', [], time),
        }),
        emits: decided,
      },
      reject: {
        to: 'REJECTED',
        set: (enterprise, { time, input: { reasons } }) => ({
          rejection_reasons: reasons,
          synced_at: time,
          reputation: reputation(enterprise.reputation, 'rejected', reasons, time),
        }),
        emits: decided,
      },
    },
    APPROVED: {},
    REJECTED: { submit },
  },
};

/** Whether the enterprise can be corrected and submitted. */
export const enterpriseIsOpen = ({ status }: Enterprise): boolean =>
  enterpriseLifecycle.transitions[status].submit !== undefined;
