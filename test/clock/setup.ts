// Helpers of the clock tests: reading and advancing the clock of a world by the control API.
import { afterEach, expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, expectError, playing } from '../support/client.ts';
import type { Receiver } from '../support/receiver.ts';
import { gate, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';

export { instant as afterStart } from '../support/world.ts';

/** Where stopped clocks start, in milliseconds. */
export const START_MS = Date.parse(START);
export const CLOCK = '/_sandbox/clock';
export const ADVANCE = '/_sandbox/clock/advance';
/** A number that selects no scenario. */
export const TO = '+12125550142';

const UNLIMITED: SandboxOptions = { rateLimit: false, concurrentCalls: 'off' };
export const MANUAL: SandboxOptions = { clock: 'manual', ...UNLIMITED };
export const REAL: SandboxOptions = { clock: 'real', ...UNLIMITED };

export const clockOf = async (client: Client): Promise<Answer['body']> => (await client.get(CLOCK)).body.data;
export const nowOf = async (client: Client): Promise<string> => (await clockOf(client)).now;
export const msOf = async (client: Client): Promise<number> => Date.parse(await nowOf(client));
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Called once, at the top of a test file: starts sandboxes, which are closed after each test. */
export function useSandboxes(): (options: SandboxOptions) => Promise<Sandbox> {
  const running: Sandbox[] = [];
  afterEach(() => Promise.all(running.splice(0).map((each) => each.close())));
  return async (options) => {
    const sandbox = await createSandbox(options);
    running.push(sandbox);
    return sandbox;
  };
}

export async function advance(client: Client, body: object): Promise<Answer['body']> {
  const answer = await client.post(ADVANCE, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** Makes a call whose end, after 2 s, is delivered to a receiver that responds only once `open` is called. */
export async function holdFirstEvent(client: Client, receiver: Receiver): Promise<() => void> {
  const { opened, open } = gate();
  receiver.onDelivery = () => opened;
  await subscribe(client, receiver.url, 'call_busy');
  await client.call(TO, playing('busy;ring=2s'));
  return open;
}

/** The calls that ended busy in an advance, in the order in which it lists them. */
export function endsIn({ steps }: Answer['body']): string[] {
  return steps
    .filter(({ trigger }: { trigger: string }) => trigger === 'busy')
    .map(({ subject }: { subject: { id: string } }) => subject.id);
}

export function expectFields(answer: Answer, ...fields: string[]): void {
  expectError(answer, 400, 'validation_error');
  expect(Object.keys(answer.body.error.fields)).toEqual(fields);
}
