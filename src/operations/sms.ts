// SMS: `spec.md` "Texting not ready", and POST /v1/sms/send, which it names without a shape. The texting registration
// decides whether a number may send, the scenario what happens to a message.
import { timestamp } from '../clock/clock.ts';
import { checkSubscriber } from '../domain/calls/destination.ts';
import { heldNumber } from '../domain/numbers/held-numbers.ts';
import { optOutSelection } from '../domain/texting/keywords.ts';
import { serializeMessage } from '../domain/texting/messages.ts';
import { allocateId, create } from '../engine/create.ts';
import { accepted, type Caller, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findAll, findRecord } from '../engine/records.ts';
import { ApiError } from '../errors/api-error.ts';
import { type MessageContent, messageLifecycle, newMessage } from '../lifecycles/message.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';

export const listMessages: Operation<'listMessages'> = {
  handle({ caller, query }, tx) {
    const options = { ...query, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'messages', 'organization', caller.organization_id, options);
    return ok(rows.map(serializeMessage), counted);
  },
};

export const getMessage: Operation<'getMessage'> = {
  handle({ params, caller }, tx) {
    return ok(serializeMessage(findRecord(tx, 'messages', params.id, caller)));
  },
};

export const sendMessage: ScenarioOperation<'sendMessage'> = {
  plays: { kind: 'sms', destination: ({ to_number }) => to_number },
  precheck: { fields: [], check: (body) => checkSubscriber(body, 'to_number', 'texted') },
  handle({ body: { to_number, body, from_number }, caller, selection, scenarios }, tx) {
    const sender = typeof from_number === 'string' ? senderNamed(tx, caller, from_number) : defaultSender(tx, caller);
    const { organization_id } = caller;
    const content: MessageContent = { organization_id, from_number: sender.phone_number, to_number, body };
    const message = newMessage('outbound', content, allocateId(tx, 'messages'), timestamp(tx.at));
    create(tx, messageLifecycle, message, optOutSelection(tx, content, scenarios) ?? selection);
    return accepted(serializeMessage(message));
  },
};

/** `fields.reason` by the texting registration's status, if that blocks a send. */
const reasons = {
  none: 'a2p_registration_required',
  pending: 'a2p_registration_pending',
  rejected: 'a2p_registration_rejected',
} as const;

function senderNamed(tx: Tx, caller: Caller, from: string): Row<'phone_numbers'> {
  const number = heldNumber(tx, caller, from);
  if (!number) throw noSender(`${from} is not a phone number of this organization.`);
  if (number.texting_status !== 'approved') throw notReady(from, number.texting_status);
  if (!number.is_active) throw noSender(`${from} is not active (${number.private.status.toLowerCase()}).`);
  return number;
}

/** The oldest number that may send; if none may, the error is about the number that is closest to it. */
function defaultSender(tx: Tx, caller: Caller): Row<'phone_numbers'> {
  const numbers = findAll(tx, 'phone_numbers', 'organization', caller.organization_id, caller);
  const sender = numbers.find((number) => number.texting_status === 'approved' && number.is_active);
  if (sender) return sender;
  for (const status of ['pending', 'rejected', 'none'] as const) {
    const number = numbers.find(({ texting_status }) => texting_status === status);
    if (number) throw notReady(number.phone_number, status);
  }
  throw noSender('This organization has no phone number that can send.');
}

function notReady(from: string, status: keyof typeof reasons): ApiError {
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
