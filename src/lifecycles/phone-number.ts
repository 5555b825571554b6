// The life of a phone number, from provisioning to release, with the two signed events of `spec.md` "Event types".
import { z } from 'zod';
import type { Schemas } from '../contract/document.ts';
import type { PhoneNumberStatus, Row } from '../model.ts';
import type { Cascade, Lifecycle, Transition } from './lifecycle.ts';

type PhoneNumber = Row<'phone_numbers'>;
type AgentPhoneNumber = NonNullable<Schemas['AgentPhoneNumber']>;

/** What changes on the agent that answers the number. */
function onItsAgent(phoneNumber: string, change: (shown: AgentPhoneNumber) => AgentPhoneNumber | null): Cascade {
  const changes: Cascade<'agents'> = {
    table: 'agents',
    index: 'phone_number',
    value: phoneNumber,
    set: (agent) => ({ ...agent, phone_number: agent.phone_number && change(agent.phone_number) }),
  };
  return changes as unknown as Cascade;
}

/** Nothing is left of what the number was registered for, nor of the agent that answered it. */
const release: Transition<PhoneNumber> = {
  to: 'RELEASED',
  set: () => ({
    is_active: false,
    reputation_enrolled_at: null,
    cnam_display_name: null,
    cnam_status: null,
    texting_enabled: false,
    texting_status: 'none',
  }),
  cascades: ({ phone_number }) => [onItsAgent(phone_number, () => null)],
};

export const phoneNumberLifecycle: Lifecycle<'phone_numbers'> = {
  kind: 'phone_number',
  table: 'phone_numbers',
  initial: 'PROVISIONING',
  created: [],
  terminal: ['ACTIVE', 'RELEASED'],
  status: (number) => number.private.status,
  withStatus: (number, status) => ({
    ...number,
    private: { ...number.private, status: status as PhoneNumberStatus },
  }),
  triggers: { activate: z.strictObject({}) },
  transitions: {
    PROVISIONING: {
      activate: {
        to: 'ACTIVE',
        set: (_, moment) => ({ is_active: true, reputation_enrolled_at: moment.time }),
        emits: ['number_purchased'],
        cascades: ({ phone_number }) => [onItsAgent(phone_number, (shown) => ({ ...shown, is_active: true }))],
      },
      // What never became active was never announced.
      release,
    },
    ACTIVE: {
      release: { ...release, emits: ['number_released'] },
    },
    RELEASED: {},
  },
};

/** Whether the organization has it still. */
export const numberIsHeld = (number: PhoneNumber): boolean => number.private.status !== 'RELEASED';

/** What callers are warned of about a number; unknown until it is enrolled in reputation monitoring. */
export function spamRiskOf(number: Row<'phone_numbers'>): Schemas['SpamRisk'] {
  return number.reputation_enrolled_at === null ? 'unknown' : number.private.spam_risk;
}
