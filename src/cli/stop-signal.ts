// The signals that end a server.

const names = ['SIGTERM', 'SIGINT'] as const;

/**
 * Listens from now on for the signal to stop; a second one ends the process at once. Called before anything slow: as
 * process 1 of a container there is no default action, and a signal that nobody listens for is lost.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first = true;
    for (const name of names) {
      process.on(name, () => {
        if (!first) process.exit(1);
        first = false;
        resolve(name);
      });
    }
  });
}
