// How a job looks for a free line: less and less often, and never often in real time.
import { describe, expect, it } from 'vitest';
import { ordinaryNumbers, startJob } from '../support/outbound.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { eventually } from '../support/until.ts';
import { instant } from '../support/world.ts';
import { activate, callsOf } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual', rateLimit: 'off' });

describe('a job that finds no line', () => {
  it('looks again after 1, 2, 4 s and so on, at last every minute', async () => {
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    await activate(client, 'answered;ring=2s;talk=570s');
    await client.call('+12125550199');
    await startJob(client, { to_numbers: ordinaryNumbers(1) });
    await sandbox.clock.advance('12m');
    const calls = await callsOf(client);
    // The first call ends after 572 s; the job looks after 1 s, and then after 1, 2, 4, … s.
    expect(calls.map(({ started_at }) => (Date.parse(started_at) - Date.parse(instant(0))) / 1000)).toEqual([0, 604]);
  });

  it('waits at least 100 ms in real time on a fast clock', async () => {
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    const endless = { kind: 'call', summary: 'Rings forever.', timeline: [{ after: '1s', trigger: 'ring' }] };
    await client.put('/_sandbox/scenarios/endless', endless);
    const blocking = (await client.dial('+12125550199', { 'X-Sandbox-Scenario': 'endless' })).body.call_id;
    await startJob(client, { to_numbers: ordinaryNumbers(1) });
    await client.put('/_sandbox/clock', { mode: '1000x' });
    // A line that is free before the second look would be found by it.
    const now = async () => Date.parse((await client.get('/_sandbox/clock')).body.data.now);
    await eventually(async () => expect(await now()).toBeGreaterThan(Date.parse(instant(1000))));
    await client.post(`/v1/calls/${blocking}/hangup`);
    await eventually(async () => expect(await callsOf(client)).toHaveLength(2));
    const [, call] = await callsOf(client);
    const seconds = (Date.parse(call.started_at) - Date.parse(instant(0))) / 1000;
    // It looks when it starts, after 1 s, and then every 100 s of its world.
    expect(seconds).toBeGreaterThan(100);
    expect((seconds - 1) % 100).toBe(0);
  });
});
