// Handles errors that no other code has handled; used by the program, not by the library. Each is a bug, but it must
// not end the requests and worlds of everyone else on the server.
import type { Log } from '../log.ts';
import { hasCode, messageOf } from '../system-errors.ts';

/** The same error is logged at most so often. */
const REPEAT_MS = 60_000;
/** How many errors are told apart. */
const MAX_KNOWN = 100;

/** Handles errors from now on: the process ends with exit code 1 until it serves, which calling the function says. */
export function surviveErrors(): (log: Log) => void {
  let log: Log | undefined;
  const logged = new Map<string, { at: number; since: number }>();
  process.on('uncaughtException', (error, origin) => {
    if (!log || isOutOfMemory(error)) return exit(error);
    const key = placeOf(error);
    const known = logged.get(key);
    if (known && performance.now() - known.at < REPEAT_MS) {
      known.since += 1;
      return;
    }
    if (logged.size >= MAX_KNOWN) logged.clear();
    logged.set(key, { at: performance.now(), since: 0 });
    log.error({ err: error, origin, repeated: known?.since ?? 0 }, 'an error was not handled; the server goes on');
  });
  return (running) => {
    log = running;
  };
}

function exit(error: unknown): void {
  const problem = isOutOfMemory(error)
    ? 'out of memory: give the process more, or lower --memory'
    : `could not start: ${messageOf(error)}`;
  process.stderr.write(`ringback: ${problem}\n`);
  process.exit(1);
}

/** Where it was thrown; the message may differ each time. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? error.stack : undefined;
  return /^ +at .*$/m.exec(stack ?? '')?.[0] ?? messageOf(error);
}

const isOutOfMemory = (error: unknown): boolean =>
  hasCode(error, 'ERR_MEMORY_ALLOCATION_FAILED') ||
  (error instanceof RangeError && error.message === 'Array buffer allocation failed');
