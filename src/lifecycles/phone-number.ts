// The lifecycle of a phone number, from provisioning to release, with the two signed events of `spec.md` "Event types".
import { z } from 'zod';
import type { Schemas } from '../contract/document.ts';
import type { Row, SpamRisk } from '../model.ts';
import type { Effect } from './effects.ts';
import { noInput } from './forms.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

type PhoneNumber = Row<'phone_numbers'>;
type AgentPhoneNumber = NonNullable<Schemas['AgentPhoneNumber']>;

/** Changes the number's entry on the agent that answers it, at an instant. */
function updateAgent(
  { phone_number }: PhoneNumber,
  updated_at: string,
  change: (entry: AgentPhoneNumber) => AgentPhoneNumber | null,
): Effect {
  return {
    type: 'update',
    table: 'agents',
    index: 'phone_number',
    value: phone_number,
    set: (agent) => ({ ...agent, phone_number: agent.phone_number && change(agent.phone_number), updated_at }),
  };
}

/** Ends the number's registrations, and removes it from the agent that answered it. */
const release: Transition<'phone_numbers', 'release'> = {
  to: 'RELEASED',
  fields: {
    is_active: false,
    reputation_enrolled_at: null,
    cnam_display_name: null,
    cnam_status: null,
    texting_enabled: false,
    texting_status: 'none',
  },
  effects: (number, { time }) => [updateAgent(number, time, () => null)],
};

export const phoneNumberLifecycle: Lifecycle<'phone_numbers'> = {
  table: 'phone_numbers',
  kind: 'phone_number',
  schemas: ['PhoneNumber'],
  samples: () => [{ is_active: false, reputation_enrolled_at: null }],
  initial: 'PROVISIONING',
  status: (number) => number.private.status,
  withStatus: (number, status) => ({ ...number, private: { ...number.private, status } }),
  inputs: {
    activate: noInput,
    flag: z.strictObject({ spam_risk: z.enum(['medium', 'high']).optional() }),
    recover: noInput,
  },
  transitions: {
    PROVISIONING: {
      activate: {
        to: 'ACTIVE',
        fields: { is_active: true },
        set: (_, { time }) => ({ reputation_enrolled_at: time }),
        emits: ['number_purchased'],
        effects: (number, { time }) => [updateAgent(number, time, (entry) => ({ ...entry, is_active: true }))],
      },
      // No event: a number that never became active was never announced.
      release,
    },
    ACTIVE: {
      flag: {
        to: 'ACTIVE',
        set: (number, { at, input: { spam_risk = 'high' } }) => changeOfRisk(number, at, spam_risk),
      },
      recover: { to: 'ACTIVE', set: (number, { at }) => changeOfRisk(number, at, 'low') },
      release: { ...release, emits: ['number_released'] },
    },
    RELEASED: {},
  },
};

/** Whether the organization still holds the number. */
export const numberIsHeld = (number: PhoneNumber): boolean => number.private.status !== 'RELEASED';

/** The fields of a number whose reputation changes at an instant. */
function changeOfRisk({ private: own }: PhoneNumber, at: number, spam_risk: SpamRisk): Partial<PhoneNumber> {
  return { private: { ...own, risk_changes: [...(own.risk_changes ?? []), { at, spam_risk }] } };
}

/** What carriers think of a number at an instant. */
export function spamRiskAt({ private: { spam_risk, risk_changes = [] } }: PhoneNumber, at: number): SpamRisk {
  return risk_changes.findLast((change) => change.at <= at)?.spam_risk ?? spam_risk;
}

/** The number without a flag, which monitoring reports at once; changes that are planned stay. */
export function withoutFlag(number: PhoneNumber, at: number): PhoneNumber {
  const { risk_changes = [], ...own } = number.private;
  const later = risk_changes.filter((change) => change.at > at);
  return {
    ...number,
    private: { ...own, spam_risk: 'low', ...(later.length > 0 ? { risk_changes: later } : {}) },
  };
}
