// `vitest run` leaves out the long tests, which `vitest run --mode all` runs too (see test/support/thorough.ts).
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { namesFailures } from './test/support/failures-reporter.ts';

const saysWhatIsLeftOut: Reporter = {
  onTestRunEnd: () => console.log('\nThe long tests were left out; `npm run test:all` runs them too.'),
};

export default defineConfig(({ mode }) => {
  const deadlineMs = mode === 'all' ? 900_000 : 120_000;
  const test = {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'all' ? [] : ['test/all/**'],
    env: { TEST_ALL: String(mode === 'all'), TEST_TWICE: String(mode === 'twice') },
    reporters: ['default', ...(mode === 'all' ? [] : [saysWhatIsLeftOut]), namesFailures],
    setupFiles: ['test/support/setup.ts'],
    // Neither the sources nor the helpers keep state in modules, so a worker imports them once for all its files.
    isolate: false,
    // One more than there are cores, because tests of the program and of the system clock wait most of their time.
    maxWorkers: availableParallelism() + 1,
    // Only a test that hangs is to meet a deadline, also on a machine that is busy with other work.
    testTimeout: deadlineMs,
    hookTimeout: deadlineMs,
  };
  return { test };
});
