// What each trigger makes of numbers and of what belongs to them in each status: `spec.md` "Caller ID" under "States and
// transitions", and the assumptions cnam_status, caller_id_states and registration_status.
import { AT, NOW, NUMBER, OTHER } from './records.ts';
import { type Follows, inEach, type Rows, update } from './rows.ts';

const released: Follows = {
  to: 'RELEASED',
  changes: {
    is_active: false,
    reputation_enrolled_at: null,
    cnam_display_name: null,
    cnam_status: null,
    texting_enabled: false,
    texting_status: 'none',
  },
  effects: [update('agents', { phone_number: null, updated_at: NOW })],
};

const risk = (spam_risk: string): Follows => ({
  to: 'ACTIVE',
  changes: { private: { risk_changes: [{ at: AT, spam_risk }] } },
});

export const phoneNumbers: Rows = {
  'PROVISIONING activate': {
    to: 'ACTIVE',
    changes: { is_active: true, reputation_enrolled_at: NOW },
    events: ['number_purchased'],
    effects: [update('agents', { phone_number: { is_active: true }, updated_at: NOW })],
  },
  // A number that never became active was never announced.
  'PROVISIONING release': released,
  'ACTIVE release': { ...released, events: ['number_released'] },
  'ACTIVE flag': risk('high'),
  'ACTIVE recover': risk('low'),
};

const listed = (name: string, status: string): object =>
  update('phone_numbers', { cnam_display_name: name, cnam_status: status });

export const cnamListings: Rows = {
  ...inEach('pending approved rejected', 'submit', {
    to: 'pending',
    changes: { display_name: 'PIER' },
    effects: [listed('PIER', 'pending')],
  }),
  'pending approve': {
    to: 'approved',
    effects: [listed('HARBOR', 'approved'), update('caller_ids', { updated_at: NOW })],
  },
  'pending reject': {
    to: 'rejected',
    effects: [listed('HARBOR', 'rejected'), update('caller_ids', { updated_at: NOW })],
  },
};

const verified = (certification_method: string): Follows => ({
  to: 'VERIFIED',
  changes: { active: true, verified_at: NOW, certification_method, updated_at: NOW },
});

export const callerIds: Rows = {
  'PENDING_VERIFICATION speak_code': { to: 'PENDING_VERIFICATION', changes: { private: { spoken_at: NOW } } },
  'PENDING_VERIFICATION verify': verified('verification_call'),
  ...inEach('PENDING_VERIFICATION REVOKED', 'certify', verified('platform_number')),
  ...inEach('PENDING_VERIFICATION VERIFIED', 'revoke', {
    to: 'REVOKED',
    changes: { active: false, updated_at: NOW, private: { spoken_at: null } },
  }),
  'REVOKED restart': {
    to: 'PENDING_VERIFICATION',
    changes: { active: true, verified_at: null, certification_method: null, updated_at: NOW },
  },
};

const registered = (status: string): object[] =>
  [NUMBER, OTHER].map((number) =>
    update('phone_numbers', { texting_status: status, texting_enabled: status === 'approved' }, number),
  );

export const textingRegistrations: Rows = {
  'pending approve': {
    to: 'approved',
    changes: { updated_at: NOW },
    events: ['texting_registration_status_changed'],
    effects: registered('approved'),
  },
  'pending reject': {
    to: 'rejected',
    changes: { rejection_reasons: ['no'], updated_at: NOW },
    events: ['texting_registration_status_changed'],
    effects: registered('rejected'),
  },
  'rejected submit': {
    to: 'pending',
    changes: { legal_name: 'H', ein: '12-3456789', rejection_reasons: [], updated_at: NOW },
  },
};
