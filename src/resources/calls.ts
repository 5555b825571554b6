// Calls: `spec.md` "Calls" under "Endpoints". Dialling, reading, hanging up, and what was said.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { create, type LivesBy } from '../engine/create.ts';
import { type Caller, find, findAll, type Operation, type OperationRequest, ok, pageOf } from '../engine/operation.ts';
import { step } from '../engine/step.ts';
import { ApiError, invalidField, shown } from '../errors/api-error.ts';
import { callLifecycle } from '../lifecycles/call.ts';
import { type AgentOnCall, type Row, wireOf } from '../model.ts';
import type { Chosen } from '../scenarios/choose.ts';
import { scriptOf, scriptToKeep, transcriptOf } from '../scenarios/transcript.ts';
import { recordingPath } from '../seed/recording.ts';
import { uuid } from '../store/identity.ts';
import type { Tx } from '../store/store.ts';
import { checkCallingRules } from './calling-rules.ts';
import { checkDestination } from './destination.ts';

export const dialCall: Operation<'dialCall'> = {
  sets: { kind: 'call', destination: (body) => body.to_number },
  placesCalls: true,
  precheck: { fields: ['to_number', 'from_number'], check: checkNumbers },
  handle(request, tx) {
    const { from_number, to_number } = request.body;
    const number = usableNumber(tx, request.caller, from_number);
    const rules = tx.get('organizations', request.caller.organization_id)?.private.calling_rules;
    if (rules) checkCallingRules(tx, rules, request.caller.organization_id, to_number);
    checkCaps(tx, request, from_number, number);
    const call = placeCall(tx, request.caller.organization_id, request.chosen as Chosen, {
      direction: 'outbound',
      from_number,
      to_number,
      number,
      agent: null,
    });
    const accepted: Schemas['CallAccepted'] = { call_id: call.id, status: 'QUEUED' };
    const envelope = assumed(tx.cell('assumptions'), 'dial_response_envelope');
    return { status: 202, body: envelope === 'data' ? { data: accepted } : accepted };
  },
};

/** The first checks of a dial, in their order: destination, then the form of `from_number`. */
function checkNumbers(body: unknown): void {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw invalidField('body', 'must be a JSON object with from_number and to_number');
  }
  const { from_number, to_number } = (body ?? {}) as Record<string, unknown>;
  checkDestination(to_number);
  if (from_number === undefined || from_number === null) {
    throw invalidField('from_number', 'is required: a verified caller ID of the account, in E.164 form');
  }
  if (typeof from_number !== 'string' || !/^\+[1-9]\d{1,14}$/.test(from_number)) {
    throw invalidField('from_number', `${shown(from_number)} is not a number in E.164 form`);
  }
}

/**
 * The number that a call would come from: its caller ID must be verified, and where the account holds the number here,
 * it must be active. Answers the held number, or null for one that was verified from outside.
 */
function usableNumber(tx: Tx, caller: Caller, from: string): Row<'phone_numbers'> | null {
  const [callerId] = findAll(tx, 'caller_ids', 'phone_number', from, caller);
  if (callerId?.status !== 'VERIFIED') {
    const usable = usableNumbers(tx, caller);
    throw new ApiError('call_id_not_verified', {
      category: 'invalid_request',
      fields: { from_number: `${from} is not a verified caller ID of this account` },
      hint: usable.length > 0 ? `Call from ${usable.join(' or ')}.` : 'Verify a caller ID first.',
    });
  }
  const [number] = findAll(tx, 'phone_numbers', 'phone_number', from, caller);
  if (!number) return null;
  if (!number.is_active) {
    throw new ApiError('no_active_number', {
      category: 'invalid_request',
      message: `${from} is not active (${number.private.status.toLowerCase()}).`,
    });
  }
  return number;
}

function usableNumbers(tx: Tx, caller: Caller): string[] {
  const callerIds = findAll(tx, 'caller_ids', 'organization', caller.organization_id, caller);
  const numbers = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller);
  const inactive = numbers.filter((number) => !number.is_active).map((number) => number.phone_number);
  return callerIds
    .filter((callerId) => callerId.status === 'VERIFIED' && !inactive.includes(callerId.phone_number))
    .map((callerId) => callerId.phone_number);
}

/** The world's capacity, and the number's own where its fixture sets one. */
function checkCaps(
  tx: Tx,
  { settings }: OperationRequest<'dialCall'>,
  from: string,
  number: Row<'phone_numbers'> | null,
): void {
  const own = tx.cell('assumptions').concurrent_calls;
  const capacity = own === undefined ? settings.concurrentCalls : Number(own);
  if (capacity !== null && tx.count('calls', 'live', 'all') >= capacity) {
    throw new ApiError('rate_limited', {
      category: 'account_limit',
      message: `${capacity} calls are in progress, which is the capacity of the account.`,
      hint: 'Wait until a call ends.',
      assumption: 'concurrent_calls',
    });
  }
  const { max_calls } = number?.private ?? { max_calls: null };
  if (max_calls !== null && tx.count('calls', 'live_number', from) >= max_calls) {
    throw new ApiError('no_number_available', { category: 'account_limit' });
  }
}

/** Between which numbers a call is, and which of the organization's numbers and agents have to do with it. */
export interface Ends {
  readonly direction: Schemas['CallDirection'];
  readonly from_number: string;
  readonly to_number: string;
  readonly number: Row<'phone_numbers'> | null;
  readonly agent: Row<'agents'> | null;
}

/** A new call of that organization, which lives by the scenario that was chosen; emits `new_call`. */
export function placeCall(tx: Tx, organization: string, chosen: LivesBy, ends: Ends): Row<'calls'> {
  const ordinal = tx.ordinal('calls');
  const { parameters } = chosen.choice;
  const { direction, from_number, to_number, number, agent } = ends;
  const call: Row<'calls'> = {
    id: uuid(tx.world.seed, tx.world.name, 'calls', ordinal),
    status: 'QUEUED',
    direction,
    from_number,
    to_number,
    started_at: timestamp(tx.at),
    ended_at: null,
    duration_seconds: null,
    phone_number_id: number === null ? null : String(number.id),
    has_recording: false,
    recording_url: null,
    has_transcript: false,
    failure_code: null,
    failure_category: null,
    call_outcome: null,
    disconnection_reason: null,
    private: {
      organization_id: organization,
      rank: tx.ordinal('records'),
      answered_at: null,
      agent: agent && onCall(agent),
      job_id: null,
      scenario: { name: chosen.scenario.name, parameters },
      script: scriptToKeep(chosen.scenario),
    },
  };
  create(tx, callLifecycle, call, chosen);
  return call;
}

/** What the agent says on this call, whatever it is changed to while the call lasts or later. */
function onCall({ id, greeting, business_name, language }: Row<'agents'>): AgentOnCall {
  return { id, greeting, business_name, language };
}

export const listCalls: Operation<'listCalls'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'calls', request, true);
    const reveal = revealsRecordings(tx, request.caller);
    const data = rows.map((call) => listItem(shownCall(tx, call, reveal, request.origin)));
    return { status: 200, body: { data, meta: counted } };
  },
};

export const getCall: Operation<'getCall'> = {
  handle(request, tx) {
    const call = find(tx, 'calls', request.params.id, request.caller, 'call');
    return ok(shownCall(tx, call, revealsRecordings(tx, request.caller), request.origin));
  },
};

/** `recording_url` needs `recordings:read`, and a content policy that lets recordings out. */
function revealsRecordings(tx: Tx, caller: Caller): boolean {
  return caller.scopes.includes('recordings:read') && !contentIsPinned(tx, caller);
}

function contentIsPinned(tx: Tx, caller: Caller): boolean {
  return tx.get('organizations', caller.organization_id)?.hipaa_enabled === true;
}

function shownCall(tx: Tx, call: Row<'calls'>, reveal: boolean, origin: string): Schemas['CallDetail'] {
  const shown = wireOf(call) as Schemas['CallDetail'];
  if (!reveal || !call.has_recording) return shown;
  return { ...shown, recording_url: origin + recordingPath(tx.world.seed, tx.world.name, call.id) };
}

function listItem(call: Schemas['CallDetail']): Schemas['Call'] {
  const { failure_code: _, failure_category: _c, call_outcome: _o, disconnection_reason: _r, ...item } = call;
  return item;
}

export const hangupCall: Operation<'hangupCall'> = {
  handle(request, tx) {
    const call = find(tx, 'calls', request.params.id, request.caller, 'call');
    const ended = step(tx, callLifecycle, call, 'hangup') ?? call;
    return ok({ call_id: ended.id, status: ended.status } satisfies Schemas['HangupResult']);
  },
};

export const getCallTranscript: Operation<'getCallTranscript'> = {
  handle(request, tx) {
    const call = find(tx, 'calls', request.params.id, request.caller, 'call');
    if (contentIsPinned(tx, request.caller)) throw new ApiError('content_policy_forbidden');
    if (!call.has_transcript) {
      throw new ApiError('not_found', {
        message: `The call ${shown(call.id)} has no transcript (status ${call.status}).`,
        hint: 'A transcript exists once an answered call has ended (`has_transcript`).',
        assumption: 'transcript_absent',
      });
    }
    return ok(transcriptOf(call, scriptOf(call, request.scenarios), call.private.agent));
  },
};
