// SMS: `spec.md` "Texting not ready", and POST /v1/sms/send, which it names without a shape. Whether a number may send
// is what its texting registration says; what becomes of a message is the scenario's.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { isDialable } from '../domain/calls/destination.ts';
import { blockOf, heedKeyword } from '../domain/texting/keywords.ts';
import { splitOf } from '../domain/texting/message-segments.ts';
import { allocateId, create } from '../engine/create.ts';
import { type Caller, findAll, findRecord, type Operation, ok, pageOf } from '../engine/operation.ts';
import type { TaskHandler } from '../engine/run-task.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { messageLifecycle, newMessage, type Text } from '../lifecycles/message.ts';
import { type Row, wireOf } from '../model.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import type { ScenarioSelection } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

export const listMessages: Operation<'listMessages'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'messages', request, true);
    return { status: 200, body: { data: rows.map(serializeMessage), meta: counted } };
  },
};

export const getMessage: Operation<'getMessage'> = {
  handle({ params, caller }, tx) {
    return ok(serializeMessage(findRecord(tx, 'messages', params.id, caller, 'message')));
  },
};

export const sendMessage: Operation<'sendMessage'> = {
  plays: { kind: 'sms', destination: ({ to_number }) => to_number },
  precheck: { fields: [], check: checkDestination },
  handle({ body: { to_number, body, from_number }, caller, selection, scenarios }, tx) {
    const sender = typeof from_number === 'string' ? senderNamed(tx, caller, from_number) : usualSender(tx, caller);
    const { organization_id } = caller;
    const text: Text = { organization_id, from_number: sender.phone_number, to_number, body };
    const message = newMessage('outbound', text, allocateId(tx, 'messages'), timestamp(tx.at));
    create(tx, messageLifecycle, message, blockOf(tx, text, scenarios) ?? (selection as ScenarioSelection));
    return { status: 202, body: { data: serializeMessage(message) } };
  },
};

/** A message as answers show it: with how its text is split. */
export function serializeMessage(message: Row<'messages'>): Schemas['Message'] {
  return { ...wireOf(message), ...splitOf(message.body) } as Schemas['Message'];
}

/** Refuses what has the form of a number and can be nobody's; the form itself is the contract's business. */
function checkDestination(body: unknown): void {
  const { to_number } = (body ?? {}) as { to_number?: unknown };
  if (typeof to_number !== 'string' || !/^\+[1-9]\d{1,14}$/.test(to_number) || isDialable(to_number)) return;
  throw invalidField('to_number', `${quote(to_number)} is no number that can be reached`);
}

/** The texting registration as it blocks a send: `fields.reason`, by `fields.registration_status`. */
const reasons = {
  none: 'a2p_registration_required',
  pending: 'a2p_registration_pending',
  rejected: 'a2p_registration_rejected',
} as const;
type Blocking = keyof typeof reasons;

function senderNamed(tx: Tx, caller: Caller, from: string): Row<'phone_numbers'> {
  const [number] = findAll(tx, 'phone_numbers', 'phone_number', from, caller);
  if (!number) throw noSender(`${from} is no phone number of this organization.`);
  if (number.texting_status !== 'approved') throw notReady(from, number.texting_status);
  if (!number.is_active) throw noSender(`${from} is not active (${number.private.status.toLowerCase()}).`);
  return number;
}

/** The oldest number that may send; where none may, the error says what is nearest to it. */
function usualSender(tx: Tx, caller: Caller): Row<'phone_numbers'> {
  const numbers = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller);
  const able = numbers.find((number) => number.texting_status === 'approved' && number.is_active);
  if (able) return able;
  for (const status of ['pending', 'rejected', 'none'] as const) {
    const number = numbers.find(({ texting_status }) => texting_status === status);
    if (number) throw notReady(number.phone_number, status);
  }
  throw noSender('The organization has no phone number that could send.');
}

function notReady(from: string, status: Blocking): ApiError {
  return new ApiError('texting_not_ready', {
    message: `${from} cannot send: its texting registration is ${status === 'none' ? 'missing' : status}.`,
    fields: { reason: reasons[status], registration_status: status },
    ...(status === 'pending'
      ? {}
      : { hint: 'Register a campaign with the number: POST /v1/brand/campaigns, which needs an approved brand.' }),
    assumption: 'message_sender',
  });
}

function noSender(message: string): ApiError {
  return new ApiError('texting_not_ready', {
    message,
    fields: { reason: 'no_sender', registration_status: 'none' },
    hint: 'Send from a number of GET /v1/phone-numbers whose `texting_enabled` and `is_active` are true.',
    assumption: 'message_sender',
  });
}

/** Whether texts to a number arrive; one that was released hears nothing. */
export const takesTexts = (number: Row<'phone_numbers'>): boolean => number.is_active && number.texting_enabled;

/** A message comes in from outside: emits `contact_replied`, and does what its keyword asks for. */
export function receiveMessage(tx: Tx, text: Text, scenarios: WorldScenarios): Row<'messages'> {
  const message = newMessage('inbound', text, allocateId(tx, 'messages'), timestamp(tx.at));
  const step = create(tx, messageLifecycle, message);
  tx.causedBy(step, () => heedKeyword(tx, message, scenarios));
  return message;
}

/** The answer comes in that a scenario gives to a message, where the number that sent it still takes texts. */
export const receiveReply: TaskHandler<'receive_reply'> = (tx, { subject, text: body }, { scenarios }) => {
  const answered = tx.get('messages', subject.id);
  if (!answered) return;
  const { phone_number, from_number, private: owner } = answered;
  if (!findAll(tx, 'phone_numbers', 'phone_number', from_number, owner).some(takesTexts)) return;
  const { organization_id } = owner;
  const text = { organization_id, from_number: phone_number, to_number: from_number, body };
  receiveMessage(tx, text, scenarios);
};
