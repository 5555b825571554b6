// Requests that came in one turn of the event loop are served side by side: all are read first, then all carried out,
// then all answered. Each kind of work finds the caches warm, and a client of many connections is woken once.

/** Answers a promise that resolves when everything that has come by now has been read. */
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
