// Requests that arrive in one tick of the event loop are served side by side: all are read first, then all executed,
// then all answered. So each kind of work finds warm caches, and a client with many connections is woken once.

/** Returns a function whose promise resolves once everything that has arrived by now has been read. */
export function createTickBarrier(): () => Promise<void> {
  let pending: Promise<void> | undefined;
  return () => {
    pending ??= new Promise((resolve) => {
      setImmediate(() => {
        pending = undefined;
        resolve();
      });
    });
    return pending;
  };
}
