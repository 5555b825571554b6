// What a scenario file may expect of the record of its kind: a value that the timeline leads to, and no other.
import { describe, expect, it } from 'vitest';
import { FileProblem } from '../../src/file-problem.ts';
import { makeScenario } from '../../src/scenarios/make-scenario.ts';
import { readScenarioFile } from '../../src/scenarios/scenario.ts';

const faultsOf = (data: object): string[] => {
  const source = JSON.stringify({ summary: 'S.', ...data });
  try {
    makeScenario('own', source, readScenarioFile('own', source), undefined);
    return [];
  } catch (error) {
    if (error instanceof FileProblem) return error.faults.map(({ field }) => field);
    throw error;
  }
};

const instant = '2026-01-05T15:00:00.000Z';

/** A row: the triggers, ten seconds apart; the values that fields can have at the end; values that they cannot have. */
const rows: [kind: string, triggers: (string | [string, object])[], can: object, cannot: object][] = [
  [
    'call',
    ['ring'],
    { status: 'RINGING', started_at: instant, failure_code: null, call_outcome: null, disconnection_reason: null },
    {
      status: 'QUEUED',
      ended_at: instant,
      duration_seconds: 0,
      has_recording: true,
      recording_url: 'http://localhost/a.wav',
      has_transcript: true,
      failure_code: 'busy',
      failure_category: 'unreachable',
      call_outcome: 'busy',
      disconnection_reason: 'CLIENT_INITIATED',
    },
  ],
  [
    'call',
    ['ring', 'answer', 'complete'],
    { duration_seconds: 10, has_recording: true, recording_url: 'http://localhost/a.wav', ended_at: instant },
    { duration_seconds: 11, has_recording: false, ended_at: null, started_at: null, call_outcome: 'busy' },
  ],
  ['call', ['busy'], { duration_seconds: 0, recording_url: null }, { recording_url: 'http://localhost/a.wav' }],
  [
    'sms',
    ['send'],
    { status: 'sent', direction: 'outbound', provider_id: 'prv_any', error_message: null, created_at: instant },
    { direction: 'inbound', provider_id: null, error_message: 'Spam.', created_at: null },
  ],
  ['sms', ['fail'], { provider_id: null }, { provider_id: 'prv_1', error_message: null }],
  ['job', [], { started_at: null, ended_at: null }, { started_at: instant, ended_at: instant }],
  ['job', ['start'], { started_at: instant, ended_at: instant, name: 'Any' }, { started_at: null, created_at: null }],
  [
    'caller_id',
    ['speak_code'],
    { status: 'PENDING_VERIFICATION', active: true, verified_at: null, certification_method: null },
    { active: false, verified_at: instant, certification_method: 'verification_call', created_at: null },
  ],
  [
    'phone_number',
    ['activate'],
    { is_active: true, reputation_enrolled_at: instant },
    { is_active: false, reputation_enrolled_at: null },
  ],
  [
    'phone_number',
    [],
    { is_active: false, reputation_enrolled_at: null },
    { is_active: true, reputation_enrolled_at: instant },
  ],
  ['cnam', ['approve'], { cnam_status: 'approved', cnam_display_name: 'ANY' }, { cnam_status: 'pending' }],
  [
    'texting_registration',
    ['approve'],
    { status: 'approved', rejection_reasons: [], legal_name: 'Of a brand', use_case: 'of a campaign' },
    { status: 'pending', rejection_reasons: ['no'], created_at: null },
  ],
  ['texting_registration', [['reject', { reasons: ['no'] }]], { rejection_reasons: ['no'] }, { rejection_reasons: [] }],
  [
    'enterprise',
    ['approve'],
    {
      status: 'APPROVED',
      carrier_enterprise_id: 'carrier-9',
      synced_at: instant,
      reputation: { status: 'approved', check_frequency: 'never', rejection_reasons: [], last_synced_at: instant },
    },
    { status: 'PENDING_VETTING', carrier_enterprise_id: null, synced_at: null, rejection_reasons: ['no'] },
  ],
  [
    'enterprise',
    [],
    { status: 'PENDING_VETTING', reputation: { status: 'pending', rejection_reasons: [], last_synced_at: instant } },
    { status: 'DRAFT', reputation: { status: 'deleted' }, rejection_reasons: ['no'] },
  ],
  ['enterprise', [], {}, { reputation: null }],
  ['enterprise', [], {}, { reputation: { rejection_reasons: ['no'] } }],
  ['enterprise', [], {}, { reputation: { last_synced_at: null } }],
  ['document', [], { av_scan_status: 'pending_scan' }, { av_scan_status: 'scanned' }],
  ['document', ['infected'], { av_scan_status: 'infected', status: 'denied' }, { av_scan_status: 'pending_scan' }],
  [
    'remediation',
    ['start'],
    { numbers: [{ outcome: null, billed_amount_dc: 0, phone_number: '+14155550190' }], completed_at: null },
    { numbers: [{ outcome: 'refused' }], submitted_at: null },
  ],
  ['remediation', [], {}, { numbers: [], completed_at: instant }],
  ['remediation', [], {}, { numbers: [{ billed_amount_dc: 1500 }] }],
  [
    'remediation',
    ['start', ['complete', { outcomes: ['refused', 'remediated'] }]],
    {
      numbers: [
        { outcome: 'refused', billed_amount_dc: 0 },
        { outcome: 'remediated', billed_amount_dc: 7 },
      ],
    },
    { numbers: [{ billed_amount_dc: 7 }], completed_at: null },
  ],
  [
    'display_identity',
    ['approve'],
    { status: 'approved', rejection_reasons: [] },
    { status: 'rejected', rejection_reasons: ['no'], created_at: null },
  ],
];

describe('a scenario of kind', () => {
  it.each(rows)('%s may expect after %j what the record can be then', (kind, triggers, can, cannot) => {
    const timeline = triggers.map((step) => {
      const [trigger, input] = typeof step === 'string' ? [step, undefined] : step;
      return { after: '10s', trigger, ...(input && { with: input }) };
    });
    const expecting = (record: object): string[] => faultsOf({ kind, timeline, expect: { record } });
    expect(expecting(can)).toEqual([]);
    for (const [field, value] of Object.entries(cannot)) {
      expect(expecting({ [field]: value }), field).toEqual([`expect.record.${field}`]);
    }
  });

  const ends = (kind: string, trigger: string, statuses: string, record: object): string[] =>
    faultsOf({ kind, timeline: [{ after: '1s', trigger }], expect: { statuses: statuses.split(' '), record } });

  it('enterprise may expect either end of a vetting that reviews, with the reasons of a rejection', () => {
    expect(ends('enterprise', 'review', 'PENDING_VETTING APPROVED', { rejection_reasons: [] })).toEqual([]);
    expect(ends('enterprise', 'review', 'PENDING_VETTING REJECTED', { status: 'REJECTED' })).toEqual([]);
    const rejected = (record: object): string[] => ends('enterprise', 'review', 'PENDING_VETTING REJECTED', record);
    const one = ['The business is not in the United States.'];
    for (const rejection_reasons of [one, ['The EIN 07-1234567 was never assigned.', ...one], [...one, 'b', 'c']]) {
      expect(rejected({ rejection_reasons, reputation: { status: 'rejected', rejection_reasons } })).toEqual([]);
    }
    expect(rejected({ rejection_reasons: [] })).toEqual(['expect.record.rejection_reasons']);
    expect(rejected({ rejection_reasons: [7] })).toEqual(['expect.record.rejection_reasons.0']);
    expect(rejected({ reputation: { rejection_reasons: [] } })).toEqual(['expect.record.reputation']);
  });

  it('job may expect that its last call ends it, and remediation that its assessment does', () => {
    expect(ends('job', 'start', 'queued running completed', { ended_at: instant })).toEqual([]);
    const completed = 'pending in_progress completed';
    expect(ends('remediation', 'start', completed, { numbers: [{ outcome: 'remediated' }] })).toEqual([]);
    expect(ends('remediation', 'start', completed, { numbers: [{ outcome: null }] })).toEqual([
      'expect.record.numbers',
    ]);
  });
});
