// The lifecycle of a CNAM listing: a display name in the carriers' database (`spec.md` "CNAM display name"; its states are
// the assumption cnam_status). The number shows the listing's state, and the caller ID that of its number.
import type { Row } from '../model.ts';
import type { Effect } from './effects.ts';
import { noInput } from './forms.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

/** Copies the listing to the phone number. */
function updateNumber({ phone_number, display_name, status }: Row<'cnam_listings'>): Effect[] {
  return [
    {
      type: 'update',
      table: 'phone_numbers',
      index: 'phone_number',
      value: phone_number,
      set: (number) => ({ ...number, cnam_display_name: display_name, cnam_status: status }),
    },
  ];
}

/** Also marks the caller ID, which shows the number's listing, as changed. */
const decided: Transition<'cnam_listings', 'approve'>['effects'] = (listing, { time: updated_at }) => [
  ...updateNumber(listing),
  {
    type: 'update',
    table: 'caller_ids',
    index: 'phone_number',
    value: listing.phone_number,
    set: (callerId) => ({ ...callerId, updated_at }),
  },
];

/** A new name replaces the previous one. */
const submit: Transition<'cnam_listings', 'submit'> = {
  to: 'pending',
  set: (_, { input: { display_name } }) => ({ display_name }),
  effects: updateNumber,
};

export const cnamLifecycle: Lifecycle<'cnam_listings'> = {
  table: 'cnam_listings',
  kind: 'cnam',
  schemas: ['PhoneNumber'],
  samples: () => [{}],
  serialize: (_, { status }) => ({ cnam_status: status }),
  initial: 'pending',
  alsoTerminal: ['approved', 'rejected'],
  status: (listing) => listing.status,
  withStatus: (listing, status) => ({ ...listing, status }),
  inputs: { approve: noInput, reject: noInput },
  transitions: {
    pending: {
      submit,
      approve: { to: 'approved', effects: decided },
      reject: { to: 'rejected', effects: decided },
    },
    approved: { submit },
    rejected: { submit },
  },
};
