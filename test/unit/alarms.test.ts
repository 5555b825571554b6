// When the tasks of worlds with running clocks are due: one timer for all, on a system time that the test moves.
import { afterEach, describe, expect, it } from 'vitest';
import { Alarms } from '../../src/scheduler/alarms.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';

const made: Alarms[] = [];
afterEach(() => {
  for (const each of made.splice(0)) each.stop();
});

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

  it('rings for the one world in use, however often others were set anew', async () => {
    const { rung, alarms } = alarmsAt(1000);
    for (let n = 0; n < 500; n++) alarms.set('busy', 100_000 + n);
    for (let n = 0; n < 10; n++) alarms.set(`idle ${n}`, 200_000 + n);
    alarms.set('used', 1000);
    await hear(rung, ['used']);
    for (let n = 0; n < 10; n++) alarms.set(`idle ${n}`, Number.POSITIVE_INFINITY);
    alarms.set('busy', 999);
    await hear(rung, ['used', 'busy']);
  });

  it('rings no more once it is stopped', async () => {
    const { clock, rung, alarms } = alarmsAt(1000);
    alarms.set('late', 1005);
    alarms.stop();
    clock.now = 2000;
    await hear(rung, []);
  });

  it.runIf(thorough)('rings within a second after the machine has slept, whatever the timer was set to', async () => {
    const { clock, rung, alarms } = alarmsAt(1000);
    alarms.set('due while asleep', 3_600_000);
    clock.now = 3_600_000;
    await hear(rung, ['due while asleep']);
  });
});
