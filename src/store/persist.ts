// Retries writes that must not be lost when the store fails for a moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { NoSuchWorld } from './store.ts';

/** The waits before each further try, in milliseconds. */
const WAITS = [0, 10, 100, 1000];

/** Resolves with what the write returns. Rejects with NoSuchWorld at once, and with any other error after the last try. */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await write();
    } catch (error) {
      if (error instanceof NoSuchWorld) throw error;
    }
    await sleep(wait, undefined, { ref: false });
  }
  return write();
}
