// The message that an event fired by hand is about.
import { timestamp } from '../../clock/clock.ts';
import { takesTexts } from '../../domain/texting/messages.ts';
import { allocateId } from '../../engine/create.ts';
import { invalidField, quote } from '../../errors/api-error.ts';
import { isAbout } from '../../events/catalogue.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { messageLifecycle, newMessage } from '../../lifecycles/message.ts';
import type { Row } from '../../model.ts';
import { fictionalNumber } from '../simulate/fictional-number.ts';
import { type Firing, newestContact, type RecordSource, textIn } from './firing.ts';

type Message = Row<'messages'>;

export const messages: RecordSource<'messages'> = {
  index: () => 'organization',
  asOf(firing, message) {
    const { type } = firing;
    const direction = type === 'contact_replied' ? 'inbound' : 'outbound';
    if (message.direction !== direction) {
      throw invalidField(
        'data.id',
        `${quote(message.id)} is an ${message.direction} message; ${type} is about an ${direction} one`,
      );
    }
    if (type !== 'sms_sent' && isAbout(type, message)) return message;
    return applyTriggers(messageLifecycle, accepted(message), triggersOf(firing));
  },
  make(firing) {
    const { tx, owner, type } = firing;
    const inbound = type === 'contact_replied';
    const numbers = tx.page('phone_numbers', 'organization', owner.organization_id);
    const number = numbers.find(takesTexts) ?? numbers.find(({ is_active }) => is_active);
    const own = number?.phone_number ?? fictionalNumber(tx);
    const given = textIn(firing, inbound ? 'from_number' : 'phone_number');
    const theirs = given ?? newestContact(firing)?.phone_number ?? fictionalNumber(tx);
    const content = { ...owner, from_number: inbound ? theirs : own, to_number: inbound ? own : theirs, body: 'Hello' };
    const direction = inbound ? 'inbound' : 'outbound';
    const fresh = newMessage(direction, content, allocateId(tx, 'messages'), timestamp(tx.at));
    const message = applyTriggers(messageLifecycle, fresh, triggersOf(firing));
    tx.put('messages', message);
    return message;
  },
};

/** An outbound message as it was before it was sent. */
function accepted(message: Message): Message {
  return message.direction === 'inbound'
    ? message
    : { ...message, status: 'accepted', provider_id: null, error_message: null };
}

/** What happens to a message up to the event. */
function triggersOf(firing: Firing): PastTrigger<'messages'>[] {
  const { at } = firing.tx;
  const error_message = textIn(firing, 'error_message') || undefined;
  const send = { trigger: 'send', at, input: {} } as const;
  switch (firing.type) {
    case 'sms_sent':
      return [send];
    case 'sms_delivered':
      return [send, { trigger: 'deliver', at, input: {} }];
    case 'sms_failed': {
      const trigger = firing.data.status === 'undelivered' ? 'undeliver' : 'fail';
      return [send, { trigger, at, input: { error_message } }];
    }
    default:
      return [];
  }
}
