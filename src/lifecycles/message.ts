// The life of an SMS: accepted here, sent by the carrier, delivered to the handset or not, or failed (`spec.md` "Event
// types"; the states are the ledger's, message_status). A message that came in is received and stays so; a scenario can
// have the other side answer what was delivered.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Lifecycle, NewRecord, Transition } from './lifecycle.ts';

type Message = Row<'messages'>;

/** The longest text that one message holds, in characters. */
export const LONGEST_TEXT = 1600;

/** Between whom a message goes, and what it says; of whose organization it is. */
export interface Text {
  readonly organization_id: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly body: string;
}

/** A message as it begins: `received` from outside, or accepted to be sent. */
export function newMessage(direction: Message['direction'], text: Text, fresh: NewRecord, time: string): Message {
  const inbound = direction === 'inbound';
  const other = inbound ? text.from_number : text.to_number;
  const provider_id = `prv_${fresh.token('provider id', fresh.id)}`;
  return {
    id: fresh.id,
    phone_number: text.to_number,
    from_number: text.from_number,
    direction,
    status: inbound ? 'received' : 'accepted',
    contact_token: `ctk_${fresh.token('contact token', other)}`,
    provider_id: inbound ? provider_id : null,
    error_message: null,
    channel: 'sms',
    created_at: time,
    body: text.body,
    private: { organization_id: text.organization_id, rank: fresh.rank, provider_id },
  };
}

/** The other side answers; what comes in by it is no business of this message's lifecycle. */
const reply: Transition<Message> = {
  to: 'delivered',
  schedules: ({ id }, { with: given }) => [
    { subject: { table: 'messages', id }, trigger: 'receive_reply', with: { text: given.text } },
  ],
};

function end(to: Message['status'], usual: string): Transition<Message> {
  return {
    to,
    set: (_, moment) => ({ error_message: (moment.with.error_message as string | undefined) ?? usual }),
    emits: ['sms_failed'],
  };
}

const fail = end('failed', 'The carrier refused the message.');
const reason = z.strictObject({ error_message: z.string().min(1).optional() });

export const messageLifecycle: Lifecycle<'messages'> = {
  kind: 'sms',
  table: 'messages',
  initial: 'accepted',
  created: [],
  // What was delivered can be answered.
  terminal: ['undelivered', 'failed', 'received'],
  status: (message) => message.status,
  withStatus: (message, status) => ({ ...message, status: status as Message['status'] }),
  triggers: {
    send: z.strictObject({}),
    deliver: z.strictObject({}),
    undeliver: reason,
    fail: reason,
    reply: z.strictObject({ text: z.string().min(1).max(LONGEST_TEXT) }),
  },
  transitions: {
    accepted: {
      send: {
        to: 'sent',
        set: (message) => ({ provider_id: message.private.provider_id }),
        emits: ['sms_sent'],
      },
      fail,
    },
    sent: {
      deliver: { to: 'delivered', emits: ['sms_delivered'] },
      undeliver: end('undelivered', 'The handset could not be reached.'),
      fail,
    },
    delivered: { reply },
    undelivered: {},
    failed: {},
    received: {},
  },
};
