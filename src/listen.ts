// Listens for connections, and handles those that cannot be accepted.
import type { Server } from 'node:http';
import type { Settings } from './config.ts';
import type { Log } from './log.ts';

/** How often the log says that connections cannot be accepted. */
const REPORT_MS = 10_000;
const hint = 'close connections, or allow this process more open files (ulimit -n); those that are open go on';

/** Resolves to the port. Throws the system's error if the address cannot be had. */
export async function listen(
  server: Server,
  { port, host }: Pick<Settings, 'port' | 'host'>,
  log: Log,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  let reportedAt = Number.NEGATIVE_INFINITY;
  server.on('error', (error) => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    log.error({ reason: error.message, hint }, 'connections could not be accepted');
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port');
  return address.port;
}
