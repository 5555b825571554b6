// What a reset does to the clock and to deliveries: `interface.md` sections 4 and 5.
import { describe, expect, it } from 'vitest';
import { playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { afterStart, clockOf, MANUAL, msOf, REAL, TO } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const { sandbox: real } = useSandbox(REAL);
const newReceiver = useReceivers();

describe('a reset', () => {
  it('returns a stopped clock to its start and keeps the mode', async () => {
    const { client, world } = freshWorld(sandbox);
    await world.clock.advance('3d');
    await client.call(TO, playing('busy;ring=1s'));
    await world.clock.set('instant');
    await world.reset();
    expect(await clockOf(client)).toEqual({ mode: 'instant', speed: 0, now: afterStart(0), pending: 0 });
  });

  it('returns a running clock to the system time', async () => {
    const { client, world } = freshWorld(real);
    await world.clock.advance('3d');
    const before = Date.now();
    await world.reset();
    const now = await msOf(client);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('leaves nothing pending, and no earlier receiver delays the next advance', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=1s'));
    await fire(client, 'call_busy');
    await until(() => receiver.got.length).toBe(1);
    await world.reset();
    const clock = await clockOf(client);
    const advanced = await world.clock.advance('1h', '500ms');
    open();
    await world.clock.advance('0s');
    expect(clock).toMatchObject({ now: afterStart(0), pending: 0 });
    expect(advanced).toMatchObject({ now: afterStart(3_600_000), complete: true });
  });

  it('starts a new epoch: unsent deliveries of an older one are recorded and never sent', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await subscribe(client, receiver.url, 'contact_created');
    for (const name of ['first', 'second', 'third']) await fire(client, 'contact_created', { name });
    await until(() => receiver.got.length).toBe(1);
    await world.reset();
    open();
    await world.clock.advance('1h');
    await subscribe(client, receiver.url, 'contact_created');
    await fire(client, 'contact_created', { name: 'of the new epoch' });
    await world.clock.advance('1h');
    expect(receiver.got.map(({ body }) => body.name)).toEqual(['first', 'of the new epoch']);
    const recorded = (await deliveriesOf(client)).map(({ status, body }: { status: string; body: string }) => [
      JSON.parse(body).name,
      status,
    ]);
    expect(recorded).toEqual(
      expect.arrayContaining([
        ['second', 'canceled'],
        ['third', 'canceled'],
      ]),
    );
  });
});
