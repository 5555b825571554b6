// The lifecycle of an SMS: accepted here, sent by the carrier, delivered to the handset or not, or failed (`spec.md` "Event
// types"; the states are the assumption message_status). An inbound message remains received. A scenario can make the
// recipient of a delivered one reply.
import { z } from 'zod';
import type { AllocatedId } from '../identity/seeded.ts';
import type { Row } from '../model.ts';
import { noInput } from './forms.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

type Message = Row<'messages'>;

/** The maximum length of one message's text, in characters. */
export const MAX_TEXT_LENGTH = 1600;

/** The numbers, the text and the organization of a new message. */
export interface MessageContent {
  readonly organization_id: string;
  readonly from_number: string;
  readonly to_number: string;
  readonly body: string;
}

/** A new message: `received` from outside, or `accepted` to be sent. */
export function newMessage(
  direction: Message['direction'],
  content: MessageContent,
  allocated: AllocatedId,
  time: string,
): Message {
  const inbound = direction === 'inbound';
  const other = inbound ? content.from_number : content.to_number;
  const provider_id = `prv_${allocated.token('provider id', allocated.id)}`;
  return {
    id: allocated.id,
    phone_number: content.to_number,
    from_number: content.from_number,
    direction,
    status: inbound ? 'received' : 'accepted',
    contact_token: `ctk_${allocated.token('contact token', other)}`,
    provider_id: inbound ? provider_id : null,
    error_message: null,
    channel: 'sms',
    created_at: time,
    body: content.body,
    private: { organization_id: content.organization_id, rank: allocated.rank, provider_id },
  };
}

function end(to: 'undelivered' | 'failed', defaultMessage: string): Transition<'messages', 'undeliver' | 'fail'> {
  return {
    to,
    set: (_, { input }) => ({ error_message: input.error_message ?? defaultMessage }),
    emits: ['sms_failed'],
  };
}

const fail = end('failed', 'The carrier refused the message.');
const reason = z.strictObject({ error_message: z.string().min(1).optional() });

export const messageLifecycle: Lifecycle<'messages'> = {
  table: 'messages',
  kind: 'sms',
  schemas: ['Message'],
  samples: (created_at) =>
    ['prv_1', 'prv_2'].map((provider_id) => ({
      direction: 'outbound',
      provider_id: null,
      error_message: null,
      created_at,
      private: { provider_id },
    })),
  initial: 'accepted',
  status: (message) => message.status,
  withStatus: (message, status) => ({ ...message, status }),
  inputs: {
    send: noInput,
    deliver: noInput,
    undeliver: reason,
    fail: reason,
    reply: z.strictObject({ text: z.string().min(1).max(MAX_TEXT_LENGTH) }),
  },
  created: ({ direction }) => (direction === 'inbound' ? ['contact_replied'] : []),
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
    delivered: {
      // The reply is a separate message, which the platform receives.
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

/** Whether it has reached the handset, the organization or its failure; a reply to it is a message of its own. */
export const messageHasEnded = ({ status }: Message): boolean => status !== 'accepted' && status !== 'sent';
