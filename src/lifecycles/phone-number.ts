// The lifecycle of a phone number, from provisioning to release, with the two signed events of `spec.md` "Event types".
import type { Schemas } from '../contract/document.ts';
import type { Row } from '../model.ts';
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
  shownAs: ['PhoneNumber'],
  samples: () => [{ is_active: false, reputation_enrolled_at: null }],
  initial: 'PROVISIONING',
  alsoTerminal: ['ACTIVE'],
  status: (number) => number.private.status,
  withStatus: (number, status) => ({ ...number, private: { ...number.private, status } }),
  inputs: { activate: noInput },
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
      release: { ...release, emits: ['number_released'] },
    },
    RELEASED: {},
  },
};

/** Whether the organization still holds the number. */
export const numberIsHeld = (number: PhoneNumber): boolean => number.private.status !== 'RELEASED';

/** The spam risk that responses show; unknown until the number is enrolled in reputation monitoring. */
export function spamRiskOf(number: PhoneNumber): Schemas['SpamRisk'] {
  return number.reputation_enrolled_at === null ? 'unknown' : number.private.spam_risk;
}
