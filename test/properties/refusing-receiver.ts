// A receiver for the property tests: its paths say which requests it refuses, and it notes what it got and answered.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  readonly path: string;
  readonly body: string;
  readonly status: number;
}

export interface RefusingReceiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly got: Arrival[];
  /** Forgets what it got, and counts from zero. */
  clear(): void;
  close(): void;
}

const SLOW_MS = 2;

const period: Readonly<Record<string, number>> = { all: 1, second: 2, third: 3 };

/** Paths end in `none`, `all`, `second` or `third`. */
export async function startRefusingReceiver(): Promise<RefusingReceiver> {
  const got: Arrival[] = [];
  const counts = new Map<string, number>();
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const path = req.url ?? '';
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const every = period[path.slice(path.lastIndexOf('/') + 1)];
      const status = every !== undefined && count % every === 0 ? 500 : 200;
      got.push({ path, body: Buffer.concat(chunks).toString(), status });
      res.sendDate = false;
      const answer = (): void => void res.writeHead(status).end();
      // Slow answers let other deliveries overtake this one, if anything lets them.
      if (got.length % 3 === 0) setTimeout(answer, SLOW_MS);
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    clear() {
      got.length = 0;
      counts.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
