// A record of each lifecycle, before a trigger, and records of other tables that a transition changes.
import type { LifecycleTable } from '../../../src/lifecycles/triggers.ts';

export const NUMBER = '+14155550190';
export const OTHER = '+14155550191';
export const BEFORE = '2026-01-05T14:00:00.000Z';
/** The instant of each transition. */
export const NOW = '2026-01-05T15:00:00.000Z';
export const AT = Date.parse(NOW);

const NEVER = null;

/** Each record before a trigger; no field has yet the value that a transition gives it. */
export const before: { readonly [Table in LifecycleTable]: object } = {
  calls: {
    id: 'call-1',
    ended_at: NEVER,
    duration_seconds: null,
    has_recording: null,
    has_transcript: null,
    failure_code: undefined,
    failure_category: undefined,
    call_outcome: null,
    disconnection_reason: null,
    private: { answered_at: '2026-01-05T14:59:47.400Z', job_contact_id: 'contact-1' },
  },
  messages: {
    id: 'sms-1',
    provider_id: null,
    error_message: null,
    private: { provider_id: 'prv_1' },
  },
  jobs: { id: 'job-1', started_at: NEVER, ended_at: NEVER, private: {} },
  job_contacts: {
    id: 'contact-1',
    call_id: null,
    outcome: null,
    failure_code: null,
    private: { job_id: 'job-1', refusals: 0 },
  },
  phone_numbers: {
    id: 'number-1',
    phone_number: NUMBER,
    is_active: null,
    reputation_enrolled_at: BEFORE,
    cnam_display_name: 'HARBOR',
    cnam_status: 'approved',
    texting_enabled: true,
    texting_status: 'approved',
    private: { status: 'ACTIVE', spam_risk: 'low', max_calls: 2 },
  },
  cnam_listings: { id: 'number-1', phone_number: NUMBER, display_name: 'HARBOR', private: {} },
  caller_ids: {
    id: 'caller-1',
    phone_number: NUMBER,
    active: null,
    verified_at: BEFORE,
    certification_method: 'earlier',
    updated_at: BEFORE,
    private: { spoken_at: BEFORE, attempts: 1, calls: 1 },
  },
  texting_registrations: {
    id: 'registration-1',
    legal_name: 'Old',
    ein: null,
    phone_numbers: [NUMBER, OTHER],
    rejection_reasons: ['earlier'],
    updated_at: BEFORE,
    private: {},
  },
  enterprises: {
    id: 'enterprise-1',
    carrier_enterprise_id: null,
    loa_document_id: null,
    rejection_reasons: ['earlier'],
    synced_at: null,
    reputation: { status: 'deleted', check_frequency: 'weekly', rejection_reasons: ['x'], last_synced_at: BEFORE },
    private: { details: { ein: '12-3456789' }, check_frequency: 'daily', findings: [] },
  },
  documents: { id: 'document-1', av_scan_status: 'pending_scan', private: {} },
  remediations: {
    request_id: 'remediation-1',
    completed_at: NEVER,
    numbers: [
      { phone_number: NUMBER, outcome: null, billed_amount_dc: 0 },
      { phone_number: OTHER, outcome: null, billed_amount_dc: 0 },
    ],
    private: {},
  },
  display_identities: { id: 'identity-1', rejection_reasons: [], updated_at: BEFORE, private: {} },
};

/** Records of other tables, before a transition changes them. */
export const related: Readonly<Record<string, object>> = {
  agents: { id: 'agent-1', phone_number: { phone_number: NUMBER, is_active: null }, updated_at: BEFORE },
  phone_numbers: {
    id: 'number-1',
    cnam_display_name: 'Old',
    cnam_status: null,
    texting_enabled: null,
    texting_status: 'none',
    private: {
      spam_risk: 'medium',
      risk_changes: [
        { at: AT, spam_risk: 'high' },
        { at: AT + 1, spam_risk: 'medium' },
      ],
    },
  },
  caller_ids: { id: 'caller-1', updated_at: BEFORE },
};
