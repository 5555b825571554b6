// What each trigger makes of a call, a message and a job in each status: `spec.md` "Call" under "States and transitions",
// and the assumptions call_status_set, hangup_status, message_status and job_states.
import { NOW } from './records.ts';
import { type Follows, fire, inEach, type Rows, schedule } from './rows.ts';

/** The end of a call, about which the job that placed it is told. */
function ended(to: string, outcome: string, reason: string, failure: string | null, event?: string): Follows {
  const answered = outcome === 'answered';
  return {
    to,
    changes: {
      ended_at: NOW,
      // Twelve seconds and six tenths since the answer.
      duration_seconds: 12,
      has_recording: answered,
      has_transcript: answered,
      call_outcome: outcome,
      failure_code: failure,
      failure_category: failure === 'voicemail_reached' ? 'voicemail' : failure && 'unreachable',
      disconnection_reason: reason,
    },
    events: ['call_completed', ...(event === undefined ? [] : [event]), 'phone_call.ended'],
    effects: [fire('job_contacts', 'contact-1', 'finish', { outcome, failure_code: failure })],
  };
}

const failed = (reason: string, code: string): Follows => ended('FAILED', 'failed', reason, code, 'call_failed');
const hungUp = ended('COMPLETED', 'answered', 'CLIENT_INITIATED', null);

export const calls: Rows = {
  'QUEUED ring': { to: 'RINGING' },
  ...inEach('QUEUED RINGING', 'busy', ended('BUSY', 'busy', 'USER_REJECTED', 'busy', 'call_busy')),
  ...inEach('QUEUED RINGING', 'unreachable', failed('SIP_TRUNK_FAILURE', 'number_unreachable')),
  ...inEach('QUEUED RINGING', 'reject', failed('SIP_TRUNK_FAILURE', 'carrier_rejected')),
  ...inEach('QUEUED RINGING', 'hangup', ended('CANCELED', 'canceled', 'CLIENT_INITIATED', null)),
  'RINGING answer': { to: 'IN_PROGRESS', changes: { private: { answered_at: NOW } } },
  'RINGING no_answer': ended('NO_ANSWER', 'no_answer', 'USER_UNAVAILABLE', 'no_answer', 'call_no_answer'),
  'RINGING decline': failed('USER_REJECTED', 'call_declined'),
  'IN_PROGRESS complete': hungUp,
  'IN_PROGRESS voicemail': ended('VOICEMAIL', 'voicemail', 'CLIENT_INITIATED', 'voicemail_reached', 'call_voicemail'),
  'IN_PROGRESS hangup': { ...hungUp, changes: { ...hungUp.changes, private: { hung_up: true } } },
};

const refusedByCarrier: Follows = {
  to: 'failed',
  changes: { error_message: 'The carrier refused the message.' },
  events: ['sms_failed'],
};

export const messages: Rows = {
  'accepted send': { to: 'sent', changes: { provider_id: 'prv_1' }, events: ['sms_sent'] },
  ...inEach('accepted sent', 'fail', refusedByCarrier),
  'sent deliver': { to: 'delivered', events: ['sms_delivered'] },
  'sent undeliver': {
    to: 'undelivered',
    changes: { error_message: 'The handset could not be reached.' },
    events: ['sms_failed'],
  },
  'delivered reply': { to: 'delivered', effects: [schedule('receive_reply', 'messages', 'sms-1', { text: 'Yes' })] },
};

const callNext = schedule('call_next_contact', 'jobs', 'job-1');
const running: Follows = { to: 'running', changes: { started_at: NOW }, effects: [callNext] };

export const jobs: Rows = {
  'queued start': running,
  'paused resume': running,
  ...inEach('queued running', 'pause', { to: 'paused' }),
  ...inEach('queued running paused', 'cancel', {
    to: 'canceled',
    changes: { ended_at: NOW },
    effects: [{ type: 'cancel_tasks', table: 'job_contacts', index: 'status', value: 'job-1 deferred' }],
  }),
  'running complete': { to: 'completed', changes: { ended_at: NOW } },
};

export const jobContacts: Rows = {
  'pending call': { to: 'calling', changes: { call_id: 'call-1' } },
  'pending refuse': {
    to: 'completed',
    changes: { outcome: 'refused', failure_code: 'dnc_suppressed' },
    events: ['workflow_contact_completed'],
  },
  'pending defer': { to: 'deferred', changes: { private: { refusals: 1 } } },
  'calling finish': {
    to: 'completed',
    changes: { outcome: 'busy', failure_code: 'busy' },
    events: ['workflow_contact_completed'],
    effects: [callNext],
  },
  'deferred due': { to: 'pending', effects: [callNext] },
};
