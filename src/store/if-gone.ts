// Handles worlds that are deleted during an await, by another request or another process.
import { NoSuchWorld } from './store.ts';

/** For `catch` of a transaction: returns `value` if its world does not exist, and throws any other error on. */
export const ifGone =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof NoSuchWorld) return value;
    throw error;
  };
