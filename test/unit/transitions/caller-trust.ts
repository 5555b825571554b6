// What each trigger makes of the records of caller trust in each status: `spec.md` "Enterprise" and "Remediation request"
// under "States and transitions", and the assumptions resubmission, document_status, remediation_status and rcd_status.
import { AT, NOW, NUMBER } from './records.ts';
import { type Follows, fire, inEach, type Rows, schedule, update } from './rows.ts';

const reputation = (status: string, rejection_reasons: string[] = []): object => ({
  status,
  check_frequency: 'weekly',
  rejection_reasons,
  last_synced_at: NOW,
});

export const enterprises: Rows = {
  ...inEach('DRAFT REJECTED', 'submit', {
    to: 'PENDING_VETTING',
    changes: {
      carrier_enterprise_id: 'carrier-1',
      loa_document_id: 'document-1',
      rejection_reasons: [],
      synced_at: NOW,
      // How often it is checked is the customer's choice of this submission.
      reputation: { ...reputation('pending'), check_frequency: 'daily' },
    },
  }),
  'PENDING_VETTING review': {
    to: 'PENDING_VETTING',
    effects: [fire('enterprises', 'enterprise-1', 'approve', {})],
  },
  'PENDING_VETTING approve': {
    to: 'APPROVED',
    changes: { synced_at: NOW, reputation: reputation('approved') },
    events: ['enterprise.status.updated'],
  },
  'PENDING_VETTING reject': {
    to: 'REJECTED',
    changes: { rejection_reasons: ['no'], synced_at: NOW, reputation: reputation('rejected', ['no']) },
    events: ['enterprise.status.updated'],
  },
};

export const documents: Rows = {
  'pending clean': { to: 'verified', changes: { av_scan_status: 'scanned' } },
  'pending infected': { to: 'denied', changes: { av_scan_status: 'infected' } },
};

const over = (to: string): Follows => ({ to, changes: { completed_at: NOW } });

export const remediations: Rows = {
  'pending start': { to: 'in_progress' },
  ...inEach('pending in_progress', 'fail', over('failed')),
  ...inEach('pending in_progress', 'cancel', over('cancelled')),
  'in_progress complete': {
    to: 'completed',
    changes: {
      completed_at: NOW,
      numbers: [
        { phone_number: NUMBER, outcome: 'remediated', billed_amount_dc: 1500 },
        { phone_number: '+14155550191', outcome: 'refused', billed_amount_dc: 0 },
      ],
    },
    // The flag goes at once; what is planned for later stays.
    effects: [
      update('phone_numbers', {
        private: { spam_risk: 'low', risk_changes: [{ at: AT + 1, spam_risk: 'medium' }] },
      }),
    ],
  },
  'in_progress assess': {
    to: 'in_progress',
    effects: [schedule('assess_remediation', 'remediations', 'remediation-1')],
  },
};

export const displayIdentities: Rows = {
  'pending approve': { to: 'approved', changes: { updated_at: NOW } },
  'pending reject': { to: 'rejected', changes: { rejection_reasons: ['no'], updated_at: NOW } },
};
