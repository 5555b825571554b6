/**
 * Examples of tests with Ringback: each has a world of its own, and a clock that stands until the test moves it. Put your
 * code in the place of `dial`: give it `sandbox.url` as the address of the platform, and `world.apiKey`.
 */
const { createReceiver, createSandbox, destinationFor } = require('ringback');
require('ringback/jest');

/** @type {import('ringback').Sandbox} */
let sandbox;
/** @type {import('ringback').SandboxWorld} */
let world;
let tests = 0;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', scenarios: 'ringback/scenarios' });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  world = sandbox.world(`calls-${++tests}`);
});

const dial = (to_number = '+12125550147') =>
  fetch(`${sandbox.url}/v1/calls/dial`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from_number: '+14155550190', to_number }),
  });

test.each([
  ['answered', 'COMPLETED'],
  ['busy', 'BUSY'],
  ['no_answer', 'NO_ANSWER'],
  ['quick_answer', 'COMPLETED'],
])('a webhook says how a call ended: %s', async (scenario, status) => {
  const receiver = await createReceiver();
  await world.subscribe(receiver.url, 'call_completed');
  await world.play('call', scenario);
  const { call_id } = await (await dial()).json();
  // Returns when the call has ended and its webhook was answered: nothing sleeps.
  await world.clock.untilIdle();
  await expect(world).toHaveEnded(call_id, status);
  expect((await receiver.next()).body).toMatchObject({ id: call_id, status });
  await receiver.close();
});

test('a webhook that failed comes again', async () => {
  const receiver = await createReceiver();
  await world.subscribe(receiver.url, 'call_busy', { retries: 'short' });
  receiver.respond([500, 500]);
  await dial(destinationFor('busy'));
  await world.clock.untilIdle();
  expect(receiver.received).toHaveLength(3);
  await receiver.close();
});

test('a person who may not be called is refused', async () => {
  await world.control.call('setCallingRules', { body: { do_not_call: ['+12125550148'] } });
  const response = await dial('+12125550148');
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: { code: 'dnc_suppressed' } });
  await expect(world).toHaveReceivedRequest({ operation: 'dialCall' }, 1);
});
