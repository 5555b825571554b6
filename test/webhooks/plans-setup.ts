// Worlds whose deliveries follow a plan, for the tests of delivery plans and retries.
import { expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Receiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { hook, UNLIMITED } from './setup.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
export type Json = any;

export interface Planned {
  readonly client: Client;
  readonly receiver: Receiver;
  readonly id: string;
}

export async function plan(client: Client, id: string, given: object | null): Promise<void> {
  const answer = await client.put(`/_sandbox/webhook-subscriptions/${id}`, { plan: given });
  expect(answer.status, answer.text).toBe(200);
}

/** Called once, at the top of a test file: a sandbox, receivers, and worlds with a plan. */
export function usePlans() {
  const { sandbox } = useSandbox(UNLIMITED);
  const newReceiver = useReceivers();

  /** A world with one subscription that has that plan. */
  async function planned(given: object, type = 'contact_created'): Promise<Planned> {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const [id = ''] = await subscribe(client, hook(receiver), type);
    await plan(client, id, given);
    return { client, receiver, id };
  }

  return { sandbox, newReceiver, planned };
}

export async function advance(client: Client, goal: string): Promise<Json> {
  const body = goal === 'idle' ? { until: 'idle' } : { by: goal };
  const answer = await client.post('/_sandbox/clock/advance', body);
  expect([answer.status, answer.body.data?.complete], answer.text).toEqual([200, true]);
  return answer.body.data;
}

export async function contacts(client: Client, ...names: string[]): Promise<void> {
  for (const name of names) await fire(client, 'contact_created', { name });
}

export const namesAt = ({ got }: Receiver): string[] => got.map(({ body }) => body.name);
export const seconds = (at: string): number => (Date.parse(at) - Date.parse(START)) / 1000;
export const summary = ({ status, held_by, attempts }: Json) => ({
  status,
  held_by,
  attempts: attempts.map(({ attempted_at, reason, plan }: Json) => `${seconds(attempted_at)} ${reason} ${plan.join()}`),
});
