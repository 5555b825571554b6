// The life of a CNAM entry: a display name in the carriers' database (`spec.md` "CNAM display name"; the states are the
// ledger's, cnam_status). What becomes of it shows on the number, and by way of the number on the caller ID.
import { z } from 'zod';
import type { CnamListing, Row } from '../model.ts';
import type { Cascade, Lifecycle, Transition } from './lifecycle.ts';

type Listing = Row<'cnam_listings'>;

/** The number shows what its entry says. */
function cascadeToNumber({ phone_number, display_name, status }: Listing): readonly Cascade[] {
  const change: Cascade<'phone_numbers'> = {
    table: 'phone_numbers',
    index: 'phone_number',
    value: phone_number,
    set: (number) => ({ ...number, cnam_display_name: display_name, cnam_status: status }),
  };
  return [change as unknown as Cascade];
}

/** Pulled with `display_name`: a further name takes the place of the one before. */
const submit: Transition<Listing> = {
  to: 'pending',
  set: (_, moment) => ({ display_name: moment.with.display_name as string }),
  cascades: cascadeToNumber,
};

export const cnamLifecycle: Lifecycle<'cnam_listings'> = {
  kind: 'cnam',
  table: 'cnam_listings',
  initial: 'pending',
  created: [],
  terminal: ['approved', 'rejected'],
  status: (listing) => listing.status,
  withStatus: (listing, status) => ({ ...listing, status: status as CnamListing['status'] }),
  triggers: { approve: z.strictObject({}), reject: z.strictObject({}) },
  transitions: {
    pending: {
      submit,
      approve: { to: 'approved', cascades: cascadeToNumber },
      reject: { to: 'rejected', cascades: cascadeToNumber },
    },
    approved: { submit },
    rejected: { submit },
  },
};
