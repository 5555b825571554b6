// The message that an event emitted by hand is about.
import { timestamp } from '../../clock/clock.ts';
import { takesTexts } from '../../domain/texting/messages.ts';
import { allocateId } from '../../engine/create.ts';
import { invalidField, quote } from '../../errors/api-error.ts';
import type { EventType } from '../../events/catalogue.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { messageLifecycle, newMessage } from '../../lifecycles/message.ts';
import type { Row } from '../../model.ts';
import { ownNumber, personsNumber } from './calls.ts';
import { draftOf, type Firing, type RecordSource } from './firing.ts';
import { filledText, given, phoneNumber } from './forms.ts';
import { byId } from './naming.ts';

type Message = Row<'messages'>;

export const messages: RecordSource<'messages'> = {
  forms: ({ type }) => ({
    phone_number: phoneNumber,
    from_number: phoneNumber,
    provider_id: filledText,
    ...(type === 'sms_failed' ? { error_message: filledText } : {}),
  }),
  named(firing) {
    const message = byId(firing, 'messages');
    const direction = directionOf(firing);
    if (!message || message.direction === direction) return message;
    const reason = `must be the id of an ${direction} message; ${quote(message.id)} is ${message.direction}`;
    throw invalidField('data.id', reason);
  },
  among: ({ owner }) => ['organization', owner.organization_id],
  asOf: ({ type, tx }, message) =>
    type === 'sms_sent' ? applyTriggers(messageLifecycle, asAccepted(message), [sendAt(tx.at)]) : message,
  drafts(firing, base) {
    const start = base ? asAccepted(base) : newOne(firing);
    return histories(firing).map((history) =>
      draftOf(firing, 'messages', applyTriggers(messageLifecycle, start, history), base),
    );
  },
};

const directionOf = ({ type }: Firing): Message['direction'] => (type === 'contact_replied' ? 'inbound' : 'outbound');

type History = readonly PastTrigger<'messages'>[];

const sendAt = (at: number): PastTrigger<'messages'> => ({ trigger: 'send', at, input: {} });

/** A message as it was before anything happened to it. */
function asAccepted(message: Message): Message {
  if (message.direction === 'inbound') return message;
  return { ...message, status: 'accepted', provider_id: null, error_message: null };
}

/** A message that has just been received, or accepted to be sent, between the numbers that were given; not stored yet. */
function newOne(firing: Firing): Message {
  const { tx, owner } = firing;
  const direction = directionOf(firing);
  const numbers = tx.page('phone_numbers', 'organization', owner.organization_id);
  const own = numbers.find(takesTexts)?.phone_number ?? ownNumber(firing);
  const [from, to] = direction === 'inbound' ? [personsNumber(firing), own] : [own, personsNumber(firing)];
  const content = {
    ...owner,
    from_number: given(firing, 'from_number', phoneNumber) ?? from,
    to_number: given(firing, 'phone_number', phoneNumber) ?? to,
    body: 'Hello',
  };
  const message = newMessage(direction, content, allocateId(tx, 'messages'), timestamp(tx.at));
  const provider_id = given(firing, 'provider_id', filledText) ?? message.private.provider_id;
  const shown = message.provider_id === null ? null : provider_id;
  return { ...message, provider_id: shown, private: { ...message.private, provider_id } };
}

/** What can have happened to a message by the time of the event. */
function histories(firing: Firing): readonly History[] {
  const { at } = firing.tx;
  const send = sendAt(at);
  const input = { error_message: given(firing, 'error_message', filledText) };
  const byType: { readonly [Type in EventType]?: readonly History[] } = {
    sms_sent: [[send]],
    sms_delivered: [[send, { trigger: 'deliver', at, input: {} }]],
    sms_failed: [
      [send, { trigger: 'fail', at, input }],
      [send, { trigger: 'undeliver', at, input }],
      // The carrier did not even accept it.
      [{ trigger: 'fail', at, input }],
    ],
  };
  return byType[firing.type] ?? [[]];
}
