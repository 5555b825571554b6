// A world's clock as a pure function of the system time, and the forms of durations and timestamps.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClockState,
  changeMode,
  freeze,
  LATEST_INSTANT,
  newClock,
  parseClockSetting,
  parseTimestamp,
  resume,
  setClock,
  steadyTime,
  systemTimeOf,
  waitedAt,
  worldTime,
} from '../../src/clock/clock.ts';
import { formatDuration, parseDuration, parseDurationRange } from '../../src/clock/duration.ts';

const clockOf = (mode: string, start = 1000, now = 5000): ClockState => {
  const setting = parseClockSetting(mode);
  if (!setting) throw new Error(`${mode} is not a clock setting`);
  return newClock(setting, start, now);
};

describe('a new clock', () => {
  it('starts at the given instant when it is stopped, and at the system time when it runs', () => {
    expect(worldTime(clockOf('manual'), 9000)).toBe(1000);
    expect(worldTime(clockOf('instant'), 9000)).toBe(1000);
    expect(worldTime(clockOf('real'), 9000)).toBe(9000);
    expect(worldTime(clockOf('20x'), 5100)).toBe(7000);
  });
});

describe('a running clock', () => {
  it('knows the system time at which an instant comes, and has reached it then', () => {
    const clock = clockOf('3x');
    const due = systemTimeOf(clock, 5100);
    expect(due).toBe(5034);
    expect(worldTime(clock, due)).toBeGreaterThanOrEqual(5100);
    expect(worldTime(clock, due - 1)).toBeLessThan(5100);
  });

  it('never runs backwards with the system time, nor beyond the last instant', () => {
    expect(worldTime(clockOf('real'), 4000)).toBe(5000);
    expect(worldTime(clockOf('1000000x'), LATEST_INSTANT)).toBe(LATEST_INSTANT);
  });

  it('never comes to an instant while it is stopped or frozen', () => {
    expect(systemTimeOf(clockOf('manual'), 2000)).toBe(Number.POSITIVE_INFINITY);
    expect(systemTimeOf(freeze(clockOf('real'), 6000), 7000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('stands still while it is frozen, and goes on from there when it is resumed', () => {
    const frozen = freeze(clockOf('2x'), 6000);
    expect(worldTime(frozen, 9000)).toBe(7000);
    expect(worldTime(resume(frozen, 9000), 9500)).toBe(8000);
  });

  it('goes on from its own time in another mode, and from a given time when it is set', () => {
    const clock = clockOf('20x');
    const manual = changeMode(clock, { mode: 'manual', speed: 0 }, 5100);
    expect(worldTime(manual, 8000)).toBe(7000);
    expect(worldTime(setClock(clock, 100_000, 5100), 5200)).toBe(102_000);
  });
});

describe('what has been waited', () => {
  /** Frozen from the system time 6000, set 10 s ahead after 4 s of it, and resumed a second later. */
  const advanced = (mode: string): ClockState => {
    const frozen = freeze(clockOf(mode), 6000);
    return resume(setClock(frozen, worldTime(frozen, 6000) + 10_000, 10_000), 11_000);
  };

  it('adds on a manual clock what an advance takes to what it advances', () => {
    expect(waitedAt(advanced('manual'), 12_000)).toBe(1000 + 4000 + 10_000 + 1000 + 1000);
  });

  it('counts on a running clock what an advance takes only beyond what it advances', () => {
    expect(waitedAt(advanced('real'), 12_000)).toBe(1000 + 10_000 + 1000 + 1000);
    expect(waitedAt(advanced('20x'), 12_000)).toBe(20_000 + 10_000 + 1000 + 20_000);
  });

  it('is system time on an instant clock', () => {
    expect(waitedAt(advanced('instant'), 12_000)).toBe(7000);
  });
});

describe('a clock setting', () => {
  it('has no other form', () => {
    for (const text of ['', 'REAL', '0x', '-1x', '1000001x', '20', 'x', '20x '])
      expect(parseClockSetting(text), text).toBeUndefined();
  });
});

describe('a timestamp', () => {
  it('is read with any zone, with and without seconds', () => {
    expect(parseTimestamp('2026-01-05T15:00Z')).toBe(Date.UTC(2026, 0, 5, 15));
    expect(parseTimestamp('2026-01-05T15:00:00.5+02:00')).toBe(Date.UTC(2026, 0, 5, 13, 0, 0, 500));
    expect(parseTimestamp('2028-02-29T00:00:00Z')).toBe(Date.UTC(2028, 1, 29));
  });

  it('has a zone, and a day that the calendar has', () => {
    for (const text of [
      '2026-01-05',
      '2026-01-05T15:00:00',
      '2026-02-30T00:00:00Z',
      '2026-01-05T25:00:00Z',
      'tomorrow',
      '10000-01-01T00:00:00Z',
    ])
      expect(parseTimestamp(text), text).toBeUndefined();
  });
});

describe('a duration', () => {
  it('is a number and a unit', () => {
    const durations = [
      ['250ms', 250],
      ['2s', 2000],
      ['1.5m', 90_000],
      ['1h', 3_600_000],
      ['3d', 259_200_000],
    ] as const;
    for (const [text, ms] of durations) expect(parseDuration(text), text).toBe(ms);
  });

  it('has no other form, and is at most a century', () => {
    for (const text of ['', '2', '2 s', '-2s', 's', '1w', '36526d']) expect(parseDuration(text), text).toBeUndefined();
    expect(parseDuration(`${'0'.repeat(99)}1s`)).toBeUndefined();
  });

  it('has ranges, which must not end before they start', () => {
    expect(parseDurationRange('2s..4s')).toEqual({ min: 2000, max: 4000 });
    expect(parseDurationRange('2s')).toEqual({ min: 2000, max: 2000 });
    expect(parseDurationRange('4s..2s')).toBeUndefined();
    expect(parseDurationRange('2s..')).toBeUndefined();
  });

  it('is written in its shortest exact form', () => {
    expect([90_000, 1500, 0].map(formatDuration)).toEqual(['90s', '1500ms', '0ms']);
  });
});

describe('system time', () => {
  it('never goes back, keeps its pace where the machine is set back, and follows it where it is set forward', () => {
    // Time may wait after corrections of a second and less, so the pace is checked where all steps are greater.
    const setting = fc.integer({ min: -5000, max: 5000 }).map((n) => n * 2000);
    const anyStep = fc.integer({ min: -1e7, max: 1e7 });
    const passes = fc.integer({ min: 0, max: 10_000 });
    const momentsOf = (step: fc.Arbitrary<number>) =>
      fc.array(fc.record({ passes, step: fc.oneof(step, fc.constant(0)) }));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.record({ moments: momentsOf(setting), keepsPace: fc.constant(true) }),
          fc.record({ moments: momentsOf(anyStep), keepsPace: fc.constant(false) }),
        ),
        ({ moments, keepsPace }) => {
          let elapsed = 0;
          let machine = 1e12;
          const time = steadyTime(
            () => machine,
            () => elapsed,
          );
          let before = time();
          for (const { passes, step } of moments) {
            elapsed += passes;
            machine += passes + step;
            const now = time();
            expect(now - before).toBeGreaterThanOrEqual(keepsPace ? passes : 0);
            expect(now).toBeGreaterThanOrEqual(machine);
            if (step === 0) expect(now - before).toBeLessThanOrEqual(passes + 1);
            before = now;
          }
        },
      ),
    );
  });
});
