import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // By default one core is left idle, which on two cores is half of them.
    maxWorkers: '100%',
  },
});
