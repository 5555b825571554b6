// Calls: `spec.md` "Calls" under "Endpoints". Dialling, having an agent call, reading, hanging up, and what was said.
import { assumed } from '../assumptions/catalogue.ts';
import type { Schemas } from '../contract/document.ts';
import { disabledAgent } from '../domain/agents/agent-state.ts';
import { checkCallingRules, countCall } from '../domain/calls/calling-rules.ts';
import { checkDestination } from '../domain/calls/destination.ts';
import { checkCaps, numberToCallFrom, placeCall, usableNumber } from '../domain/calls/place-call.ts';
import { recordingPath } from '../domain/calls/recordings.ts';
import {
  type Caller,
  findRecord,
  findReferenced,
  type Operation,
  type OperationRequest,
  type OperationResult,
  ok,
  pageOf,
} from '../engine/operation.ts';
import { transition } from '../engine/transition.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { callLifecycle } from '../lifecycles/call.ts';
import { type Row, wireOf } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import { scriptOf, transcriptOf } from '../scenarios/transcript.ts';
import type { Tx } from '../store/store.ts';

export const dialCall: Operation<'dialCall'> = {
  plays: { kind: 'call', destination: (body) => body.to_number },
  placesCalls: true,
  precheck: { fields: ['to_number', 'from_number'], check: (body) => checkNumbers(body, true) },
  handle(request, tx) {
    return placeOutbound(request, tx, request.body.from_number, null);
  },
};

export const createCall: Operation<'createCall'> = {
  plays: { kind: 'call', destination: (body) => body.to_number },
  placesCalls: true,
  precheck: { fields: ['to_number', 'from_number'], check: (body) => checkNumbers(body, false) },
  handle(request, tx) {
    const { agent_id, from_number } = request.body;
    const agent = findReferenced(tx, 'agents', agent_id, request.caller, 'agent', 'agent_id');
    if (!agent.enabled) throw disabledAgent(agent);
    return placeOutbound(request, tx, numberToCallFrom(tx, request.caller, from_number, agent), agent);
  },
};

/** Places the call that a request asks for, unless the caller ID, a calling rule or a cap forbids it. */
function placeOutbound(
  request: OperationRequest<'dialCall'> | OperationRequest<'createCall'>,
  tx: Tx,
  from_number: string,
  agent: Row<'agents'> | null,
): OperationResult {
  const { organization_id } = request.caller;
  const { to_number } = request.body;
  const number = usableNumber(tx, request.caller, from_number);
  const rules = tx.get('organizations', organization_id)?.private.calling_rules;
  if (rules) {
    checkCallingRules(tx, rules, organization_id, to_number);
    countCall(tx, rules, organization_id, to_number);
  }
  checkCaps(tx, request.settings, from_number, number);
  const call = placeCall(tx, organization_id, request.selection as ScenarioSelection, {
    direction: 'outbound',
    from_number,
    to_number,
    number,
    agent,
  });
  const accepted: Schemas['CallAccepted'] = { call_id: call.id, status: 'QUEUED' };
  const envelope = assumed(tx.state('assumptions'), 'dial_response_envelope');
  return { status: 202, body: envelope === 'data' ? { data: accepted } : accepted };
}

/** The first checks of a call, in their order: destination, then the form of `from_number`. */
function checkNumbers(body: unknown, fromRequired: boolean): void {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw invalidField('body', 'must be a JSON object');
  }
  const { from_number, to_number } = (body ?? {}) as Record<string, unknown>;
  checkDestination(to_number);
  if (from_number === undefined || from_number === null) {
    if (!fromRequired) return;
    throw invalidField('from_number', 'is required: a verified caller ID of the account, in E.164 form');
  }
  if (typeof from_number !== 'string' || !/^\+[1-9]\d{1,14}$/.test(from_number)) {
    throw invalidField('from_number', `${quote(from_number)} is not a number in E.164 form`);
  }
}

export const listCalls: Operation<'listCalls'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'calls', request, true);
    const reveal = revealsRecordings(tx, request.caller);
    const data = rows.map((call) => listItem(serializeCall(tx, call, reveal, request.origin)));
    return { status: 200, body: { data, meta: counted } };
  },
};

export const getCall: Operation<'getCall'> = {
  handle(request, tx) {
    const call = findRecord(tx, 'calls', request.params.id, request.caller, 'call');
    return ok(serializeCall(tx, call, revealsRecordings(tx, request.caller), request.origin));
  },
};

/** `recording_url` needs `recordings:read`, and a content policy that lets recordings out. */
function revealsRecordings(tx: Tx, caller: Caller): boolean {
  return caller.scopes.includes('recordings:read') && !contentIsPinned(tx, caller);
}

function contentIsPinned(tx: Tx, caller: Caller): boolean {
  return tx.get('organizations', caller.organization_id)?.hipaa_enabled === true;
}

function serializeCall(tx: Tx, call: Row<'calls'>, reveal: boolean, origin: string): Schemas['CallDetail'] {
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
    const call = findRecord(tx, 'calls', request.params.id, request.caller, 'call');
    const ended = transition(tx, callLifecycle, call, 'hangup', {}) ?? call;
    return ok({ call_id: ended.id, status: ended.status } satisfies Schemas['HangupResult']);
  },
};

export const getCallTranscript: Operation<'getCallTranscript'> = {
  handle(request, tx) {
    const call = findRecord(tx, 'calls', request.params.id, request.caller, 'call');
    if (contentIsPinned(tx, request.caller)) throw new ApiError('content_policy_forbidden');
    if (!call.has_transcript) {
      throw new ApiError('not_found', {
        message: `The call ${quote(call.id)} has no transcript (status ${call.status}).`,
        hint: 'A transcript exists once an answered call has ended (`has_transcript`).',
        assumption: 'transcript_absent',
      });
    }
    return ok(transcriptOf(call, scriptOf(call, request.scenarios), call.private.agent));
  },
};
