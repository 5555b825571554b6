// Runs before each test file: a delivery that deviates from the contract fails the test during which it came.
import { afterAll, afterEach, expect } from 'vitest';
import { deviations } from './deviations.ts';

const expectNone = (): void => expect(deviations.splice(0).join('\n')).toBe('');
afterEach(expectNone);
afterAll(expectNone);
