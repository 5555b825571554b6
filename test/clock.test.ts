// Time: `interface.md` section 4, with `/_sandbox/clock`, `/_sandbox/clock/advance` and `/_sandbox/wait` of section 5
// and the clock of the library (section 8).
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { runs, thorough } from './support/thorough.ts';
import { stretched, until } from './support/until.ts';
import { CALL_EVENTS, deliveriesOf, fire, freshWorld, gate, subscribe } from './support/webhooks.ts';

const START = Date.parse('2026-01-05T15:00:00.000Z');
const CLOCK = '/_sandbox/clock';
const ADVANCE = '/_sandbox/clock/advance';
const TO = '+12125550142';

let sandbox: Sandbox;
let real: Sandbox;
const receivers: Receiver[] = [];
const opened: Sandbox[] = [];

beforeAll(async () => {
  const options = { rateLimit: false, concurrentCalls: 'off' } as const;
  sandbox = await createSandbox({ clock: 'manual', ...options });
  real = await createSandbox(options);
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((each) => each.close()));
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(() => Promise.all([sandbox, real].map((each) => each.close())));

async function newReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

async function newSandbox(options: SandboxOptions): Promise<Sandbox> {
  const made = await createSandbox(options);
  opened.push(made);
  return made;
}

/** A timestamp so many milliseconds after the start of a standing clock. */
const afterStart = (ms: number): string => new Date(START + ms).toISOString();
const playing = (scenario: string): Record<string, string> => ({ 'X-Sandbox-Scenario': scenario });
const clockOf = async (client: Client): Promise<Answer['body']> => (await client.get(CLOCK)).body.data;
const nowOf = async (client: Client): Promise<string> => (await clockOf(client)).now;
const msOf = async (client: Client): Promise<number> => Date.parse(await nowOf(client));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function advance(client: Client, body: object): Promise<Answer['body']> {
  const answer = await client.post(ADVANCE, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** The calls that ended busy in an advance, in the order in which it lists them. */
function endsIn({ steps }: Answer['body']): string[] {
  return steps
    .filter(({ trigger }: { trigger: string }) => trigger === 'busy')
    .map(({ subject }: { subject: { id: string } }) => subject.id);
}

function expectFields(answer: Answer, ...fields: string[]): void {
  expectError(answer, 400, 'validation_error');
  expect(Object.keys(answer.body.error.fields)).toEqual(fields);
}

describe('modes', () => {
  it('a manual clock begins at the start that is promised, and stands', async () => {
    const { client } = freshWorld(sandbox);
    const first = await clockOf(client);
    expect(first).toEqual({ mode: 'manual', speed: 0, now: '2026-01-05T15:00:00.000Z', pending: 0 });
    await pause(20);
    expect(await clockOf(client)).toEqual(first);
  });

  it('standing clocks begin where start says', async () => {
    for (const mode of ['manual', 'instant']) {
      const made = await newSandbox({ clock: mode, start: '2031-07-01T08:30:00.250Z' });
      expect(await clockOf(clientOf(made.url))).toMatchObject({ mode, now: '2031-07-01T08:30:00.250Z' });
    }
  });

  it("a real clock shows the machine's time", async () => {
    const before = Date.now();
    const clock = await clockOf(clientOf(real.url));
    expect(clock).toMatchObject({ mode: 'real', speed: 1, pending: 0 });
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(clock.now)).toBeLessThanOrEqual(Date.now());
  });

  it("a scaled clock begins at the machine's time and goes as fast as it says", async () => {
    const before = Date.now();
    const made = await newSandbox({ clock: '20x' });
    const client = clientOf(made.url);
    const [wall, first] = [Date.now(), await clockOf(client)];
    expect(first).toMatchObject({ mode: '20x', speed: 20 });
    expect(Date.parse(first.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first.now)).toBeLessThan(before + 20 * (Date.now() - before) + 1);
    await pause(100);
    const passed = (await msOf(client)) - Date.parse(first.now);
    expect(passed).toBeGreaterThanOrEqual(20 * 90);
    expect(passed).toBeLessThanOrEqual(20 * (Date.now() - wall + 1));
  });

  it('an instant clock answers QUEUED, has run the timeline by the next request, and has jumped along', async () => {
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
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
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

  it('pending counts the steps to come; a call that has ended has none', async () => {
    const { client } = freshWorld(sandbox);
    const call = await client.call(TO, playing('answered;ring=3s;talk=10s'));
    expect((await clockOf(client)).pending).toBe(3);
    await advance(client, { by: '1s' });
    expect((await clockOf(client)).pending).toBe(2);
    await client.post(`/v1/calls/${call}/hangup`);
    expect((await clockOf(client)).pending).toBe(0);
  });

  it('a change of mode goes on from now', async () => {
    const { client } = freshWorld(sandbox);
    await advance(client, { by: '1h' });
    const put = async (mode: string): Promise<Answer['body']> => (await client.put(CLOCK, { mode })).body.data;
    expect(await put('instant')).toEqual({ mode: 'instant', speed: 0, now: afterStart(3_600_000), pending: 0 });

    const wall = Date.now();
    expect(await put('real')).toMatchObject({ mode: 'real', speed: 1 });
    await pause(30);
    const passed = (await msOf(client)) - START - 3_600_000;
    expect(passed).toBeGreaterThanOrEqual(25);
    expect(passed).toBeLessThanOrEqual(Date.now() - wall);

    const before = await msOf(client);
    const scaled = await put('1000x');
    expect(scaled).toMatchObject({ mode: '1000x', speed: 1000 });
    await pause(30);
    const standing = await put('manual');
    expect(Date.parse(standing.now)).toBeGreaterThanOrEqual(before + 1000 * 25);
    expect(Date.parse(standing.now)).toBeLessThanOrEqual(before + 1000 * (Date.now() - wall));
    await pause(10);
    expect(await nowOf(client)).toBe(standing.now);
  });

  it('a speed alone sets how fast it goes, and 1 is real', async () => {
    const { client } = freshWorld(sandbox);
    expect((await client.put(CLOCK, { speed: 5 })).body.data).toMatchObject({ mode: '5x', speed: 5 });
    expect((await client.put(CLOCK, { speed: 1 })).body.data).toMatchObject({ mode: 'real', speed: 1 });
    for (const speed of [0, -1, '5', null]) expectFields(await client.put(CLOCK, { speed }), 'speed');
  });

  it.each(['manual', 'instant'])(
    'what GET answers of a %s clock can be sent back, and changes nothing',
    async (mode) => {
      const { client, world } = freshWorld(sandbox);
      await client.put(CLOCK, { mode });
      await world.clock.advance('1h');
      const clock = await clockOf(client);
      const answer = await client.put(CLOCK, clock);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.data).toEqual(clock);
    },
  );

  it('a mode may be given with the speed that it has', async () => {
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
  ])('the mode %s with the speed %i is refused, and nothing changes', async (mode, speed) => {
    const { client } = freshWorld(sandbox);
    const before = await clockOf(client);
    const answer = await client.put(CLOCK, { mode, speed, now: afterStart(60_000) });
    expectFields(answer, 'speed');
    expect(answer.body.error.fields.speed).toContain(mode);
    expect(await clockOf(client)).toEqual(before);
  });

  it('a change from a standing mode to a running one sets what is planned going', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call(TO, playing('busy;ring=40ms'));
    await client.put(CLOCK, { mode: 'real' });
    await world.waitFor({ event_type: 'call_busy', call_id: call, timeout: '60s' });
    expect(await client.readCall(call)).toMatchObject({ status: 'BUSY', ended_at: afterStart(40) });
  });

  it('a change to instant runs what is planned', async () => {
    const { client } = freshWorld(sandbox);
    const call = await client.call(TO, playing('no_answer'));
    expect((await client.put(CLOCK, { mode: 'instant' })).body.data).toMatchObject({
      now: afterStart(30_000),
      pending: 0,
    });
    expect(await client.readCall(call)).toMatchObject({ status: 'NO_ANSWER', ended_at: afterStart(30_000) });
  });

  it.each(['fast', '', 'REAL', '0x', '-1x', '20', 'x20', '20 x', '1e3x', 'scaled'])(
    'the mode %j is refused',
    async (mode) => {
      const { client, world } = freshWorld(sandbox);
      expectFields(await client.put(CLOCK, { mode }), 'mode');
      await expect(world.clock.set(mode)).rejects.toThrow();
      await expect(createSandbox({ clock: mode })).rejects.toThrow(/^clock: .* must be real, manual, instant/);
      expect((await clockOf(client)).mode).toBe('manual');
    },
  );

  it("one world's clock is another's business in nothing", async () => {
    const [here, there] = [freshWorld(sandbox).client, freshWorld(sandbox).client];
    const call = await there.call(TO, playing('busy;ring=1s'));
    await advance(here, { by: '1d' });
    await here.put(CLOCK, { mode: 'real' });
    expect(await clockOf(there)).toEqual({ mode: 'manual', speed: 0, now: afterStart(0), pending: 1 });
    expect((await there.readCall(call)).status).toBe('QUEUED');
  });
});

describe('setting now', () => {
  it('goes forward and performs what lies between, each step at its own instant', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call(TO, playing('answered;ring=3s;talk=10s'));
    expect((await client.put(CLOCK, { now: afterStart(5000) })).body.data).toEqual({
      mode: 'manual',
      speed: 0,
      now: afterStart(5000),
      pending: 1,
    });
    expect((await client.readCall(call)).status).toBe('IN_PROGRESS');
    await client.put(CLOCK, { now: afterStart(86_400_000) });
    expect((await client.readCall(call)).ended_at).toBe(afterStart(13_500));
    expect((await world.events()).map(({ created_at }) => created_at)).toEqual([
      afterStart(0),
      afterStart(13_500),
      afterStart(13_500),
    ]);
  });

  it('and the mode at once goes there first and on from there', async () => {
    const { client } = freshWorld(sandbox);
    expect((await client.put(CLOCK, { now: afterStart(60_000), mode: 'instant' })).body.data).toMatchObject({
      mode: 'instant',
      now: afterStart(60_000),
    });
  });

  it('never goes backwards', async () => {
    const { client } = freshWorld(sandbox);
    await advance(client, { by: '1m' });
    for (const past of [afterStart(59_999), afterStart(0), '2020-01-01T00:00:00.000Z']) {
      expectFields(await client.put(CLOCK, { now: past }), 'now');
    }
    expect(await nowOf(client)).toBe(afterStart(60_000));
    expectError(await clientOf(real.url).put(CLOCK, { now: '2020-01-01T00:00:00.000Z' }), 400, 'validation_error');
  });

  it.each(['tomorrow', '', '2026-01-05', '15:00', 7, null])('refuses %j as a time', async (now) => {
    const { client } = freshWorld(sandbox);
    expectFields(await client.put(CLOCK, { now }), 'now');
  });

  it('refuses a field that is unknown', async () => {
    expectFields(await freshWorld(sandbox).client.put(CLOCK, { at: afterStart(1000) }), 'at');
  });
});

describe('advancing', () => {
  it.each([
    [{ by: '250ms' }, 250],
    [{ by: '2s' }, 2000],
    [{ by: '5m' }, 300_000],
    [{ by: '1h' }, 3_600_000],
    [{ by: '3d' }, 259_200_000],
    [{ by: '0s' }, 0],
    [{ to: afterStart(90_000) }, 90_000],
    [{ to: afterStart(0) }, 0],
    [{ until: 'idle' }, 0],
  ])('by %j arrives there', async (body, ms) => {
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
    'refuses the duration %j',
    async (duration) => {
      const { client, world } = freshWorld(sandbox);
      expectFields(await client.post(ADVANCE, { by: duration }), 'by');
      expectFields(await client.post(ADVANCE, { by: '1s', timeout: duration }), 'timeout');
      await expect(world.clock.advance(duration)).rejects.toThrow();
      await expect(world.clock.untilIdle(duration)).rejects.toThrow();
      expect(await nowOf(client)).toBe(afterStart(0));
    },
  );

  it('refuses a duration that is no text, and one that leads beyond what a timestamp can say', async () => {
    const { client } = freshWorld(sandbox);
    for (const by of [30, null, ['30s']]) expectFields(await client.post(ADVANCE, { by }), 'by');
    expectFields(await client.post(ADVANCE, { by: '9999999d' }), 'by');
  });

  it('refuses a time in the past, and one that is none', async () => {
    const { client } = freshWorld(sandbox);
    await advance(client, { by: '1m' });
    for (const to of [afterStart(59_999), afterStart(0), 'tomorrow', '', 60]) {
      expectFields(await client.post(ADVANCE, { to }), 'to');
    }
    expect(await nowOf(client)).toBe(afterStart(60_000));
  });

  it('refuses a day that no calendar has', async () => {
    const { client } = freshWorld(sandbox);
    expectFields(await client.post(ADVANCE, { to: '2026-02-31T00:00:00.000Z' }), 'to');
    expectFields(await client.put(CLOCK, { now: '2026-02-31T00:00:00.000Z' }), 'now');
    expect(await nowOf(client)).toBe(afterStart(0));
  });

  it('answers the steps and the deliveries that happened, with totals', async () => {
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
    const shown = answer.deliveries.map(({ subscription_id, event_type, created_at, status }: Answer['body']) => [
      subscription_id,
      event_type,
      created_at,
      status,
    ]);
    expect(shown.sort()).toEqual(
      [
        [ids[0], 'call_busy', afterStart(2000), 'delivered'],
        [ids[1], 'call_completed', afterStart(2000), 'delivered'],
      ].sort(),
    );
    const byId = new Map((await deliveriesOf(client)).map((each: { id: string }) => [each.id, each]));
    for (const delivery of answer.deliveries) expect(delivery).toEqual(byId.get(delivery.id));
  });

  it('lists the deliveries in the order of their events, whichever receiver was the quicker', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const otherIsThrough = async (): Promise<void> =>
      expect(await deliveriesOf(client, 'status=delivered')).toHaveLength(1);
    receiver.onDelivery = ({ path }) => (path === '/first' ? vi.waitFor(otherIsThrough) : undefined);
    await subscribe(client, `${receiver.url}/first`, 'call_completed');
    await subscribe(client, `${receiver.url}/second`, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const { deliveries } = await advance(client, { by: '10s' });
    expect(deliveries.map(({ event_type }: Answer['body']) => event_type)).toEqual(['call_completed', 'call_busy']);
  });

  it('shows a delivery that failed as failed, and is complete all the same', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(500).end();
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const { complete, deliveries } = await advance(client, { until: 'idle' });
    expect([complete, deliveries.length, deliveries[0].status]).toEqual([true, 1, 'failed']);
  });

  it.runIf(thorough)('lists at most a thousand steps and a thousand deliveries, and counts them all', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, 'call_completed', 'call_completed', 'phone_call.ended');
    const calls = 351;
    const dials = Array.from({ length: calls }, () => client.call(TO, playing('answered;ring=1s;talk=1s')));
    await Promise.all(dials);
    const answer = await advance(client, { until: 'idle' });
    expect(answer).toMatchObject({ complete: true, totals: { steps: 3 * calls, deliveries: 3 * calls } });
    expect([answer.steps.length, answer.deliveries.length]).toEqual([1000, 1000]);
    expect(receiver.got).toHaveLength(3 * calls);
  });

  it('until idle stops at the last step, and sees calls of days', async () => {
    const { client } = freshWorld(sandbox);
    await client.call(TO, playing('busy;ring=1s'));
    const last = await client.call(TO, playing('answered;ring=1h;talk=3d'));
    expect((await advance(client, { until: 'idle' })).now).toBe(afterStart(500 + 3_600_000 + 259_200_000));
    expect((await client.readCall(last)).duration_seconds).toBe(259_200);
  });

  it('performs the steps of many calls in order, each at its own instant, in whatever strides it goes', async () => {
    const dial = fc.record({ ring: fc.integer({ min: 0, max: 6 }), talk: fc.integer({ min: 0, max: 6 }) });
    const stride = fc.integer({ min: 0, max: 5000 });
    const script = fc.array(fc.oneof(dial, stride), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(script, async (actions) => {
        const { client } = freshWorld(sandbox);
        const expected: { at: number; call: string; trigger: string }[] = [];
        const happened: typeof expected = [];
        let now = 0;
        const go = async (body: object): Promise<void> => {
          const answer = await advance(client, body);
          now = Date.parse(answer.now) - START;
          for (const { at, subject, trigger } of answer.steps) {
            happened.push({ at: Date.parse(at) - START, call: subject.id, trigger });
          }
        };
        for (const action of actions) {
          if (typeof action === 'number') {
            const goal = now + action;
            await go({ by: `${action}ms` });
            expect(now).toBe(goal);
            expect(happened).toEqual(expected.filter(({ at }) => at <= now));
            continue;
          }
          // Half seconds, so that steps of different calls often fall on one instant.
          const { ring, talk } = { ring: action.ring * 500, talk: action.talk * 500 };
          const call = await client.call(TO, playing(`answered;ring=${ring}ms;talk=${talk}ms`));
          expected.push({ at: now + 500, call, trigger: 'ring' });
          expected.push({ at: now + 500 + ring, call, trigger: 'answer' });
          expected.push({ at: now + 500 + ring + talk, call, trigger: 'complete' });
          // A stable sort: what was planned first goes first.
          expected.sort((a, b) => a.at - b.at);
        }
        await go({ until: 'idle' });
        expect(happened).toEqual(expected);
      }),
      { numRuns: runs(25, 120) },
    );
  });
});

describe('the barrier', () => {
  it('leaves an instant only when the deliveries caused by it have been attempted', async () => {
    const { client } = freshWorld(sandbox);
    const slow = await newReceiver();
    const seen: [event: string, now: string][] = [];
    slow.onDelivery = async ({ raw, path }) => {
      const first = await nowOf(client);
      await pause(15);
      const underWay = (await deliveriesOf(client, 'status=in_flight')).find(
        (each: { url: string; body: string }) => each.url === slow.url + path && each.body === raw.toString(),
      );
      expect(await nowOf(client)).toBe(first);
      seen.push([underWay.created_at, first]);
    };
    for (const type of ['new_call', 'call_completed', 'call_busy', 'phone_call.ended']) {
      await subscribe(client, `${slow.url}/${type}`, type);
    }
    for (const ring of ['1s', '1s', '1001ms', '2s', '50s']) await client.call(TO, playing(`busy;ring=${ring}`));
    await advance(client, { by: '1h' });
    expect(seen).toHaveLength(20);
    for (const [event, now] of seen) expect(now).toBe(event);
  });

  it('waits for what is under way before it moves at all', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const seen: string[] = [];
    receiver.onDelivery = async () => {
      await pause(30);
      seen.push(await nowOf(client));
    };
    await subscribe(client, receiver.url, 'contact_created');
    await fire(client, 'contact_created');
    await advance(client, { by: '1d' });
    expect(seen).toEqual([afterStart(0)]);
  });

  it('lets receivers dial back: their calls are made at that instant and end within the same advance', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const made: string[] = [];
    receiver.onDelivery = async () => {
      if (made.length < 6) made.push(await client.call(TO, playing('busy;ring=1s')));
    };
    await subscribe(client, receiver.url, 'phone_call.ended');
    made.push(await client.call(TO, playing('busy;ring=1s')));
    const answer = await advance(client, { by: '5s' });
    expect(answer).toMatchObject({ now: afterStart(5000), complete: true, totals: { deliveries: 5 } });
    expect(endsIn(answer)).toEqual(made.slice(0, 5));
    const calls = await Promise.all(made.map((id) => client.readCall(id)));
    expect(calls.map(({ started_at, ended_at }) => [started_at, ended_at])).toEqual([
      [afterStart(0), afterStart(1000)],
      [afterStart(1000), afterStart(2000)],
      [afterStart(2000), afterStart(3000)],
      [afterStart(3000), afterStart(4000)],
      [afterStart(4000), afterStart(5000)],
      [afterStart(5000), null],
    ]);
  });

  it('until idle waits for the calls of receivers that dial back', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    let left = 10;
    receiver.onDelivery = async () => {
      if (left-- > 0) await client.call(TO, playing('busy;ring=7m'));
    };
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=7m'));
    const answer = await advance(client, { until: 'idle' });
    expect(answer).toMatchObject({ now: afterStart(11 * 420_000), complete: true, totals: { deliveries: 11 } });
    expect(endsIn(answer)).toHaveLength(11);
    expect((await clockOf(client)).pending).toBe(0);
  });

  it('a step that is planned for the present instant by a receiver happens at that instant', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const made: string[] = [];
    receiver.onDelivery = async () => {
      if (made.length === 0) made.push(await client.call(TO, playing('busy;ring=0s')));
    };
    await subscribe(client, receiver.url, 'call_busy');
    const first = await client.call(TO, playing('busy;ring=1s'));
    const second = await client.call(TO, playing('busy;ring=1001ms'));
    const answer = await advance(client, { until: 'idle' });
    expect(endsIn(answer)).toEqual([first, made[0], second]);
    expect((await client.readCall(made[0] as string)).ended_at).toBe(afterStart(1000));
  });

  it('ends when its time is up, with the time it has reached', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const later = await client.call(TO, playing('busy;ring=3s'));
    const began = performance.now();
    const answer = await advance(client, { by: '1h', timeout: '200ms' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(190);
    expect(performance.now() - began).toBeLessThan(stretched(2000));
    expect(answer).toMatchObject({
      now: afterStart(2000),
      complete: false,
      deliveries: [],
      totals: { steps: 1, deliveries: 0 },
    });
    expect(await nowOf(client)).toBe(afterStart(2000));
    expect((await client.readCall(later)).status).toBe('QUEUED');
    open();
    const rest = await advance(client, { to: afterStart(3_600_000) });
    expect(rest).toMatchObject({ now: afterStart(3_600_000), complete: true, totals: { steps: 1 } });
    expect((await deliveriesOf(client)).map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'delivered',
    ]);
  });

  it('refuses a second advance of that world meanwhile, and lets other worlds advance', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const first = advance(client, { by: '1h' });
    await until(() => receiver.got.length).toBe(1);
    for (const body of [{ by: '1s' }, { to: afterStart(10_000) }, { until: 'idle' }]) {
      expectError(await client.post(ADVANCE, body), 409, 'conflict');
    }
    expectError(await client.put(CLOCK, { now: afterStart(10_000) }), 409, 'conflict');
    await expect(world.clock.advance('1s')).rejects.toMatchObject({ code: 'conflict' });
    expect((await advance(freshWorld(sandbox).client, { by: '1s' })).now).toBe(afterStart(1000));
    open();
    expect(await first).toMatchObject({ now: afterStart(3_600_000), complete: true });
    expect((await advance(client, { by: '1s' })).now).toBe(afterStart(3_601_000));
  });

  it('requests that arrive meanwhile happen at the instant at which it stands', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const first = advance(client, { by: '10s' });
    await until(() => receiver.got.length).toBe(1);
    const call = await client.call(TO, playing('busy;ring=3s'));
    expect((await client.readCall(call)).started_at).toBe(afterStart(2000));
    open();
    const answer = await first;
    expect(answer).toMatchObject({ now: afterStart(10_000), complete: true, totals: { deliveries: 2 } });
    expect(endsIn(answer)[1]).toBe(call);
    expect((await client.readCall(call)).ended_at).toBe(afterStart(5000));
  });

  it('ends with a reset: the clock stays at its start', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    const first = client.post(ADVANCE, { by: '1h', timeout: '1s' });
    await until(() => receiver.got.length).toBe(1);
    await world.reset();
    open();
    await first;
    expect(await nowOf(client)).toBe(afterStart(0));
  });
});

describe('advancing a running clock', () => {
  it.each(['real', '20x', '1000x'])('(%s) is the same barrier, at the instants of the steps', async (mode) => {
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
    expect(Date.parse(answer.now)).toBeLessThan(before + 10_800_000 + 2_000_000);
  });

  it('goes on from there in its own mode', async () => {
    const { client } = freshWorld(real);
    const wall = Date.now();
    const { now } = await advance(client, { by: '1d' });
    const ahead = Date.parse(now) - 86_400_000;
    expect(ahead).toBeGreaterThanOrEqual(wall);
    await pause(30);
    const passed = (await msOf(client)) - Date.parse(now);
    expect(passed).toBeGreaterThanOrEqual(25);
    expect(passed).toBeLessThanOrEqual(Date.now() - wall);
    expect((await clockOf(client)).mode).toBe('real');
  });

  it('leaves what lies beyond to be performed in its own time', async () => {
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

  it('to an instant that has passed is refused', async () => {
    const { client } = freshWorld(real);
    expectFields(await client.post(ADVANCE, { to: afterStart(0) }), 'to');
  });
});

describe('a running clock', () => {
  it('performs what is due by itself, each step at its own instant', async () => {
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

  it('shows a request every step that is due by its instant', async () => {
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

  it('holds up no other world with what is due, and a request sees all of it', async () => {
    const { client } = freshWorld(real);
    const steps = Array.from({ length: 1200 }, (_, at) => ({
      after: at === 0 ? '600ms' : '0s',
      trigger: 'speak_code',
    }));
    const put = await client.put('/_sandbox/scenarios/chatty', {
      kind: 'caller_id',
      summary: 'Says it often.',
      timeline: steps,
    });
    expect(put.status, put.text).toBe(201);
    for (let number = 0; number < 40; number++) {
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
  });

  it('stops at the last instant that a timestamp can say', async () => {
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

  it('plays a call of a minute in its sixty milliseconds at 1000x', async () => {
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

describe('the clock of the library', () => {
  it('tells, advances, runs until idle and sets, for its own world', async () => {
    const { client, world } = freshWorld(sandbox);
    expect(await world.clock.now()).toBe(afterStart(0));
    const call = await client.call(TO, playing('busy;ring=2s'));
    expect(await world.clock.advance('1s')).toMatchObject({ now: afterStart(1000), complete: true, steps: [] });
    const advanced = await world.clock.advance({ to: afterStart(1999) });
    expect(advanced).toMatchObject({ now: afterStart(1999), totals: { steps: 0, deliveries: 0 } });
    const idle = await world.clock.untilIdle();
    expect(idle).toMatchObject({ now: afterStart(2000), steps: [{ trigger: 'busy', subject: { id: call } }] });
    expect(await world.clock.set('1.5x')).toMatchObject({ mode: '1.5x', speed: 1.5, pending: 0 });
    expect(Date.parse(await world.clock.now())).toBeGreaterThanOrEqual(START + 2000);
    expect(await sandbox.clock.now()).toBe(afterStart(0));
  });

  it('gives the same answer as the control API', async () => {
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

  it('refuses a time in the past and a text that is no time', async () => {
    const { world } = freshWorld(sandbox);
    await world.clock.advance('1m');
    await expect(world.clock.advance({ to: afterStart(0) })).rejects.toMatchObject({ code: 'validation_error' });
    await expect(world.clock.advance({ to: 'tomorrow' })).rejects.toThrow();
    expect(await world.clock.now()).toBe(afterStart(60_000));
  });

  it('ends an advance after the real time that it is given', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(TO, playing('busy;ring=2s'));
    expect(await world.clock.advance('1h', '50ms')).toMatchObject({ now: afterStart(2000), complete: false });
    expect(await world.clock.untilIdle('50ms')).toMatchObject({ now: afterStart(2000), complete: false });
    open();
    expect(await world.clock.untilIdle()).toMatchObject({ now: afterStart(2000), complete: true });
  });
});

describe('a reset', () => {
  it('takes a standing clock back to its start and leaves the mode', async () => {
    const { client, world } = freshWorld(sandbox);
    await world.clock.advance('3d');
    await client.call(TO, playing('busy;ring=1s'));
    await world.clock.set('instant');
    await world.reset();
    expect(await clockOf(client)).toEqual({ mode: 'instant', speed: 0, now: afterStart(0), pending: 0 });
  });

  it("takes a running clock back to the machine's time", async () => {
    const { client, world } = freshWorld(real);
    await world.clock.advance('3d');
    const before = Date.now();
    await world.reset();
    const now = await msOf(client);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('leaves nothing pending, and no receiver of the time before holds the next advance up', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
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

  it('opens a new epoch: what an older one had not sent is recorded, and never sent', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
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

describe('two runs with one seed and one order of requests', () => {
  const run = async (seed: number): Promise<string[]> => {
    const made = await newSandbox({ clock: 'manual', seed });
    const client = clientOf(made.url, 'svc_test_twin');
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, ...CALL_EVENTS, 'number_purchased');
    for (const last of ['00', '01', '02', '03', '04', '05', '06', '09']) {
      await client.dial(`+121255501${last}`);
      await made.world('twin').clock.advance('1s');
    }
    await fire(client, 'number_purchased');
    await made.world('twin').clock.untilIdle();
    const calls = (await client.get('/v1/calls')).text.replaceAll(made.url, '');
    const sent = receiver.got.map(({ raw, headers }) => `${raw} ${headers['x-service-signature-256']}`);
    return [calls, ...sent.sort()];
  };

  it('are byte-identical in bodies and webhook bytes; another seed is not', async () => {
    const first = await run(7);
    expect(first.length).toBeGreaterThan(25);
    expect(await run(7)).toEqual(first);
    const other = await run(8);
    expect(other).toHaveLength(first.length);
    expect(other[0]).not.toBe(first[0]);
  });
});

describe('waiting', () => {
  /** The answer, which must come within three seconds: no wait here is longer than two. */
  const wait = (client: Client, query: string): Promise<Answer> => {
    const tooLate = pause(3000).then(() => Promise.reject(new Error(`no answer to /_sandbox/wait?${query}`)));
    return Promise.race([client.get(`/_sandbox/wait?${query}`), tooLate as Promise<Answer>]);
  };

  it('answers at once with what has happened already', async () => {
    const { client, world } = freshWorld(sandbox);
    const [first, second] = [await client.call('+12125550101'), await client.call('+12125550101')];
    await world.clock.untilIdle();
    const answer = await wait(client, `event_type=call_busy&call_id=${second}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      event_type: 'call_busy',
      subject: { table: 'calls', id: second },
      payload: { id: second, status: 'BUSY' },
    });
    expect((await wait(client, 'event_type=call_busy')).body.data.payload.status).toBe('BUSY');
    expect((await wait(client, `call_id=${first}`)).body.data).toMatchObject({
      event_type: 'new_call',
      payload: { id: first },
    });
    expect((await world.waitFor({ event_type: 'call_busy', call_id: first })).payload).toMatchObject({ id: first });
  });

  it('answers when it happens', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call('+12125550101');
    const waiting = [wait(client, `event_type=call_busy&call_id=${call}`), wait(client, 'event_type=call_completed')];
    const inLibrary = world.waitFor({ event_type: 'call_busy', call_id: call });
    let answered = false;
    const all = Promise.all([...waiting, inLibrary]).then(() => {
      answered = true;
    });
    await pause(40);
    expect(answered).toBe(false);
    await world.clock.untilIdle();
    await all;
    for (const each of waiting) expect((await each).body.data.payload).toMatchObject({ id: call, status: 'BUSY' });
    expect((await inLibrary).payload).toMatchObject({ id: call });
  });

  it('is 408 when it has not happened in time', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call('+12125550101');
    const other = await client.call('+12125550100');
    await world.clock.untilIdle();
    for (const query of [
      'event_type=call_voicemail',
      `event_type=call_busy&call_id=${other}`,
      'call_id=nobody',
      `call_id=${call}&event_type=call_failed`,
    ]) {
      const began = performance.now();
      expectError(await wait(client, `${query}&timeout=60ms`), 408, 'timeout');
      expect(performance.now() - began).toBeGreaterThanOrEqual(55);
      expect(performance.now() - began).toBeLessThan(stretched(2000));
    }
  });

  it('says in the library, where there is no envelope, what is wrong and what to do', async () => {
    const { world } = freshWorld(sandbox);
    await expect(world.waitFor({ event_type: 'call_busy', timeout: '1ms' })).rejects.toThrow(
      'No call_busy happened within 1 ms. Advance the clock with POST /_sandbox/clock/advance: on a stopped clock nothing happens by itself.',
    );
    await expect(world.clock.advance({ to: '2001-01-01T00:00:00Z' })).rejects.toThrow(
      /^to is in the past of this world/,
    );
  });

  it('is over in time, whatever the time', async () => {
    const { client, world } = freshWorld(sandbox);
    const timeouts = Array.from({ length: 60 }, (_, index) => `${index}ms`);
    const answers = await Promise.all(timeouts.map((timeout) => wait(client, `timeout=${timeout}`)));
    for (const answer of answers) expectError(answer, 408, 'timeout');
    const inLibrary = timeouts.map((timeout) => world.waitFor({ timeout }).catch(({ code }: { code: string }) => code));
    const over = await Promise.race([Promise.all(inLibrary), pause(3000)]);
    expect(over).toEqual(timeouts.map(() => 'timeout'));
  });

  it('with delivered=true waits until the receiver has accepted it', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
    await subscribe(client, receiver.url, 'call_busy');
    await fire(client, 'call_busy');
    expect((await wait(client, 'event_type=call_busy&delivered=false')).status).toBe(200);
    expectError(await wait(client, 'event_type=call_busy&delivered=true&timeout=60ms'), 408, 'timeout');
    const waiting = [wait(client, 'event_type=call_busy&delivered=true'), world.waitFor({ delivered: true })];
    await pause(20);
    open();
    expect(((await waiting[0]) as Answer).body.data.event_type).toBe('call_busy');
    expect(await waiting[1]).toMatchObject({ event_type: 'call_busy' });
    expect((await deliveriesOf(client))[0].status).toBe('delivered');
  });

  it('with delivered=true is 408 where a receiver refused it', async () => {
    const { client, world } = freshWorld(sandbox);
    const [taking, refusing] = [await newReceiver(), await newReceiver()];
    refusing.onDelivery = (_, res) => res.writeHead(500).end();
    await subscribe(client, taking.url, 'call_busy');
    await subscribe(client, refusing.url, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    expectError(await wait(client, 'event_type=call_busy&delivered=true&timeout=30ms'), 408, 'timeout');
  });

  it('with delivered=true is content with a delivery that was sent again', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => (receiver.got.length === 1 ? res.writeHead(500).end() : undefined);
    await subscribe(client, receiver.url, 'call_busy');
    const { id } = await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const waiting = wait(client, 'event_type=call_busy&delivered=true&timeout=2s');
    const [delivery] = await deliveriesOf(client);
    await client.post(`/_sandbox/deliveries/${delivery.id}/redeliver`);
    expect((await waiting).body.data.id).toBe(id);
  });

  it('with since leaves out what was before', async () => {
    const { client, world } = freshWorld(sandbox);
    const first = await fire(client, 'call_busy');
    await world.clock.advance('1m');
    const second = await fire(client, 'call_busy');
    expect((await wait(client, 'event_type=call_busy')).body.data.id).toBe(first.id);
    expect((await wait(client, `event_type=call_busy&since=${afterStart(0)}`)).body.data.id).toBe(first.id);
    expect((await wait(client, `event_type=call_busy&since=${afterStart(1)}`)).body.data.id).toBe(second.id);
    expect((await wait(client, `event_type=call_busy&since=${afterStart(60_000)}`)).body.data.id).toBe(second.id);
    const late = await wait(client, `event_type=call_busy&since=${afterStart(60_001)}&timeout=30ms`);
    expectError(late, 408, 'timeout');
  });

  it('is 408 on a reset, at once', async () => {
    const { client, world } = freshWorld(sandbox);
    const began = performance.now();
    const waiting = wait(client, 'event_type=call_busy&timeout=10s');
    const inLibrary = world.waitFor({ event_type: 'call_busy' }).catch((error: { code: string }) => error.code);
    await pause(40);
    await world.reset();
    expectError(await waiting, 408, 'timeout');
    expect(await inLibrary).toBe('timeout');
    expect(performance.now() - began).toBeLessThan(stretched(2000));
  });

  it('is 408 when the world is deleted, at once', async () => {
    const { client, world } = freshWorld(sandbox);
    await client.get('/v1/account');
    const began = performance.now();
    const waiting = wait(client, 'event_type=call_busy&timeout=10s');
    const inLibrary = world.waitFor({ event_type: 'call_busy' }).catch((error: { code: string }) => error.code);
    await pause(40);
    expect((await client.delete(`/_sandbox/worlds/${world.name}`)).status).toBe(204);
    expectError(await waiting, 408, 'timeout');
    expect(await inLibrary).toBe('timeout');
    expect(performance.now() - began).toBeLessThan(stretched(2000));
  });

  it('with delivered=true knows the event from one that had its id before a reset', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened: released, open } = gate();
    receiver.onDelivery = () => released;
    await subscribe(client, receiver.url, 'call_busy');
    const before = await fire(client, 'call_busy');
    await world.reset();
    open();
    await subscribe(client, receiver.url, 'call_busy');
    expect((await fire(client, 'call_busy')).id).toBe(before.id);
    expect((await wait(client, 'event_type=call_busy&delivered=true&timeout=2s')).status).toBe(200);
  });

  it('hears nothing of another world', async () => {
    const [here, there] = [freshWorld(sandbox).client, freshWorld(sandbox).client];
    const waiting = wait(here, 'event_type=call_busy&timeout=100ms');
    await fire(there, 'call_busy');
    expectError(await waiting, 408, 'timeout');
  });

  it.each([
    ['timeout', 'timeout=61s'],
    ['timeout', 'timeout=soon'],
    ['timeout', 'timeout=10'],
    ['event_type', 'event_type=call_bussy'],
    ['delivered', 'delivered=perhaps'],
    ['since', 'since=yesterday'],
    ['type', 'type=call_busy'],
  ])('refuses %s in ?%s', async (field, query) => {
    expectFields(await wait(clientOf(sandbox.url), query), field);
  });

  describe('where the journal has dropped events', () => {
    it('is 409 with the number dropped when the answer would rest on them', async () => {
      const made = await newSandbox({ clock: 'manual', journalLimit: 5 });
      const client = clientOf(made.url);
      for (let times = 0; times < 8; times++) await fire(client, 'contact_created');
      const answer = await wait(client, 'event_type=call_busy&timeout=50ms');
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/\b3\b/);
    });

    /** An event of six deliveries, of which the journal keeps four; the refused one ends before or after the others. */
    const fireToSix = async (refused: 'first' | 'last'): Promise<Client> => {
      const made = await newSandbox({ clock: 'manual', journalLimit: 4 });
      const client = clientOf(made.url);
      const [taking, refusing] = [await newReceiver(), await newReceiver()];
      const { opened, open } = gate();
      taking.onDelivery = () => (refused === 'first' ? opened : undefined);
      refusing.onDelivery = (_, res) =>
        (refused === 'last' ? opened : Promise.resolve()).then(() => res.writeHead(500).end());
      await subscribe(client, refusing.url, 'call_busy');
      for (let times = 0; times < 5; times++) await subscribe(client, taking.url, 'call_busy');
      await fire(client, 'call_busy');
      // What is still open is kept, so that the first that ended is the first to go.
      const [query, left] = refused === 'first' ? ['', 5] : (['status=delivered', 3] as const);
      await vi.waitFor(async () => expect(await deliveriesOf(client, query)).toHaveLength(left));
      open();
      await made.clock.advance('0s');
      return client;
    };

    it('with delivered=true is 409 with the number dropped when the answer would rest on dropped deliveries', async () => {
      const client = await fireToSix('first');
      const answer = await wait(client, 'event_type=call_busy&delivered=true&timeout=50ms');
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/\b2 deliveries\b/);
      expect((await wait(client, 'event_type=call_busy&timeout=50ms')).status).toBe(200);
      expectError(await wait(client, 'event_type=new_call&delivered=true&timeout=50ms'), 408, 'timeout');
    });

    it('with delivered=true is 408 where one that is kept was refused, whatever became of the dropped ones', async () => {
      const client = await fireToSix('last');
      expectError(await wait(client, 'event_type=call_busy&delivered=true&timeout=50ms'), 408, 'timeout');
    });

    it('waits all the same when since lies after what was dropped', async () => {
      const made = await newSandbox({ clock: 'manual', journalLimit: 5 });
      const client = clientOf(made.url);
      for (let times = 0; times < 8; times++) await fire(client, 'contact_created');
      await made.clock.advance('1m');
      const since = await made.clock.now();
      const waiting = wait(client, `event_type=call_busy&since=${since}&timeout=2s`);
      await pause(30);
      await fire(client, 'call_busy');
      const answer = await waiting;
      expect([answer.status, answer.body.data?.event_type], answer.text).toEqual([200, 'call_busy']);
    });
  });
});
