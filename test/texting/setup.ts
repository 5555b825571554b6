// Requests and checks that the tests of texting share.
import { expect } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, type Client, expectError, FROM } from '../support/client.ts';
import type { Receiver } from '../support/receiver.ts';
import { MESSAGES, SOMEONE, text } from '../support/texting.ts';
import { subscribe } from '../support/webhooks.ts';

/** A number of the default fixture that may text, one that is being provisioned, and one without a campaign. */
export const SECOND = '+14155550191';
export const PROVISIONING = '+14155550192';
export const UNREGISTERED = '+14155550193';

export const INBOUND = '/_sandbox/simulate/inbound-sms';
export const SMS_EVENTS = ['sms_sent', 'sms_delivered', 'sms_failed', 'contact_replied'] as const;

type Body = Answer['body'];

/** Sends a text that must be accepted. */
export const send = async (client: Client, more: object = {}, headers = {}): Promise<Body> =>
  dataOf(await text(client, more, headers), 202);
export const readMessage = async (client: Client, id: string): Promise<Body> =>
  dataOf(await client.get(`${MESSAGES}/${id}`));
export const listMessages = async (client: Client): Promise<Body[]> => dataOf(await client.get(MESSAGES));

/** The body of an event about a message: the message without its text and how that is encoded. */
export const eventOf = ({ body: _, encoding: _e, segments: _s, ...fields }: Body): object => fields;

/** Subscribes the receiver to all SMS events, each at a path named after its type. */
export async function subscribeAll(client: Client, receiver: Receiver): Promise<void> {
  for (const type of SMS_EVENTS) await subscribe(client, `${receiver.url}/${type}`, type);
}

/** The type and body of each event that `subscribeAll` brought to the receiver. */
export const received = (receiver: Receiver): [string, Body][] =>
  receiver.got.map(({ path, body }) => [path.slice(1), body]);

export function expectNotReady(answer: Answer, reason: string, registration_status: string): void {
  expectError(answer, 403, 'texting_not_ready');
  expect(answer.body.error.fields).toEqual({ reason, registration_status });
  expect(answer.body.error).not.toHaveProperty('category');
}

/** Simulates a text from someone to the organization; returns the message. */
export const receiveText = async (client: Client, body: string, more: object = {}): Promise<Body> =>
  dataOf(await client.post(INBOUND, { from_number: SOMEONE, to_number: FROM, body, ...more }), 201);

/** All messages, oldest first, as `inbound: STOP`. */
export const conversation = async (client: Client): Promise<string[]> =>
  (await listMessages(client)).map(({ direction, body }) => `${direction}: ${body}`).reverse();

export const OPTED_OUT = 'The recipient has opted out of texts from this number.';
export const DELIVERED = ['delivered', null];
export const BLOCKED = ['failed', OPTED_OUT];

/** Sends a text to someone; returns its final status and error message. */
export async function outcomeOfText(
  client: Client,
  sandbox: Sandbox,
  more: object = {},
  headers = {},
): Promise<[status: string, error: unknown]> {
  const { id } = await send(client, { from_number: FROM, ...more }, headers);
  await sandbox.clock.advance('10s');
  const { status, error_message } = await readMessage(client, id);
  return [status, error_message];
}
