// The signals that stop a server.
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Resolves with the first signal to stop; a second one ends the process at once, except SIGHUP, which a closed terminal
 * and its shell each send. Call it before anything slow: process 1 of a container has no default handlers, and a signal
 * that arrives before these is lost.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isFirst = true;
    for (const signal of signals) {
      process.on(signal, () => {
        if (!isFirst && signal !== 'SIGHUP') process.exit(1);
        isFirst = false;
        resolve(signal);
      });
    }
  });
}
