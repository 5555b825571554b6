// The clock of the library: `interface.md` section 8.
import { describe, expect, it } from 'vitest';
import { type Answer, playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';
import { advance, afterStart, holdFirstEvent, MANUAL, START_MS, TO } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const newReceiver = useReceivers();

describe('the clock of the library', () => {
  it('reads, advances, runs until idle and sets the mode, for its own world', async () => {
    const { client, world } = freshWorld(sandbox);
    expect(await world.clock.now()).toBe(afterStart(0));
    const call = await client.call(TO, playing('busy;ring=2s'));
    expect(await world.clock.advance('1s')).toMatchObject({ now: afterStart(1000), complete: true, steps: [] });
    const advanced = await world.clock.advance({ to: afterStart(1999) });
    expect(advanced).toMatchObject({ now: afterStart(1999), totals: { steps: 0, deliveries: 0 } });
    const idle = await world.clock.untilIdle();
    expect(idle).toMatchObject({ now: afterStart(2000), steps: [{ trigger: 'busy', subject: { id: call } }] });
    expect(await world.clock.set('1.5x')).toMatchObject({ mode: '1.5x', speed: 1.5, pending: 0 });
    expect(Date.parse(await world.clock.now())).toBeGreaterThanOrEqual(START_MS + 2000);
    expect(await sandbox.clock.now()).toBe(afterStart(0));
  });

  it('returns the same result as the control API', async () => {
    const [one, two] = [freshWorld(sandbox), freshWorld(sandbox)];
    for (const { client } of [one, two]) await client.call(TO, playing('answered;ring=2s;talk=3s'));
    const ofLibrary = JSON.parse(JSON.stringify(await one.world.clock.advance('1m')));
    const ofApi = await advance(two.client, { by: '1m' });
    const bare = ({ steps, ...rest }: Answer['body']): object => ({
      ...rest,
      steps: steps.map(({ at, trigger, from, to }: Answer['body']) => ({ at, trigger, from, to })),
    });
    expect(bare(ofLibrary)).toEqual(bare(ofApi));
  });

  it('rejects a time in the past and a malformed time', async () => {
    const { world } = freshWorld(sandbox);
    await world.clock.advance('1m');
    await expect(world.clock.advance({ to: afterStart(0) })).rejects.toMatchObject({ code: 'validation_error' });
    await expect(world.clock.advance({ to: 'tomorrow' })).rejects.toThrow();
    expect(await world.clock.now()).toBe(afterStart(60_000));
  });

  it('ends an advance after the given real time', async () => {
    const { client, world } = freshWorld(sandbox);
    const open = await holdFirstEvent(client, await newReceiver());
    expect(await world.clock.advance('1h', '50ms')).toMatchObject({ now: afterStart(2000), complete: false });
    expect(await world.clock.untilIdle('50ms')).toMatchObject({ now: afterStart(2000), complete: false });
    open();
    expect(await world.clock.untilIdle()).toMatchObject({ now: afterStart(2000), complete: true });
  });
});
