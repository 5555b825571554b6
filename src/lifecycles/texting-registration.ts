// The life of an A2P texting registration, brand or campaign alike (`spec.md` "Texting not ready" and the event
// texting_registration_status_changed; the states are the ledger's, registration_status). What becomes of a campaign
// decides whether its numbers may send.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Cascade, Lifecycle } from './lifecycle.ts';

type Registration = Row<'texting_registrations'>;

/** The numbers of a campaign stand as it does. */
export function onItsNumbers({ phone_numbers, status }: Registration): readonly Cascade[] {
  return phone_numbers.map((phone_number) => {
    const change: Cascade<'phone_numbers'> = {
      table: 'phone_numbers',
      index: 'phone_number',
      value: phone_number,
      set: (number) => ({ ...number, texting_status: status, texting_enabled: status === 'approved' }),
    };
    return change as unknown as Cascade;
  });
}

export const textingRegistrationLifecycle: Lifecycle<'texting_registrations'> = {
  kind: 'texting_registration',
  table: 'texting_registrations',
  initial: 'pending',
  created: [],
  terminal: ['approved', 'rejected'],
  status: (registration) => registration.status,
  withStatus: (registration, status) => ({ ...registration, status: status as Registration['status'] }),
  triggers: {
    approve: z.strictObject({}),
    reject: z.strictObject({ reasons: z.array(z.string().min(1)).min(1) }),
  },
  transitions: {
    pending: {
      approve: {
        to: 'approved',
        set: (_, moment) => ({ updated_at: moment.time }),
        cascades: onItsNumbers,
        emits: ['texting_registration_status_changed'],
      },
      reject: {
        to: 'rejected',
        set: (_, moment) => ({ rejection_reasons: moment.with.reasons as string[], updated_at: moment.time }),
        cascades: onItsNumbers,
        emits: ['texting_registration_status_changed'],
      },
    },
    approved: {},
    rejected: {
      /** Pulled with the `legal_name` and `ein` of a brand that is handed in again. */
      submit: {
        to: 'pending',
        set: (_, moment) => ({
          legal_name: moment.with.legal_name as string,
          ein: moment.with.ein as string,
          rejection_reasons: [],
          updated_at: moment.time,
        }),
      },
    },
  },
};
