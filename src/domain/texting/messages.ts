// Messages as they are shown, and those that come in: `spec.md` "Event types" (`contact_replied`).
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { allocateId, create } from '../../engine/create.ts';
import { findAll } from '../../engine/records.ts';
import type { TaskHandler } from '../../engine/run-task.ts';
import { messageLifecycle, newMessage, type Text } from '../../lifecycles/message.ts';
import { type Row, wireOf } from '../../model.ts';
import type { WorldScenarios } from '../../scenarios/library.ts';
import type { Tx } from '../../store/store.ts';
import { applyKeyword } from './keywords.ts';
import { splitOf } from './message-segments.ts';

/** A message with its encoding and number of segments, which follow from its body. */
export function serializeMessage(message: Row<'messages'>): Schemas['Message'] {
  return { ...wireOf(message), ...splitOf(message.body) };
}

/** Whether texts to a number arrive; those to a released number do not. */
export const takesTexts = (number: Row<'phone_numbers'>): boolean => number.is_active && number.texting_enabled;

/** Receives a message from outside: emits `contact_replied`, and applies its keyword. */
export function receiveMessage(tx: Tx, text: Text, scenarios: WorldScenarios): Row<'messages'> {
  const message = newMessage('inbound', text, allocateId(tx, 'messages'), timestamp(tx.at));
  const step = create(tx, messageLifecycle, message);
  tx.causedBy(step, () => applyKeyword(tx, message, scenarios));
  return message;
}

/** Receives the reply that a scenario scripts for a message, unless the number that sent it takes no texts any longer. */
export const receiveReply: TaskHandler<'receive_reply'> = (tx, { subject, text: body }, { scenarios }) => {
  const answered = tx.get('messages', subject.id);
  if (!answered) return;
  const { phone_number, from_number, private: owner } = answered;
  if (!findAll(tx, 'phone_numbers', 'phone_number', from_number, owner).some(takesTexts)) return;
  const { organization_id } = owner;
  const text = { organization_id, from_number: phone_number, to_number: from_number, body };
  receiveMessage(tx, text, scenarios);
};
