// The signals that stop a server.
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Resolves with the first signal to stop; a second one ends the process at once. SIGHUP does not count: a closed terminal
 * and its shell each send one, and a supervisor may send SIGTERM with it, of which SIGHUP arrives first. Call it before
 * anything slow: process 1 of a container has no default handlers, and a signal that arrives before these is lost.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let counted = 0;
    for (const signal of signals) {
      process.on(signal, () => {
        if (signal !== 'SIGHUP') counted += 1;
        if (counted > 1) process.exit(1);
        resolve(signal);
      });
    }
  });
}
