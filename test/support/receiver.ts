// A receiver of webhooks as a customer would write one: a plain HTTP server that keeps what it got. Every delivery is
// held against the contract; one that deviates fails the test in which it came.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deliveryDeviations } from './contract.ts';
import { deviations } from './deviations.ts';

/** Notes what is wrong with a delivery by the contract; the test that runs fails by it. */
export function holdDelivery({ method, headers, body, raw }: Omit<Received, 'path'>): void {
  for (const deviation of deliveryDeviations(method, headers, body)) deviations.push(`${raw}: ${deviation}`);
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  readonly raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly body: any;
}

export interface Receiver {
  readonly url: string;
  readonly got: Received[];
  /** What it does with a delivery before it answers; 200 unless it answers itself. */
  onDelivery: (delivery: Received, res: ServerResponse) => unknown;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', async () => {
      const raw = Buffer.concat(chunks);
      const { method = '', url: path = '', headers } = req;
      const delivery = { method, path, headers, raw, body: JSON.parse(raw.toString() || 'null') };
      got.push(delivery);
      holdDelivery(delivery);
      await receiver.onDelivery(delivery, res);
      if (!res.writableEnded && !res.destroyed) res.writeHead(200).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    onDelivery: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
