// When the tasks of worlds with running clocks are due: one timer for all, on a system time that the test moves.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Alarms } from '../../src/scheduler/alarms.ts';
import { eventually } from '../support/until.ts';

const made: Alarms[] = [];
afterEach(() => {
  for (const each of made.splice(0)) each.stop();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** The one timer that there is, which rings when the test says. */
function useOwnTimer() {
  const timer: { ms: number | null; ring(): void } = { ms: null, ring: () => {} };
  vi.spyOn(timers, 'setTimeout').mockImplementation((callback, ms = 0) => {
    Object.assign(timer, { ms, ring: callback });
    // As much of a timer as alarms use.
    return { unref: () => {} } as NodeJS.Timeout;
  });
  vi.spyOn(timers, 'clearTimeout').mockImplementation(() => {
    timer.ms = null;
  });
  syncBuiltinESMExports();
  return timer;
}

function alarmsAt(start: number) {
  const clock = { now: start };
  const rung: string[] = [];
  const alarms = new Alarms(
    () => clock.now,
    (world) => rung.push(world),
  );
  made.push(alarms);
  return { clock, rung, alarms };
}

/** Waits for what rings, and a little longer for what must not. */
async function hear(rung: readonly string[], worlds: readonly string[]): Promise<void> {
  await eventually(() => expect(rung).toEqual(worlds));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(rung).toEqual(worlds);
}

describe('an alarm', () => {
  it('rings once for each world that is due, the earliest first, and not for one that is not', async () => {
    const { rung, alarms } = alarmsAt(1000);
    alarms.set('later', 100_000);
    alarms.set('now', 1000);
    alarms.set('overdue', 500);
    await hear(rung, ['overdue', 'now']);
  });

  it('rings at the latest instant that was set, and not at all for none', async () => {
    const { clock, rung, alarms } = alarmsAt(1000);
    alarms.set('postponed', 1001);
    alarms.set('postponed', 100_000);
    alarms.set('canceled', 1001);
    alarms.set('canceled', Number.POSITIVE_INFINITY);
    alarms.set('hastened', 100_000);
    alarms.set('hastened', 1002);
    alarms.set('same', 1003);
    alarms.set('same', 1003);
    clock.now = 1003;
    await hear(rung, ['hastened', 'same']);
    alarms.set('postponed', 1003);
    await hear(rung, ['hastened', 'same', 'postponed']);
    alarms.set('same', 1003);
    await hear(rung, ['hastened', 'same', 'postponed', 'same']);
  });

  it('rings for the one world in use, however often others were set again', async () => {
    const { clock, rung, alarms } = alarmsAt(1000);
    // What is stale is removed as soon as it is the next: this one keeps it from being so.
    alarms.set('early', 50_000);
    alarms.set('next', 50_001);
    for (let n = 0; n < 500; n++) alarms.set('busy', 100_000 + n);
    for (let n = 0; n < 10; n++) alarms.set(`idle ${n}`, 200_000 + n);
    alarms.set('used', 1000);
    await hear(rung, ['used']);
    for (let n = 0; n < 10; n++) alarms.set(`idle ${n}`, Number.POSITIVE_INFINITY);
    alarms.set('busy', 999);
    await hear(rung, ['used', 'busy']);
    clock.now = 50_001;
    alarms.set('used', 40_000);
    await hear(rung, ['used', 'busy', 'used', 'early', 'next']);
  });

  it('rings no more once it is stopped', async () => {
    const { clock, rung, alarms } = alarmsAt(1000);
    alarms.set('late', 1005);
    alarms.stop();
    clock.now = 2000;
    await hear(rung, []);
  });

  it('waits until it is due, and not a moment longer', () => {
    const timer = useOwnTimer();
    const { clock, rung, alarms } = alarmsAt(1000);
    alarms.set('soon', 1100);
    expect(timer.ms).toBe(100);
    alarms.set('sooner', 1050);
    expect(timer.ms).toBe(50);
    clock.now = 1050;
    timer.ring();
    expect([rung, timer.ms]).toEqual([['sooner'], 50]);
    clock.now = 1200;
    alarms.set('overdue', 1060);
    expect(timer.ms).toBe(0);
    timer.ring();
    expect(rung).toEqual(['sooner', 'overdue', 'soon']);
  });

  it('looks every second, as the machine may have slept meanwhile', () => {
    const timer = useOwnTimer();
    const { clock, rung, alarms } = alarmsAt(1000);
    alarms.set('due while asleep', 3_600_000);
    expect(timer.ms).toBe(1000);
    clock.now = 2000;
    timer.ring();
    expect([rung, timer.ms]).toEqual([[], 1000]);
    clock.now = 3_600_000;
    timer.ring();
    expect(rung).toEqual(['due while asleep']);
  });

  it('has no timer where nothing is due, or it was stopped', () => {
    const timer = useOwnTimer();
    const { clock, rung, alarms } = alarmsAt(1000);
    alarms.set('canceled', 1001);
    alarms.set('canceled', Number.POSITIVE_INFINITY);
    clock.now = 1001;
    timer.ms = null;
    timer.ring();
    expect([rung, timer.ms]).toEqual([[], null]);
    alarms.set('stopped', 2000);
    alarms.stop();
    expect(timer.ms).toBe(null);
  });
});
