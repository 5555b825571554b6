// What delays the calls of a job, or rules them out: limits on calls, failures, and calling rules (the assumption job_dialling).
import { beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, destinationFor } from '../../src/index.ts';
import { type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { JOBS, jobOf, oneLine, ordinaryNumbers, startJob } from '../support/outbound.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { instant } from '../support/world.ts';
import { activate, advanceTo, callsOf, finished, inProgress, OUTCOMES } from './setup.ts';

const folderOf = temporaryFolders();
const { sandbox, client } = useFreshSandbox({ clock: 'manual', rateLimit: 'off' });

describe('what delays a job', () => {
  it('is the call limit of the account: it waits for a free line and never exceeds the limit', async () => {
    await activate(client, 'answered;ring=2s;talk=8s');
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 2 });
    await client.call('+12125550199');
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(4), concurrency: 4 });
    for (let second = 1; second <= 40; second++) {
      await sandbox.clock.advance('1s');
      expect(await inProgress(client)).toBeLessThanOrEqual(2);
    }
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    expect(await jobOf(client, id)).toMatchObject({
      status: 'completed',
      progress: { outcomes: { ...OUTCOMES, answered: 4 } },
    });
    // The dialed call holds one of the two lines until 10.5 s; then the job's own call ends before it looks again.
    expect((await callsOf(client)).slice(1).map(({ started_at }) => started_at)).toEqual(
      [1000, 11_500, 11_500, 22_000].map(instant),
    );
  });

  it.runIf(thorough)('is a call that never ends: advancing until idle is 409 and names the pending task', async () => {
    const endless = { kind: 'call', summary: 'Rings forever.', timeline: [{ after: '1s', trigger: 'ring' }] };
    expect((await client.put('/_sandbox/scenarios/endless', endless)).status).toBe(201);
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    const call = await client.call('+12125550199', { 'X-Sandbox-Scenario': 'endless' });
    const { id } = await startJob(client, { to_numbers: ordinaryNumbers(1) });
    const answer = await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain(`call_next_contact of jobs ${id}`);
    await client.post(`/v1/calls/${call}/hangup`);
    expect((await sandbox.clock.untilIdle()).complete).toBe(true);
    expect((await jobOf(client, id)).status).toBe('completed');
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    await client.delete('/_sandbox/scenarios/endless');
  });

  it.each([
    ['looks again after 1, 2, 4 and 8 s', '10s', 16_000],
    ['never waits longer than a minute', '10m', 604_000],
  ])('is a line that is taken until later: it %s', async (_, freeAfter, startedAt) => {
    const endless = { kind: 'call', summary: 'Rings forever.', timeline: [{ after: '1s', trigger: 'ring' }] };
    expect((await client.put('/_sandbox/scenarios/endless', endless)).status).toBe(201);
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    const call = await client.call('+12125550199', { 'X-Sandbox-Scenario': 'endless' });
    await startJob(client, { to_numbers: ordinaryNumbers(1) });
    await sandbox.clock.advance(freeAfter);
    await client.post(`/v1/calls/${call}/hangup`);
    await sandbox.clock.advance('1m');
    expect((await callsOf(client)).at(-1)).toMatchObject({ started_at: instant(startedAt) });
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    await client.delete('/_sandbox/scenarios/endless');
  });

  it('is max_calls of its number', async () => {
    const own = await createSandbox({ clock: 'manual', fixtures: folderOf({ 'default.yaml': oneLine }) });
    try {
      const by = clientOf(own.url, 'svc_one');
      await by.put('/_sandbox/active-scenarios/call', { use: 'busy;ring=2s' });
      const { id } = await startJob(by, { to_numbers: ordinaryNumbers(3) });
      for (let second = 1; second <= 7; second++) {
        await own.clock.advance('1s');
        expect(await inProgress(by)).toBeLessThanOrEqual(1);
      }
      expect(await jobOf(by, id)).toMatchObject({ status: 'completed', progress: { outcomes: { busy: 3 } } });
    } finally {
      await own.close();
    }
  });

  it.each([
    ['a provider that fails twice is tried a third time', 'flaky_provider', ['answered', null], 121_000],
    [
      'a provider that always fails is given up after three tries',
      'room_creation_failed',
      ['refused', 'room_creation_failed'],
      121_000,
    ],
    ['an opt-out is not retried', 'recipient_opted_out', ['refused', 'recipient_opted_out'], 1000],
  ] as const)('may be temporary: %s', async (_, scenario, [outcome, failure_code], at) => {
    await startJob(client, { to_numbers: [destinationFor(scenario)] });
    await sandbox.clock.untilIdle();
    const [event] = await finished(client);
    expect(event).toMatchObject({ outcome, failure_code });
    const [call] = await callsOf(client);
    expect(call?.started_at ?? event.created_at).toBe(instant(at));
  });
});

describe('a job under calling rules', () => {
  let world: Client;
  beforeEach(async () => {
    await sandbox.world('regulated').reset();
    world = clientOf(sandbox.url, 'svc_sandbox_regulated');
    await world.put('/_sandbox/active-scenarios/call', { use: 'answered;ring=2s;talk=8s' });
  });
  const idle = (): Promise<unknown> => sandbox.world('regulated').clock.untilIdle();
  const setTo = (at: string): Promise<unknown> => advanceTo(world, at);

  it.each([
    ['+12125550170', 'dnc_suppressed'],
    ['+12125550171', 'recipient_opted_out'],
    ['+12125550172', 'no_consent'],
    ['+12125550173', 'contact_automation_paused'],
  ])('never calls %s: %s', async (to, code) => {
    const { id } = await startJob(world, { to_numbers: [to, '+12125550174'] });
    await idle();
    expect((await finished(world)).find(({ phone_number }) => phone_number === to)).toMatchObject({
      outcome: 'refused',
      failure_code: code,
    });
    expect((await callsOf(world)).map(({ to_number }) => to_number)).toEqual(['+12125550174']);
    expect((await jobOf(world, id)).progress.outcomes).toEqual({ ...OUTCOMES, answered: 1, refused: 1 });
  });

  it('calls each destination when its window opens, in its own time zone', async () => {
    // Monday, 23:30 in New York and 20:30 in Los Angeles.
    await setTo('2026-01-06T04:30:00.000Z');
    const { id } = await startJob(world, { to_numbers: ['+12125550174', '+12135550174'], concurrency: 1 });
    await sandbox.world('regulated').clock.advance('1m');
    expect((await jobOf(world, id)).progress).toMatchObject({ pending: 1, completed: 1 });
    await idle();
    expect((await callsOf(world)).map(({ to_number, started_at }) => [to_number, started_at])).toEqual([
      ['+12135550174', '2026-01-06T04:30:01.000Z'],
      ['+12125550174', '2026-01-06T13:00:00.000Z'],
    ]);
  });

  it('waits on a Sunday until Monday morning', async () => {
    await setTo('2026-01-11T15:00:00.000Z');
    await startJob(world, { to_numbers: ['+12125550174'] });
    await idle();
    expect((await callsOf(world))[0].started_at).toBe('2026-01-12T13:00:00.000Z');
  });

  it('places the fourth call to a number on the next morning', async () => {
    for (let n = 0; n < 3; n++) await world.call('+12125550174');
    await idle();
    const { id } = await startJob(world, { to_numbers: ['+12125550174'] });
    await idle();
    expect((await callsOf(world)).at(-1)?.started_at).toBe('2026-01-06T13:00:00.000Z');
    expect((await jobOf(world, id)).status).toBe('completed');
  });

  it('does not use up the calls of a day while it waits for a line', async () => {
    await world.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    await world.put('/_sandbox/active-scenarios/call', { use: 'answered;ring=2s;talk=30s' });
    await world.call('+12125550175');
    await startJob(world, { to_numbers: ['+12125550174'] });
    await idle();
    await world.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    // One call was placed: two more are left.
    expect((await world.dial('+12125550174')).status).toBe(202);
    expect((await world.dial('+12125550174')).status).toBe(202);
    expectError(await world.dial('+12125550174'), 429, 'frequency_exceeded');
  });

  it('does not call a delayed contact once it is canceled', async () => {
    await setTo('2026-01-06T04:30:00.000Z');
    const { id } = await startJob(world, { to_numbers: ['+12125550174'] });
    await sandbox.world('regulated').clock.advance('1m');
    await world.post(`${JOBS}/${id}/cancel`);
    expect((await world.get('/_sandbox/clock')).body.data.pending).toBe(0);
    await sandbox.world('regulated').clock.advance('1d');
    expect(await callsOf(world)).toEqual([]);
  });

  it('calls when it is resumed if it was paused as the window opened', async () => {
    await setTo('2026-01-06T04:30:00.000Z');
    const { id } = await startJob(world, { to_numbers: ['+12125550174'] });
    await sandbox.world('regulated').clock.advance('1m');
    await world.post(`${JOBS}/${id}/pause`);
    await setTo('2026-01-06T14:00:00.000Z');
    expect(await callsOf(world)).toEqual([]);
    await world.post(`${JOBS}/${id}/resume`);
    await idle();
    expect((await callsOf(world))[0].started_at).toBe('2026-01-06T14:00:00.000Z');
  });
});
