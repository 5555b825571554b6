// Messages as responses show them, and the receipt of inbound ones: `spec.md` "Event types" (`contact_replied`).
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { allocateId, create } from '../../engine/create.ts';
import { findAll } from '../../engine/records.ts';
import type { TaskHandler } from '../../engine/run-task.ts';
import { type MessageContent, messageLifecycle, newMessage } from '../../lifecycles/message.ts';
import { type Row, wireOf } from '../../model.ts';
import type { WorldScenarios } from '../../scenarios/library.ts';
import type { Tx } from '../../store/store.ts';
import { applyKeyword } from './keywords.ts';
import { splitOf } from './message-segments.ts';

/** A message with its encoding and number of segments, which are derived from its body. */
export function serializeMessage(message: Row<'messages'>): Schemas['Message'] {
  return { ...wireOf(message), ...splitOf(message.body) };
}

/** Whether a number receives texts; a released number does not. */
export const takesTexts = (number: Row<'phone_numbers'>): boolean => number.is_active && number.texting_enabled;

/** Receives a message from outside: emits `contact_replied`, and applies its keyword. */
export function receiveMessage(tx: Tx, content: MessageContent, scenarios: WorldScenarios): Row<'messages'> {
  const message = newMessage('inbound', content, allocateId(tx, 'messages'), timestamp(tx.at));
  const step = create(tx, messageLifecycle, message);
  tx.causedBy(step, () => applyKeyword(tx, message, scenarios));
  return message;
}

/** Receives the reply that a scenario scripts for a message, unless the number that sent it no longer receives texts. */
export const receiveReply: TaskHandler<'receive_reply'> = (tx, { subject, text: body }, { scenarios }) => {
  const original = tx.get('messages', subject.id);
  if (!original) return;
  const { phone_number, from_number, private: owner } = original;
  if (!findAll(tx, 'phone_numbers', 'phone_number', from_number, owner).some(takesTexts)) return;
  const { organization_id } = owner;
  const reply = { organization_id, from_number: phone_number, to_number: from_number, body };
  receiveMessage(tx, reply, scenarios);
};
