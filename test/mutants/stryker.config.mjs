// How Stryker mutates one area, which MUTANTS_AREA names: see `run.mjs`. Version 9 is the last one for Node 20.
import { areas } from './areas.mjs';

const area = process.env.MUTANTS_AREA ?? 'signing';

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutants/vitest.config.mjs', related: false },
  mutate: areas[area].mutate,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  ignorePatterns: ['/dist', '/test/clients', '/reports'],
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `reports/mutants/${area}.json` },
  allowEmpty: true,
};
