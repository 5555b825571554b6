// The lifecycle of a call: `spec.md` "Call" under "States and transitions", and the events under "Event types". Failures
// carry their code and category. Every end emits call_completed; a disposition event reports one outcome only.
import { z } from 'zod';
import { assumedCall, assumedStart } from '../assumptions/assumed-records.ts';
import { assumed } from '../assumptions/catalogue.ts';
import { type FailureCode, failureCategory } from '../errors/catalogue.ts';
import type { EventOf } from '../events/catalogue.ts';
import type { Row } from '../model.ts';
import { keysOf } from '../typed-keys.ts';
import { noInput } from './forms.ts';
import { isTerminal, type Lifecycle, type Transition } from './lifecycle.ts';
import type { CallOutcome, TriggerOf } from './triggers.ts';

type Call = Row<'calls'>;
type EndTrigger = Exclude<TriggerOf<'calls'>, 'ring' | 'answer'>;

/** A line spoken on a call, as scenario and fixture files write it. */
export const transcriptLine = z.strictObject({
  role: z.enum(['agent', 'user']).describe('Who says it.'),
  text: z
    .string()
    .min(1)
    .describe('What is said; {greeting}, {business_name} and {agent_name} stand for those of the agent.'),
  interrupted: z.boolean().default(false).describe('Whether the other side cuts in.'),
});

/** Nothing is known yet about its answer and its end. */
const unanswered = {
  ended_at: null,
  duration_seconds: null,
  has_recording: false,
  recording_url: null,
  has_transcript: false,
  failure_code: null,
  failure_category: null,
  call_outcome: null,
  disconnection_reason: null,
} as const;

/** A call that has just been placed. */
export function newCall(
  placed: Pick<Call, 'id' | 'direction' | 'from_number' | 'to_number' | 'started_at' | 'phone_number_id' | 'private'>,
): Call {
  return {
    id: placed.id,
    status: 'QUEUED',
    direction: placed.direction,
    from_number: placed.from_number,
    to_number: placed.to_number,
    started_at: placed.started_at,
    phone_number_id: placed.phone_number_id,
    ...unanswered,
    private: placed.private,
  };
}

const reason = z.strictObject({ disconnection_reason: z.string().min(1).optional() });

interface End {
  readonly to: Call['status'];
  /** The event that reports it in addition to call_completed. */
  readonly disposition: EventOf<'calls'> | null;
  /** Whether there is a conversation, which leaves a recording and a transcript. */
  readonly recorded: boolean;
}

const ends: Record<CallOutcome, End> = {
  answered: { to: 'COMPLETED', disposition: null, recorded: true },
  busy: { to: 'BUSY', disposition: 'call_busy', recorded: false },
  no_answer: { to: 'NO_ANSWER', disposition: 'call_no_answer', recorded: false },
  voicemail: { to: 'VOICEMAIL', disposition: 'call_voicemail', recorded: false },
  failed: { to: 'FAILED', disposition: 'call_failed', recorded: false },
  canceled: { to: 'CANCELED', disposition: null, recorded: false },
};

export const callOutcomes = keysOf(ends);

/** The transition that ends a call; a `disconnection_reason` in the trigger's input replaces the default one. */
function end(
  outcome: CallOutcome,
  defaultReason: string,
  failure: FailureCode | null,
): Transition<'calls', EndTrigger> {
  const { to, disposition, recorded } = ends[outcome];
  const disposed = disposition === null ? [] : [disposition];
  const completedFirst: readonly EventOf<'calls'>[] = ['call_completed', ...disposed, 'phone_call.ended'];
  const dispositionFirst: readonly EventOf<'calls'>[] = [...disposed, 'call_completed', 'phone_call.ended'];
  return {
    to,
    fields: {
      call_outcome: outcome,
      failure_code: failure,
      failure_category: failure && failureCategory(failure),
    },
    set: (call, context) => {
      const seconds = secondsTalked(call, context.at);
      const isRecorded = recorded && seconds > 0;
      return {
        ended_at: context.time,
        duration_seconds: seconds,
        disconnection_reason: context.input.disconnection_reason ?? defaultReason,
        has_recording: isRecorded,
        // On a standing clock a web call takes no time, whatever is said on it.
        has_transcript: isRecorded || (recorded && (call.private.turns?.length ?? 0) > 0),
      };
    },
    emits: (assumptions) =>
      assumed(assumptions, 'event_order') === 'disposition_first' ? dispositionFirst : completedFirst,
    effects: ({ private: { job_contact_id } }) => {
      if (job_contact_id === null) return [];
      const subject = { table: 'job_contacts', id: job_contact_id } as const;
      return [{ type: 'fire', subject, trigger: 'finish', input: { outcome, failure_code: failure } }];
    },
  };
}

function secondsTalked({ private: { answered_at } }: Call, at: number): number {
  return answered_at === null ? 0 : Math.floor((at - Date.parse(answered_at)) / 1000);
}

/** The reason of a call that was not cut short: the parties said goodbye. */
export const USUAL_END = 'CLIENT_INITIATED';

const canceled = end('canceled', 'CLIENT_INITIATED', null);
const busy = end('busy', 'USER_REJECTED', 'busy');
const unreachable = end('failed', 'SIP_TRUNK_FAILURE', 'number_unreachable');
const rejected = end('failed', 'SIP_TRUNK_FAILURE', 'carrier_rejected');
const completed = end('answered', USUAL_END, null);
/** The client ends a call that would have gone on. */
const hungUp: typeof completed = {
  ...completed,
  set: (call, context) => ({ ...completed.set?.(call, context), private: { ...call.private, hung_up: true } }),
};

export const callLifecycle: Lifecycle<'calls'> = {
  table: 'calls',
  kind: 'call',
  schemas: ['Call'],
  samples: (started_at) => [{ ...unanswered, started_at, private: { answered_at: null } }],
  // Whether the URL of a recording is shown depends on the key and the organization.
  serialize: (assumptions, call) => ({
    ...assumedCall(assumptions, call),
    started_at: assumedStart(assumptions, call),
    recording_url: call.has_recording ? undefined : null,
  }),
  initial: 'QUEUED',
  status: (call) => call.status,
  withStatus: (call, status) => ({ ...call, status }),
  inputs: {
    ring: noInput,
    answer: noInput,
    complete: reason,
    busy: reason,
    no_answer: reason,
    voicemail: reason,
    decline: reason,
    unreachable: reason,
    reject: reason,
  },
  created: ['new_call'],
  transitions: {
    QUEUED: { ring: { to: 'RINGING' }, busy, unreachable, reject: rejected, hangup: canceled },
    RINGING: {
      answer: {
        to: 'IN_PROGRESS',
        set: (call, { time }) => ({ private: { ...call.private, answered_at: time } }),
      },
      no_answer: end('no_answer', 'USER_UNAVAILABLE', 'no_answer'),
      decline: end('failed', 'USER_REJECTED', 'call_declined'),
      busy,
      unreachable,
      reject: rejected,
      hangup: canceled,
    },
    IN_PROGRESS: {
      complete: completed,
      voicemail: end('voicemail', 'CLIENT_INITIATED', 'voicemail_reached'),
      hangup: hungUp,
    },
    COMPLETED: {},
    BUSY: {},
    NO_ANSWER: {},
    VOICEMAIL: {},
    FAILED: {},
    CANCELED: {},
  },
};

const endStatuses = new Set(
  Object.keys(callLifecycle.transitions).filter((status) => isTerminal(callLifecycle, status)),
);

/** Whether the call is in progress, and so counts towards the caps. Every write of a call asks it several times. */
export const callIsLive = (call: Call): boolean => !endStatuses.has(call.status);
