// When the rate window of a key begins and ends: `interface.md` section 4. The tests set the system time.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, clientOf, expectError } from '../support/client.ts';
import { runs } from '../support/thorough.ts';
import { usePlatform } from './setup.ts';

const { sandbox, client, wire, dial } = usePlatform();

const MODES = ['manual', 'real', '20x', '0.5x', '1.1x'] as const;
const WORLDS = [...MODES, 'instant'] as const;
const worldOf = (mode: string): string => `window-${mode.replace('.', '-')}`;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  for (const clock of WORLDS) await client.post('/_sandbox/worlds', { name: worldOf(clock), clock });
});
afterAll(() => {
  vi.useRealTimers();
});

const sleep = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
const read = (key: string): Promise<Answer> => wire.send({ path: '/v1/me', key });
const remaining = ({ headers }: Answer): number => Number(headers['x-ratelimit-remaining']);

/** A world on that clock, with a key of its own that may make so many requests a minute. */
async function keyedWorld(mode: string, requests_per_minute = 1) {
  const by = clientOf(sandbox.url, `svc_test_${worldOf(mode)}`);
  await by.put('/_sandbox/clock', { mode });
  const { api_key: key } = (await by.post('/_sandbox/keys', { requests_per_minute })).body.data;
  return {
    ask: () => read(key),
    setMode: (next: string) => by.put('/_sandbox/clock', { mode: next }),
    advance: async (ms: number) => {
      const answer = await by.post('/_sandbox/clock/advance', { by: `${ms}ms` });
      expect(answer.status, answer.text).toBe(200);
    },
  };
}
const waits = ['sleep', 'advance'] as const;

/** Checks a refusal, and returns the seconds that it asks the client to wait. */
function secondsOf(refused: Answer): number {
  expectError(refused, 429, 'rate_limited');
  const seconds = Number(refused.headers['retry-after']);
  expect(refused.headers.ratelimit).toBe(`"default";r=0;t=${seconds}`);
  return seconds;
}

describe('a rate window', () => {
  it.each(waits)('ends on a manual clock after exactly one minute of %s', async (by) => {
    const { ask, advance } = await keyedWorld('manual');
    const wait = by === 'sleep' ? sleep : advance;
    await ask();
    await wait(59_999);
    expect(secondsOf(await ask())).toBe(1);
    await wait(1);
    const next = await ask();
    expect(next.status).toBe(200);
    expect(next.headers.ratelimit).toBe('"default";r=0;t=60');
  });

  it('adds what passed and what was advanced on a manual clock, in whatever order and steps', async () => {
    const { ask, advance } = await keyedWorld('manual');
    await ask();
    sleep(12_300);
    for (let n = 0; n < 3; n++) await advance(10_000);
    sleep(200);
    // 42.5 s are over.
    expect(secondsOf(await ask())).toBe(18);
    await advance(17_499);
    expect(secondsOf(await ask())).toBe(1);
    sleep(1);
    expect((await ask()).status).toBe(200);
  });

  it.each([
    ['real', { sleeps: 2_500, counts: 2_500, resetIn: 17_500 }],
    ['20x', { sleeps: 1_000, counts: 20_000, resetIn: 875 }],
    ['0.5x', { sleeps: 2_500, counts: 2_500, resetIn: 17_500 }],
  ])('counts on a %s clock whichever has gone further', async (mode, { sleeps, counts, resetIn }) => {
    const { ask, advance } = await keyedWorld(mode);
    await ask();
    sleep(sleeps);
    await advance(42_500 - counts);
    const refused = await ask();
    expect(secondsOf(refused)).toBe(18);
    expect(Number(refused.headers['x-ratelimit-reset'])).toBe(Date.now() + resetIn);
    sleep(resetIn - 1);
    expectError(await ask(), 429, 'rate_limited');
    sleep(1);
    expect((await ask()).status).toBe(200);
  });

  it('counts system time alone on an instant clock', async () => {
    const { ask, advance } = await keyedWorld('instant', 2);
    const key = `svc_test_${worldOf('instant')}`;
    const headers = { 'X-Sandbox-Scenario': 'answered;talk=10m' };
    expect(remaining(await dial({}, { key, headers }))).toBe(599);
    expect(remaining(await dial({}, { key, headers }))).toBe(598);
    expect(remaining(await read(key))).toBe(597);
    await ask();
    await ask();
    await advance(3_600_000);
    expect(secondsOf(await ask())).toBe(60);
    sleep(59_999);
    expect(secondsOf(await ask())).toBe(1);
    sleep(1);
    expect((await ask()).status).toBe(200);
  });

  it('keeps what was waited when the mode of the clock changes', async () => {
    const { ask, advance, setMode } = await keyedWorld('manual');
    await ask();
    sleep(5_000);
    await advance(5_000);
    await setMode('20x');
    sleep(1_000);
    await setMode('instant');
    await advance(3_600_000);
    sleep(5_000);
    await setMode('real');
    sleep(5_000);
    await setMode('manual');
    expect(secondsOf(await ask())).toBe(20);
    await advance(20_000);
    expect((await ask()).status).toBe(200);
  });

  it('is neither extended nor filled by the requests that it refuses', async () => {
    const { ask } = await keyedWorld('manual');
    const { headers } = await ask();
    for (let refused = 0; refused < 5; refused++) {
      sleep(1_000);
      const answer = await ask();
      expect(secondsOf(answer)).toBe(59 - refused);
      expect(answer.headers['x-ratelimit-reset']).toBe(headers['x-ratelimit-reset']);
    }
    sleep(55_000);
    expect((await ask()).headers.ratelimit).toBe('"default";r=0;t=60');
  });

  it('shows as its reset the time of the machine, which an advance brings nearer', async () => {
    const { ask, advance } = await keyedWorld('manual', 2);
    expect(Number((await ask()).headers['x-ratelimit-reset'])).toBe(Date.now() + 60_000);
    await advance(15_500);
    const { headers } = await ask();
    expect(Number(headers['x-ratelimit-reset'])).toBe(Date.now() + 44_500);
    expect(headers.ratelimit).toBe('"default";r=0;t=45');
  });

  it('begins with the first request of a key, even one that is refused for its scope', async () => {
    const { ask } = await keyedWorld('manual');
    const { api_key: key } = (await client.post('/_sandbox/keys', { scopes: ['agents:read'], requests_per_minute: 1 }))
      .body.data;
    expectError(await read(key), 403, 'scope_missing');
    sleep(10_000);
    expect(secondsOf(await read(key))).toBe(50);
    // Another key of the world has a window of its own.
    expect((await ask()).status).toBe(200);
  });

  it('of a demo key holds 120 requests, and lets them in again after a minute of the world', async () => {
    const demo = clientOf(sandbox.url, 'svc_sandbox_demo');
    await demo.put('/_sandbox/clock', { mode: 'manual' });
    const answers = await Promise.all(Array.from({ length: 121 }, () => read(demo.key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    const seconds = secondsOf(await read(demo.key));
    await demo.post('/_sandbox/clock/advance', { by: `${seconds}s` });
    expect(remaining(await read(demo.key))).toBe(119);
  });

  it('goes on if the clock of the machine is set back', async () => {
    const { ask } = await keyedWorld('manual');
    await ask();
    sleep(-3_600_000);
    expect(secondsOf(await ask())).toBeLessThanOrEqual(60);
    sleep(3_600_000 + 60_000);
    expect((await ask()).status).toBe(200);
  });

  it('lets in a client that waits Retry-After by either clock, whatever happened before, and none too early', async () => {
    const step = fc.oneof(
      fc.tuple(fc.constantFrom(...waits), fc.integer({ min: 0, max: 25_000 })),
      fc.tuple(fc.constant('set the mode'), fc.constantFrom(...WORLDS)),
    );
    const program = fc.record({
      steps: fc.array(step, { maxLength: 5 }),
      last: fc.constantFrom(...MODES),
      by: fc.constantFrom(...waits),
    });
    await fc.assert(
      fc.asyncProperty(program, async ({ steps, last, by }) => {
        const { ask, advance, setMode } = await keyedWorld('manual');
        await ask();
        let mode = 'manual';
        for (const [what, value] of steps) {
          if (typeof value === 'string') mode = value;
          if (typeof value === 'string') await setMode(value);
          else if (what === 'sleep') sleep(value);
          else await advance(value);
        }
        if (mode !== last) await setMode(last);
        const refused = await ask();
        if (refused.status === 200) return;
        const seconds = secondsOf(refused);
        const left = Number(refused.headers['x-ratelimit-reset']) - Date.now();
        expect(seconds).toBeLessThanOrEqual(60);
        // Below the speed of a real clock both are the same wait.
        if (last === 'manual' || last === 'real' || last === '0.5x') expect(seconds).toBe(Math.ceil(left / 1000));
        if (by === 'sleep') {
          sleep(left - 1);
          expect((await ask()).status).toBe(429);
          sleep(Math.max(1, seconds * 1000 - left + 1));
        } else {
          if (seconds > 1) await advance((seconds - 1) * 1000);
          expect((await ask()).status).toBe(429);
          await advance(1000);
        }
        expect((await ask()).status).toBe(200);
      }),
      { numRuns: runs(15, 1000) },
    );
  });
});
