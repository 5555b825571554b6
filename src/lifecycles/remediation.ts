// The life of a remediation request: `spec.md` "Remediation request"; the states are the ledger's (remediation_status).
// Its numbers take the scenario's outcomes in turn. A remediated number loses its spam flag, any other keeps it.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Cascade, Lifecycle } from './lifecycle.ts';

type Remediation = Row<'remediations'>;
export type Outcome = NonNullable<Remediation['numbers'][number]['outcome']>;

/** Every outcome, and what it costs (the ledger's billed_amount). */
const billedAmounts = {
  remediated: 1500,
  not_flagged: 0,
  requires_review: 0,
  ineligible: 0,
  refused: 0,
} as const satisfies Record<Outcome, number>;

export const outcomes = Object.keys(billedAmounts) as [Outcome, ...Outcome[]];

export function billedAmount(outcome: Outcome | null): number {
  return outcome === null ? 0 : billedAmounts[outcome];
}

const ended = { set: (_: Remediation, { time }: { time: string }) => ({ completed_at: time }) };

export const remediationLifecycle: Lifecycle<'remediations'> = {
  kind: 'remediation',
  table: 'remediations',
  initial: 'pending',
  created: [],
  terminal: ['completed', 'failed', 'cancelled'],
  status: (remediation) => remediation.status,
  withStatus: (remediation, status) => ({ ...remediation, status: status as Remediation['status'] }),
  triggers: {
    start: z.strictObject({}),
    complete: z.strictObject({ outcomes: z.array(z.enum(outcomes)).min(1) }),
    fail: z.strictObject({}),
    cancel: z.strictObject({}),
  },
  transitions: {
    pending: {
      start: { to: 'in_progress' },
      fail: { to: 'failed', ...ended },
      cancel: { to: 'cancelled', ...ended },
    },
    in_progress: {
      complete: {
        to: 'completed',
        set: ({ numbers }, moment) => {
          const inTurn = moment.with.outcomes as Outcome[];
          return {
            completed_at: moment.time,
            numbers: numbers.map(({ phone_number }, position) => {
              const outcome = inTurn[position % inTurn.length] as Outcome;
              return { phone_number, outcome, billed_amount_dc: billedAmount(outcome) };
            }),
          };
        },
        cascades: ({ numbers }) =>
          numbers.filter(({ outcome }) => outcome === 'remediated').map(({ phone_number }) => unflag(phone_number)),
      },
      fail: { to: 'failed', ...ended },
      cancel: { to: 'cancelled', ...ended },
    },
    completed: {},
    failed: {},
    cancelled: {},
  },
};

function unflag(phoneNumber: string): Cascade {
  const change: Cascade<'phone_numbers'> = {
    table: 'phone_numbers',
    index: 'phone_number',
    value: phoneNumber,
    set: (number) => ({ ...number, private: { ...number.private, spam_risk: 'low' } }),
  };
  return change as unknown as Cascade;
}

/** Whether its numbers are still being worked on. */
export const remediationIsOpen = ({ status }: Remediation): boolean => !remediationLifecycle.terminal.includes(status);
