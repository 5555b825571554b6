// The life of a call: `spec.md` "Call" under "States and transitions", and the events under "Event types". Failures
// carry their code and category; call_completed comes on every end, a disposition only on the matching outcome.
import { z } from 'zod';
import { type FailureCode, failureCategory } from '../errors/catalogue.ts';
import type { Row } from '../model.ts';
import type { EventType, Lifecycle, Transition, TriggerContext } from './lifecycle.ts';

type Call = Row<'calls'>;
type Outcome = NonNullable<Call['call_outcome']>;

/** A line of what is said on a call. */
export const transcriptLine = z.strictObject({
  role: z.enum(['agent', 'user']),
  text: z.string().min(1),
  interrupted: z.boolean().default(false),
});

const reason = z.strictObject({ disconnection_reason: z.string().min(1).optional() });

/** The row that ends a call; `disconnection_reason` may be another by the scenario's `with`. */
function end(to: Call['status'], outcome: Outcome, usualReason: string, failure: FailureCode | null): Transition<Call> {
  const disposition = {
    busy: 'call_busy',
    no_answer: 'call_no_answer',
    voicemail: 'call_voicemail',
    failed: 'call_failed',
  };
  const emits: EventType[] = ['call_completed'];
  if (outcome in disposition) emits.push(disposition[outcome as keyof typeof disposition] as EventType);
  emits.push('phone_call.ended');
  return {
    to,
    emits,
    set: (call, moment) => ({
      ended_at: moment.time,
      duration_seconds: secondsTalked(call, moment),
      call_outcome: outcome,
      failure_code: failure,
      failure_category: failure && failureCategory(failure),
      disconnection_reason: (moment.with.disconnection_reason as string | undefined) ?? usualReason,
      has_recording: outcome === 'answered' && secondsTalked(call, moment) > 0,
      has_transcript: outcome === 'answered' && secondsTalked(call, moment) > 0,
    }),
    fires: ({ id, private: { job_contact_id } }) =>
      job_contact_id === null
        ? []
        : [
            {
              subject: { table: 'job_contacts', id: job_contact_id },
              trigger: 'finish',
              with: { call_id: id, outcome, failure_code: failure },
            },
          ],
  };
}

function secondsTalked(call: Call, moment: TriggerContext): number {
  const { answered_at } = call.private;
  return answered_at === null ? 0 : Math.floor((moment.at - Date.parse(answered_at)) / 1000);
}

const canceled = end('CANCELED', 'canceled', 'CLIENT_INITIATED', null);
const busy = end('BUSY', 'busy', 'USER_REJECTED', 'busy');
const unreachable = end('FAILED', 'failed', 'SIP_TRUNK_FAILURE', 'number_unreachable');
const rejected = end('FAILED', 'failed', 'SIP_TRUNK_FAILURE', 'carrier_rejected');
const completed = end('COMPLETED', 'answered', 'CLIENT_INITIATED', null);

export const callLifecycle: Lifecycle<'calls'> = {
  kind: 'call',
  table: 'calls',
  initial: 'QUEUED',
  created: ['new_call'],
  terminal: ['COMPLETED', 'BUSY', 'NO_ANSWER', 'VOICEMAIL', 'FAILED', 'CANCELED'],
  status: (call) => call.status,
  withStatus: (call, status) => ({ ...call, status: status as Call['status'] }),
  triggers: {
    ring: z.strictObject({}),
    answer: z.strictObject({}),
    complete: reason,
    busy: reason,
    no_answer: reason,
    voicemail: reason,
    decline: reason,
    unreachable: reason,
    reject: reason,
  },
  transitions: {
    QUEUED: { ring: { to: 'RINGING' }, busy, unreachable, reject: rejected, hangup: canceled },
    RINGING: {
      answer: {
        to: 'IN_PROGRESS',
        set: (call, moment) => ({ private: { ...call.private, answered_at: moment.time } }),
      },
      no_answer: end('NO_ANSWER', 'no_answer', 'USER_UNAVAILABLE', 'no_answer'),
      decline: end('FAILED', 'failed', 'USER_REJECTED', 'call_declined'),
      busy,
      unreachable,
      reject: rejected,
      hangup: canceled,
    },
    IN_PROGRESS: {
      complete: completed,
      voicemail: end('VOICEMAIL', 'voicemail', 'CLIENT_INITIATED', 'voicemail_reached'),
      hangup: completed,
    },
  },
};

/** The states in which a call counts against the caps. */
export const callIsLive = (call: Call): boolean => !callLifecycle.terminal.includes(call.status);
