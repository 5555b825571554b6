// The tests of one area, for Stryker: MUTANTS_AREA names it.
import { defineConfig } from 'vitest/config';
import { areas } from './areas.mjs';

const { tests, withoutServer } = areas[process.env.MUTANTS_AREA ?? 'signing'];

export default defineConfig({
  test: {
    include: [...tests.map((name) => `test/${name}.test.ts`), 'test/mutants/loads.mjs'],
    env: { TEST_ALL: 'false' },
    // It watches what servers send, and loads most of the sources for that.
    setupFiles: withoutServer ? [] : ['test/support/setup.ts'],
    isolate: false,
    // A mutant that waits forever is one that a test has noticed.
    testTimeout: 10_000,
    hookTimeout: 10_000,
  },
});
