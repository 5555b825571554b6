// The life of a phone number, from provisioning to release, with the two signed events of `spec.md` "Event types".
import { z } from 'zod';
import type { Schemas } from '../contract/document.ts';
import type { PhoneNumberStatus, Row } from '../model.ts';
import type { Lifecycle } from './lifecycle.ts';

export const phoneNumberLifecycle: Lifecycle<'phone_numbers'> = {
  kind: 'phone_number',
  table: 'phone_numbers',
  initial: 'PROVISIONING',
  created: [],
  settled: ['ACTIVE', 'RELEASED'],
  status: (number) => number.private.status,
  withStatus: (number, status) => ({
    ...number,
    private: { ...number.private, status: status as PhoneNumberStatus },
  }),
  triggers: { activate: z.strictObject({}) },
  rows: {
    PROVISIONING: {
      activate: {
        to: 'ACTIVE',
        set: (_, moment) => ({ is_active: true, reputation_enrolled_at: moment.time }),
        emits: ['number_purchased'],
      },
      release: { to: 'RELEASED', set: () => ({ is_active: false }) },
    },
    ACTIVE: {
      release: { to: 'RELEASED', set: () => ({ is_active: false }), emits: ['number_released'] },
    },
    RELEASED: {},
  },
};

/** What callers are warned of about a number; unknown until it is enrolled in reputation monitoring. */
export function spamRiskOf(number: Row<'phone_numbers'>): Schemas['SpamRisk'] {
  return number.reputation_enrolled_at === null ? 'unknown' : number.private.spam_risk;
}
