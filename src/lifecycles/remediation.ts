// The lifecycle of a remediation request: `spec.md` "Remediation request"; the states are the assumption remediation_status.
// Its numbers take the scenario's outcomes in turn. A remediated number loses its spam flag, any other keeps it.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Effect } from './effects.ts';
import { noInput } from './forms.ts';
import { isTerminal, type Lifecycle, type Transition } from './lifecycle.ts';
import { withoutFlag } from './phone-number.ts';
import { billedAmount, outcomes } from './remediation-outcomes.ts';

const start: Transition<'remediations', 'start'> = { to: 'in_progress' };
const fail: Transition<'remediations', 'fail'> = { to: 'failed', set: (_, { time }) => ({ completed_at: time }) };
const cancel: Transition<'remediations', 'cancel'> = {
  to: 'cancelled',
  set: (_, { time }) => ({ completed_at: time }),
};

const complete: Transition<'remediations', 'complete'> = {
  to: 'completed',
  set: ({ numbers }, { time, input, assumptions }) => ({
    completed_at: time,
    numbers: numbers.map(({ phone_number }, position) => {
      const outcome = input.outcomes[position % input.outcomes.length] ?? null;
      return { phone_number, outcome, billed_amount_dc: billedAmount(outcome, assumptions) };
    }),
  }),
  effects: ({ numbers }, { at }) =>
    numbers.filter(({ outcome }) => outcome === 'remediated').map(({ phone_number }) => unflag(phone_number, at)),
};

const assess: Transition<'remediations', 'assess'> = {
  to: 'in_progress',
  effects: ({ request_id: id }) => {
    const subject = { table: 'remediations', id } as const;
    return [{ type: 'schedule', task: { type: 'assess_remediation', subject } }];
  },
};

function unflag(phoneNumber: string, at: number): Effect {
  return {
    type: 'update',
    table: 'phone_numbers',
    index: 'phone_number',
    value: phoneNumber,
    set: (number) => withoutFlag(number, at),
  };
}

export const remediationLifecycle: Lifecycle<'remediations'> = {
  table: 'remediations',
  kind: 'remediation',
  schemas: ['Remediation'],
  samples: (submitted_at) =>
    [1, 10].map((length) => ({
      submitted_at,
      completed_at: null,
      numbers: Array.from({ length }, () => ({ phone_number: '', outcome: null, billed_amount_dc: 0 })),
    })),
  // A world decides what is billed, and the request which numbers are worked on.
  serialize: (_, { numbers, ...remediation }) => ({
    ...remediation,
    numbers: numbers.map(({ outcome, billed_amount_dc }) => ({
      outcome,
      billed_amount_dc: billed_amount_dc === 0 ? 0 : undefined,
    })),
  }),
  initial: 'pending',
  follows: [{ trigger: 'complete', inputs: [{ outcomes: [...outcomes] }] }],
  status: (remediation) => remediation.status,
  withStatus: (remediation, status) => ({ ...remediation, status }),
  inputs: {
    start: noInput,
    assess: noInput,
    complete: z.strictObject({ outcomes: z.array(z.enum(outcomes)).min(1) }),
    fail: noInput,
    cancel: noInput,
  },
  transitions: {
    pending: { start, fail, cancel },
    in_progress: { complete, assess, fail, cancel },
    completed: {},
    failed: {},
    cancelled: {},
  },
};

/** Whether its numbers are still being worked on. */
export const remediationIsOpen = ({ status }: Row<'remediations'>): boolean =>
  !isTerminal(remediationLifecycle, status);
