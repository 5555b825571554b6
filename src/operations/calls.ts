// Calls: `spec.md` "Calls" under "Endpoints". Dialling, having an agent call, reading, hanging up, and transcripts.
import { assumedCall } from '../assumptions/assumed-records.ts';
import { assumed } from '../assumptions/catalogue.ts';
import type { Schemas } from '../contract/document.ts';
import { isJsonObject } from '../contract/json.ts';
import { checkEnabled } from '../domain/agents/agent-state.ts';
import { callingRulesOf, checkCallingRules } from '../domain/calls/calling-rules.ts';
import { countCall } from '../domain/calls/calls-today.ts';
import { checkDestination } from '../domain/calls/destination.ts';
import { checkCaps, hasFreeLine, numberToCallFrom, usableNumber } from '../domain/calls/number-to-call-from.ts';
import { placeCall } from '../domain/calls/place-call.ts';
import { checkPlan } from '../domain/calls/plan.ts';
import { serializeCall } from '../domain/calls/serialize-call.ts';
import { transcriptOf } from '../domain/calls/transcripts.ts';
import { hidesContent } from '../domain/organizations/content-policy.ts';
import { e164Form } from '../e164.ts';
import {
  accepted,
  type Caller,
  type Operation,
  type OperationRequest,
  ok,
  type ScenarioOperation,
} from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findRecord, findReferenced } from '../engine/records.ts';
import { transition } from '../engine/transition.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { describeValue } from '../errors/schema-errors.ts';
import { callLifecycle } from '../lifecycles/call.ts';
import type { Row } from '../model.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import { scriptOf } from '../scenarios/transcript.ts';
import type { Tx } from '../store/store.ts';

export const dialCall: ScenarioOperation<'dialCall'> = {
  plays: { kind: 'call', destination: (body) => body.to_number },
  placesCalls: true,
  precheck: { fields: ['to_number', 'from_number'], check: (body) => checkNumbers(body, true) },
  handle(request, tx) {
    return placeOutbound(request, tx, request.body.from_number, null);
  },
};

export const createCall: ScenarioOperation<'createCall'> = {
  plays: { kind: 'call', destination: (body) => body.to_number },
  placesCalls: true,
  precheck: { fields: ['to_number', 'from_number'], check: (body) => checkNumbers(body, false) },
  handle(request, tx) {
    const { agent_id, from_number } = request.body;
    const agent = findReferenced(tx, 'agents', agent_id, request.caller, 'agent_id');
    checkEnabled(tx, agent);
    const from = numberToCallFrom(tx, request.caller, from_number, agent, hasFreeLine);
    return placeOutbound(request, tx, from, agent);
  },
};

/** Places the call that a request asks for, unless the caller ID, a calling rule, the plan or a cap forbids it. */
function placeOutbound(
  { body, caller, selection, settings }: OperationRequest<'dialCall' | 'createCall', ScenarioSelection>,
  tx: Tx,
  from_number: string,
  agent: Row<'agents'> | null,
) {
  const { organization_id } = caller;
  const { to_number } = body;
  const number = usableNumber(tx, caller, from_number);
  const rules = callingRulesOf(tx);
  if (rules) {
    checkCallingRules(tx, rules, organization_id, to_number);
    countCall(tx, rules, organization_id, to_number);
  }
  checkPlan(tx, organization_id);
  checkCaps(tx, settings, number);
  const parties = { direction: 'outbound', from_number, to_number, number, agent } as const;
  const call = placeCall(tx, organization_id, selection, parties);
  const data: Schemas['DialAccepted'] = { call_id: call.id, status: 'QUEUED' };
  const envelope = assumed(tx.state('assumptions'), 'dial_response_envelope');
  return envelope === 'data' ? accepted(data) : ({ status: 202, body: data } as const);
}

/** The first checks of a call, in their order: destination, then the form of `from_number`. */
function checkNumbers(body: unknown, fromRequired: boolean): void {
  if (body !== undefined && !isJsonObject(body))
    throw invalidField('body', `is ${describeValue(body)}; must be an object`);
  const { from_number, to_number } = body ?? {};
  checkDestination(to_number);
  if (from_number === undefined || from_number === null) {
    if (!fromRequired) return;
    throw invalidField('from_number', 'is required: a verified caller ID of the account, in E.164 form', {
      assumption: 'dial_checks',
    });
  }
  if (typeof from_number !== 'string' || !e164Form.test(from_number)) {
    throw invalidField('from_number', `${quote(from_number)} is not a number in E.164 form`);
  }
}

export const listCalls: Operation<'listCalls'> = {
  handle({ caller, query, address, secrets }, tx) {
    const options = { ...query, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'calls', 'organization', caller.organization_id, options);
    const reveal = revealsRecordings(tx, caller) && { address, secrets };
    return ok(
      rows.map((call) => withoutEnd(serializeCall(tx, call, reveal))),
      counted,
    );
  },
};

export const getCall: Operation<'getCall'> = {
  handle({ params, caller, address, secrets }, tx) {
    const call = findRecord(tx, 'calls', params.id, caller);
    const shown = serializeCall(tx, call, revealsRecordings(tx, caller) && { address, secrets });
    const hidesEnd = call.ended_at === null && assumed(tx.state('assumptions'), 'call_fields') === 'absent';
    return ok(hidesEnd ? withoutEnd(shown) : shown);
  },
};

/** `recording_url` needs `recordings:read`, and an organization whose content policy allows it. */
function revealsRecordings(tx: Tx, caller: Caller): boolean {
  return caller.scopes.includes('recordings:read') && !hidesContent(tx, caller.organization_id);
}

/** A call without the fields about its end, as lists show it. */
function withoutEnd(call: Schemas['Call']): Schemas['CallListItem'] {
  const { failure_code: _, failure_category: _c, call_outcome: _o, disconnection_reason: _r, ...item } = call;
  return item;
}

export const hangupCall: Operation<'hangupCall'> = {
  handle({ params, caller }, tx) {
    const call = findRecord(tx, 'calls', params.id, caller);
    const ended = transition(tx, callLifecycle, call, 'hangup', {}) ?? call;
    return ok({ call_id: ended.id, status: assumedCall(tx.state('assumptions'), ended).status });
  },
};

export const getCallTranscript: Operation<'getCallTranscript'> = {
  handle({ params, caller, scenarios }, tx) {
    const call = findRecord(tx, 'calls', params.id, caller);
    if (hidesContent(tx, caller.organization_id))
      throw new ApiError('content_policy_forbidden', { assumption: 'content_policy' });
    if (!call.has_transcript) {
      if (assumed(tx.state('assumptions'), 'transcript_absent') === 200) return ok(noTranscript(call.id));
      throw new ApiError('not_found', {
        message: `The call ${quote(call.id)} has no transcript (status ${call.status}).`,
        hint: 'A transcript exists once an answered call has ended (`has_transcript`).',
        assumption: 'transcript_absent',
      });
    }
    return ok(transcriptOf(call, scriptOf(call, scenarios), tx.world.seed));
  },
};

const noTranscript = (call_id: string): Schemas['CallTranscript'] => ({
  call_id,
  transcript: null,
  structured_transcript: [],
  transcript_provider: null,
});
