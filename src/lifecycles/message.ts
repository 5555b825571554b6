// The life of an SMS: accepted here, sent by the carrier, delivered to the handset or not, or failed (`spec.md` "Event
// types"; the states are the assumption message_status). An inbound message is received and stays so; a scenario can
// have the other side answer a delivered one.
import { z } from 'zod';
import type { Row } from '../model.ts';
import { noInput } from './forms.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

type Message = Row<'messages'>;

/** The longest text that one message holds, in characters. */
export const LONGEST_TEXT = 1600;

/** A message as it is sent: between which numbers, with what text, and of which organization. */
export interface Text {
  readonly organization_id: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly body: string;
}

/** What a new message takes from its world. */
export interface AllocatedId {
  readonly id: string;
  readonly rank: number;
  /** A name of that kind that follows from the seed and these words alone. */
  readonly token: (kind: string, ...words: readonly string[]) => string;
}

/** A new message: `received` from outside, or `accepted` to be sent. */
export function newMessage(direction: Message['direction'], text: Text, allocated: AllocatedId, time: string): Message {
  const inbound = direction === 'inbound';
  const other = inbound ? text.from_number : text.to_number;
  const provider_id = `prv_${allocated.token('provider id', allocated.id)}`;
  return {
    id: allocated.id,
    phone_number: text.to_number,
    from_number: text.from_number,
    direction,
    status: inbound ? 'received' : 'accepted',
    contact_token: `ctk_${allocated.token('contact token', other)}`,
    provider_id: inbound ? provider_id : null,
    error_message: null,
    channel: 'sms',
    created_at: time,
    body: text.body,
    private: { organization_id: text.organization_id, rank: allocated.rank, provider_id },
  };
}

function end(to: 'undelivered' | 'failed', usual: string): Transition<'messages', 'undeliver' | 'fail'> {
  return {
    to,
    set: (_, { input }) => ({ error_message: input.error_message ?? usual }),
    effects: () => [{ type: 'emit', event: 'sms_failed' }],
  };
}

const fail = end('failed', 'The carrier refused the message.');
const reason = z.strictObject({ error_message: z.string().min(1).optional() });

export const messageLifecycle: Lifecycle<'messages'> = {
  table: 'messages',
  kind: 'sms',
  initial: 'accepted',
  // A delivered message is not terminal: it can be answered.
  terminal: ['undelivered', 'failed', 'received'],
  status: (message) => message.status,
  withStatus: (message, status) => ({ ...message, status }),
  inputs: {
    send: noInput,
    deliver: noInput,
    undeliver: reason,
    fail: reason,
    reply: z.strictObject({ text: z.string().min(1).max(LONGEST_TEXT) }),
  },
  created: ({ direction }) => (direction === 'inbound' ? [{ type: 'emit', event: 'contact_replied' }] : []),
  transitions: {
    accepted: {
      send: {
        to: 'sent',
        set: (message) => ({ provider_id: message.private.provider_id }),
        effects: () => [{ type: 'emit', event: 'sms_sent' }],
      },
      fail,
    },
    sent: {
      deliver: { to: 'delivered', effects: () => [{ type: 'emit', event: 'sms_delivered' }] },
      undeliver: end('undelivered', 'The handset could not be reached.'),
      fail,
    },
    delivered: {
      // The answer is a message of its own, which the platform receives.
      reply: {
        to: 'delivered',
        effects: ({ id }, { input: { text } }) => {
          const subject = { table: 'messages', id } as const;
          return [{ type: 'schedule', task: { type: 'receive_reply', subject, text } }];
        },
      },
    },
    undelivered: {},
    failed: {},
    received: {},
  },
};
