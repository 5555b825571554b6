// The event loop as a test sees it: how often it goes round, and what happens between two slices of work.
export interface WatchedLoop {
  rounds: number;
  between: () => Promise<void>;
}

/** Begins a slice a round later, once `between` of the loop is over. */
export function watchedLoop(): { readonly loop: WatchedLoop; readonly afterRequests: (callback: () => void) => void } {
  const loop: WatchedLoop = { rounds: 0, between: async () => {} };
  const afterRequests = (callback: () => void): void => {
    setImmediate(async () => {
      loop.rounds += 1;
      await loop.between();
      callback();
    });
  };
  return { loop, afterRequests };
}
