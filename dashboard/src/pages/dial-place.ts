// Places what the pad says: a call or a text as a customer does, or one from outside.
import { platformClient } from '../api/access.ts';
import type { Feed } from '../state/feed.ts';

export type Direction = 'call' | 'text' | 'inbound-call' | 'inbound-text';

export interface Placed {
  /** The number of the world. */
  readonly own: string;
  readonly other: string;
  readonly text: string;
  /** As in the header; undefined for what happens by itself. */
  readonly scenario: string | undefined;
}

/** Returns the id of the call or the message. */
export async function place(feed: Feed, direction: Direction, { own, other, text, scenario }: Placed): Promise<string> {
  const headers = { 'X-Sandbox-Scenario': scenario };
  const inward = { to_number: own, from_number: other };
  const outward = { to_number: other, from_number: own };
  switch (direction) {
    case 'call': {
      const answer = await platformClient(feed.world).call('dialCall', { body: outward, headers });
      // One assumption puts it into an envelope.
      return ('data' in answer ? (answer.data as typeof answer) : answer).call_id;
    }
    case 'text':
      return (await platformClient(feed.world).call('sendMessage', { body: { ...outward, body: text }, headers })).id;
    case 'inbound-call': {
      const body = { ...inward, ...(scenario === undefined ? {} : { scenario }) };
      return (await feed.control.call('simulateInboundCall', { body })).id;
    }
    case 'inbound-text':
      return (await feed.control.call('simulateInboundSms', { body: { ...inward, body: text } })).id;
  }
}
