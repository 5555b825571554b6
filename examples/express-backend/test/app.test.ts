import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox, destinationFor, type Sandbox, type SandboxWorld } from 'ringback';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';

let sandbox: Sandbox;
let world: SandboxWorld;
let server: Server;
let backend: string;
let tests = 0;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
});
afterAll(() => sandbox.close());

beforeEach(async () => {
  world = sandbox.world(`express-${++tests}`);
  server = createApp({
    apiUrl: sandbox.url,
    apiKey: world.apiKey,
    signingSecret: 'sandbox_signing_secret',
  }).listen(0);
  backend = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

async function remind(scenario: Parameters<typeof destinationFor>[0]) {
  const response = await fetch(`${backend}/reminders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ phone_number: destinationFor(scenario) }),
  });
  return { status: response.status, ...((await response.json()) as { id?: string; reason?: string }) };
}

const read = async (path: string) => (await fetch(`${backend}${path}`)).json();

it.each([
  ['answered', 'reached'],
  ['busy', 'call again'],
  ['voicemail', 'call again'],
] as const)('knows after a call that is %s: %s', async (scenario, outcome) => {
  await world.subscribe(`${backend}/webhooks/call_completed`, ['call_completed']);
  const { id } = await remind(scenario);
  expect(await read(`/reminders/${id}`)).toEqual({ outcome: 'calling' });
  // Returns when the call has ended and the webhook was answered.
  await world.clock.untilIdle();
  expect(await read(`/reminders/${id}`)).toEqual({ outcome });
});

it('calls once, however often the gateway fails', async () => {
  await world.fault({ operation: 'dialCall', respond: { status: 502, body: '<html>' }, when: 'after', times: 2 });
  expect(await remind('answered')).toMatchObject({ status: 201 });
  const calls = (await world.events()).filter(({ event_type }) => event_type === 'new_call');
  expect(calls).toHaveLength(1);
});

it('says why a person may not be called', async () => {
  expect(await remind('dnc_suppressed')).toEqual({ status: 422, reason: 'dnc_suppressed' });
});

it('believes a signature, and refuses one of another secret', async () => {
  await world.subscribe(`${backend}/webhooks/number_purchased`, ['number_purchased']);
  await order();
  const known = await read('/numbers');
  expect(known).toHaveLength(1);

  const [subscription] = await world.subscribe(`${backend}/webhooks/number_purchased`, ['number_purchased'], {
    tamper: 1,
  });
  await order();
  const forged = (await world.deliveries()).filter((each) => each.subscription_id === subscription?.id);
  expect(forged.map((each) => each.attempts[0]?.response)).toMatchObject([{ status: 401 }]);
});

async function order() {
  await fetch(`${sandbox.url}/v1/phone-numbers`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ area_code: '212' }),
  });
  await world.clock.untilIdle();
}
