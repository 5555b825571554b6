// What would end a process: errors that nothing handles, while a test runs.
import { setImmediate as immediate } from 'node:timers/promises';

const events = ['uncaughtException', 'unhandledRejection'] as const;

/** Runs a body, and returns the errors that nothing handled meanwhile. The test runner does not see them. */
export async function unhandledDuring(body: () => Promise<void>): Promise<unknown[]> {
  const found: unknown[] = [];
  const collect = (error: unknown): void => void found.push(error);
  const runners = events.map((event) => [event, process.rawListeners(event)] as const);
  for (const event of events) process.removeAllListeners(event).on(event, collect);
  try {
    await body();
    // An unhandled rejection is announced after the tick in which it happened.
    for (let n = 0; n < 3; n++) await immediate();
  } finally {
    for (const [event, listeners] of runners) {
      process.off(event, collect);
      for (const listener of listeners) process.on(event, listener as (error: unknown) => void);
    }
  }
  return found;
}
