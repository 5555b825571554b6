// Waits for what happens on a real clock or in another process, for as long as a busy machine may take.
import { createHash } from 'node:crypto';
import { expect, vi } from 'vitest';

/** In milliseconds; less than the time limit of a test, so that a failure names the condition. */
export const PATIENCE = 100_000;

/** Reads repeatedly until the matcher that follows passes. */
export const until = <T>(read: () => T): ReturnType<typeof expect.poll<T>> =>
  expect.poll(read, { timeout: PATIENCE, interval: 5 });

/** Runs a check repeatedly until it passes. */
export const eventually = (check: () => unknown, interval = 20): Promise<unknown> =>
  vi.waitFor(check, { timeout: PATIENCE, interval });

/** How long the hashing below takes on an idle machine, in milliseconds. */
const USUAL = 10;

/**
 * A limit in milliseconds for something that is quick on an idle machine, scaled by how slow this machine is now. Use it
 * where a failure would take many times as long, or forever.
 */
export function stretched(ms: number): number {
  const began = performance.now();
  for (let n = 0; n < 4000; n++) createHash('sha256').update('how slow').digest();
  return ms * Math.max(2, (3 * (performance.now() - began)) / USUAL);
}
