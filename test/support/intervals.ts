// Timers that repeat and belong to a test, which lets them run where it would have to wait for a minute.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';

/** Called before what sets them: from then on, timers that repeat after so many milliseconds run when the test says so. */
export function holdIntervals(ms: number) {
  const { setInterval, clearInterval } = timers;
  const held = new Map<unknown, () => void>();
  const holding = (run: () => void, every: number): NodeJS.Timeout => {
    if (every !== ms) return setInterval(run, every);
    // Not to run by itself before the test ends.
    const timer = setInterval(() => {}, 2 ** 31 - 1);
    held.set(timer, run);
    return timer;
  };
  const clearing = (timer?: NodeJS.Timeout): void => {
    held.delete(timer);
    clearInterval(timer);
  };
  Object.assign(timers, { setInterval: holding, clearInterval: clearing });
  syncBuiltinESMExports();
  return {
    /** Lets each run once. */
    run(): void {
      for (const run of [...held.values()]) run();
    },
    restore(): void {
      Object.assign(timers, { setInterval, clearInterval });
      syncBuiltinESMExports();
    },
  };
}
