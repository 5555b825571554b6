// Helpers of the tests of webhooks and of time: subscribing a receiver, holding its responses, reading deliveries.
import { expect } from 'vitest';
import type { Sandbox, SandboxWorld } from '../../src/index.ts';
import { type Client, clientOf } from './client.ts';

/** Every event whose body is a call. */
export const CALL_EVENTS = [
  'new_call',
  'call_completed',
  'call_no_answer',
  'call_voicemail',
  'call_busy',
  'call_failed',
  'phone_call.ended',
] as const;

/** Subscribes a URL to each of these event types; returns the ids in that order. */
export async function subscribe(client: Client, url: string, ...types: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const event_type of types) {
    const answer = await client.post('/api/v1/webhook_subscriptions', { webhook_url: url, event_type });
    expect(answer.status, answer.text).toBe(201);
    ids.push(answer.body.id);
  }
  return ids;
}

/** Fires an event through the control API; returns it. */
export async function fire(client: Client, event_type: string, data?: object): ReturnType<Client['readCall']> {
  const answer = await client.post('/_sandbox/events', { event_type, ...(data ? { data } : {}) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

/** The deliveries of the client's world, oldest first; `query` as in `status=failed`. */
export async function deliveriesOf(client: Client, query = ''): ReturnType<Client['readCall']> {
  const answer = await client.get(`/_sandbox/deliveries?page_size=1000&${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.reverse();
}

/** The types of the deliveries in flight to that URL with these bytes, such as `call_busy`; called before responding. */
export async function typeInFlight(client: Client, url: string, raw: Buffer): Promise<string> {
  const found = (await deliveriesOf(client, 'status=in_flight')).filter(
    (each: { url: string; body: string }) => each.url === url && each.body === raw.toString(),
  );
  return [...new Set(found.map((each: { event_type: string }) => each.event_type))].join(' and ');
}

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** A gate that a receiver can wait at before it responds. */
export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

let worlds = 0;

/** A world that no other test uses, and a client of it. */
export function freshWorld(sandbox: Sandbox): { world: SandboxWorld; client: Client } {
  worlds += 1;
  const world = sandbox.world(`w${worlds}`);
  return { world, client: clientOf(sandbox.url, world.apiKey) };
}
