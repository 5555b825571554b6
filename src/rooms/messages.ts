// The messages of a room: what a browser may send, and the answers. One JSON object per message.
import { z } from 'zod';
import type { ApiError } from '../errors/api-error.ts';
import { ownText } from '../own-text.ts';

/** What is said at once, in UTF-16 units: a minute of speech. */
const MAX_TEXT = 1000;

const browserMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('say'), text: z.string().trim().min(1).max(MAX_TEXT).transform(ownText) }),
  z.object({ type: z.literal('hang_up') }),
]);

export type BrowserMessage = z.infer<typeof browserMessage>;

/** The message, or the error to answer with. */
export function readMessage(data: string): BrowserMessage | { readonly type: 'error'; readonly error: RoomError } {
  const given = browserMessage.safeParse(jsonOf(data));
  return given.success ? given.data : refusal('validation_error', FORMS);
}

export interface RoomError {
  readonly code: string;
  readonly message: string;
}

export const refusal = (code: string, message: string) => ({ type: 'error', error: { code, message } }) as const;

export const refusalOf = ({ code, message }: ApiError) => refusal(code, message);

const FORMS = `A message must be {"type":"say","text":"…"}, with 1 to ${MAX_TEXT} characters, or {"type":"hang_up"}.`;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
