// Runs before each test file: a delivery that deviates from the contract fails the test during which it came, and so
// do a transaction body that is not pure and a title too long to read in a report.
import { afterAll, afterEach, expect } from 'vitest';
import { deviations } from './deviations.ts';
import { isOnRedis, openStoresInRedis } from './on-redis.ts';
import { forgetValues } from './other-values.ts';
import { impure, runTwice } from './run-twice.ts';
import { isTwice } from './thorough.ts';

afterAll(forgetValues);

if (isTwice) runTwice();
if (isOnRedis) openStoresInRedis();

// An assertion costs more than the test that it makes: there are thousands of these.
const expectNone = (): void => {
  if (deviations.length > 0) expect(deviations.splice(0).join('\n')).toBe('');
  if (impure.length > 0) expect(impure.splice(0).join('\n')).toBe('');
};
afterEach(expectNone);
afterAll(expectNone);

const LONGEST_TITLE = 120;
afterEach(({ task: { name } }) => {
  if (name.length > LONGEST_TITLE) expect(name.length, name).toBeLessThanOrEqual(LONGEST_TITLE);
});
