// How tests wait for what happens on its own, on a real clock or in another process: as long as a busy machine may take.
import { createHash } from 'node:crypto';
import { expect, vi } from 'vitest';

/** In milliseconds; less than the time limit of a test, so that a failure says what was waited for. */
export const PATIENCE = 100_000;

/** Reads again and again until the matcher that follows is satisfied. */
export const until = <T>(read: () => T): ReturnType<typeof expect.poll<T>> =>
  expect.poll(read, { timeout: PATIENCE, interval: 5 });

/** Runs a check again and again until it passes. */
export const eventually = (check: () => unknown, interval = 20): Promise<unknown> =>
  vi.waitFor(check, { timeout: PATIENCE, interval });

/** What hashing takes on a machine of its own, in milliseconds. */
const USUAL = 10;

/**
 * A limit in milliseconds for something that is quick on a machine of its own, stretched by how slow this machine is now.
 * For what would take many times as long, or for ever, if it went wrong.
 */
export function stretched(ms: number): number {
  const began = performance.now();
  for (let n = 0; n < 4000; n++) createHash('sha256').update('how slow').digest();
  return ms * Math.max(2, (3 * (performance.now() - began)) / USUAL);
}
