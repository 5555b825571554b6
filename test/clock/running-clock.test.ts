// Running clocks, real and scaled: `interface.md` section 4.
import { describe, expect, it } from 'vitest';
import { playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs, thorough } from '../support/thorough.ts';
import { stretched } from '../support/until.ts';
import { CALL_EVENTS, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { ADVANCE, advance, afterStart, CLOCK, clockOf, expectFields, msOf, nowOf, pause, REAL, TO } from './setup.ts';

const { sandbox: real } = useSandbox(REAL);
const newReceiver = useReceivers();

describe('advancing a running clock', () => {
  it.each(['real', '20x', '1000x'])('in mode %s has the same barrier at the instants of the steps', async (mode) => {
    const { client, world } = freshWorld(real);
    await world.clock.set(mode);
    const receiver = await newReceiver();
    const seen: string[] = [];
    receiver.onDelivery = async () => {
      seen.push(await nowOf(client));
      await pause(20);
      seen.push(await nowOf(client));
    };
    await subscribe(client, receiver.url, 'call_busy');
    const call = await client.call(TO, playing('busy;ring=90m'));
    const before = await msOf(client);
    const answer = await advance(client, { by: '3h' });
    const { started_at, ended_at } = await client.readCall(call);
    expect(Date.parse(ended_at) - Date.parse(started_at)).toBe(5_400_000);
    expect(answer.steps.map(({ at }: { at: string }) => at)).toEqual([ended_at]);
    expect(seen).toEqual([ended_at, ended_at]);
    expect(answer.complete).toBe(true);
    expect(Date.parse(answer.now)).toBeGreaterThanOrEqual(before + 10_800_000);
    expect(Date.parse(answer.now)).toBeLessThan(before + 10_800_000 + stretched(2000) * 1000);
  });

  it('continues from there in its own mode', async () => {
    const { client } = freshWorld(real);
    const systemTime = Date.now();
    const { now } = await advance(client, { by: '1d' });
    const ahead = Date.parse(now) - 86_400_000;
    expect(ahead).toBeGreaterThanOrEqual(systemTime);
    await pause(30);
    const passed = (await msOf(client)) - Date.parse(now);
    expect(passed).toBeGreaterThanOrEqual(25);
    expect(passed).toBeLessThanOrEqual(Date.now() - systemTime);
    expect((await clockOf(client)).mode).toBe('real');
  });

  it('leaves later steps to run at their own time', async () => {
    const { client, world } = freshWorld(real);
    const call = await client.call(TO, playing('busy;ring=3h'));
    const { started_at } = await client.readCall(call);
    await advance(client, { to: new Date(Date.parse(started_at) + 3 * 3_600_000 - 3000).toISOString() });
    expect((await client.readCall(call)).status).toBe('QUEUED');
    const event = await world.waitFor({ event_type: 'call_busy', call_id: call, timeout: '60s' });
    expect(Date.parse(event.created_at) - Date.parse(started_at)).toBe(3 * 3_600_000);
  });

  it('until idle ends every call at once', async () => {
    const { client } = freshWorld(real);
    const calls = [await client.call(TO, playing('busy;ring=5m')), await client.call(TO, playing('no_answer'))];
    expect(await advance(client, { until: 'idle' })).toMatchObject({ complete: true, totals: { steps: 3 } });
    expect((await client.readCall(calls[0] as string)).status).toBe('BUSY');
    expect((await client.readCall(calls[1] as string)).status).toBe('NO_ANSWER');
  });

  it('to a past instant is rejected', async () => {
    const { client } = freshWorld(real);
    expectFields(await client.post(ADVANCE, { to: afterStart(0) }), 'to');
  });
});

describe('a running clock', () => {
  it('runs due steps by itself, each at its own instant', async () => {
    const { client, world } = freshWorld(real);
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, ...CALL_EVENTS);
    const call = await client.call(TO, playing('busy;ring=50ms'));
    const event = await world.waitFor({ event_type: 'phone_call.ended', delivered: true, timeout: '60s' });
    const { started_at, ended_at } = await client.readCall(call);
    expect(Date.parse(ended_at) - Date.parse(started_at)).toBe(50);
    expect(event.created_at).toBe(ended_at);
    expect(receiver.got.map(({ body }) => body.status)).toEqual(['QUEUED', 'BUSY', 'BUSY', 'BUSY']);
  });

  it('shows each request all steps that are due', async () => {
    const { client, world } = freshWorld(real);
    await world.clock.set('1000x');
    for (let times = 0; times < 20; times++) {
      const call = await client.call(TO, playing('busy;ring=1s'));
      const before = await msOf(client);
      const { status, started_at, ended_at } = await client.readCall(call);
      if (before >= Date.parse(started_at) + 1000) expect(status).toBe('BUSY');
      if (status === 'BUSY') expect(Date.parse(ended_at) - Date.parse(started_at)).toBe(1000);
      await pause(3);
      expect((await client.readCall(call)).status).toBe('BUSY');
    }
  });

  it.runIf(thorough)(
    'does not block the process with thousands of due steps, and a request sees all of them',
    async () => {
      const { client } = freshWorld(real);
      const steps = Array.from({ length: 400 }, (_, at) => ({
        after: at === 0 ? '600ms' : '0s',
        trigger: 'speak_code',
      }));
      const put = await client.put('/_sandbox/scenarios/chatty', {
        kind: 'caller_id',
        summary: 'Says it often.',
        timeline: steps,
      });
      expect(put.status, put.text).toBe(201);
      const numbers = runs(18, 120);
      for (let number = 0; number < numbers; number++) {
        const phone_number = `+12125560${100 + number}`;
        expect((await client.post('/v1/caller-ids', { phone_number }, playing('chatty'))).status).toBe(201);
      }
      const due = (await msOf(client)) + 600;
      let longest = 0;
      let last = performance.now();
      const tick = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 1);
      while ((await msOf(client)) < due) await pause(5);
      expect((await client.get('/v1/account')).status).toBe(200);
      clearInterval(tick);
      expect((await clockOf(client)).pending).toBe(0);
      expect(longest).toBeLessThan(stretched(400));
    },
  );

  it('stops at the last instant that a timestamp can express', async () => {
    const { client } = freshWorld(real);
    const latest = '9999-12-31T23:59:59.999Z';
    await client.put(CLOCK, { now: latest });
    const call = await client.call(TO, playing('busy;ring=1s'));
    await pause(5);
    expect(await nowOf(client)).toBe(latest);
    expect(await client.readCall(call)).toMatchObject({ status: 'BUSY', started_at: latest, ended_at: latest });
    await client.put(CLOCK, { mode: '1000000x' });
    expect(await nowOf(client)).toBe(latest);
    expect((await fire(client, 'call_busy')).created_at).toBe(latest);
  });

  it('plays a call of one minute in sixty milliseconds at 1000x', async () => {
    const { client, world } = freshWorld(real);
    await world.clock.set('1000x');
    const began = performance.now();
    const call = await client.call(TO, playing('answered;ring=20s;talk=40s'));
    await world.waitFor({ event_type: 'phone_call.ended', call_id: call, timeout: '60s' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(55);
    expect(performance.now() - began).toBeLessThan(stretched(1500));
    expect((await client.readCall(call)).duration_seconds).toBe(40);
  });
});
