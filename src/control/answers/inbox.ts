// Answers of the routes of the inbox.
import { z } from 'zod';
import { signatureStates } from '../../model.ts';
import { count, instant } from './fields.ts';

export const SignatureState = z
  .enum(signatureStates)
  .describe(
    '`valid` by the secret of the world or of a subscription, `invalid` by all of them, `absent` without a signature.',
  );

export const ReceivedAtInbox = z
  .strictObject({
    id: z.string().describe('The id of the message.'),
    signature: SignatureState.describe('What its signature is.'),
  })
  .describe('That a message was received.');

export const InboxMessage = z
  .strictObject({
    id: z.string().describe('The id of the journal entry.'),
    inbox: z.string().describe('The name of the inbox.'),
    received_at: instant,
    method: z.string().describe('The HTTP method.'),
    path: z.string().describe('The path without the query.'),
    query: z.string().describe('The query without its question mark.'),
    headers: z.record(z.string(), z.string()).describe('By lower-case name; credentials are redacted.'),
    body: z.string().describe('The exact bytes: as text, or in base64 where they are not UTF-8.'),
    encoding: z.enum(['utf8', 'base64']).describe('How `body` has the bytes.'),
    body_bytes: count.describe('The length of the body.'),
    signature: SignatureState.describe('What its signature is.'),
    signed_with: z
      .string()
      .nullable()
      .describe('Whose secret signed it: `world`, or the id of a subscription; null unless the signature is valid.'),
    status: z.int().describe('The status that the inbox answered with.'),
  })
  .describe('A request that an inbox received.');

export const InboxAnswers = z
  .strictObject({
    name: z.string().describe('The name of the inbox.'),
    respond: z
      .union([z.int(), z.array(z.int())])
      .nullable()
      .describe('A status that stays, the statuses that are left of a list, or null for 200.'),
    delay: z.string().nullable().describe('How long each answer takes, in real time; null for no delay.'),
  })
  .describe('How an inbox answers.');
