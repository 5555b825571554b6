// The modes of the clock: `interface.md` section 4 and `/_sandbox/clock` of section 5.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, clientOf, playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { CALL_EVENTS, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import {
  advance,
  afterStart,
  CLOCK,
  clockOf,
  expectFields,
  MANUAL,
  msOf,
  nowOf,
  pause,
  REAL,
  START_MS,
  TO,
  useSandboxes,
} from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const { sandbox: real } = useSandbox(REAL);
const newReceiver = useReceivers();
const newSandbox = useSandboxes();

describe('modes', () => {
  it('a manual clock starts at the documented instant and does not move', async () => {
    const { client } = freshWorld(sandbox);
    const first = await clockOf(client);
    expect(first).toEqual({ mode: 'manual', speed: 0, now: '2026-01-05T15:00:00.000Z', pending: 0 });
    await pause(20);
    expect(await clockOf(client)).toEqual(first);
  });

  it('a stopped clock starts at the instant of the start option', async () => {
    for (const mode of ['manual', 'instant']) {
      const made = await newSandbox({ clock: mode, start: '2031-07-01T08:30:00.250Z' });
      expect(await clockOf(clientOf(made.url))).toMatchObject({ mode, now: '2031-07-01T08:30:00.250Z' });
    }
  });

  it('a real clock shows the system time', async () => {
    const before = Date.now();
    const clock = await clockOf(clientOf(real.url));
    expect(clock).toMatchObject({ mode: 'real', speed: 1, pending: 0 });
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(clock.now)).toBeLessThanOrEqual(Date.now());
  });

  it('a scaled clock starts at the system time and runs at its speed', async () => {
    const before = Date.now();
    const made = await newSandbox({ clock: '20x' });
    const client = clientOf(made.url);
    const [systemTime, first] = [Date.now(), await clockOf(client)];
    expect(first).toMatchObject({ mode: '20x', speed: 20 });
    expect(Date.parse(first.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first.now)).toBeLessThan(before + 20 * (Date.now() - before) + 1);
    await pause(100);
    const passed = (await msOf(client)) - Date.parse(first.now);
    expect(passed).toBeGreaterThanOrEqual(20 * 90);
    expect(passed).toBeLessThanOrEqual(20 * (Date.now() - systemTime + 1));
  });

  it('an instant clock lets a call start as QUEUED, and has jumped to its end by the next request', async () => {
    const { client, world } = freshWorld(sandbox);
    await world.clock.set('instant');
    const dialled = await client.dial(TO, playing('answered;ring=3s;talk=10s'));
    expect([dialled.status, dialled.body.status]).toEqual([202, 'QUEUED']);
    const call = await client.readCall(dialled.body.call_id);
    expect(call).toMatchObject({ status: 'COMPLETED', started_at: afterStart(0), ended_at: afterStart(13_500) });
    expect(await clockOf(client)).toMatchObject({ mode: 'instant', now: afterStart(13_500), pending: 0 });
    const second = await client.readCall(await client.call(TO, playing('busy;ring=2s')));
    expect(second).toMatchObject({ status: 'BUSY', started_at: afterStart(13_500), ended_at: afterStart(15_500) });
  });

  it('an instant clock does not wait for deliveries', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await subscribe(client, receiver.url, ...CALL_EVENTS);
    await world.clock.set('instant');
    const call = await client.call(TO, playing('busy'));
    expect((await client.readCall(call)).status).toBe('BUSY');
    expect((await clockOf(client)).pending).toBe(4);
    open();
    await world.clock.untilIdle();
    expect((await clockOf(client)).pending).toBe(0);
    expect(receiver.got).toHaveLength(4);
  });

  it('pending counts the scheduled steps; a call that has ended has none', async () => {
    const { client } = freshWorld(sandbox);
    const call = await client.call(TO, playing('answered;ring=3s;talk=10s'));
    expect((await clockOf(client)).pending).toBe(3);
    await advance(client, { by: '1s' });
    expect((await clockOf(client)).pending).toBe(2);
    await client.post(`/v1/calls/${call}/hangup`);
    expect((await clockOf(client)).pending).toBe(0);
  });

  it('a change of mode continues from the current time', async () => {
    const { client } = freshWorld(sandbox);
    await advance(client, { by: '1h' });
    const put = async (mode: string): Promise<Answer['body']> => (await client.put(CLOCK, { mode })).body.data;
    expect(await put('instant')).toEqual({ mode: 'instant', speed: 0, now: afterStart(3_600_000), pending: 0 });

    const systemTime = Date.now();
    expect(await put('real')).toMatchObject({ mode: 'real', speed: 1 });
    await pause(30);
    const passed = (await msOf(client)) - START_MS - 3_600_000;
    expect(passed).toBeGreaterThanOrEqual(25);
    expect(passed).toBeLessThanOrEqual(Date.now() - systemTime);

    const before = await msOf(client);
    const scaled = await put('1000x');
    expect(scaled).toMatchObject({ mode: '1000x', speed: 1000 });
    await pause(30);
    const stopped = await put('manual');
    expect(Date.parse(stopped.now)).toBeGreaterThanOrEqual(before + 1000 * 25);
    expect(Date.parse(stopped.now)).toBeLessThanOrEqual(before + 1000 * (Date.now() - systemTime));
    await pause(10);
    expect(await nowOf(client)).toBe(stopped.now);
  });

  it('a speed alone sets the mode, and 1 is real', async () => {
    const { client } = freshWorld(sandbox);
    expect((await client.put(CLOCK, { speed: 5 })).body.data).toMatchObject({ mode: '5x', speed: 5 });
    expect((await client.put(CLOCK, { speed: 1 })).body.data).toMatchObject({ mode: 'real', speed: 1 });
    for (const speed of [0, -1, '5']) expectFields(await client.put(CLOCK, { speed }), 'speed');
  });

  it.each(['manual', 'instant'])('a PUT of what GET returns for a %s clock changes nothing', async (mode) => {
    const { client, world } = freshWorld(sandbox);
    await client.put(CLOCK, { mode });
    await world.clock.advance('1h');
    const clock = await clockOf(client);
    const answer = await client.put(CLOCK, clock);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toEqual(clock);
  });

  it('a mode may be given with its own speed', async () => {
    const { client } = freshWorld(sandbox);
    for (const [mode, speed] of [
      ['20x', 20],
      ['0.5x', 0.5],
      ['real', 1],
      ['manual', 0],
    ]) {
      expect((await client.put(CLOCK, { mode, speed })).body.data).toMatchObject({ mode, speed });
    }
  });

  it.each([
    ['manual', 20],
    ['instant', 1],
    ['real', 20],
    ['20x', 0],
    ['20x', 21],
  ])('the mode %s with the speed %i is rejected and changes nothing', async (mode, speed) => {
    const { client } = freshWorld(sandbox);
    const before = await clockOf(client);
    const answer = await client.put(CLOCK, { mode, speed, now: afterStart(60_000) });
    expectFields(answer, 'speed');
    expect(answer.body.error.fields.speed).toContain(mode);
    expect(await clockOf(client)).toEqual(before);
  });

  it('a change from a stopped to a running mode starts the scheduled steps', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call(TO, playing('busy;ring=40ms'));
    await client.put(CLOCK, { mode: 'real' });
    await world.waitFor({ event_type: 'call_busy', call_id: call, timeout: '60s' });
    expect(await client.readCall(call)).toMatchObject({ status: 'BUSY', ended_at: afterStart(40) });
  });

  it('a change to instant runs the scheduled steps', async () => {
    const { client } = freshWorld(sandbox);
    const call = await client.call(TO, playing('no_answer'));
    expect((await client.put(CLOCK, { mode: 'instant' })).body.data).toMatchObject({
      now: afterStart(30_000),
      pending: 0,
    });
    expect(await client.readCall(call)).toMatchObject({ status: 'NO_ANSWER', ended_at: afterStart(30_000) });
  });

  it.each(['fast', '', 'REAL', '0x', '-1x', '20', 'x20', '20 x', '1e3x', 'scaled'])(
    'the mode %j is rejected',
    async (mode) => {
      const { client, world } = freshWorld(sandbox);
      expectFields(await client.put(CLOCK, { mode }), 'mode');
      await expect(world.clock.set(mode)).rejects.toThrow();
      await expect(createSandbox({ clock: mode })).rejects.toThrow(/^clock: .* must be real, manual, instant/);
      expect((await clockOf(client)).mode).toBe('manual');
    },
  );

  it('the clock of one world does not affect another', async () => {
    const [here, there] = [freshWorld(sandbox).client, freshWorld(sandbox).client];
    const call = await there.call(TO, playing('busy;ring=1s'));
    await advance(here, { by: '1d' });
    await here.put(CLOCK, { mode: 'real' });
    expect(await clockOf(there)).toEqual({ mode: 'manual', speed: 0, now: afterStart(0), pending: 1 });
    expect((await there.readCall(call)).status).toBe('QUEUED');
  });
});
