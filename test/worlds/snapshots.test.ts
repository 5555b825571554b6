// Snapshots: a world as it stood, and back to it. `interface.md` sections 4, 5 and 8.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Client, expectError } from '../support/client.ts';
import { keepValues } from '../support/other-values.ts';
import { runs } from '../support/thorough.ts';
import { eventually, stretched } from '../support/until.ts';
import { deliveriesOf, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { act, nothingKnown, type PlannedAction, programs, shownBy } from './random-programs.ts';
import { dataOf, keep, useWorlds, withHeldReceiver } from './setup.ts';

const { sandbox, client, receiver, inWorld, withKey } = useWorlds();

const restore = async (by: Client, name = 'base'): Promise<void> => {
  const answer = await by.post(`/_sandbox/snapshots/${name}/restore`);
  expect(answer.status, answer.text).toBe(200);
};

describe('a snapshot', () => {
  it('brings back everything that can be read, to the byte, after which the same steps have the same results', async () => {
    const own = await createSandbox({ clock: 'manual', rateLimit: 'off' });
    const program = programs(['cedar'], 12);
    let cases = 0;
    const property = fc.asyncProperty(program, program, async (before, after) => {
      cases += 1;
      const world = `cedar-${cases}`;
      const known = nothingKnown(world);
      // A key is never given out twice, so those that are made after a restore are others.
      const steps = after.filter(({ action }) => action !== 'createKey');
      const play = async (program: PlannedAction[], ids = known): Promise<unknown[]> => {
        const answers = [];
        for (const step of program) answers.push(await act(own, { ...step, world }, ids, receiver.url));
        return answers;
      };
      await play(before);
      // Whether a delivery is still in flight depends on the machine's speed.
      await own.world(world).clock.advance('0s');
      const kept = await own.world(world).snapshot();
      const putValuesBack = keepValues(world);
      const lived = [];
      for (let times = 0; times < 2; times++) {
        const stood = await shownBy(own, world);
        const answers = await play(steps, structuredClone(known));
        await own.world(world).clock.untilIdle();
        lived.push({ stood, answers, shown: await shownBy(own, world) });
        await kept.restore();
        putValuesBack();
      }
      expect(lived[1]).toEqual(lived[0]);
    });
    await fc.assert(property, { numRuns: runs(2, 60) });
    receiver.got.length = 0;
    await own.close();
  });

  it('brings back records, journals, keys, overlays, faults, inboxes, assumptions and active scenarios', async () => {
    const by = inWorld('kept-all');
    await by.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer'] });
    await by.put('/_sandbox/faults', { operation: 'getMe', error: 'internal_error', times: 2 });
    await by.put('/_sandbox/inbox/orders', { respond: [500, 503] });
    await by.put('/_sandbox/assumptions/concurrent_calls', { value: 7 });
    const { id, api_key } = (await by.post('/_sandbox/keys', {})).body.data;
    await by.dial('+12125550147');
    await by.get('/v1/me');
    await keep(by);
    const look = async (): Promise<unknown> => ({
      active: await dataOf(by, '/_sandbox/active-scenarios/call'),
      faults: await dataOf(by, '/_sandbox/faults'),
      keys: await dataOf(by, '/_sandbox/keys'),
      requests: (await by.get('/_sandbox/requests')).body,
      scenarios: (await by.get('/_sandbox/scenarios/mine')).status,
      assumptions: await dataOf(by, '/_sandbox/assumptions'),
    });
    const stood = await look();
    await by.dial('+12125550147');
    await by.get('/v1/me');
    await by.delete(`/_sandbox/keys/${id}`);
    await by.post('/_sandbox/keys', {});
    await by.put('/_sandbox/assumptions/concurrent_calls', { value: 9 });
    await by.put('/_sandbox/scenarios/mine', { kind: 'call', summary: 'Busy.', extends: 'busy' });
    await fetch(`${sandbox.url}/_sandbox/inbox/orders?world=kept-all`, { method: 'POST' });
    expect(await look()).not.toEqual(stood);
    await restore(by);
    expect(await look()).toEqual(stood);
    expect((await withKey(api_key).get('/v1/account')).status).toBe(200);
    const answered = await fetch(`${sandbox.url}/_sandbox/inbox/orders?world=kept-all`, { method: 'POST' });
    expect(answered.status).toBe(500);
  });

  it('brings back the clock and what is scheduled, also across another mode', async () => {
    const by = inWorld('kept-clock');
    const { clock } = sandbox.world('kept-clock');
    await clock.advance('1h');
    const call = await by.call('+12125550100');
    await keep(by);
    const before = await dataOf(by, '/_sandbox/clock');
    await clock.untilIdle();
    await clock.set('20x');
    await restore(by);
    expect(await dataOf(by, '/_sandbox/clock')).toEqual(before);
    expect((await by.readCall(call)).status).toBe('QUEUED');
    const { steps } = await clock.untilIdle();
    expect(steps.map(({ trigger }) => trigger)).toContain('ring');
    expect((await by.readCall(call)).status).toBe('COMPLETED');
  });

  it('goes back to the time of the machine on a real clock, where what is overdue happens at its own instant', async () => {
    await client.post('/_sandbox/worlds', { name: 'kept-real', clock: 'real' });
    const by = inWorld('kept-real');
    const call = await by.call('+12125550101');
    const { started_at } = await by.readCall(call);
    await keep(by);
    await by.post('/_sandbox/clock/advance', { by: '1h' });
    const { ended_at } = await by.readCall(call);
    await restore(by);
    const clock = await dataOf(by, '/_sandbox/clock');
    expect([clock.mode, clock.pending > 0]).toEqual(['real', true]);
    expect(Date.parse(clock.now) - Date.parse(started_at)).toBeLessThan(stretched(60_000));
    await by.post('/_sandbox/clock/advance', { by: '1h' });
    await keep(by, 'ended');
    await restore(by, 'ended');
    expect(await by.readCall(call)).toMatchObject({ status: 'BUSY', ended_at });
  });

  it('begins an epoch: what was queued then or since is recorded and never sent, and what was sent can be sent again', async () => {
    const by = inWorld('kept-epoch');
    await withHeldReceiver(async (held, release) => {
      await subscribe(by, held.url, 'new_call');
      const calls = [await by.call('+12125550100'), await by.call('+12125550101')];
      await eventually(() => expect(held.got).toHaveLength(1));
      await keep(by);
      await by.call('+12125550102');
      await restore(by);
      release();
      await sandbox.world('kept-epoch').clock.untilIdle();
      expect(held.got.map(({ body }) => body.id)).toEqual(calls.slice(0, 1));
      const recorded = await deliveriesOf(by);
      expect(recorded.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('canceled'));

      await by.call('+12125550103');
      await sandbox.world('kept-epoch').clock.untilIdle();
      await keep(by, 'sent');
      await restore(by, 'sent');
      const sent = (await deliveriesOf(by, 'status=delivered')).at(-1);
      expect((await by.post(`/_sandbox/deliveries/${sent.id}/redeliver`)).status).toBe(200);
      await sandbox.world('kept-epoch').clock.untilIdle();
      expect(held.got).toHaveLength(3);
    });
  });

  it('brings back retries that were to come, on the schedule of the snapshot', async () => {
    const by = inWorld('kept-retries');
    await by.put('/_sandbox/assumptions/delivery_policy', { value: 'short' });
    await by.put('/_sandbox/inbox/orders', { respond: 500 });
    await subscribe(by, `${sandbox.url}/_sandbox/inbox/orders?world=kept-retries`, 'new_call');
    await by.call('+12125550100');
    await sandbox.world('kept-retries').clock.advance('1s');
    await keep(by);
    const received = async (): Promise<number> => (await dataOf(by, '/_sandbox/inbox/orders/messages')).length;
    await sandbox.world('kept-retries').clock.untilIdle();
    expect(await received()).toBe(4);
    await restore(by);
    expect(await received()).toBe(1);
    await sandbox.world('kept-retries').clock.untilIdle();
    expect(await received()).toBe(4);
  });

  it('brings back deliveries that a plan held, and sends them when it says', async () => {
    const by = inWorld('kept-held');
    const { clock } = sandbox.world('kept-held');
    const url = `${sandbox.url}/_sandbox/inbox/orders?world=kept-held`;
    const [delayed, paused] = await subscribe(by, url, 'new_call', 'new_call');
    await by.put(`/_sandbox/webhook-subscriptions/${delayed}`, { plan: { delay: '10m' } });
    await by.put(`/_sandbox/webhook-subscriptions/${paused}`, { plan: { paused: true } });
    await by.call('+12125550101');
    await clock.advance('1m');
    await keep(by);
    const received = async (): Promise<number> => (await dataOf(by, '/_sandbox/inbox/orders/messages')).length;
    for (let times = 0; times < 2; times++) {
      expect(await received()).toBe(0);
      await clock.advance('10m');
      expect(await received()).toBe(1);
      await by.put(`/_sandbox/webhook-subscriptions/${paused}`, { plan: { paused: false } });
      await clock.advance('1s');
      expect(await received()).toBe(2);
      await restore(by);
    }
    await by.post('/_sandbox/reset');
    for (const { status, next_attempt_at } of await deliveriesOf(by))
      expect([status, next_attempt_at]).toEqual(['canceled', null]);
  });

  it('leaves no event of the past to be waited for, and ends waits as a reset does', async () => {
    const by = inWorld('kept-waits');
    await by.call('+12125550101');
    await sandbox.world('kept-waits').clock.untilIdle();
    await keep(by);
    const waiting = by.get('/_sandbox/wait?event_type=call_failed&timeout=60s');
    await eventually(async () => expect((await by.get('/_sandbox/events')).status).toBe(200));
    await restore(by);
    expectError(await waiting, 408, 'timeout');
  });

  it('ends an advance that is under way, incomplete, and the clock goes on', async () => {
    const by = inWorld('kept-advance');
    await keep(by);
    await withHeldReceiver(async (held, release) => {
      await subscribe(by, held.url, 'new_call');
      await by.call('+12125550100');
      const advanced = by.post('/_sandbox/clock/advance', { by: '1h' });
      await eventually(() => expect(held.got).toHaveLength(1));
      await restore(by);
      release();
      expect((await advanced).body.data.complete).toBe(false);
    });
    expect((await dataOf(by, '/_sandbox/clock')).now).toBe(START);
    expect((await by.post('/_sandbox/clock/advance', { by: '1s' })).body.data.complete).toBe(true);
  });

  it('survives a reset, and other snapshots and worlds stay as they are', async () => {
    const [by, other] = [inWorld('kept-reset'), inWorld('kept-other')];
    const call = await by.call('+12125550100');
    await other.call('+12125550100');
    await keep(by);
    await keep(by, 'second');
    await by.post('/_sandbox/reset');
    expectError(await by.get(`/v1/calls/${call}`), 404, 'not_found');
    await restore(by);
    expect((await by.readCall(call)).id).toBe(call);
    expect((await dataOf(by, '/_sandbox/snapshots')).map(({ name }: { name: string }) => name)).toEqual([
      'base',
      'second',
    ]);
    expect((await dataOf(other, '/_sandbox/requests')).length).toBe(1);
    expect(await dataOf(other, '/_sandbox/snapshots')).toEqual([]);
  });
});
