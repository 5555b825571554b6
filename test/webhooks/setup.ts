// Helpers of the webhook tests: receivers, signatures and the types of the events in flight.
import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, expectError } from '../support/client.ts';
import type { Receiver } from '../support/receiver.ts';
import { typeInFlight } from '../support/webhooks.ts';

export const SIGNATURE = 'x-service-signature-256';
export const SUBSCRIPTIONS = '/api/v1/webhook_subscriptions';
export const CUSTOMER_URL = 'https://hooks.example.com/voice';

/** A stopped clock, and no limits that many calls would reach. */
export const UNLIMITED: SandboxOptions = { clock: 'manual', rateLimit: false, concurrentCalls: 'off' };

export const hmac = (raw: Buffer, secret: string): string => createHmac('sha256', secret).update(raw).digest('hex');
export const hook = (receiver: Receiver): string => `${receiver.url}/hook`;

/**
 * Records the call and the event type of each delivery to that URL. Bodies of call events do not name their type, so the
 * receiver finds it among the deliveries in flight before it responds.
 */
export function recordTypes(client: Client, receiver: Receiver, url: string): { call: string; type: string }[] {
  const recorded: { call: string; type: string }[] = [];
  receiver.onDelivery = async ({ raw, body }) => {
    recorded.push({ call: body.id, type: await typeInFlight(client, url, raw) });
  };
  return recorded;
}

/** The address of an inbox of that world. */
export const inboxUrl = ({ url }: Pick<Sandbox, 'url'>, world: string, name = 'orders'): string =>
  `${url}/_sandbox/inbox/${name}?world=${world}`;

/** Emits an event of that type by hand, whatever comes of it. */
export const fireWith = (client: Client, event_type: string, data: object): Promise<Answer> =>
  client.post('/_sandbox/events', { event_type, data });

export function expectField(answer: Answer, field: string): void {
  expectError(answer, 400, 'validation_error');
  expect(Object.keys(answer.body.error.fields)).toEqual([field]);
}

/** The event types of the specification's chapter "Event types". */
export const specTypes = [
  'new_call',
  'call_completed',
  'call_no_answer',
  'call_voicemail',
  'call_busy',
  'call_failed',
  'contact_replied',
  'sms_sent',
  'sms_delivered',
  'sms_failed',
  'contact_created',
  'number_purchased',
  'number_released',
  'texting_registration_status_changed',
  'new_appointment',
  'workflow_contact_completed',
];
