// `vitest run` leaves out the long tests, which `vitest run --mode all` runs too (see test/support/thorough.ts). Those in a
// browser are run by `vitest run --mode browser` alone, since they need one. `vitest run --mode redis` runs the others on the
// store in Redis.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { compiledFiles, compiledSources } from './test/support/compiled-sources.ts';
import { namesFailures } from './test/support/failures-reporter.ts';

const saysWhatIsLeftOut: Reporter = {
  onTestRunEnd: () => console.log('\nThe long tests were left out; `npm run test:all` runs them too.'),
};

const saysThatBrowserIsLeftOut: Reporter = {
  onTestRunEnd: () =>
    console.log('The tests in a browser were left out; `npm run test:browser` runs them, and needs Chromium.'),
};

const saysWhatMemoryAloneHas: Reporter = {
  onTestRunEnd: () =>
    console.log('The tests that set the system time were left out: in Redis, it is that of the server.'),
};

const browserTests = 'test/browser/**/*.test.ts';
/** Which set the system time from beginning to end; others skip single tests. */
const systemTimeTests = ['test/http/rate-window.test.ts', 'test/worlds/world-ttl.test.ts'];

/** What is left out, and what says so. */
function leftOut(mode: string): { readonly exclude: string[]; readonly reporters: Reporter[] } {
  if (mode === 'browser') return { exclude: [], reporters: [] };
  if (mode === 'all') return { exclude: [browserTests], reporters: [saysThatBrowserIsLeftOut] };
  const [exclude, reporters] = [
    ['test/all/**', browserTests],
    [saysWhatIsLeftOut, saysThatBrowserIsLeftOut],
  ];
  if (mode !== 'redis') return { exclude, reporters };
  return { exclude: [...exclude, ...systemTimeTests], reporters: [...reporters, saysWhatMemoryAloneHas] };
}

export default defineConfig(({ mode }) => {
  const deadlineMs = mode === 'all' || mode === 'browser' ? 900_000 : 120_000;
  const { exclude, reporters } = leftOut(mode);
  const test = {
    include: [mode === 'browser' ? browserTests : 'test/**/*.test.ts'],
    exclude,
    env: { TEST_ALL: String(mode === 'all'), TEST_TWICE: String(mode === 'twice') },
    reporters: ['default', ...reporters, namesFailures],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: mode === 'redis' ? ['test/support/shared-redis.ts'] : [],
    // Neither the sources nor the helpers keep state in modules, so a worker imports them once for all its files.
    isolate: false,
    server: { deps: { external: [compiledFiles] } },
    // One more than there are cores, because tests of the program and of the system clock wait most of their time.
    maxWorkers: availableParallelism() + 1,
    // Only a test that hangs is to meet a deadline, also on a machine that is busy with other work.
    testTimeout: deadlineMs,
    hookTimeout: deadlineMs,
  };
  return { plugins: [compiledSources()], test };
});
