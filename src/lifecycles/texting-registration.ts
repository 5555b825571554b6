// The lifecycle of an A2P texting registration, brand or campaign alike (`spec.md` "Texting not ready" and the event
// texting_registration_status_changed; the states are the assumption registration_status). Whether a number may send
// follows its campaign.
import type { Row } from '../model.ts';
import type { Update } from './effects.ts';
import { noInput, rejection } from './forms.ts';
import type { Lifecycle } from './lifecycle.ts';

type Registration = Row<'texting_registrations'>;

/** Copies the status of a campaign to its numbers. */
function updateNumbers({ phone_numbers, status }: Registration): Update<'phone_numbers'>[] {
  return phone_numbers.map((phone_number) => ({
    type: 'update',
    table: 'phone_numbers',
    index: 'phone_number',
    value: phone_number,
    set: (number) => ({ ...number, texting_status: status, texting_enabled: status === 'approved' }),
  }));
}

const decided = { emits: ['texting_registration_status_changed'], effects: updateNumbers } as const;

export const textingRegistrationLifecycle: Lifecycle<'texting_registrations'> = {
  table: 'texting_registrations',
  kind: 'texting_registration',
  schemas: ['TextingBrand', 'TextingCampaign'],
  samples: (created_at) => [{ created_at, rejection_reasons: [] }],
  initial: 'pending',
  alsoTerminal: ['rejected'],
  status: (registration) => registration.status,
  withStatus: (registration, status) => ({ ...registration, status }),
  inputs: { approve: noInput, reject: rejection },
  transitions: {
    pending: {
      approve: { to: 'approved', set: (_, { time }) => ({ updated_at: time }), ...decided },
      reject: {
        to: 'rejected',
        set: (_, { time, input }) => ({ rejection_reasons: input.reasons, updated_at: time }),
        ...decided,
      },
    },
    approved: {},
    rejected: {
      submit: {
        to: 'pending',
        set: (_, { time, input: { legal_name, ein } }) => ({
          legal_name,
          ein,
          rejection_reasons: [],
          updated_at: time,
        }),
      },
    },
  },
};
