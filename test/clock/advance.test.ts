// Advancing a stopped clock: `/_sandbox/clock/advance` (`interface.md` section 5).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, expectError, playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs, thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';
import { deliveriesOf, freshWorld, subscribe } from '../support/webhooks.ts';
import { ADVANCE, advance, afterStart, CLOCK, expectFields, MANUAL, nowOf, START_MS, TO } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const newReceiver = useReceivers();

describe('advancing', () => {
  it.each([
    ['by milliseconds', { by: '250ms' }, 250],
    ['by seconds', { by: '2s' }, 2000],
    ['by minutes', { by: '5m' }, 300_000],
    ['by hours', { by: '1h' }, 3_600_000],
    ['by days', { by: '3d' }, 259_200_000],
    ['by nothing', { by: '0s' }, 0],
    ['to a later instant', { to: afterStart(90_000) }, 90_000],
    ['to the present instant', { to: afterStart(0) }, 0],
    ['until nothing is scheduled', { until: 'idle' }, 0],
  ])('%s reaches that instant', async (_, body, ms) => {
    const { client } = freshWorld(sandbox);
    expect(await advance(client, body)).toEqual({
      now: afterStart(ms),
      complete: true,
      steps: [],
      deliveries: [],
      totals: { steps: 0, deliveries: 0 },
    });
    expect(await nowOf(client)).toBe(afterStart(ms));
  });

  it('takes exactly one of by, to and until', async () => {
    const { client } = freshWorld(sandbox);
    const to = afterStart(1000);
    for (const body of [{}, { by: '1s', to }, { by: '1s', until: 'idle' }, { to, until: 'idle' }, { timeout: '1s' }]) {
      expectError(await client.post(ADVANCE, body), 400, 'validation_error');
    }
    expectFields(await client.post(ADVANCE, { until: 'done' }), 'until');
    expectFields(await client.post(ADVANCE, { by: '1s', fast: true }), 'fast');
    expect(await nowOf(client)).toBe(afterStart(0));
  });

  it.each(['', '30', 's', '30 s', '-5s', '+5s', '1w', '30S', '5 minutes', ' 5s', '5s ', '1h30m', '1e3s', 'Infinitys'])(
    'rejects the duration %j',
    async (duration) => {
      const { client, world } = freshWorld(sandbox);
      expectFields(await client.post(ADVANCE, { by: duration }), 'by');
      expectFields(await client.post(ADVANCE, { by: '1s', timeout: duration }), 'timeout');
      await expect(world.clock.advance(duration)).rejects.toThrow();
      await expect(world.clock.untilIdle(duration)).rejects.toThrow();
      expect(await nowOf(client)).toBe(afterStart(0));
    },
  );

  it('rejects a duration that is not a string, and one that ends after the last timestamp', async () => {
    const { client } = freshWorld(sandbox);
    for (const by of [30, null, ['30s']]) expectFields(await client.post(ADVANCE, { by }), 'by');
    expectFields(await client.post(ADVANCE, { by: '9999999d' }), 'by');
  });

  it('rejects a time in the past and a malformed time', async () => {
    const { client } = freshWorld(sandbox);
    await advance(client, { by: '1m' });
    for (const to of [afterStart(59_999), afterStart(0), 'tomorrow', '', 60]) {
      expectFields(await client.post(ADVANCE, { to }), 'to');
    }
    expect(await nowOf(client)).toBe(afterStart(60_000));
  });

  it('rejects a date that does not exist', async () => {
    const { client } = freshWorld(sandbox);
    expectFields(await client.post(ADVANCE, { to: '2026-02-31T00:00:00.000Z' }), 'to');
    expectFields(await client.put(CLOCK, { now: '2026-02-31T00:00:00.000Z' }), 'now');
    expect(await nowOf(client)).toBe(afterStart(0));
  });

  it('returns the steps and the deliveries that happened, with totals', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const ids = await subscribe(client, receiver.url, 'call_busy', 'call_completed');
    const call = await client.call(TO, playing('busy;ring=2s'));
    const answer = await advance(client, { by: '10s' });
    expect(answer).toMatchObject({ now: afterStart(10_000), complete: true, totals: { steps: 1, deliveries: 2 } });
    expect(answer.steps).toEqual([
      {
        id: expect.stringMatching(/^stp_/),
        at: afterStart(2000),
        subject: { table: 'calls', id: call },
        trigger: 'busy',
        from: 'QUEUED',
        to: 'BUSY',
        cause: expect.any(String),
      },
    ]);
    const listed = answer.deliveries.map(({ subscription_id, event_type, created_at, status }: Answer['body']) => [
      subscription_id,
      event_type,
      created_at,
      status,
    ]);
    expect(listed.sort()).toEqual(
      [
        [ids[0], 'call_busy', afterStart(2000), 'delivered'],
        [ids[1], 'call_completed', afterStart(2000), 'delivered'],
      ].sort(),
    );
    const byId = new Map((await deliveriesOf(client)).map((each: { id: string }) => [each.id, each]));
    for (const delivery of answer.deliveries) expect(delivery).toEqual(byId.get(delivery.id));
  });

  it('lists the deliveries in the order of their events, whichever receiver is faster', async () => {
    const { client } = freshWorld(sandbox);
    const [slow, fast] = [await newReceiver(), await newReceiver()];
    const otherIsDelivered = async (): Promise<void> =>
      expect(await deliveriesOf(client, 'status=delivered')).toHaveLength(1);
    slow.onDelivery = () => eventually(otherIsDelivered);
    await subscribe(client, slow.url, 'call_completed');
    await subscribe(client, fast.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const { deliveries } = await advance(client, { by: '10s' });
    expect(deliveries.map(({ event_type }: Answer['body']) => event_type)).toEqual(['call_completed', 'call_busy']);
  });

  it('is complete when a delivery has failed, and lists it as failed', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(500).end();
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const { complete, deliveries } = await advance(client, { until: 'idle' });
    expect([complete, deliveries.length, deliveries[0].status]).toEqual([true, 1, 'failed']);
  });

  it('lists and counts a delivery once that its plan sends twice at a later instant', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, 'call_busy');
    await client.put('/_sandbox/webhook-plan', { duplicate: 1 });
    await client.call(TO, playing('busy;ring=2s'));
    const { deliveries, totals } = await advance(client, { until: 'idle' });
    expect(totals.deliveries).toBe(1);
    expect(deliveries.map(({ attempts }: Answer['body']) => attempts.length)).toEqual([2]);
    expect(receiver.got).toHaveLength(2);
  });

  it.runIf(thorough)('lists at most a thousand steps and a thousand deliveries, and counts them all', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, 'call_completed', 'call_completed', 'phone_call.ended');
    const calls = 351;
    const dials = Array.from({ length: calls }, () => client.call(TO, playing('answered;ring=1s;talk=1s')));
    await Promise.all(dials);
    // By default it would stop where a busy machine is after 30 s.
    const answer = await advance(client, { until: 'idle', timeout: '10m' });
    expect(answer).toMatchObject({ complete: true, totals: { steps: 3 * calls, deliveries: 3 * calls } });
    expect([answer.steps.length, answer.deliveries.length]).toEqual([1000, 1000]);
    expect(receiver.got).toHaveLength(3 * calls);
  });

  it('until idle stops at the last step, even days later', async () => {
    const { client } = freshWorld(sandbox);
    await client.call(TO, playing('busy;ring=1s'));
    const last = await client.call(TO, playing('answered;ring=1h;talk=3d'));
    expect((await advance(client, { until: 'idle' })).now).toBe(afterStart(500 + 3_600_000 + 259_200_000));
    expect((await client.readCall(last)).duration_seconds).toBe(259_200);
  });

  it('runs the steps of many calls in order, each at its own instant, for any sequence of advances', async () => {
    const dial = fc.record({ ring: fc.integer({ min: 0, max: 6 }), talk: fc.integer({ min: 0, max: 6 }) });
    const stride = fc.integer({ min: 0, max: 5000 });
    const script = fc.array(fc.oneof(dial, stride), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(script, async (actions) => {
        const { client } = freshWorld(sandbox);
        const expected: { at: number; call: string; trigger: string }[] = [];
        const happened: typeof expected = [];
        let now = 0;
        const advanceBy = async (body: object): Promise<void> => {
          const answer = await advance(client, body);
          now = Date.parse(answer.now) - START_MS;
          for (const { at, subject, trigger } of answer.steps) {
            happened.push({ at: Date.parse(at) - START_MS, call: subject.id, trigger });
          }
        };
        for (const action of actions) {
          if (typeof action === 'number') {
            const goal = now + action;
            await advanceBy({ by: `${action}ms` });
            expect(now).toBe(goal);
            expect(happened).toEqual(expected.filter(({ at }) => at <= now));
            continue;
          }
          // Multiples of half a second make steps of different calls coincide often.
          const { ring, talk } = { ring: action.ring * 500, talk: action.talk * 500 };
          const call = await client.call(TO, playing(`answered;ring=${ring}ms;talk=${talk}ms`));
          expected.push({ at: now + 500, call, trigger: 'ring' });
          expected.push({ at: now + 500 + ring, call, trigger: 'answer' });
          expected.push({ at: now + 500 + ring + talk, call, trigger: 'complete' });
          // The sort is stable: of two steps at one instant, the one scheduled first runs first.
          expected.sort((a, b) => a.at - b.at);
        }
        await advanceBy({ until: 'idle' });
        expect(happened).toEqual(expected);
      }),
      { numRuns: runs(10, 120) },
    );
  });
});
